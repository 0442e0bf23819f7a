package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
)

// The run lasts as long as the host takes that has most to send of what programs have not started, if no flow of it can
// be given up sooner. With one part nobody asks.
func TestUnopened(t *testing.T) {
	network, err := topo.Parse("leaf-spine:leaves=2,spines=1,hosts=2,rate=100Gbps")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		threads int
		rto     core.Duration
		want    [5]core.Duration // when the first flows have started
	}{
		{1, core.Second, [5]core.Duration{}},
		{2, core.Second, [5]core.Duration{900_000, 700_000, 700_000, 500_000, 100_000}},
		{2, 300_000, [5]core.Duration{300_000, 300_000, 300_000, 300_000, 100_000}},
	} {
		s := endless(network, c.threads, c.rto, []Flow{
			{Src: 0, Dst: 3, Bytes: 5000, Held: true}, {Src: 2, Dst: 0, Bytes: 1 << 40}, {Src: 2, Dst: 1, Bytes: 8750, Held: true},
			{Src: 0, Dst: 2, Bytes: 5000, Held: true}, {Src: 0, Dst: 1, Bytes: 1250, Held: true},
		})
		s.Programs = make([]Program, len(network.Kinds))
		n, err := Build(s, deaf{})
		if err != nil {
			t.Fatal(err)
		}
		for started, want := range c.want {
			if got := n.unopenedLast(); got != want {
				t.Errorf("%d threads, time-out %v: when %d flows have started it takes %v, want %v", c.threads, c.rto, started, got, want)
			}
			n.unopened.opened(&s.Flows[started])
		}
	}
}

// Flows whose paths are longer have longer time-outs: what is sure is the shortest.
func TestUnopenedPatience(t *testing.T) {
	network, err := topo.Parse("leaf-spine:leaves=2,spines=1,hosts=2,rate=100Gbps")
	if err != nil {
		t.Fatal(err)
	}
	for short := range 3 {
		flows := make([]Flow, 3)
		for i := range flows {
			flows[i] = Flow{Src: 0, Dst: 3, Bytes: 1 << 40, Held: true}
		}
		flows[short].Dst = 1
		s := endless(network, 2, core.Duration(FitTimeout), flows)
		s.Programs, s.Recovery = make([]Program, len(network.Kinds)), [8]nic.Recovery{nic.Selective}
		n, err := Build(s, deaf{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want, long := n.unopenedLast(), n.Timeout(short), n.Timeout((short+1)%3); got != want || want >= long {
			t.Errorf("flow %d has the shortest path: it takes %v, want %v, the time-out, of others %v", short, got, want, long)
		}
	}
}
