package switching_test

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// watched is a switch whose watchdogs look at a paused class every 10 us, and end a storm 5 us after the last pause.
func watched(t *testing.T) *rig {
	cfg := config(3)
	cfg.Watchdog = switching.WatchdogConfig{Detection: 10 * core.Microsecond, Restoration: 5 * core.Microsecond}
	return newRig(t, cfg)
}

// offer has one packet of 100 + i bytes for port 1 arrive at each of some times, where i is its place.
func (r *rig) offer(class uint8, nanos ...int64) {
	for i, at := range nanos {
		r.arrive(at, 0, r.packet(1, int32(100+i), class))
	}
}

// storm has port 1 paused for ever at 0, and a storm found at 20 us: the queue is empty at 0, and not at 10 us.
func (r *rig) storm() {
	r.arrive(0, 1, r.Pause(3, 0, true))
	r.offer(3, 1000, 1000, 19_999)
}

func (r *rig) counted(t *testing.T, want switching.WatchdogCounters) {
	t.Helper()
	in, out := r.sw.Counters(0, r.Turn.Now), r.sw.Counters(1, r.Turn.Now)
	if got := r.sw.WatchdogCounters(); got != want || in.DroppedPackets != want.Refused || out.Flushed != want.Flushed {
		t.Errorf("got %+v, %d dropped, %d flushed; want %+v", got, in.DroppedPackets, out.Flushed, want)
	}
}

// What waits is dropped once it has done so from one look to the next, and so is what comes, until there has been no pause for
// long enough; the last pause is then still in force. Other classes are not concerned.
func TestStorm(t *testing.T) {
	r := watched(t)
	r.storm()
	r.Run(core.AtNanos(19_999))
	r.counted(t, switching.WatchdogCounters{})
	if got := r.sw.Depth(1); got != 303 {
		t.Errorf("%d bytes wait, want 303", got)
	}
	r.arrive(20_000, 0, r.packet(1, 200, 5))
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 3})
	r.offer(3, 21_000)
	r.arrive(24_000, 1, r.Pause(3, 0, true))
	r.offer(3, 28_999)
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 3, Refused: 2})
	r.offer(3, 29_000)
	r.Run(core.AtNanos(38_000))
	if got := r.sw.Depth(1); got != 100 {
		t.Errorf("%d bytes wait, want 100", got)
	}
	r.arrive(38_000, 1, r.Pause(3, 0, false))
	r.Run(core.AtNanos(100_000))
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 3, Refused: 2})
	if got := r.sizes(1); !slices.Equal(got, []int32{200, 100}) {
		t.Errorf("sent %v", got)
	}
	if c := r.sw.Counters(1, r.Turn.Now); c.Waited != 19*core.Microsecond+9*core.Microsecond {
		t.Errorf("waited for %v", c.Waited) // from 1 us to the storm, and from its end to the resume
	}
}

// A storm goes on, also for packets that find their port free, when the pause has ended; not when the link has failed.
func TestStormAfterPause(t *testing.T) {
	r := watched(t)
	r.storm()
	r.arrive(21_000, 1, r.Pause(3, 0, false))
	r.offer(3, 24_999, 25_000)
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 3, Refused: 1})
	if got := r.sizes(1); !slices.Equal(got, []int32{101}) {
		t.Errorf("sent %v", got)
	}
	flood(r, 26_000, 0, 1, 40) // there is always one that waits
	r.Run(core.AtNanos(100_000))
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 3, Refused: 1})
	r.sent = r.sent[:0]
	r.arrive(100_000, 1, r.Pause(3, 0, true))
	r.offer(3, 100_000)
	r.setLink(121_000, 1, false)
	r.setLink(122_000, 1, true)
	r.offer(3, 122_000)
	r.Run(core.AtNanos(200_000))
	r.counted(t, switching.WatchdogCounters{Storms: 2, Flushed: 4, Refused: 1})
	if got := r.sizes(1); !slices.Equal(got, []int32{100}) {
		t.Errorf("sent %v", got)
	}
}

