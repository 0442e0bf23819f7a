package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/switching"
)

// The receiver of a flow that has ended, and no other, is forgotten where the profile says so, on one thread and on two.
func TestForgottenReceivers(t *testing.T) {
	network, err := topo.Parse("leaf-spine:leaves=2,spines=1,hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		for _, forget := range []bool{false, true} {
			s := endless(network, threads, 0, []Flow{
				{Src: 0, Dst: 2, Bytes: 5_000_000, Prio: 3, DstPort: 100}, {Src: 1, Dst: 2, Bytes: 1000, Prio: 3, DstPort: 100},
			})
			s.Profile = NS3()
			s.Profile.ForgetReceiver = forget
			n, err := Build(s, deaf{})
			if err != nil {
				t.Fatal(err)
			}
			n.Step(core.AtNanos(100_000), 1<<30)
			want := int64(1000)
			if forget {
				want = 0
			}
			long, short := n.hosts[2].Expected(0), n.hosts[2].Expected(1)
			if long < 100_000 || short != want || n.flows[1].state != finished || n.Parts() != threads {
				t.Errorf("%d threads (%d parts), forgotten %v: %d and %d bytes are known, want many and %d", threads, n.Parts(), forget, long, short, want)
			}
		}
	}
}

// What is said of a flow that has ended stays as it was then, and only one that is under way is running.
func TestRecordsLater(t *testing.T) {
	network, err := topo.Parse("star:n=2")
	if err != nil {
		t.Fatal(err)
	}
	n, err := Build(endless(network, 1, 0, []Flow{
		{Src: 1, Dst: 0, Bytes: 1000, Prio: 3, DstPort: 100}, {Src: 0, Dst: 1, Bytes: 1000, Prio: 3, DstPort: 100},
		{Src: 0, Dst: 1, Bytes: 5_000_000, Prio: 3, DstPort: 100}, {Src: 0, Dst: 1, Bytes: 1000, Start: core.AtNanos(60_000), Prio: 3, DstPort: 100},
	}), deaf{})
	if err != nil {
		t.Fatal(err)
	}
	n.Step(core.AtNanos(30_000), 1<<30)
	ended := n.Record(1)
	n.Step(core.AtNanos(50_000), 1<<30)
	if later := n.Record(1); later != ended || !later.Finished || later.FCT != n.flows[1].end.Sub(0) {
		t.Errorf("%+v, then %+v", ended, later)
	}
	if r := n.Record(2); r.FCT != 50*core.Microsecond || r.Finished || !r.Started || r.Acked < 100_000 {
		t.Errorf("under way: %+v", r)
	}
	for i, want := range []bool{false, false, true, false} {
		acked, c, ok := n.Running(i)
		if ok != want || (acked > 100_000) != want || (c.Rate > 0) != want {
			t.Errorf("flow %d: running %v, acked %d, rate %v", i, ok, acked, c.Rate)
		}
	}
}

// The last flow that starts at a time, with those before it in the order of time, is not one that a program starts.
func TestLastFlow(t *testing.T) {
	held := Flow{Held: true}
	for _, c := range []struct {
		flows []Flow
		want  int
		panic any
	}{
		{nil, -1, nil},
		{[]Flow{held}, -1, nil},
		{[]Flow{held, {Start: 5}}, 1, nil},
		{[]Flow{{Start: 5}, held, {Start: 5}, held}, 2, nil},
		{[]Flow{{Start: 5}, {Start: 4}}, 0, "sim: flow 1 starts before flow 0: Setup.Flows is not in the order of starts"},
	} {
		n := &Network{Setup: &Setup{Flows: c.flows}}
		n.flows, n.nextQP, n.srcPorts = make([]flowState, len(c.flows)), make([]int32, 1), make(map[[2]core.NodeID]uint16)
		func() {
			defer func() {
				if got := recover(); got != c.panic || n.last != c.want {
					t.Errorf("%+v: the last is %d, %v; want %d, %v", c.flows, n.last, got, c.want, c.panic)
				}
			}()
			n.numberAll()
		}()
	}
}

// Where packets of a flow take several paths, its ideal time is that of the first one, there and back.
func TestIdealOfSeveralPaths(t *testing.T) {
	network := &topo.Topology{Kinds: []topo.Kind{topo.Host, topo.Host, topo.Switch, topo.Switch}}
	for i, l := range [][2]core.NodeID{{0, 2}, {0, 3}, {1, 2}, {1, 3}} {
		network.Links = append(network.Links, topo.Link{
			A: l[0], B: l[1], Rate: core.Rate(100-30*(i/2)) * core.Gbps, Delay: core.Duration(1+4*(i%2)) * core.Microsecond,
		})
	}
	var flows []Flow
	for range 8 {
		flows = append(flows, Flow{Src: 0, Dst: 1, Bytes: 1500, Prio: 3, DstPort: 100})
	}
	for _, way := range []switching.Balance{switching.ECMP, switching.Spray} {
		s := endless(network, 1, 0, flows)
		s.Balance = way
		n, err := Build(s, deaf{})
		if err != nil {
			t.Fatal(err)
		}
		there := []topo.Link{network.Links[0], network.Links[2]}
		back := []topo.Link{there[1], there[0]}
		first := topo.IdealFCT(there, back, core.Exact, 1500, topo.Sizes{Payload: 1000, Packet: 1048, Ack: 60})
		others := 0
		for i := range flows {
			if n.Record(i).Ideal != first {
				others++
			}
		}
		if (others > 0) != (way == switching.ECMP) {
			t.Errorf("balance %v: %d flows have another ideal time than that of the first path", way, others)
		}
	}
}
