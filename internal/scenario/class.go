package scenario

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/internal/sim"
)

// parseClass reads a class that flows may have. It has one form, so that no two keys are the same class.
func parseClass(text string) (uint8, error) {
	if len(text) != 1 || text[0] < '1' || text[0] > '7' {
		return 0, fmt.Errorf("%q is not a class from 1 to 7", text)
	}
	return text[0] - '0', nil
}

// parseClasses reads a list of such classes, of which the bits are set; "": none.
func parseClasses(text string) (classes uint8, err error) {
	if text == "" {
		return 0, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		class, err := parseClass(strings.TrimSpace(word))
		if err != nil {
			return 0, fmt.Errorf("%w: write a list such as 1,2", err)
		}
		classes |= 1 << class
	}
	return classes, nil
}

// checkClass refuses what flows cannot have: class 0 is that of control frames, which no buffer bounds and no depth counts.
func checkClass(class uint8) error {
	if class < 1 || class > 7 {
		return fmt.Errorf("%d is not a class from 1 to 7", class)
	}
	return nil
}

// assignClasses gives flows the classes of their tags, or else of their schemes.
func (sc *Scenario) assignClasses(s *sim.Setup) error {
	byScheme, err := sc.classesOfSchemes(s)
	if err != nil {
		return err
	}
	for _, tag := range slices.Sorted(maps.Keys(sc.ClassByTag)) {
		err := checkClass(sc.ClassByTag[tag])
		if err == nil && !sc.mayGrow(s.Flows) {
			err = checkTag(s.Flows, tag)
		}
		if err != nil {
			return sc.wrong("class_by_tag."+tag, err)
		}
	}
	lossy := false
	for i := range s.Flows {
		f := &s.Flows[i]
		sc.assignClass(f, byScheme)
		lossy = lossy || s.Lossy>>f.Prio&1 != 0
	}
	if s.Lossy != 0 && !lossy && !sc.mayGrow(s.Flows) { // a host may have packets of its own
		return sc.wrong("lossy", errors.New("no flow is of such a class: give class_by_cc, such as {cubic: 1}, or class_by_tag"))
	}
	sc.noteIdleClasses(s)
	return nil
}

// assignClass gives a flow the class of its tag, or else of its scheme, if they have one.
func (sc *Scenario) assignClass(f *sim.Flow, byScheme map[uint8]uint8) {
	if class, ok := byScheme[f.Scheme]; ok {
		f.Prio = class
	}
	if class, ok := sc.ClassByTag[f.Tag]; ok {
		f.Prio = class
	}
}

// noteIdleClasses notes the keys of single classes that have no flow.
func (sc *Scenario) noteIdleClasses(s *sim.Setup) {
	if sc.mayGrow(s.Flows) {
		return
	}
	var used [8]bool
	for i := range s.Flows {
		used[s.Flows[i].Prio] = true
	}
	note := func(key string, names iter.Seq[string]) {
		for _, name := range slices.Sorted(names) {
			if class, err := parseClass(name); err == nil && !used[class] {
				s.Notes = append(s.Notes, fmt.Sprintf("%s.%s: no flow is of class %s, which --class gives to flows", key, name, name))
			}
		}
	}
	for class := range used {
		if s.Strict>>class&1 != 0 && !used[class] {
			s.Notes = append(s.Notes, fmt.Sprintf("switch.strict: no flow is of class %d, which --class gives to flows", class))
		}
	}
	note("switch.weights", maps.Keys(sc.Switch.Weights))
	note("recovery_by_class", maps.Keys(sc.RecoveryByClass))
	note("window_by_class", maps.Keys(sc.WindowByClass))
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
			err = errors.New("no flow of the run has this scheme: see cc and cc_by_tag")
		}
		if err != nil {
			return nil, sc.wrong("class_by_cc."+name, err)
		}
	}
	return classes, nil
}
