package switching_test

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// A byte takes a nanosecond at 8 Gb/s, a quantum 64.
const quantum = 64 * core.Nanosecond

// crowded is a switch with 20,000 bytes of shared pool, all of which a class may take (shift 0).
func crowded(quanta uint16) switching.Config {
	cfg := config(3)
	cfg.Buffer = switching.BufferConfig{Total: 20_000 + 3*(4096+50_000), Reserve: 4096, Resume: 3072}
	cfg.Pause.Quanta = quanta
	for i := range cfg.Ports {
		cfg.Ports[i].Headroom = 50_000
	}
	return cfg
}

// flood offers n packets of 1000 bytes at once.
func flood(r *rig, nanos int64, in, out, n int) {
	for range n {
		r.arrive(nanos, in, r.packet(out, 1000, 3))
	}
}

// A class is paused as soon as it holds as much of the shared pool as is left of the pool, and
// resumed when it is 3072 bytes below that. With u bytes shared the threshold is 20000-u: 14,096
// bytes held give u = 10,000 = threshold. One packet is already on the wire.
func TestPauseUntilResumed(t *testing.T) {
	r := newRig(t, crowded(0))
	flood(r, 0, 0, 1, 15)
	if at, _ := r.frames(0); len(at) != 0 {
		t.Fatalf("paused with 14,000 bytes held, at %v", at)
	}
	flood(r, 0, 0, 1, 1)
	r.Run(core.AtNanos(100_000))
	// Resumed at u+3072 <= 20000-u: of the 15 packets that waited three have left, u = 7904.
	at, words := r.frames(0)
	wantAt := []core.Time{0, core.AtNanos(3000)}
	wantWords := []core.PauseWord{core.NewPause(3, 0, true), core.NewPause(3, 0, false)}
	if !slices.Equal(at, wantAt) || !slices.Equal(words, wantWords) {
		t.Errorf("frames at %v: %x, want at %v: %x", at, words, wantAt, wantWords)
	}
	c := r.sw.Counters(0, r.Turn.Now)
	if c.PausesSent != 1 || c.ResumesSent != 1 || c.TxPackets != 2 || c.TxBytes != 128 {
		t.Errorf("counted %+v", c)
	}
	for _, w := range r.Wake {
		if w != core.Never {
			t.Errorf("wakes at %v", r.Wake)
		}
	}
}

// A pause of q quanta is repeated after half its time as long as it is needed, and no longer.
func TestPauseRefresh(t *testing.T) {
	r := newRig(t, crowded(20))
	flood(r, 0, 0, 1, 16)
	if r.Run(core.AtNanos(3000)); r.Wake[0] != core.Never {
		t.Errorf("wakes at %v though the pause has ended", r.Wake[0])
	}
	r.Run(core.AtNanos(100_000))
	at, words := r.frames(0)
	half := 20 * quantum / 2 // 640 ns
	var wantAt []core.Time
	var wantWords []core.PauseWord
	for i := range 5 { // 0, 640, ... 2560 ns; the resume is due at 3000 ns
		wantAt = append(wantAt, core.Time(i)*core.Time(half))
		wantWords = append(wantWords, core.NewPause(3, 20, false))
	}
	wantAt, wantWords = append(wantAt, core.AtNanos(3000)), append(wantWords, core.NewPause(3, 0, false))
	if !slices.Equal(at, wantAt) || !slices.Equal(words, wantWords) {
		t.Errorf("frames at %v: %x, want at %v: %x", at, words, wantAt, wantWords)
	}
	if c := r.sw.Counters(0, r.Turn.Now); c.PausesSent != 5 || c.ResumesSent != 1 {
		t.Errorf("counted %+v", c)
	}
}

