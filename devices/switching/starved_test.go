package switching_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Under credits a congestion point learns whether packets of the class have waited for nothing but credits: waiting for
// a busy port does not count. A departure that reports it resets it.
func TestStarved(t *testing.T) {
	var got []string
	cfg := credits(3)
	cfg.Markers = []algorithms.Scheme{points{step: func(port int, q *algorithms.Sight, _ *algorithms.Mark) {
		if q.Packet.Prio == 3 {
			got = append(got, fmt.Sprint(q.Now.Nanos(), " enqueue ", q.Enqueue, " starved ", q.Starved))
		}
	}}}
	r := newRig(t, cfg)
	r.arrive(0, 2, r.grant(3, 0, 0))
	r.arrive(0, 0, r.packet(2, 1000, 4))
	r.arrive(100, 0, r.packet(2, 512, 3)) // no credits, but lane 4 is being sent
	r.arrive(500, 2, r.grant(3, 0, 8))    // it leaves at 1000
	r.arrive(3000, 0, r.packet(2, 512, 3))
	r.arrive(4000, 2, r.grant(3, 0, 16))
	r.arrive(5000, 2, r.grant(3, 0, 24))
	r.arrive(6000, 0, r.packet(2, 512, 3))
	r.arrive(7000, 0, r.packet(2, 512, 3)) // starves when lane 4 takes its turn
	r.arrive(8000, 0, r.packet(2, 1000, 4))
	r.arrive(8500, 2, r.grant(3, 0, 32)) // it leaves at 9000
	r.Run(core.AtNanos(20_000))
	want := []string{
		"100 enqueue true starved false", "1000 enqueue false starved false",
		"3000 enqueue true starved true", "4000 enqueue false starved true",
		"6000 enqueue true starved false", "6000 enqueue false starved false",
		"7000 enqueue true starved true", "9000 enqueue false starved true",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

// Starvation ends when a failed link loses the packets that wait for credits.
func TestStarvationEndsWithTheLink(t *testing.T) {
	var starved []bool
	cfg := credits(3)
	cfg.Markers = []algorithms.Scheme{points{step: func(_ int, q *algorithms.Sight, _ *algorithms.Mark) {
		if q.Packet.Prio == 3 {
			starved = append(starved, q.Starved)
		}
	}}}
	r := newRig(t, cfg)
	r.arrive(0, 2, r.grant(3, 0, 0))
	r.arrive(100, 0, r.packet(2, 512, 3))  // waits for credits
	r.arrive(200, 0, r.packet(2, 1000, 4)) // the port sends, but not lane 3
	r.setLink(5000, 2, false)
	r.setLink(6000, 2, true)
	r.arrive(7000, 2, r.grant(3, 0, 8))
	r.arrive(8000, 0, r.packet(2, 512, 3))
	r.Run(core.AtNanos(20_000))
	if want := []bool{true, false, false}; !slices.Equal(starved, want) {
		t.Errorf("starved: %v, want %v", starved, want)
	}
}

// Waiting for credits counts for the waiting class alone, and what a departure is to report stays until then.
func TestStarvedByClass(t *testing.T) {
	var got []string
	cfg := credits(3)
	cfg.Markers = []algorithms.Scheme{points{step: func(port int, q *algorithms.Sight, _ *algorithms.Mark) {
		got = append(got, fmt.Sprint(q.Now.Nanos(), " class ", q.Packet.Prio, " enqueue ", q.Enqueue, " starved ", q.Starved))
	}}}
	r := newRig(t, cfg)
	r.arrive(0, 2, r.grant(3, 0, 0))
	r.arrive(0, 0, r.packet(2, 512, 3))
	r.arrive(100, 0, r.packet(2, 1000, 4))
	r.arrive(500, 2, r.grant(3, 0, 64)) // it may leave, but lane 4 is being sent
	r.arrive(600, 0, r.packet(2, 512, 3))
	r.Run(core.AtNanos(9000))
	want := []string{
		"0 class 3 enqueue true starved true", "100 class 4 enqueue true starved false", "100 class 4 enqueue false starved false",
		"600 class 3 enqueue true starved true", "1100 class 3 enqueue false starved true", "1612 class 3 enqueue false starved false",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}
