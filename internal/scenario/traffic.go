package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/waitlist"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads"
)

// buildTraffic makes and reads the flows, and gives each its scheme and class. Without PFC these classes
// are lossy.
func (sc *Scenario) buildTraffic(s *sim.Setup) error {
	made, err := sc.generate(s)
	if err != nil {
		return err
	}
	for _, f := range made {
		s.Flows = append(s.Flows, sim.Flow{
			Src: f.Src, Dst: f.Dst, Bytes: f.Bytes, Start: f.Start, After: f.After, Prio: f.Prio, DstPort: traces.DefaultDstPort, Group: f.Group, Tag: f.Tag,
		})
	}
	var read []traces.Flow
	if sc.Flows != "" {
		if read, err = sc.readFlows(s); err != nil {
			return err
		}
		addRecorded(s, read)
	}
	if err := checkAdded(sc.Added, s.Topology); err != nil {
		return err
	}
	addRecorded(s, sc.Added)
	scheduled := len(s.Flows)
	replays, err := sc.readSchedules(s)
	if err != nil {
		return err
	}
	if err := sc.assignSchemes(s, read); err != nil {
		return err
	}
	if err := sc.assignClasses(s); err != nil {
		return err
	}
	if s.NoPFC {
		s.Lossy = sc.lossyClasses(s.Flows)
	}
	sc.places, sc.read = nil, len(read)
	if len(made) > 0 && len(s.Flows) > len(made) || !inOrder(s.Flows) {
		sc.places = sortFlows(s)[len(made):]
	}
	if len(replays) > 0 {
		sc.addPrograms(s, replays, scheduled-len(made))
	}
	return nil
}

// PlaceOf returns the index in Setup.Flows, of the last Setup, of a flow of ReadFlows.
func (sc *Scenario) PlaceOf(i int) int {
	if sc.places == nil {
		return i
	}
	return int(sc.places[i])
}

// PlaceOfAdded is PlaceOf for a flow of Added.
func (sc *Scenario) PlaceOfAdded(i int) int { return sc.PlaceOf(sc.read + i) }

// inOrder reports whether flows that wait for no other are in the order of their start, as those of a
// file are.
func inOrder(flows []sim.Flow) bool {
	last := core.Time(0)
	for i := range flows {
		if f := &flows[i]; len(f.After) == 0 {
			if f.Start < last {
				return false
			}
			last = f.Start
		}
	}
	return true
}

// generate makes the flows of the workload, the incast and the patterns.
func (sc *Scenario) generate(s *sim.Setup) ([]workloads.Flow, error) {
	var lists [][]workloads.Flow
	until := core.Time(sc.Duration)
	if sc.Workload != noWorkload {
		flows, err := sc.background(s, until)
		if err != nil {
			return nil, err
		}
		lists = append(lists, flows)
	}
	if sc.Incast != "" {
		in, err := workloads.ParseIncast(sc.Incast)
		if err != nil {
			return nil, sc.wrong("incast", err)
		}
		in.To, in.Prio = until, traces.DefaultPrio
		flows, err := in.Flows(s.Topology, sc.Seed)
		if err != nil {
			return nil, sc.wrong("incast", err)
		}
		lists = append(lists, flows)
	}
	patterns := workloads.Phases{Topology: s.Topology, Prio: traces.DefaultPrio, Seed: sc.Seed}
	for i, p := range sc.Patterns {
		if err := patterns.Add(p); err != nil {
			return nil, sc.wrong(fmt.Sprintf("patterns.%d", i), err)
		}
	}
	return workloads.Merge(append(lists, patterns.Flows())...), nil
}

func (sc *Scenario) readFlows(s *sim.Setup) ([]traces.Flow, error) {
	read := sc.ReadFlows
	if read == nil {
		read = traces.LoadFlows
	}
	flows, err := read(sc.Flows)
	if err = noteSurplus(s, err); err == nil {
		err = traces.CheckFlows(sc.Flows, flows, s.Topology)
	}
	if err != nil {
		return nil, sc.blame("flows", sc.Flows, err)
	}
	return flows, nil
}

// checkAdded demands that flows of a program run between hosts of the topology.
func checkAdded(flows []traces.Flow, t *topo.Topology) error {
	for i := range flows {
		if wrong, ok := errors.AsType[*traces.SyntaxError](traces.CheckFlows("", flows[i:i+1], t)); ok {
			wrong.File, wrong.Line = NameOfAdded(i), 0
			return wrong
		}
	}
	return nil
}

// NameOfAdded is what errors call a flow of Added.
func NameOfAdded(i int) string { return fmt.Sprintf("added flow %d", i) }

// addRecorded appends the flows of a file or a program. In the reference's arithmetic of time a start is in
// whole nanoseconds.
func addRecorded(s *sim.Setup, flows []traces.Flow) {
	before := len(s.Flows)
	for i := range flows {
		f := &flows[i]
		start := f.Start
		if s.Profile.Timing == core.FixedPointNanos {
			start = core.AtNanos(f.StartNanos)
		}
		s.Flows = append(s.Flows, sim.Flow{
			Src: f.Src, Dst: f.Dst, Bytes: int64(f.Bytes), Start: start, After: f.After,
			Prio: f.Prio, SrcPort: f.SrcPort, DstPort: f.DstPort, Tag: f.Tag,
		})
	}
	renumber(s.Flows[before:], func(earlier int32) int32 { return int32(before) + earlier })
}

// renumber changes the numbers of the flows that others wait for.
func renumber(flows []sim.Flow, to func(int32) int32) {
	waitlist.Renumber(flows, func(f *sim.Flow) *[]int32 { return &f.After }, to)
}

// sortFlows puts flows in the order of their start, keeping the order of equal ones. A flow that
// waits for others counts as starting with the last of them, and so stays behind them. The result is the new index
// of each.
func sortFlows(s *sim.Setup) []int32 {
	order := make([]int, len(s.Flows))
	starts := make([]core.Time, len(s.Flows))
	latest := waitlist.Latest{Compare: func(a, b int32) int { return cmp.Compare(starts[a], starts[b]) }}
	for i := range s.Flows {
		order[i], starts[i] = i, s.Flows[i].Start
		if after := s.Flows[i].After; len(after) > 0 {
			starts[i] = starts[latest.Of(after)]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(starts[a], starts[b]) })
	place := make([]int32, len(order))
	sorted := make([]sim.Flow, len(order))
	for to, from := range order {
		place[from] = int32(to)
		sorted[to] = s.Flows[from]
	}
	renumber(sorted, func(earlier int32) int32 { return place[earlier] })
	s.Flows = sorted
	return place
}
