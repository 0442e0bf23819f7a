package scenario

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Hosts that send as fast as they can to one divide its link by the weights of their classes, however many flows a
// class has and whatever keeps the switch's buffer from overflowing.
func TestWeights(t *testing.T) {
	var flows []sim.Flow
	for i := range core.NodeID(5) {
		flows = append(flows, sim.Flow{Src: i, Dst: 5, Bytes: endless, Prio: 3, DstPort: 100})
	}
	flows[0].Prio = 1
	for _, control := range []string{"pfc", "credits"} {
		for _, c := range []struct {
			weights string
			want    float64
		}{{"{}", 1. / 2}, {"{1: 4, 3: 1}", 4. / 5}, {"{3: 9}", 1. / 10}, {"{1: 7, 3: 7, 5: 200}", 1. / 2}} {
			n, _ := play(t, unsampled(t, flows, "topology", "star:n=6", "cc", "none", "flow_control", control, "switch.weights", c.weights, "stop", "2ms"))
			all, first := int64(0), n.Record(0).Acked
			for i := range flows {
				all += n.Record(i).Acked
			}
			if got := float64(first) / float64(all); math.Abs(got-c.want) > 0.01*c.want || n.Dropped() != 0 {
				t.Errorf("%s, weights %s: one of five flows gets %.4f of the link, want %.4f", control, c.weights, got, c.want)
			}
		}
	}
}

// A key for a class that no flow has is noted.
func TestNotesOnIdleClasses(t *testing.T) {
	s, err := of(t, "topology", "star:n=3", "workload", "none", "patterns", "permutation:1KB", "class_by_cc.hpcc", "2",
		"switch.weights", "{2: 4, 5: 1}", "recovery_by_class", "{2: selective, 1: selective}", "window_by_class", "{2: on, 7: on}").Setup()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"switch.weights.5: no flow is of class 5, which --class gives to flows",
		"recovery_by_class.1: no flow is of class 1, which --class gives to flows",
		"window_by_class.7: no flow is of class 7, which --class gives to flows",
	}
	if !slices.Equal(s.Notes, want) {
		t.Errorf("notes %q, want %q", s.Notes, want)
	}
}