// Each class of a port is looked at, and has its storms, by itself, also if one frame has paused several.
func TestStormsOfTwoClasses(t *testing.T) {
	cfg := config(3)
	cfg.Watchdog = switching.WatchdogConfig{Detection: 10 * core.Microsecond, Restoration: 12 * core.Microsecond}
	r := newRig(t, cfg)
	both := r.Pause(3, 0, true)
	both.Aux |= uint64(core.NewPause(5, 0, true))
	r.arrive(0, 1, both)
	r.offer(5, 1000)
	r.Run(core.AtNanos(20_000))
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 1}) // of 5
	r.arrive(25_000, 1, r.Pause(3, 0, true))                        // again
	r.offer(5, 31_000)
	r.offer(3, 31_000) // 3 has held nothing at 30 us
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 1, Refused: 1})
	r.offer(5, 32_000) // the storm is over
	r.Run(core.AtNanos(42_000))
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 1, Refused: 1}) // 3 has held something since 40 us, 5 since 42 us
	r.arrive(43_000, 1, r.Pause(5, 0, false))
	r.Run(core.AtNanos(50_000))
	r.counted(t, switching.WatchdogCounters{Storms: 2, Flushed: 2, Refused: 1}) // of 3
	r.offer(5, 51_000, 51_000)
	r.offer(3, 61_999, 62_000)
	r.arrive(63_000, 1, r.Pause(3, 0, false))
	r.Run(core.AtNanos(100_000))
	r.counted(t, switching.WatchdogCounters{Storms: 2, Flushed: 2, Refused: 2})
	if got, want := r.sizes(1), []int32{100, 100, 101, 101}; !slices.Equal(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// While classes of several ports are in storms, each has its own: one that ends, with its link or with its time, ends no other
// and leaves nothing behind, whether its class is still paused or not.
func TestStormsAtOnce(t *testing.T) {
	r := watched(t)
	counted := func(storms, flushed, refused int64) {
		t.Helper()
		if got, want := r.sw.WatchdogCounters(), (switching.WatchdogCounters{Storms: storms, Flushed: flushed, Refused: refused}); got != want {
			t.Errorf("at %v: %+v, want %+v", r.Turn.Now, got, want)
		}
	}
	all := func(nanos int64) {
		r.offer(3, nanos)
		r.offer(5, nanos)
		r.arrive(nanos, 0, r.packet(2, 100, 3))
	}
	r.arrive(0, 1, r.Pause(3, 0, true))
	r.arrive(0, 1, r.Pause(5, 0, true))
	r.arrive(0, 2, r.Pause(3, 0, true))
	all(1000)
	all(21_000)
	counted(3, 3, 3)
	for i := range int64(3) { // those of ports 0 and 2 fail and return
		if i != 1 {
			r.setLink(22_000+i, int(i), false)
			r.setLink(22_000+i, int(i), true)
			all(23_000 + i)
		}
	}
	counted(3, 3, 8) // the last one goes through
	flood(r, 23_500, 0, 2, 30)
	r.arrive(24_000, 1, r.Pause(3, 0, true))
	r.arrive(24_500, 1, r.Pause(5, 0, false))
	for range 30 {
		r.arrive(26_000, 0, r.packet(1, 1000, 5))
	}
	r.offer(3, 28_999)
	counted(3, 3, 9)
	r.offer(3, 29_000)
	r.Run(core.AtNanos(48_999))
	counted(3, 3, 9)
	r.Run(core.AtNanos(100_000))
	counted(4, 4, 9) // it is still paused, and looked at from its end on
	if n := len(r.sizes(1)); n != 30 {
		t.Errorf("port 1 sent %d packets, want 30", n)
	}
}

// What a storm leaves of other classes goes on waiting, and the queue's samples count what is dropped until then.
func TestStormBesidePause(t *testing.T) {
	r := watched(t)
	r.arrive(0, 1, r.Pause(3, 0, true))
	r.arrive(1000, 0, r.packet(1, 3000, 3))
	r.arrive(5000, 1, r.Pause(5, 0, true))
	r.arrive(6000, 0, r.packet(1, 1000, 5))
	r.arrive(24_000, 1, r.Pause(5, 0, false))
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 1})
	if got := r.sw.Counters(1, r.Turn.Now).Waited; got != 23*core.Microsecond {
		t.Errorf("waited for %v", got)
	}
	if got, want := r.sw.Histogram(1, r.Turn.Now), []uint64{0: 11, 1: 40, 3: 50, 4: 140}; !slices.Equal(got, want) {
		t.Errorf("samples %v, want %v", got, want)
	}
}

