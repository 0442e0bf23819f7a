package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/internal/sim"
)

// A lone flow takes its ideal time and, once, the delay of the host, to the picosecond; a host that is
// slower than the link spaces the acknowledgements.
func TestHostDelay(t *testing.T) {
	flows := []sim.Flow{{Src: 0, Dst: 1, Bytes: 100_000, Prio: 3, DstPort: 100}}
	run := func(pairs ...string) sim.FlowRecord {
		_, q := play(t, withFlows(t, flows, append(pairs, "topology", "star:n=2", "cc", "none")...))
		return q.ends[0]
	}
	if r := run("host.delay", "7123ns"); r.FCT != r.Ideal+7123*core.Nanosecond {
		t.Errorf("a delay of 7.123 us: takes %v, ideal is %v", r.FCT, r.Ideal)
	}
	// The last packet waits for those before it: 100 services after the arrival of the first.
	plain, slow := run(), run("host.service", "200ns")
	spacing := core.Exact.TxTime(1062, 100*core.Gbps)
	if want := plain.FCT + 100*200*core.Nanosecond - 99*spacing; slow.FCT != want {
		t.Errorf("a service of 200 ns: takes %v, want %v", slow.FCT, want)
	}
}

// The time that a host takes to answer is included in the round trip that time-outs allow: nothing
// is sent again where nothing is lost, through a switch or without one.
func TestHostDelayIsNoLoss(t *testing.T) {
	pair := &topo.Topology{Kinds: make([]topo.Kind, 2), Links: []topo.Link{{A: 0, B: 1, Rate: 100 * core.Gbps, Delay: 3 * core.Millisecond}}}
	for _, c := range []struct {
		set     []string
		network *topo.Topology
	}{
		{[]string{"topology", "star:n=2", "host.delay", "6ms"}, nil},
		{[]string{"topology", "star:n=2", "host.delay", "60ms", "host.recovery", "selective"}, nil},
		{[]string{"topology", "star:n=2", "host.delay", "200us", "host.recovery", "selective"}, nil},
		{[]string{"topology", "star:n=2", "host.service", "6ms", "flow_control", "none"}, nil},
		{[]string{"host.delay", "6ms"}, pair},
		{nil, pair},
	} {
		sc := of(t, append(c.set, "workload", "none")...)
		if c.network != nil {
			sc.UseNetwork(c.network)
		}
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		s.Flows = []sim.Flow{{Src: 0, Dst: 1, Bytes: 1000, Prio: 3, DstPort: 100}}
		_, q := play(t, s)
		if r := q.ends[0]; !r.Finished || r.Timeouts != 0 || r.Retx != 0 {
			t.Errorf("%v: finished %v, %d time-outs, %d bytes sent again", c.set, r.Finished, r.Timeouts, r.Retx)
		}
	}
}

// The time that a host takes to answer is part of the base round trip: a lone flow keeps its share of the link, since
// windows allow for it and delay-based schemes do not take it for a queue.
func TestHostDelayIsNoQueue(t *testing.T) {
	for _, cc := range []string{"hpcc", "hpcc-window", "hpcc-pint", "powertcp", "theta-powertcp", "mpcc", "rcp", "bolt"} {
		fct := func(delay, service string) core.Duration {
			flows := []sim.Flow{{Src: 0, Dst: 1, Bytes: 10_000_000, Prio: 3, DstPort: 100}}
			_, q := play(t, withFlows(t, flows, "topology", "star:n=2,delay=2us", "cc", cc, "host.delay", delay, "host.service", service))
			return q.ends[0].FCT
		}
		plain := fct("0s", "0s")
		for _, slow := range []core.Duration{fct("16us", "0s"), fct("0s", "50ns")} {
			if slow > plain*103/100 {
				t.Errorf("%s: a flow of %v takes %v to hosts that answer later", cc, plain, slow)
			}
		}
	}
}

// Swift's endpoint window (SIGCOMM 2020) keeps the delay of a slow host near its target; a scheme
// that does not look at the host lets it grow.
func TestSwiftAndASlowHost(t *testing.T) {
	rtt := func(cc string) (core.Duration, int64) {
		s := withFlows(t, nil, "topology", "star:n=5", "cc", cc, "host.service", "400ns", "options.rto", "1s")
		for i := range core.NodeID(4) {
			s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: 4, Bytes: endless, Prio: 3, DstPort: 100})
		}
		n, _ := begin(t, s)
		upTo(n, core.Time(20*core.Millisecond))
		longest, acked := core.Duration(0), int64(0)
		for i, f := range s.Flows {
			g := n.Node(f.Src).(*nic.Host).FlowGauge(0)
			longest = max(longest, g.RTT)
			acked += n.Record(i).Acked
		}
		return longest, acked
	}
	got, acked := rtt("{name: swift, params: {endpoint_target: 50us}}")
	if got < 40*core.Microsecond || got > 90*core.Microsecond {
		t.Errorf("round trip %v, want about the endpoint's target of 50us and the path's 8us", got)
	}
	if most := int64(50_000 * 1000); acked < most*9/10 { // 20 ms at 400 ns for 1000 B
		t.Errorf("%d bytes acknowledged; the host can deal with %d", acked, most)
	}
	if other, _ := rtt("dcqcn"); other < 5*got {
		t.Errorf("with DCQCN the round trip is %v, no more than with Swift, %v", other, got)
	}
}