// From the end of the packet being sent until it expires, a received pause stops its class, but
// neither the others nor queue 0; another pause extends it.
func TestPauseExpires(t *testing.T) {
	r := newRig(t, config(2))
	flood(r, 0, 0, 1, 3)                      // class 3: one is being sent, two wait
	r.arrive(500, 1, r.Pause(3, 50, false))   // until 3700
	r.arrive(600, 0, r.packet(1, 300, 5))     // sent at 1000
	r.arrive(2000, 0, r.packet(1, 100, 0))    // sent at once
	r.arrive(3000, 1, r.Pause(3, 50, false))  // until 6200
	r.arrive(6500, 1, r.Pause(7, 100, false)) // another class, whose queue is empty, until 12,900
	r.Run(core.AtNanos(20_000))
	var at []core.Time
	for i := range r.sent {
		at = append(at, r.sent[i].at)
	}
	if want := []core.Time{0, core.AtNanos(1000), core.AtNanos(2000), core.AtNanos(6200), core.AtNanos(7200)}; !slices.Equal(at, want) {
		t.Errorf("sent at %v, want %v", at, want)
	}
	var kinds []core.ActionKind
	for _, a := range r.News {
		kinds = append(kinds, a.Kind)
		if a.Port != 1 {
			t.Errorf("told of a pause at port %d", a.Port)
		}
	}
	if want := []core.ActionKind{core.Paused, core.Paused, core.Paused}; !slices.Equal(kinds, want) {
		t.Errorf("told %v, want %v", kinds, want)
	}
	c := r.sw.Counters(1, core.AtNanos(20_000))
	// Class 3 from 500 to 6200, class 7 from 6500 to 12,900. Packets waited from 1300 to 2000 and
	// from 2100 to 6200.
	if c.PausesReceived != 3 || c.ResumesReceived != 0 || c.PausedFor != (5700+6400)*core.Nanosecond || c.Waited != (700+4100)*core.Nanosecond {
		t.Errorf("counted %+v", c)
	}
	if c.RxPackets != 3 || c.RxBytes != 3*64 || c.TxPackets != 5 || c.TxBytes != 3400 || r.Pool.Live() != 0 {
		t.Errorf("counted %+v, %d packets alive", c, r.Pool.Live())
	}
}

// When the pause of one class expires, another class's goes on.
func TestPausesExpireOneByOne(t *testing.T) {
	r := newRig(t, config(2))
	r.arrive(0, 1, r.Pause(3, 10, false)) // until 640
	r.arrive(0, 1, r.Pause(1, 50, false)) // until 3200
	r.arrive(0, 1, r.Pause(0, 0, true))   // which queue 0 does not obey
	r.arrive(100, 0, r.packet(1, 100, 3))
	r.arrive(100, 0, r.packet(1, 200, 1))
	r.arrive(800, 0, r.packet(1, 64, 0))
	r.arrive(1000, 0, r.packet(1, 300, 5)) // makes the port look
	r.Run(core.AtNanos(9000))
	for i, want := range []departure{{at: core.AtNanos(640), Packet: core.Packet{Size: 100}}, {at: core.AtNanos(800), Packet: core.Packet{Size: 64}}, {at: core.AtNanos(1000), Packet: core.Packet{Size: 300}}, {at: core.AtNanos(3200), Packet: core.Packet{Size: 200}}} {
		if got := r.sent[i]; got.at != want.at || got.Size != want.Size {
			t.Errorf("packet %d: %d bytes at %v, want %d at %v", i, got.Size, got.at, want.Size, want.at)
		}
	}
}

// A pause without expiry lasts until the resume, which may come while the port is busy with
// another class.
func TestResume(t *testing.T) {
	r := newRig(t, config(2))
	r.arrive(0, 1, r.Pause(3, 0, true))
	flood(r, 10, 0, 1, 1)
	flood(r, 500, 0, 1, 1)
	r.arrive(100_000, 0, r.packet(1, 500, 4))
	if c := r.sw.Counters(1, core.AtNanos(100_200)); c.Waited != (100_000-10)*core.Nanosecond || c.PausedFor != 100_200*core.Nanosecond {
		t.Errorf("counted %+v while paused", c)
	} else if g := r.sw.Gauge(1, core.AtNanos(100_200)); g.Waited != c.Waited || g.PausedFor != c.PausedFor {
		t.Errorf("the gauge shows %+v while paused", g)
	}
	r.arrive(100_200, 1, r.Pause(3, 0, false))
	r.Run(core.AtNanos(200_000))
	var at []core.Time
	for i := range r.sent {
		at = append(at, r.sent[i].at)
	}
	if want := []core.Time{core.AtNanos(100_000), core.AtNanos(100_500), core.AtNanos(101_500)}; !slices.Equal(at, want) {
		t.Errorf("sent at %v, want %v", at, want)
	}
	c := r.sw.Counters(1, r.Turn.Now)
	if c.PausesReceived != 1 || c.ResumesReceived != 1 || c.PausedFor != 100_200*core.Nanosecond || c.Waited != 99_990*core.Nanosecond {
		t.Errorf("counted %+v", c)
	}
}

// If a link fails, the packets that wait for it are dropped and no longer held: a neighbour that
// was paused because of them is resumed.
func TestLinkDownResumes(t *testing.T) {
	for _, quanta := range []uint16{0, 20} {
		r := newRig(t, crowded(quanta))
		flood(r, 0, 0, 1, 16)
		r.setLink(500, 1, false)
		r.Run(core.AtNanos(100_000))
		_, words := r.frames(0)
		if len(words) != 2 || !words[1].Resume() {
			t.Errorf("quanta %d: frames %x, want a pause and a resume", quanta, words)
		}
		if got := r.sw.Depth(1); got != 0 || len(r.News) != 15 || r.Pool.Live() != 0 {
			t.Errorf("quanta %d: depth %d, told of %d drops, %d packets alive", quanta, got, len(r.News), r.Pool.Live())
		}
		if got := r.sw.Counters(1, r.Turn.Now).Flushed; got != 15 {
			t.Errorf("quanta %d: %d packets counted", quanta, got)
		}
	}
}

