package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// schemeSet numbers the schemes in use.
type schemeSet struct {
	sc    *Scenario
	setup *sim.Setup
	list  []CC
	named map[string]uint8 // of a flow file
}

// assignSchemes gives every flow the scheme that the flow file or the program names for it, otherwise that of its
// tag, otherwise the run's. The flows of the file and then those of the program are the last ones.
func (sc *Scenario) assignSchemes(s *sim.Setup, read []traces.Flow) error {
	set := &schemeSet{sc: sc, setup: s, named: make(map[string]uint8)}
	if _, err := set.number(sc.CC); err != nil {
		return sc.wrong("cc", err)
	}
	sc.tagged = make(map[string]uint8)
	for _, tag := range slices.Sorted(maps.Keys(sc.CCByTag)) {
		i, err := set.number(sc.CCByTag[tag])
		if err == nil && !sc.mayGrow(s.Flows) {
			err = checkTag(s.Flows, tag)
		}
		if err != nil {
			return sc.wrong("cc_by_tag."+tag, err)
		}
		sc.tagged[tag] = i
	}
	for i := range s.Flows {
		s.Flows[i].Scheme = sc.tagged[s.Flows[i].Tag]
	}
	added := len(s.Flows) - len(sc.Added)
	if i, err := set.assignNamed(s.Flows[added-len(read):added], read); err != nil {
		return fmt.Errorf("%s:%d: %w", sc.Flows, read[i].Line, err)
	}
	if i, err := set.assignNamed(s.Flows[added:], sc.Added); err != nil {
		return fmt.Errorf("%s: %w", NameOfAdded(i), err)
	}
	if err := sc.checkAcks(s); err != nil {
		return err
	}
	if err := sc.checkConnections(s); err != nil {
		return err
	}
	sc.noteMarks(s, set.list)
	notePaths(s, set.list)
	return nil
}

// assignNamed gives flows the schemes that they name. An error is that of flow i.
func (set *schemeSet) assignNamed(flows []sim.Flow, named []traces.Flow) (i int, err error) {
	for i := range named {
		if named[i].Scheme == "" {
			continue
		}
		if flows[i].Scheme, err = set.byName(named[i].Scheme); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// noteMarks makes a note of schemes in use that have the default thresholds of another one.
func (sc *Scenario) noteMarks(s *sim.Setup, list []CC) {
	marked := sc.markedScheme()
	usual := marked.Marking()
	if sc.ECN.Mark == "off" || !slices.Equal(sc.ECN.Thresholds, []Threshold{Threshold(usual)}) {
		return
	}
	for i, cc := range list {
		if own := s.Schemes[i].Traits(); own.Needs&algorithms.ECN != 0 && own.Marking() != usual {
			s.Notes = append(s.Notes, fmt.Sprintf("%s: switches mark by the thresholds of %s, not by its own: the key ecn.thresholds sets others", cc.Name, marked.Name))
		}
	}
}

// SchemeOf returns the index in Setup.Schemes, of the last Setup, of the scheme that flows with a
// tag have, and whether cc_by_tag names one.
func (sc *Scenario) SchemeOf(tag string) (uint8, bool) {
	i, ok := sc.tagged[tag]
	return i, ok
}

// number returns the index of a scheme, which is made if it is new.
func (set *schemeSet) number(cc CC) (uint8, error) {
	for i, c := range set.list {
		if c.Name == cc.Name && maps.Equal(c.Params, cc.Params) {
			return uint8(i), nil
		}
	}
	const most = 255 // packets carry 1 + the number, in a byte
	if len(set.list) == most {
		return 0, fmt.Errorf("there are more than %d schemes", most)
	}
	scheme, err := catalog.New(cc.Name, cc.Params)
	if err != nil {
		return 0, err
	}
	set.list = append(set.list, cc)
	set.setup.Schemes = append(set.setup.Schemes, scheme)
	return uint8(len(set.list) - 1), nil
}

// byName returns the scheme that a flow file names: one of the scenario's, with its parameters,
// or else one with default parameters.
func (set *schemeSet) byName(name string) (uint8, error) {
	if i, ok := set.named[name]; ok {
		return i, nil
	}
	cc := CC{Name: name}
	if _, err := set.sc.completeScheme(&cc, ""); err != nil {
		return 0, err
	}
	i := slices.IndexFunc(set.list, func(c CC) bool { return c.Name == cc.Name })
	if i < 0 {
		n, err := set.number(cc)
		if err != nil {
			return 0, err
		}
		i = int(n)
	}
	set.named[name] = uint8(i)
	return uint8(i), nil
}

// mayGrow reports whether flows may be added while the run is under way: in a closed loop, or by a hosting program, which
// may do so to any run; where the scenario has flows of its own, these say what there will be.
func (sc *Scenario) mayGrow(flows []sim.Flow) bool { return sc.ClosedLoop || len(flows) == 0 }

// checkTag demands a flow with the tag.
func checkTag(flows []sim.Flow, tag string) error {
	seen := make(map[string]bool)
	for i := range flows {
		seen[flows[i].Tag] = true
	}
	if seen[tag] {
		return nil
	}
	delete(seen, "")
	if len(seen) == 0 {
		return errors.New("no flow has this tag, or any: the column tag of a flow file gives flows tags")
	}
	return fmt.Errorf("no flow has this tag; there are %s", strings.Join(slices.Sorted(maps.Keys(seen)), ", "))
}
