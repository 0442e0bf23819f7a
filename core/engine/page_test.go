package engine

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// snoozer is a node that sets its timer anew when it wakes, by all ports but the first.
type snoozer struct{ *relay }

// Wake implements core.Node.
func (snoozer) Wake(t *core.Turn, port int) {
	if port > 0 {
		t.SetWake(port, t.Now.Add(core.Second))
	}
}

// A page notes the events that claim places, with times that count from the begin of the window, to its last picosecond,
// and a beat that is earlier.
func TestTimesOfAPage(t *testing.T) {
	e := New(BySchedule, core.NewPool(0), []int{4})
	e.Attach(0, snoozer{})
	const begin, end = 5_000_000_007, 5_000_000_007 + core.Time(longestWindow) - 1
	for port, at := range []core.Time{begin, begin, begin + 1, end} {
		e.Turn().SetWake(port, at)
		e.CarryOut(0)
	}
	e.Beat(act(func(core.Time) {}), 3, core.Second, 2*core.Time(core.Second))
	e.advanceApart(begin, end, 0)
	var got []uint32
	for _, noted := range e.pages[0].events {
		got = append(got, noted.at)
	}
	if want := []uint32{0, 1, 2, math.MaxUint32 - 1}; !slices.Equal(got, want) {
		t.Errorf("times %v, want %v", got, want)
	}
}
