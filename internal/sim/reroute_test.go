package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// wayfarers keep the numbers of flows of a scheme that are told of another path, and when in microseconds, and what flows are
// told when they start.
type wayfarers struct {
	algorithms.Scheme
	told    []string
	started [6]algorithms.Flow
}

func (w *wayfarers) NewSender() algorithms.Sender {
	return &wayfarer{Sender: w.Scheme.NewSender(), of: w}
}

type wayfarer struct {
	algorithms.Sender
	of   *wayfarers
	flow int32
}

func (w *wayfarer) Start(now core.Time, f *algorithms.Flow, c *algorithms.Control) {
	w.flow, w.of.started[f.ID] = f.ID, *f
	w.Sender.Start(now, f, c)
}

func (w *wayfarer) Step(s *algorithms.Signal, c *algorithms.Control) {
	if s.Kind == algorithms.Path {
		w.of.told = append(w.of.told, fmt.Sprint(w.flow, " at ", s.Now.Nanos()/1000))
	}
	w.Sender.Step(s, c)
}

// triangle returns the topology of hosts 0, 1 and 2 at switches 3, 4 and 5, of which 3 and 4 are joined by link 3.
func triangle(t *testing.T) string {
	t.Helper()
	return fileOf(t, "net", "6 3 6\n3 4 5\n0 3 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 100Gbps 1us 0\n3 4 100Gbps 1us 0\n4 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n")
}

// Flows that are under way when a link fails or returns are told if their path is another one then: not those that have ended
// or are yet to start, nor others of their host, nor any in a network whose records do not show paths, or whose packets take
// several.
func TestToldOfOtherPaths(t *testing.T) {
	flows := "0,2,2000000,0,\n0,1,1000,0,\n1,0,2000000,0,\n0,1,2000000,0,\n2,1,2000000,0,\n0,1,1000,90000,\n"
	told := []string{"3 at 20", "2 at 20", "3 at 40", "2 at 40"}
	for name, c := range map[string]struct {
		change func(s *sim.Setup)
		want   []string
	}{
		"paths":   {func(*sim.Setup) {}, told},
		"short":   {func(s *sim.Setup) { s.Profile.ShortINT = true }, nil},
		"sprayed": {func(s *sim.Setup) { s.Balance = switching.Spray }, nil},
		"spread":  {func(s *sim.Setup) { s.Entropy = nic.Sprayed }, nil},
	} {
		s := setup(t, flows, "topology", triangle(t), "cc", "hpcc")
		s.Links = []sim.LinkEvent{{At: core.AtNanos(20_000), Link: 3}, {At: core.AtNanos(40_000), Link: 3, Up: true}}
		w := &wayfarers{Scheme: s.Schemes[0]}
		s.Schemes[0] = w
		c.change(s)
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		if n.Step(core.AtNanos(80_000), 1<<30); !slices.Equal(w.told, c.want) {
			t.Errorf("%s: told flows %q, want %q", name, w.told, c.want)
		}
	}
}

// A flow that starts after a failure is given the round trip of its path at the start of the run, and judged by that path.
func TestStartAfterFailure(t *testing.T) {
	s := setup(t, "0,1,1000,0,\n0,1,1000,90000,\n", "topology", triangle(t), "cc", "hpcc")
	s.Links = []sim.LinkEvent{{At: core.AtNanos(20_000), Link: 3}}
	w := &wayfarers{Scheme: s.Schemes[0]}
	s.Schemes[0] = w
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	n.Step(core.Never, 1<<30)
	before, after := n.Record(0), n.Record(1)
	if before.FCT != before.Ideal || after.Ideal != before.Ideal || after.FCT < before.FCT+2*core.Microsecond {
		t.Errorf("it took %v and %v, ideal are %v and %v", before.FCT, after.FCT, before.Ideal, after.Ideal)
	}
	if a, b := &w.started[0], &w.started[1]; a.BaseRTT != b.BaseRTT || a.Hops != b.Hops || a.Window != b.Window {
		t.Errorf("given round trips of %v and %v, %d and %d links, windows of %d and %d", a.BaseRTT, b.BaseRTT, a.Hops, b.Hops, a.Window, b.Window)
	}
}

// Of hosts with two ports each, one at each of two switches, all flows go by the switch whose links are up, also when several
// links change at once, and by both when all are.
func TestLinksChangeAtOnce(t *testing.T) {
	file := fileOf(t, "net", "4 2 4\n2 3\n0 2 100Gbps 1us 0\n0 3 100Gbps 1us 0\n1 2 100Gbps 1us 0\n1 3 100Gbps 1us 0\n")
	const flows = 8
	s := setup(t, strings.Repeat("0,1,2000000,0,\n", flows), "topology", file, "cc", "none")
	change := func(micros int64, link int, up bool) {
		s.Links = append(s.Links, sim.LinkEvent{At: core.AtNanos(1000 * micros), Link: link, Up: up})
	}
	change(20, 0, false)
	change(20, 2, false)
	change(40, 1, false)
	change(40, 0, true)
	change(40, 2, true)
	change(40, 3, false)
	change(60, 1, true)
	change(60, 3, true)
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, to int64 // us
		uses     [2]bool
	}{{1, 19, [2]bool{true, true}}, {21, 39, [2]bool{false, true}}, {41, 59, [2]bool{true, false}}, {61, 79, [2]bool{true, true}}} {
		look := func(micros int64) (sent [2]int64, acked [flows]int64) {
			n.Step(core.AtNanos(1000*micros), 1<<30)
			for i := range sent {
				sent[i] = n.Counters(core.NodeID(2+i), 1).TxPackets
			}
			for i := range acked {
				acked[i], _, _ = n.Running(i)
			}
			return sent, acked
		}
		sent, acked := look(c.from)
		more, moreAcked := look(c.to)
		for i, uses := range c.uses {
			if (more[i] > sent[i]) != uses {
				t.Errorf("from %d to %d us switch %d sent %d packets to host 1, used: %v", c.from, c.to, 2+i, more[i]-sent[i], uses)
			}
		}
		for i := range acked {
			if moreAcked[i] <= acked[i] {
				t.Errorf("from %d to %d us nothing of flow %d was received", c.from, c.to, i)
			}
		}
	}
}

// An idle port to which flows come when routes change sends at once, and goes on, while others send: hosts 2 and 3 do, at the
// switch that host 0 leaves for the other.
func TestIdlePortGetsFlows(t *testing.T) {
	file := fileOf(t, "net", "6 2 6\n4 5\n0 4 100Gbps 1us 0\n0 5 100Gbps 1us 0\n1 4 100Gbps 1us 0\n1 5 100Gbps 1us 0\n2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n")
	for changes := int64(40_000); changes < 40_090; changes += 15 { // ns: a packet takes 84
		s := setup(t, strings.Repeat("0,1,2000000,0,\n", 8)+"2,3,2000000,0,\n", "topology", file, "cc", "none")
		s.Links = []sim.LinkEvent{{At: core.AtNanos(20_000), Link: 0}, {At: core.AtNanos(changes), Link: 1}, {At: core.AtNanos(changes), Link: 0, Up: true}}
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		var sent [3]int64
		for i, at := range []int64{changes - 1, changes, changes + 1000} {
			n.Step(core.AtNanos(at), 1<<30)
			sent[i] = n.Counters(0, 0).TxPackets
		}
		if sent[1] != sent[0]+1 || sent[2] < sent[1]+10 {
			t.Errorf("changed at %d ns: host 0 sent %d packets by its idle port before, %d by then, and %d in all 1 us later", changes, sent[0], sent[1], sent[2])
		}
	}
}
