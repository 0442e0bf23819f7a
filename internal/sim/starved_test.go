package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// longRing returns the topology of five switches in a ring of long links, each with a host that sends, as 0 at switch 10, and
// one that receives, as 5, with a link of a rate.
func longRing(t *testing.T, rate string) string {
	t.Helper()
	var net strings.Builder
	net.WriteString("15 5 15\n10 11 12 13 14\n")
	for s := range 5 {
		fmt.Fprintf(&net, "%d %d 100Gbps 1us 0\n%d %d %s 1us 0\n%d %d 100Gbps 10us 0\n", s, 10+s, 5+s, 10+s, rate, 10+s, 10+(s+1)%5)
	}
	return fileOf(t, "net", net.String())
}

// Switches that wait in a ring for credits that are under way are in no deadlock, if fewer packets than a lane has room for go
// farther than the next switch; nor are those to which ends of pauses are.
func TestNoDeadlock(t *testing.T) {
	for name, c := range map[string]struct {
		next, behind int // bytes that every sender sends to the next switch, and to that behind it
		first        int // host that receives, of five
		rate         string
		set          []string
	}{
		"credits":            {200_000, 3000, 0, "100Gbps", []string{"flow_control", "credits", "credits.buffer", "8KiB"}},
		"resumes":            {1_000_000, 100_000, 5, "40Gbps", []string{"buffer", "800KB", "loss", "1e-12"}},
		"resumes and pauses": {1_000_000, 300_000, 5, "60Gbps", []string{"buffer", "750KB"}},
	} {
		t.Run(name, func(t *testing.T) {
			var flows strings.Builder
			for h := range 5 {
				fmt.Fprintf(&flows, "%d,%d,%d,0,\n%d,%d,%d,0,\n", h, c.first+(h+1)%5, c.next, h, c.first+(h+2)%5, c.behind)
			}
			n, err := sim.Build(setup(t, flows.String(), append(c.set, "topology", longRing(t, c.rate), "cc", "none")...), nobody{})
			if err != nil {
				t.Fatal(err)
			}
			for at := core.Time(0); n.Step(at, 1<<20); at = at.Add(200 * core.Nanosecond) {
				if cycle, _ := n.Deadlock(); len(cycle) > 0 {
					t.Fatalf("%v: a deadlock of %v", at, cycle)
				}
			}
			if n.Ended() != 10 {
				t.Errorf("%d of 10 flows ended", n.Ended())
			}
		})
	}
}

// A host whose lane is nearly full of packets that are caught in a deadlock still sends with what is left of it: flows that
// wait for credits under way are not stuck, nor are those whose acknowledgements do. So it is with pauses that the packets of
// other flows bring about and end.
func TestOthersAreNotHeldBack(t *testing.T) {
	locks := clockwise()
	flows := locks[strings.Index(locks, "\n")+1:] + "0,4,55000,1000000,\n0,15,9000000,1100000,\n15,0,9000000,1100000,\n"
	for kind, flow := range map[string][]string{"credit": {"flow_control", "credits"}, "PFC": {"buffer", "1300KB"}} {
		n, err := sim.Build(setup(t, flows, append(flow, "topology", ring(t), "cc", "none", "stop", "1400us")...), nobody{})
		if err != nil {
			t.Fatal(err)
		}
		for at := core.AtNanos(1_200_000); n.Step(at, 1<<20); at = at.Add(core.Microsecond) {
			why := n.Why(false)
			for i, want := range []string{"its packets are caught in a " + kind + " deadlock", "was still sending at the end of the run", "was still sending at the end of the run"} {
				r := n.Record(9 + i)
				if got, _ := why.Unfinished(&r); got != want {
					t.Fatalf("%v: flow %d: %q, want %q", at, r.ID, got, want)
				}
			}
		}
	}
}
