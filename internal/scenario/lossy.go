package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/internal/sim"
)

// buildLossy reads the classes that are not lossless. They exist only with PFC: without it all classes
// are lossy (lossyClasses), with credits none is.
func (sc *Scenario) buildLossy(s *sim.Setup) error {
	s.LossyShift = sc.Switch.LossyShift
	if sc.Lossy == "" {
		return nil
	}
	switch sc.FlowControl {
	case "none":
		return sc.wrong("lossy", errors.New("all classes are lossy with flow_control: none: leave lossy out"))
	case "credits":
		return sc.wrong("lossy", errors.New("no class is lossy with flow_control: credits: leave lossy out, or use pfc"))
	}
	for word := range strings.SplitSeq(sc.Lossy, ",") {
		class, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || class < 1 || class > 7 {
			return sc.wrong("lossy", fmt.Errorf("%q is not a class from 1 to 7: write a list such as 1,2", word))
		}
		s.Lossy |= 1 << class
	}
	return nil
}

// lossyClasses are the classes of a network without PFC: those of its flows, for each of which memory is
// reserved, or every class if there are no flows, as a host may add some. Class 0 is not accounted.
func lossyClasses(flows []sim.Flow) (classes uint8) {
	if len(flows) == 0 {
		classes = 0xff
	}
	for i := range flows {
		classes |= 1 << flows[i].Prio
	}
	return classes &^ 1
}

// assignClasses gives flows the classes of their tags, or else of their schemes.
func (sc *Scenario) assignClasses(s *sim.Setup) error {
	byScheme, err := sc.classesOfSchemes(s)
	if err != nil {
		return err
	}
	for _, tag := range slices.Sorted(maps.Keys(sc.ClassByTag)) {
		err := checkClass(sc.ClassByTag[tag])
		if err == nil {
			err = checkTag(s.Flows, tag)
		}
		if err != nil {
			return sc.wrong("class_by_tag."+tag, err)
		}
	}
	lossy := false
	for i := range s.Flows {
		f := &s.Flows[i]
		if class, ok := byScheme[f.Scheme]; ok {
			f.Prio = class
		}
		if class, ok := sc.ClassByTag[f.Tag]; ok {
			f.Prio = class
		}
		lossy = lossy || s.Lossy>>f.Prio&1 != 0
	}
	if s.Lossy != 0 && !lossy && len(s.Flows) > 0 { // without flows a host may add some, and packets of its own
		return sc.wrong("lossy", errors.New("no flow is of such a class: give class_by_cc, such as {cubic: 1}, or class_by_tag"))
	}
	return nil
}

// classesOfSchemes returns classes by the number of the scheme.
func (sc *Scenario) classesOfSchemes(s *sim.Setup) (map[uint8]uint8, error) {
	classes := make(map[uint8]uint8)
	for _, name := range slices.Sorted(maps.Keys(sc.ClassByCC)) {
		e, known := catalog.Find(name)
		used := false
		for i, scheme := range s.Schemes {
			if known && scheme.Traits().Name == e.Name {
				classes[uint8(i)], used = sc.ClassByCC[name], true
			}
		}
		err := checkClass(sc.ClassByCC[name])
		if err == nil && !used {
			err = fmt.Errorf("no flow of the run has this scheme: see cc and cc_by_tag")
		}
		if err != nil {
			return nil, sc.wrong("class_by_cc."+name, err)
		}
	}
	return classes, nil
}

func checkClass(class uint8) error {
	if class < 1 || class > 7 { // 0 is that of control frames, which no buffer bounds and no depth counts
		return fmt.Errorf("%d is not a class from 1 to 7", class)
	}
	return nil
}
