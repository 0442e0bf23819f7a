package driver

import (
	"os"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/stall"
)

// endsOf runs a network, to which further flows are added a picosecond before they start, and returns how its flows have
// ended, in their order; nil if it cannot be built.
func endsOf(s *sim.Setup, further []sim.Flow) (n *sim.Network, ends []sim.FlowRecord) {
	n, err := sim.Build(s, &scenario.TextWriter{})
	if err != nil {
		return nil, nil
	}
	watch := stall.New(n)
	for _, f := range further {
		for n.Now() < f.Start-1 && watch.Step(f.Start-1, 1<<20) {
		}
		if !n.Halted() {
			n.Add(f)
		}
	}
	for watch.Step(core.Never, 1<<20) {
	}
	for i := range s.Flows {
		if r := n.Record(i); r.Finished || r.Failed {
			r.Flow = nil
			ends = append(ends, r)
		}
	}
	return n, ends
}

// related runs a random scenario, with some keys set, and one that is related to it, which change makes of the same
// scenario, and compares the ends of flows once adjust has changed those of the second. Flows of a closed loop that change
// takes from its end are added while it runs. It reports whether the scenario can be run and changed.
func related(t *testing.T, seed uint64, keys []string, change func(s *sim.Setup, n *sim.Network) bool, adjust func(r *sim.FlowRecord)) bool {
	dir, err := os.MkdirTemp("", "related")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	setup := func() *sim.Setup {
		sc := draw(t, dir, seed)
		if sc == nil {
			return nil
		}
		keys := append(keys, "schedule", "[]") // whose programs begin at time 0, and compute
		for i := 0; i < len(keys); i += 2 {
			if err := sc.Set(keys[i], keys[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Setup(sc)
		if err != nil || s.Profile.CommonRandom {
			return nil
		}
		return s
	}
	s := setup()
	if s == nil {
		return false
	}
	n, before := endsOf(s, nil)
	s = setup()
	if n == nil || !change(s, n) {
		return false
	}
	var further []sim.Flow
	if s.ClosedLoop {
		further = n.Setup.Flows[len(s.Flows):]
	}
	n, after := endsOf(s, further)
	if n == nil || len(after) < len(before) {
		t.Fatalf("seed %d: of %d flows that end, %d do in the related network", seed, len(before), len(after))
	}
	for i, want := range before {
		if adjust(&after[i]); after[i] != want {
			t.Errorf("seed %d: flow %d ends as %+v; want %+v", seed, want.ID, after[i], want)
			break
		}
	}
	return true
}

// relate tests a relation with random scenarios.
func relate(t *testing.T, keys []string, change func(s *sim.Setup, n *sim.Network) bool, adjust func(r *sim.FlowRecord)) {
	ran := 0
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		if related(t, seed, keys, change, adjust) {
			ran++
		}
	}
	t.Logf("%d of %d scenarios ran", ran, *seeds)
	if uint64(ran) < *seeds/5 {
		t.Error("this tests too little")
	}
}

// A network that begins later does the same later, where nothing has a period that counts from time 0, as credits, RCC's
// grants and many congestion points have.
func TestLater(t *testing.T) {
	const later = 123_456_789 * core.Picosecond
	shift := func(at *core.Time) {
		if *at != core.Never {
			*at = at.Add(later)
		}
	}
	relate(t, nil, func(s *sim.Setup, n *sim.Network) bool {
		grants := func(x algorithms.Scheme) bool { return x.Traits().Name == "rcc-recon" }
		if len(n.Points().Markers) > 0 || s.Credits != nil || slices.ContainsFunc(s.Schemes, grants) {
			return false
		}
		for i := range s.Flows {
			if len(s.Flows[i].After) == 0 {
				shift(&s.Flows[i].Start)
			}
		}
		for i := range s.Links {
			shift(&s.Links[i].At)
		}
		shift(&s.Stop)
		return true
	}, func(r *sim.FlowRecord) { r.Start -= core.Time(later) })
}

// What happens in a part of the network to which no link leads changes nothing elsewhere, if hosts are not slower there: the
// slowest host decides on the thresholds of all.
func TestApart(t *testing.T) {
	relate(t, nil, func(s *sim.Setup, _ *sim.Network) bool {
		first := core.NodeID(len(s.Topology.Kinds))
		network := *s.Topology
		network.Kinds = append(slices.Clone(network.Kinds), topo.Switch, topo.Host, topo.Host, topo.Host)
		network.Links = slices.Clone(network.Links)
		for i := range core.NodeID(3) {
			network.Links = append(network.Links, topo.Link{A: first, B: first + 1 + i, Rate: 100 * core.Gbps, Delay: 50 * core.Nanosecond})
		}
		s.Topology = &network
		last := slices.MaxFunc(s.Flows, func(a, b sim.Flow) int { return int(a.Start - b.Start) })
		for i := range core.NodeID(2) {
			s.Flows = append(s.Flows, sim.Flow{Src: first + 1 + i, Dst: first + 3, Bytes: 30_000, Start: last.Start, Prio: last.Prio, DstPort: 100})
		}
		return true
	}, func(*sim.FlowRecord) {})
}

// Without schemes nothing in a network has a time of its own: at half the rates and twice the times, all takes twice as long.
func TestSlower(t *testing.T) {
	double := func(all ...*core.Duration) {
		for _, d := range all {
			*d *= 2
		}
	}
	keys := []string{"cc", "none", "cc_by_tag", "{}", "ecn.mark", "off", "options.rto", "0s", "switch.exact_headroom", "false", "stop", "never"}
	relate(t, keys, func(s *sim.Setup, _ *sim.Network) bool {
		if s.Credits != nil {
			return false // the time between their updates is a time of the scenario
		}
		network := *s.Topology
		network.Links = slices.Clone(network.Links)
		for i := range network.Links {
			l := &network.Links[i]
			if l.Delay%core.Nanosecond >= core.Nanosecond/2 {
				return false // headroom counts whole nanoseconds
			}
			l.Rate /= 2
			double(&l.Delay)
		}
		s.Topology = &network
		for i := range s.Flows {
			s.Flows[i].Start *= 2
		}
		for i := range s.Links {
			s.Links[i].At *= 2
		}
		double(&s.HostDelay, &s.HostService, &s.NackEvery, &s.RTOLow, &s.FlowletGap)
		return true
	}, func(r *sim.FlowRecord) {
		r.Start, r.FCT, r.Ideal = r.Start/2, r.FCT/2, r.Ideal/2
	})
}

// Flows that are added to a closed loop do what they do if they are known from the start.
func TestAdded(t *testing.T) {
	relate(t, []string{"options.order", "entity"}, func(s *sim.Setup, _ *sim.Network) bool {
		half := len(s.Flows) / 2
		if slices.ContainsFunc(s.Flows[half:], func(f sim.Flow) bool { return len(f.After) > 0 }) {
			return false
		}
		s.ClosedLoop, s.Series.Flows = true, nil
		s.Flows = slices.Clip(s.Flows[:half])
		return true
	}, func(*sim.FlowRecord) {})
}