// Samples count a queue that is lost with its link up to the failure.
func TestLinkDownSamples(t *testing.T) {
	cfg := config(2)
	cfg.Meter.Start, cfg.Meter.End = core.AtNanos(450), core.AtNanos(650)
	r := newRig(t, cfg)
	flood(r, 0, 0, 1, 5)
	r.setLink(500, 1, false)
	r.setLink(600, 1, true)
	if got, want := r.sw.Histogram(1, core.AtNanos(1000)), []uint64{0: 2, 4: 1}; !slices.Equal(got, want) {
		t.Errorf("samples before, during and after the failure: %v, want %v", got, want)
	}
}

// Every PFC frame takes a random number where a profile says so, and nothing else does.
func TestPauseTakesDraw(t *testing.T) {
	for _, takes := range []bool{false, true} {
		cfg, chance := crowded(0), &fixed{}
		cfg.PauseTakesDraw, cfg.Mark = takes, chance
		r := newRig(t, cfg)
		flood(r, 0, 0, 1, 16)
		r.Run(core.AtNanos(100_000))
		if at, _ := r.frames(0); len(at) != 2 || chance.drawn != map[bool]int{true: 2}[takes] {
			t.Errorf("takes %v: %d draws for %d frames", takes, chance.drawn, len(at))
		}
	}
}

// So does a frame for a link that has failed since the pause, although it does not leave.
func TestPauseOfFailedLinkTakesDraw(t *testing.T) {
	cfg, chance := crowded(0), &fixed{}
	cfg.PauseTakesDraw, cfg.Mark, cfg.Buffer.KeepOnFlush = true, chance, true
	r := newRig(t, cfg)
	flood(r, 0, 0, 1, 16)
	r.setLink(500, 0, false)
	r.Run(core.AtNanos(100_000))
	r.setLink(100_000, 0, true)
	r.Run(core.AtNanos(200_000))
	if _, words := r.frames(0); len(words) != 1 || words[0].Resume() || chance.drawn != 2 {
		t.Errorf("%d draws for frames %x, want 2 for one pause", chance.drawn, words)
	}
}

// The reference's behaviour instead: dropped packets stay accounted, so the port stays paused, and the samples of the
// queue include them while the link is down.
func TestLinkDownKeeps(t *testing.T) {
	cfg := crowded(0)
	cfg.Buffer.KeepOnFlush = true
	cfg.Meter = switching.MeterConfig{Interval: 100 * core.Nanosecond, Start: core.AtNanos(450), End: core.AtNanos(650), Bin: 1000}
	r := newRig(t, cfg)
	flood(r, 0, 0, 1, 16)
	r.setLink(500, 1, false)
	r.setLink(600, 1, true)
	flood(r, 700, 0, 2, 1)
	r.Run(core.AtNanos(100_000))
	if _, words := r.frames(0); len(words) != 1 || words[0].Resume() {
		t.Errorf("frames %x, want one pause", words)
	}
	if got := r.sizes(2); len(got) != 1 || len(r.News) != 15 {
		t.Errorf("sent %v, told of %d drops", got, len(r.News))
	}
	want := make([]uint64, 16)
	want[0], want[15] = 1, 2
	if got := r.sw.Histogram(1, core.AtNanos(100_000)); !slices.Equal(got, want) {
		t.Errorf("samples of the queue before, during and after the failure: %v, want %v", got, want)
	}
}

// A link that is down sends nothing, pauses are forgotten, and once it is up things go on.
func TestLinkDownAndUp(t *testing.T) {
	r := newRig(t, config(2))
	flood(r, 0, 0, 1, 3)
	r.arrive(10, 1, r.Pause(3, 0, true))
	r.setLink(500, 1, false)
	flood(r, 5000, 0, 1, 2)
	r.Run(core.AtNanos(6000))
	if got := r.sizes(1); len(got) != 1 {
		t.Errorf("sent %d packets before the link came up, want 1", len(got))
	}
	r.setLink(7000, 1, true)
	r.Run(core.AtNanos(20_000))
	if len(r.sent) != 2 || r.sent[0].at != core.AtNanos(7000) || r.sent[1].at != core.AtNanos(8000) {
		t.Errorf("sent %+v", r.sent)
	}
	if c := r.sw.Counters(1, r.Turn.Now); c.PausedFor != 490*core.Nanosecond || c.Waited != 0 {
		t.Errorf("counted %+v", c)
	}
}

