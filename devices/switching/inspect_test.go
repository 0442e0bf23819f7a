package switching_test

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// For a stalled switch, a queue's content can be inspected: how much it holds, since when it is paused, and the packets
// with the ports by which they came.
func TestHeld(t *testing.T) {
	r := newRig(t, config(3))
	r.arrive(100, 2, r.Pause(3, 0, true))
	r.arrive(200, 1, r.packet(2, 700, 3))
	r.arrive(300, 0, r.packet(2, 300, 3))
	if got, want := r.sw.Held(2, 3), (switching.Held{Bytes: 1000, First: 700, Since: core.AtNanos(100)}); got != want {
		t.Errorf("class 3: got %+v, want %+v", got, want)
	}
	if got, want := r.sw.Held(2, 4), (switching.Held{Since: core.Never}); got != want {
		t.Errorf("class 4: got %+v, want %+v", got, want)
	}
	var got [][2]int
	r.sw.Packets(2, 3, func(in int, p *core.Packet) { got = append(got, [2]int{in, int(p.Size)}) })
	if want := [][2]int{{1, 700}, {0, 300}}; !slices.Equal(got, want) {
		t.Errorf("packets of class 3: got %v, want %v", got, want)
	}
}
