package switching_test

import (
	"fmt"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// marks sends eight packets of 1000 bytes to one port at once and returns which were marked.
func marks(r *rig, prio uint8, flags core.Flags) string {
	for range 8 {
		p := r.packet(1, 1000, prio)
		p.Flags = flags
		r.arrive(0, 0, p)
	}
	r.Run(core.AtNanos(100_000))
	text := ""
	for i := range r.sent {
		text += fmt.Sprint(r.sent[i].Flags & core.CE / core.CE)
	}
	return text
}

// With KMin 3000, KMax 5000 and PMax 0.5 a queue of 4000 bytes marks with probability 0.25, one of
// 5000 with 0.5, and a longer one always; random numbers are drawn only when needed. Packets leave
// queues of 0, 6000, 5000, ... 0 bytes behind and find queues of 0, 0, 1000, ... 6000 bytes.
func TestMarking(t *testing.T) {
	for _, c := range []struct {
		name  string
		ecn   switching.ECNConfig
		prio  uint8
		flags core.Flags
		draw  float64
		want  string
		drawn int
	}{
		{"dequeue", switching.ECNConfig{}, 3, core.ECT, 0.3, "01100000", 2},
		{"dequeue, likely", switching.ECNConfig{}, 3, core.ECT, 0.2499, "01110000", 2},
		{"dequeue, on the edge", switching.ECNConfig{}, 3, core.ECT, 0.25, "01100000", 2},
		{"dequeue, unlikely", switching.ECNConfig{}, 3, core.ECT, 0.5, "01000000", 2},
		{"enqueue", switching.ECNConfig{AtEnqueue: true}, 3, core.ECT, 0.3, "00000011", 2},
		{"enqueue, likely", switching.ECNConfig{AtEnqueue: true}, 3, core.ECT, 0, "00000111", 2},
		{"not capable", switching.ECNConfig{}, 3, 0, 0.3, "00000000", 0},
		{"any packet", switching.ECNConfig{Any: true}, 3, 0, 0.3, "01100000", 2},
		{"off", switching.ECNConfig{Off: true}, 3, core.ECT, 0, "00000000", 0},
		{"queue 0", switching.ECNConfig{Any: true}, 0, core.ECT, 0, "00000000", 0},
		{"queue 0, enqueue", switching.ECNConfig{Any: true, AtEnqueue: true}, 0, core.ECT, 0, "00000000", 0},
	} {
		cfg := config(2)
		chance := &fixed{value: c.draw}
		cfg.ECN, cfg.Mark = c.ecn, chance
		cfg.Ports[1].KMin, cfg.Ports[1].KMax, cfg.Ports[1].PMax = 3000, 5000, 0.5
		r := newRig(t, cfg)
		got := marks(r, c.prio, c.flags)
		if got != c.want || chance.drawn != c.drawn {
			t.Errorf("%s: got %s with %d draws, want %s with %d", c.name, got, chance.drawn, c.want, c.drawn)
		}
		marked := int64(0)
		for _, ch := range c.want {
			marked += int64(ch - '0')
		}
		if got := r.sw.Counters(1, r.Turn.Now).Marked; got != marked {
			t.Errorf("%s: %d marks counted, want %d", c.name, got, marked)
		}
	}
}

// Check case 4.1.5: random early detection with 5 KB, 200 KB and 1 % (DCQCN, Zhu et al., SIGCOMM 2015, figure 5):
// half-way between the thresholds the probability is 0.005.
func TestREDProbability(t *testing.T) {
	for _, c := range []struct {
		queue  int32
		draw   float64
		marked bool
	}{
		{5_000, 0, false}, {5_001, 0, true},
		{102_500, 0.004999999, true}, {102_500, 0.005, false},
		{200_000, 0.00999, true}, {200_000, 0.01, false},
		{200_001, 0.999, true},
	} {
		cfg := config(2)
		cfg.ECN.AtEnqueue, cfg.Mark = true, &fixed{value: c.draw}
		cfg.Ports[1].KMin, cfg.Ports[1].KMax, cfg.Ports[1].PMax = 5_000, 200_000, 0.01
		r := newRig(t, cfg)
		for _, size := range []int32{1000, c.queue, 64} {
			r.arrive(0, 0, r.packet(1, size, 3))
		}
		r.Run(core.AtNanos(1_000_000))
		if got := r.sent[2].Flags&core.CE != 0; got != c.marked {
			t.Errorf("queue %d, draw %v: marked %v, want %v", c.queue, c.draw, got, c.marked)
		}
	}
}

// Each class is marked by its own queue, whatever the others hold.
func TestMarkingByClass(t *testing.T) {
	cfg := config(2)
	cfg.Ports[1].KMin, cfg.Ports[1].KMax, cfg.Ports[1].PMax = 1500, 1500, 1
	r := newRig(t, cfg)
	for _, prio := range []uint8{1, 2, 3, 4, 2, 2} { // three of class 2 wait, one of each other
		r.arrive(0, 0, r.packet(1, 1000, prio))
	}
	r.Run(core.AtNanos(100_000))
	for i := range r.sent {
		if d := &r.sent[i]; (d.Flags&core.CE != 0) != (i == 1) {
			t.Errorf("packet %d of class %d: flags %b", i, d.Prio, d.Flags)
		}
	}
}
