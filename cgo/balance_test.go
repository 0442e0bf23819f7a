//go:build cgo

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// TestHostedBalance runs a busy network whose switches balance load, and whose hosts allow for packets that overtake
// others, behind the C interface and in the standalone simulator: switches draw the same numbers, for flows take the
// same time to the picosecond, and ports send the same packets. Each of the keys changes something.
func TestHostedBalance(t *testing.T) {
	for _, profile := range []string{"native", "ns3"} {
		for _, way := range []string{"spray", "flowlet", "drill", "adaptive"} {
			t.Run(profile+" "+way, func(t *testing.T) {
				keys := [][2]string{
					{"switch.load_balance", way}, {"switch.flowlet_gap", "40ns"}, {"host.recovery", "selective"}, {"host.reordering", "3"},
					{"options.rto", "4ms"},
				}
				n := both(t, busy(t, profile, "dcqcn", keys...))
				others := [][2]string{{"switch.load_balance", "ecmp"}, {"host.reordering", "0"}}
				if way == "flowlet" {
					others = append(others, [2]string{"switch.flowlet_gap", "100us"})
				}
				for _, other := range others {
					if slices.Equal(times(t, n.Setup), times(t, busy(t, profile, "dcqcn", append(keys, other)...))) {
						t.Errorf("flows take the same time with %s %s: this tests too little", other[0], other[1])
					}
				}
			})
		}
	}
}

// TestHostedEntropy does the same with hosts that choose source ports.
func TestHostedEntropy(t *testing.T) {
	for _, profile := range []string{"native", "ns3"} {
		for _, way := range []string{"random", "reps", "plb"} {
			keys := [][2]string{{"host.entropy", way}, {"host.recovery", "selective"}, {"host.reordering", "3"}, {"options.rto", "4ms"}}
			if way == "plb" {
				keys = append(keys, [2]string{"incast", "6x1MB@50us"}, [2]string{"cc", "swift"}, [2]string{"options.mark_any", "true"}) // queues that stay marked
			}
			n := both(t, busy(t, profile, "dcqcn", keys...))
			if slices.Equal(times(t, n.Setup), times(t, busy(t, profile, "dcqcn", append(keys, [2]string{"host.entropy", "flow"})...))) {
				t.Errorf("%s: flows take the same time with %s as with flow: this tests too little", profile, way)
			}
		}
	}
}

// C packets carry nothing that switches tell one another.
func TestWaysThatAreNotHosted(t *testing.T) {
	for _, way := range []string{"conga", "conweave"} {
		sc, err := scenario.Read("x", []byte("topology: star:n=4\nworkload: none\nswitch: {load_balance: "+way+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, f := newRun(sc, 0); f != nil {
			t.Errorf("%s, a run that is not hosted: %v", way, f)
		}
		if _, f := newRun(sc, 1); f == nil || !strings.Contains(fmt.Sprint(f), "switch.load_balance: "+way+" is not hosted") {
			t.Errorf("%s, a hosted run: %v", way, f)
		}
	}
}

// times are those of a set-up's flows in the standalone simulator.
func times(t *testing.T, s *sim.Setup) (list []core.Duration) {
	t.Helper()
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for n.Step(s.Stop, 1<<20) {
	}
	for i := range s.Flows {
		list = append(list, n.Record(i).FCT)
	}
	return list
}
