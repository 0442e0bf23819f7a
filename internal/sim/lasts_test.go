package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/none"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A run with a set end lasts until then, and one whose last flow has yet to start lasts until it does: neither needs a
// look.
func TestLastsWithoutLooks(t *testing.T) {
	for _, c := range []struct {
		stop, start, want core.Time
	}{{5000, 7000, core.Never}, {core.Never, 7000, 6999}} {
		n := &Network{Setup: &Setup{Stop: c.stop, Flows: []Flow{{Start: c.start}}}, ledger: ledger{flows: make([]flowState, 1)}}
		if until, looks := n.lasts(); until != c.want || looks != 0 {
			t.Errorf("with the end %v the run lasts until %v after %d looks, want %v", c.stop, until, looks, c.want)
		}
	}
}

// What a run is sure to last is the longest of what is known: what a host has to send, or to receive from all others, at the
// rate of its links, as long as no flow of it can be given up; then what waits for that; and the next time of a program, or
// of a flow that has waited. Flows of 125 KB take 10 us.
func TestLastsAsLongAs(t *testing.T) {
	network, err := topo.Parse("leaf-spine:leaves=2,spines=1,hosts=2,rate=100Gbps,delay=1us")
	if err != nil {
		t.Fatal(err)
	}
	const ns, us = core.Nanosecond, core.Microsecond
	flow := func(src, dst core.NodeID, bytes int64, start core.Duration, after ...int32) Flow {
		return Flow{Src: src, Dst: dst, Bytes: bytes, Start: core.Time(start), After: after, Prio: 3}
	}
	second := network.Links[2]
	second.B, second.Rate = 4, 25*core.Gbps
	network.Links = append(network.Links, second) // host 2 has a second port, at the other switch
	for name, c := range map[string]struct {
		flows []Flow
		loss  float64 // of the link of host 0
		rto   core.Duration
		ran   core.Time // to when
		alarm core.Time // when a program is to run; 0: there is none
		want  core.Duration
		at    core.Time // the end, if that is known and not want
		looks int
	}{
		"a flow":                      {flows: []Flow{flow(0, 3, 125_000, 0)}, want: 9_920 * ns, looks: 6},
		"it is under way":             {flows: []Flow{flow(0, 3, 1000, 0)}, ran: core.Time(us), looks: 6},
		"two from a host":             {flows: []Flow{flow(0, 3, 125_000, 0), flow(0, 1, 125_000, 0)}, want: 19_920 * ns, looks: 8},
		"two to a host":               {flows: []Flow{flow(0, 3, 125_000, 0), flow(1, 3, 125_000, 0)}, want: 19_840 * ns, looks: 8},
		"to two ports":                {flows: []Flow{flow(0, 2, 125_000, 0), flow(1, 2, 125_000, 0)}, want: 15_744 * ns, looks: 8},
		"given up":                    {flows: []Flow{flow(0, 3, 125_000, 0), flow(1, 3, 125_000, 0)}, rto: 15 * us, want: 15 * us, looks: 8},
		"a chain":                     {flows: []Flow{flow(0, 3, 125_000, 0), flow(1, 3, 1000, 0), flow(3, 1, 12_500, 5*us, 0)}, want: 15_920 * ns, looks: 8},
		"a chain that is given up":    {flows: []Flow{flow(0, 3, 125_000, 0), flow(3, 1, 12_500, 5*us, 0)}, rto: 12 * us, want: 12 * us, looks: 6},
		"a flow has waited":           {flows: []Flow{flow(0, 3, 1000, 0), flow(3, 1, 1000, 50*us, 0)}, ran: core.Time(20 * us), at: core.Time(50*us + 4*us + 4*83_840), looks: 4},
		"another is longer":           {flows: []Flow{flow(0, 3, 1000, 0), flow(1, 0, 625_000, 0), flow(1, 3, 625_000, 0), flow(3, 1, 1000, 50*us, 0)}, ran: core.Time(20 * us), want: 80_880 * ns, looks: 8},
		"a program that is early":     {flows: []Flow{flow(0, 3, 125_000, 0)}, alarm: core.Time(5 * us), want: 9_920 * ns, looks: 6},
		"one may be given up at once": {flows: []Flow{flow(0, 3, 1000, 0), flow(1, 3, 125_000, 29*us), flow(2, 3, 125_000, 29*us)}, loss: 1, rto: 30 * us, ran: core.Time(31 * us), want: 19_840 * ns, looks: 10},
		"a program":                   {flows: []Flow{flow(0, 3, 1000, 0)}, alarm: core.Time(30 * us), at: core.Time(30 * us), looks: 6},
		"a program's flow":            {flows: []Flow{flow(0, 3, 1000, 0), {Src: 1, Dst: 3, Bytes: 250_000, Held: true}}, alarm: core.Time(us), want: 20 * us, looks: 6},
	} {
		network.Links[0].Loss = c.loss
		s := endless(network, 2, c.rto, c.flows)
		if c.alarm > 0 {
			s.Programs = make([]Program, len(network.Kinds))
			s.Programs[1] = alarm(c.alarm)
		}
		n, err := Build(s, deaf{})
		if err != nil {
			t.Fatal(err)
		}
		n.Step(c.ran, 1<<20)
		until, looks := n.lasts()
		want := n.Engine.Bound().Add(c.want) - 1
		if c.at > 0 {
			want = c.at - 1
		}
		if until != want || looks != c.looks || n.Parts() < 2 {
			t.Errorf("%s: at %v it lasts until %v, after %d looks, want %v after %d; %d parts", name, n.Engine.Bound(), until, looks, want, c.looks, n.Parts())
		}
	}
}

