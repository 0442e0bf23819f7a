package sim_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// A run without an end is over when its last flow is, whatever is still to come; a run with an end goes on until then.
func TestEndOfRun(t *testing.T) {
	for _, stop := range []core.Time{core.Never, core.Time(5 * core.Millisecond)} {
		s := setup(t, "0,1,1000,3000,\n1,0,1000,9000,\n", "topology", "star:n=2")
		s.Stop = stop
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		end := stop
		if last := n.Record(1); stop == core.Never {
			end = last.Start.Add(last.Ideal) // it is alone
		}
		if n.Step(core.Never, 1<<30) || n.Now() != end {
			t.Errorf("the run ends at %v, want %v", n.Now(), end)
		}
	}
}

// A run with an end steps until then even if nothing happens; without one it ends when nothing can happen any more, as
// when all packets are lost and no timer runs.
func TestStepsAtRest(t *testing.T) {
	for _, c := range []struct {
		loss   float64
		stop   core.Time
		goesOn bool // after 1 ms
	}{{0, core.Time(5 * core.Millisecond), true}, {1, core.Time(5 * core.Millisecond), true}, {1, core.Never, false}} {
		s := setup(t, "0,1,1000,0,\n", "topology", "star:n=2")
		s.Stop, s.LossPerLink, s.Profile.RTO, s.Series = c.stop, c.loss, 0, sim.SeriesSpec{}
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Step(core.Time(core.Millisecond), 1<<30); got != c.goesOn {
			t.Errorf("%+v: it goes on: %v", c, got)
		}
		if got := n.Lost(); got != int64(c.loss) { // the only packet
			t.Errorf("%+v: %d packets lost", c, got)
		}
		if n.Step(c.stop, 1<<30) || c.goesOn && n.Now() != c.stop {
			t.Errorf("%+v: it ends at %v", c, n.Now())
		}
	}
}

// listener keeps what is reported to it.
type listener struct {
	nobody
	ended   []int
	records []core.Record
}

func (l *listener) FlowEnded(r *sim.FlowRecord)   { l.ended = append(l.ended, r.ID) }
func (l *listener) Records(records []core.Record) { l.records = append(l.records, records...) }

// When a run is over, everything has been reported: the ends of its flows, in whatever part, and every packet, the last
// of which is the last flow's ACK.
func TestAllIsTold(t *testing.T) {
	for _, threads := range []int{1, 2} {
		s := setup(t, "2,5,2000,0,\n4,0,1000,0,\n1,4,3000,1000,\n", "topology", "leaf-spine:leaves=3,spines=1,hosts=2")
		if s.Threads = threads; threads == 1 {
			s.Trace = []core.NodeID{1}
		}
		var told listener
		n, err := sim.Build(s, &told)
		if err != nil {
			t.Fatal(err)
		}
		if n.Step(core.Never, 1<<30) || !slices.Equal(told.ended, []int{1, 0, 2}) {
			t.Errorf("%d parts: told of flows %v", n.Parts(), told.ended)
		}
		if threads > 1 {
			continue
		}
		if len(told.records) == 0 {
			t.Fatal("no packets")
		}
		if last := told.records[len(told.records)-1]; last.At != n.Now() || last.Node != 1 || last.Event != core.EventRecv || last.Packet.Kind != core.Ack {
			t.Errorf("the last packet is %+v", last)
		}
	}
}

// A network at rest still expects something while a flow waits for its time: a given one, or one after another flow's
// end.
func TestExpects(t *testing.T) {
	s := setup(t, "0,1,1000,10000,\n1,0,1000,100000,0\n", "topology", "star:n=2")
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   int64 // us
		want bool
	}{{1, true}, {12, false}, {50, true}, {120, false}} {
		n.Step(core.AtNanos(c.at*1000), 1<<30)
		if got := n.Expects(n.Now()); got != c.want {
			t.Errorf("at %d us: %v", c.at, got)
		}
	}
}

// Something is also expected until the last change of a link that ever comes.
func TestExpectsChangesOfLinks(t *testing.T) {
	s := setup(t, "0,1,1000,0,\n", "topology", "star:n=2")
	s.Links = []sim.LinkEvent{{At: core.AtNanos(50_000), Link: 1}, {At: core.AtNanos(100_000), Link: 1, Up: true}, {At: core.Never, Link: 0}}
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int64{20_000, 99_999, 100_000} {
		if n.Step(core.AtNanos(at), 1<<30); n.Expects(core.AtNanos(at)) != (at < 100_000) {
			t.Errorf("at %d ns: %v", at, n.Expects(core.AtNanos(at)))
		}
	}
}

// lookouts are the times at which a watcher looked.
type lookouts []core.Time

func (l *lookouts) Look(now core.Time) core.Time {
	*l = append(*l, now)
	return core.Never
}

// A watcher that asks again, for another time, looks then, and not at the former time.
func TestWatchAgain(t *testing.T) {
	n, err := sim.Build(setup(t, "0,1,100000,0,\n", "topology", "star:n=2"), nobody{})
	if err != nil {
		t.Fatal(err)
	}
	first, second := new(lookouts), new(lookouts)
	n.Watch(first, 1000)
	n.Watch(second, 2000)
	n.Watch(first, 3000)
	n.Step(5000, 1<<30)
	if !slices.Equal(*first, lookouts{3000}) || !slices.Equal(*second, lookouts{2000}) {
		t.Errorf("looked at %v and %v", *first, *second)
	}
}

// Reading the queues' histograms while the parts of a network are at different times does not change the final
// histograms.
func TestHistogramOfParts(t *testing.T) {
	run := func(threads int) (all [][]uint64) {
		s := setup(t, "0,7,100000,0,\n1,7,100000,0,\n2,6,100000,0,\n4,1,100000,0,\n5,1,100000,0,\n",
			"topology", "leaf-spine:leaves=4,spines=2,hosts=2", "queue_sampling.interval", "10ns")
		s.Threads = threads
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		look := func() {
			all = nil
			for node, ports := range n.Ports()[8:] {
				for port := range ports {
					all = append(all, slices.Clone(n.Histogram(core.NodeID(8+node), port)))
				}
			}
		}
		for n.Step(core.Never, 100) {
			if threads > 1 {
				look()
			}
		}
		look()
		return all
	}
	one, two := run(1), run(2)
	if !reflect.DeepEqual(one, two) {
		t.Errorf("one part: %v\ntwo: %v", one, two)
	}
}

// A port has the losses of its link.
func TestLossOfPorts(t *testing.T) {
	s := setup(t, "0,1,1000,0,\n", "topology", "dumbbell:n=2")
	for i := range s.Topology.Links {
		s.Topology.Links[i].Loss = float64(i) / 16
	}
	h, err := sim.BuildHosted(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for node, ports := range h.Ports() {
		for port, p := range ports {
			if got, want := h.Loss(core.NodeID(node), port), float64(p.Link)/16; got != want {
				t.Errorf("node %d, port %d: %v, want %v", node, port, got, want)
			}
		}
	}
}
