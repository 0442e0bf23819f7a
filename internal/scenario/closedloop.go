package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// FlowOf is a flow for [sim.Network.Add] to a run s, made as Setup makes those of Added: with the scheme that it names or that of
// its tag, which are among those of the run, and with the class of its tag or scheme. Its start is not before now. An error
// begins with the name.
func (sc *Scenario) FlowOf(name string, f *traces.Flow, s *sim.Setup, now core.Time) (sim.Flow, error) {
	if wrong, ok := errors.AsType[*traces.SyntaxError](traces.CheckFlows("", []traces.Flow{*f}, s.Topology)); ok {
		wrong.File, wrong.Line = name, 0
		return sim.Flow{}, wrong
	}
	one := sim.Setup{Profile: s.Profile}
	addRecorded(&one, []traces.Flow{*f})
	flow := one.Flows[0]
	switch {
	case len(f.After) > 0:
		return flow, fmt.Errorf("%s: a flow that waits for others is added when they have ended", name)
	case flow.Start < now:
		return flow, fmt.Errorf("%s: it starts at %v, and it is %v now", name, core.Duration(flow.Start), core.Duration(now))
	}
	flow.Scheme = sc.tagged[f.Tag]
	if f.Scheme != "" {
		e, _ := catalog.Find(f.Scheme)
		names := schemeNames(s)
		i := slices.Index(names, e.Name)
		if i < 0 {
			return flow, fmt.Errorf("%s: the run has no scheme %q, but %s: cc_by_tag gives more to tags", name, f.Scheme, strings.Join(names, ", "))
		}
		flow.Scheme = uint8(i)
	}
	byScheme, err := sc.classesOfSchemes(s)
	if err != nil {
		return flow, err
	}
	sc.assignClass(&flow, byScheme)
	return flow, nil
}

// schemeNames are the names of the schemes of a run.
func schemeNames(s *sim.Setup) (names []string) {
	for _, scheme := range s.Schemes {
		names = append(names, scheme.Traits().Name)
	}
	return names
}