// What a host is to receive is sure only until the first flow of it may be given up, wherever that comes from.
func TestLastsUntilOneIsGivenUp(t *testing.T) {
	network, err := topo.Parse("leaf-spine:leaves=2,spines=1,hosts=2,rate=100Gbps")
	if err != nil {
		t.Fatal(err)
	}
	for _, dst := range []core.NodeID{1, 3} {
		near, far := dst-1, 2-(dst-1) // the path of the large flow is the shorter one
		s := endless(network, 2, core.Duration(FitTimeout), []Flow{{Src: near, Dst: dst, Bytes: 1 << 40}, {Src: far, Dst: dst, Bytes: 1000}})
		s.Recovery = [8]nic.Recovery{nic.Selective}
		n, err := Build(s, deaf{})
		if err != nil {
			t.Fatal(err)
		}
		n.Step(0, 1<<20)
		until, _ := n.lasts()
		if got, want, other := until.Sub(n.Engine.Bound())+1, n.Timeout(0), n.Timeout(1); got != want || want >= other {
			t.Errorf("to host %d: it lasts for %v, want %v, the time-out of the large flow, not %v", dst, got, want, other)
		}
	}
}

// The rest of a run after a flow is at least as long as promised, whether the flow that waits is sent by the faster of
// two ports, or given up because its host hears nothing.
func TestSequel(t *testing.T) {
	network, err := topo.Parse("leaf-spine:leaves=3,spines=1,hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	slow := network.Links[3]
	slow.B, slow.Rate = 6, core.Gbps
	network.Links = append(network.Links, slow) // host 3 has a second port, at another switch
	scheme, _ := none.New(none.Defaults())
	for loss, timeout := range map[float64]core.Duration{0: core.Second, 1: 30 * core.Microsecond} {
		network.Links[2].Loss = loss
		s := &Setup{
			Profile: Native(), Topology: network, Schemes: []algorithms.Scheme{scheme}, Threads: 2,
			Flows: []Flow{{Src: 0, Dst: 3, Bytes: 1000}, {Src: 3, Dst: 2, Bytes: 10_000_000, Start: 1000, After: []int32{0}}},
			Stop:  core.Never, MTU: 1000, Header: 48, AckHeader: 60, MinPacket: 60, Buffer: 1 << 24,
		}
		s.Profile.Retries, s.Profile.RTO = 2, Timeout(timeout)
		n, err := Build(s, deaf{})
		if err != nil {
			t.Fatal(err)
		}
		for n.Step(core.Never, 1<<20) {
		}
		sure, lasts := n.sequel(0), n.flows[1].end.Sub(n.flows[0].end)
		if n.Ended() != 2 || sure < 30*core.Microsecond || sure > lasts {
			t.Errorf("loss %v: %d flows ended, the second lasts %v, and %v for sure", loss, n.Ended(), lasts, sure)
		}
	}
}

// What is sure to follow a flow is the longest chain of those that wait for one flow each: their delays, and what their
// sources take at least to send their bytes.
func TestSequelOfChains(t *testing.T) {
	network, err := topo.Parse("leaf-spine:leaves=2,spines=1,hosts=2,rate=100Gbps")
	if err != nil {
		t.Fatal(err)
	}
	scheme, _ := none.New(none.Defaults())
	s := &Setup{
		Profile: Native(), Topology: network, Schemes: []algorithms.Scheme{scheme}, Threads: 2,
		Flows: []Flow{
			{Src: 0, Dst: 1, Bytes: 1000},
			{Src: 1, Dst: 2, Bytes: 1250, Start: core.AtNanos(7), After: []int32{0}},
			{Src: 1, Dst: 3, Bytes: 12500, After: []int32{0}},
			{Src: 2, Dst: 3, Bytes: 125000, Start: core.AtNanos(5), After: []int32{1}},
			{Src: 3, Dst: 0, Bytes: 1 << 30, After: []int32{2, 3}},
		},
		Stop: core.Never, MTU: 1000, Header: 48, AckHeader: 60, MinPacket: 60, Buffer: 1 << 24,
	}
	n, err := Build(s, deaf{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []core.Duration{7_000 + 100_000 + 5_000 + 10_000_000, 5_000 + 10_000_000, 0, 0, 0} {
		if got := n.sequel(i); got != want {
			t.Errorf("after flow %d: %v, want %v", i, got, want)
		}
	}
}

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
			if got := n.minLoadTime(n.unopened, 0); got != want {
				t.Errorf("%d threads, time-out %v: when %d flows have started it takes %v, want %v", c.threads, c.rto, started, got, want)
			}
			n.unopened.opened(&s.Flows[started])
		}
	}
}