// Frames for the port on which a packet is being sent wait for its end. (Packets turn back where
// routes have changed.)
func TestFramesOnTheWayBack(t *testing.T) {
	r := newRig(t, crowded(0))
	flood(r, 0, 0, 0, 16)
	r.Run(core.AtNanos(100_000))
	at, words := r.frames(0)
	if want := []core.Time{core.AtNanos(1000), core.AtNanos(4064)}; !slices.Equal(at, want) || len(words) != 2 || !words[1].Resume() {
		t.Errorf("frames at %v: %x, want at %v", at, words, want)
	}
	if got := r.sizes(0); len(got) != 18 {
		t.Errorf("%d packets sent, want 18", len(got))
	}
}

// A neighbour forgets pauses when the link fails. If one is still needed when the link returns, it
// is sent again.
func TestLinkUpPausesAgain(t *testing.T) {
	for _, quanta := range []uint16{0, 20} {
		r := newRig(t, crowded(quanta))
		r.arrive(0, 1, r.Pause(3, 0, true)) // nothing leaves
		flood(r, 0, 0, 1, 16)
		r.setLink(100, 0, false)
		r.setLink(200, 0, true)
		r.Run(core.AtNanos(250))
		r.arrive(300, 1, r.Pause(3, 0, false))
		r.Run(core.AtNanos(300))
		at, words := r.frames(0)
		if want := []core.Time{0, core.AtNanos(200)}; !slices.Equal(at, want) || len(words) != 2 || words[1] != core.NewPause(3, quanta, quanta == 0) {
			t.Errorf("quanta %d: frames at %v: %x, want pauses at %v", quanta, at, words, want)
		}
	}
}

// A failing link ends the wait for a pause, even one that has not begun because a packet is being sent.
func TestWaitedUntilLinkFails(t *testing.T) {
	for at, want := range map[int64]core.Duration{600: 0, 1400: 400 * core.Nanosecond} {
		r := newRig(t, config(2))
		flood(r, 0, 0, 1, 2)
		r.arrive(10, 1, r.Pause(3, 0, true)) // one packet waits from 1000 on
		r.arrive(20, 0, r.packet(1, 100, 3)) // makes the port look again
		r.setLink(at, 1, false)
		r.setLink(3000, 1, true)
		if got := r.sw.Counters(1, core.AtNanos(9000)).Waited; got != want {
			t.Errorf("failed at %d ns: waited %v, want %v", at, got, want)
		}
	}
}

// Only the lossy class is dropped, when its egress queue would be too long: above 20,000 bytes >> 3. Only the other is
// paused, when it holds more than 20,000 >> 5.
func TestLossyClassIsDropped(t *testing.T) {
	for class, want := range map[uint8]int64{3: 3, 4: 0} {
		cfg := config(2)
		cfg.Ports[0].Shift = 5
		cfg.Buffer = switching.BufferConfig{Reserve: 1000, Lossy: 1 << 3, LossyShift: 3}
		cfg.Buffer.Total = 20_000 + 2*cfg.Buffer.Promised(cfg.Ports[0].Headroom)
		r := newRig(t, cfg)
		for range 6 { // one is on the wire, two wait
			r.arrive(0, 0, r.packet(1, 1000, class))
		}
		if c := r.sw.Counters(0, 0); c.DroppedPackets != want || c.DroppedBytes != 1000*want {
			t.Errorf("class %d: %d packets dropped, want %d", class, c.DroppedPackets, want)
		}
		if paused := r.sw.Counters(0, 0).PausesSent > 0; paused != (want == 0) {
			t.Errorf("class %d: paused %v", class, paused)
		}
	}
}

// A pause that lasts a picosecond, a quantum of the fastest link, is not repeated at once, again and again.
func TestShortestPause(t *testing.T) {
	cfg := crowded(1)
	for i := range cfg.Ports {
		cfg.Ports[i].Rate = 1000 * core.Tbps
	}
	r := newRig(t, cfg)
	r.arrive(0, 0, r.packet(1, 1000, 3))
	r.sw.Receive(&r.Turn, 0, r.packet(1, 15_000, 3))
	at := slices.IndexFunc(r.Turn.Actions, func(a core.Action) bool { return a.Kind == core.SetWake })
	if at < 0 || r.Turn.Actions[at].At <= r.Turn.Now {
		t.Errorf("paused at %v: %+v", r.Turn.Now, r.Turn.Actions)
	}
}