// There is no storm if a pause ends, or expires, between two looks, or the class has held nothing at one of them.
func TestNoStorm(t *testing.T) {
	const quantum = 64 // ns
	for name, pauses := range map[string]func(r *rig){
		"resumed": func(r *rig) {
			r.arrive(19_000, 1, r.Pause(3, 0, false))
			r.arrive(19_000, 1, r.Pause(3, 0, true))
		},
		"expired": func(r *rig) {
			r.arrive(11_000, 1, r.Pause(3, 8000/quantum, false))
			r.arrive(19_001, 1, r.Pause(3, 0, true))
		},
		"of another class": func(r *rig) {
			r.arrive(11_000, 1, r.Pause(3, 0, false))
			r.arrive(11_000, 1, r.Pause(4, 0, true))
		},
	} {
		r := watched(t)
		r.arrive(0, 1, r.Pause(3, 0, true))
		r.offer(3, 9_000, 9_000) // one is left after a pause of a moment
		pauses(r)
		r.offer(3, 28_000)
		r.Run(core.AtNanos(28_900))
		if got := r.sw.WatchdogCounters(); got != (switching.WatchdogCounters{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Pauses that are repeated are one pause, and class 0, which is never paused, is not looked at. A storm ends at its time also if
// its last pause has expired.
func TestStormOfRepeatedPauses(t *testing.T) {
	const quantum = 64 // ns
	r := watched(t)
	for at := int64(0); at < 30_000; at += 4000 {
		r.arrive(at, 1, r.Pause(3, 8000/quantum, false))
		r.arrive(at, 1, r.Pause(0, 8000/quantum, false))
		if at == 0 {
			r.offer(3, 0)
			for range 40 { // keep the port busy until 40 us
				r.arrive(0, 0, r.packet(1, 1000, 0))
			}
		}
	}
	r.arrive(30_000, 1, r.Pause(3, 960/quantum, false))
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 1})
	r.offer(3, 34_999, 35_000)
	r.Run(core.AtNanos(100_000))
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 1, Refused: 1})
}

// The neighbour whose packets a storm has taken from the buffer is resumed.
func TestStormFreesBuffer(t *testing.T) {
	cfg := crowded(0)
	cfg.Watchdog = switching.WatchdogConfig{Detection: 10 * core.Microsecond, Restoration: core.Microsecond}
	r := newRig(t, cfg)
	r.arrive(0, 1, r.Pause(3, 0, true))
	flood(r, 1000, 0, 1, 20)
	r.Run(core.AtNanos(100_000))
	at, words := r.frames(0)
	wantAt := []core.Time{core.AtNanos(1000), core.AtNanos(20_000)}
	wantWords := []core.PauseWord{core.NewPause(3, 0, true), core.NewPause(3, 0, false)}
	if !slices.Equal(at, wantAt) || !slices.Equal(words, wantWords) {
		t.Errorf("frames at %v: %x, want at %v: %x", at, words, wantAt, wantWords)
	}
	r.counted(t, switching.WatchdogCounters{Storms: 1, Flushed: 20})
}