// Flows whose paths are longer have longer time-outs: what is sure is the shortest of a host, and the longest of all hosts.
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
		if got, want, long := n.minLoadTime(n.unopened, 0), n.Timeout(short), n.Timeout((short+1)%3); got != want || want >= long {
			t.Errorf("flow %d has the shortest path: it takes %v, want %v, the time-out, of others %v", short, got, want, long)
		}
		flows[short].Src, flows[short].Dst = 2, 3
		if n, err = Build(s, deaf{}); err != nil {
			t.Fatal(err)
		}
		if got, want, other := n.minLoadTime(n.unopened, 0), n.Timeout((short+1)%3), n.Timeout(short); got != want || want <= other {
			t.Errorf("flow %d is alone at its host: it takes %v, want %v, the time-out of the others, not %v", short, got, want, other)
		}
	}
}

// endless sets up flows, which are given up after a time, without a set end.
func endless(network *topo.Topology, threads int, rto core.Duration, flows []Flow) *Setup {
	scheme, _ := none.New(none.Defaults())
	s := &Setup{
		Profile: Native(), Topology: network, Schemes: []algorithms.Scheme{scheme}, Threads: threads, Flows: flows,
		Stop: core.Never, MTU: 1000, Header: 48, AckHeader: 60, MinPacket: 60, Buffer: 1 << 24,
	}
	s.Profile.RTO, s.Profile.Retries = Timeout(rto), 2
	return s
}

// alarm is a program that does nothing but run at a time.
type alarm core.Time

// Run implements Program.
func (a alarm) Run(now core.Time, _ int, start []int) ([]int, core.Time) {
	if now < core.Time(a) {
		return start, core.Time(a)
	}
	return start, core.Never
}

// Done implements Program.
func (alarm) Done() (core.Time, bool) { return 0, true }

// Spent implements Program.
func (alarm) Spent(core.Time) (_, _ core.Duration) { return 0, 0 }
