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

// Of hosts that send as fast as they can to one, those of the highest strict class share its link; the next ones have it when
// these are through, and the rest, by weights, when no flow of strict priority is left.
func TestStrict(t *testing.T) {
	const size = 1_000_000
	var flows []sim.Flow
	for i, class := range []uint8{5, 5, 2, 2, 1, 3} {
		flows = append(flows, sim.Flow{Src: core.NodeID(i), Dst: 6, Bytes: size, Prio: class, DstPort: 100})
	}
	for _, control := range []string{"pfc", "credits"} {
		s := unsampled(t, flows, "topology", "star:n=7", "cc", "none", "flow_control", control, "host.window", "off",
			"switch.strict", "2,5", "switch.weights", "{1: 3}", "stop", "2ms")
		n, q := play(t, s)
		if len(q.ends) != len(flows) || n.Dropped() != 0 {
			t.Fatalf("%s: %d flows have ended, %d packets are dropped", control, len(q.ends), n.Dropped())
		}
		frame := float64(s.MTU+s.Header) / float64(s.MTU) * size * 8 / 100 // ns that a flow keeps the link busy
		for i, want := range []float64{2, 2, 4, 4, 5 + 1./3, 6} {
			if got := float64(n.Record(i).FCT) / float64(core.Nanosecond) / frame; math.Abs(got-want) > 0.03*want {
				t.Errorf("%s: flow %d, of class %d, takes as long as the link needs for %.2f flows, want %.2f", control, i, flows[i].Prio, got, want)
			}
		}
	}
}

// A key for a class that no flow has is noted.
func TestNotesOnIdleClasses(t *testing.T) {
	s, err := of(t, "topology", "star:n=3", "workload", "none", "patterns", "permutation:1KB", "class_by_cc.hpcc", "2",
		"switch.weights", "{2: 4, 5: 1}", "switch.strict", "6", "recovery_by_class", "{2: selective, 1: selective}", "window_by_class", "{2: on, 7: on}").Setup()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"switch.strict: no flow is of class 6, which --class gives to flows",
		"switch.weights.5: no flow is of class 5, which --class gives to flows",
		"recovery_by_class.1: no flow is of class 1, which --class gives to flows",
		"window_by_class.7: no flow is of class 7, which --class gives to flows",
		"switch.weights changes nothing: all flows are of this class; class_by_tag and class_by_cc give others",
	}
	if !slices.Equal(s.Notes, want) {
		t.Errorf("notes %q, want %q", s.Notes, want)
	}
}
