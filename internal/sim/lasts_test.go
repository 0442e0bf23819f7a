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
