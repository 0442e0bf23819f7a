package switching_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Without PFC no frame is sent for what is beyond the threshold, even if the headroom takes it.
func TestNoFrameWithoutPFC(t *testing.T) {
	cfg := crowded(0)
	cfg.Pause.Off = true
	r := newRig(t, cfg)
	flood(r, 0, 0, 1, 30)
	r.Run(core.AtNanos(100_000))
	if at, _ := r.frames(0); len(at) != 0 || len(r.News) != 0 {
		t.Errorf("frames at %v, %d packets dropped", at, len(r.News))
	}
}

// Without PFC and headroom, packets beyond the threshold are dropped.
func TestNoPFC(t *testing.T) {
	cfg := crowded(20)
	cfg.Pause.Off = true
	for i := range cfg.Ports {
		cfg.Ports[i].Headroom = 0
	}
	cfg.Buffer.Total = 20_000 + 3*4096
	r := newRig(t, cfg)
	flood(r, 0, 0, 1, 30)
	r.Run(core.AtNanos(100_000))
	// u = 1000*k-4096 bytes are shared; the next is dropped if 1000+u > 20000-u: from k = 14 on.
	if got := r.sizes(1); len(got) != 15 {
		t.Errorf("%d packets were sent, want 14 and the first", len(got))
	}
	c := r.sw.Counters(0, r.Turn.Now)
	if c.DroppedPackets != 15 || c.DroppedBytes != 15_000 || c.PausesSent != 0 || len(r.News) != 15 || r.News[0].Kind != core.Dropped {
		t.Errorf("counted %+v, told of %d", c, len(r.News))
	}
	if r.Pool.Live() != 0 {
		t.Errorf("%d packets alive", r.Pool.Live())
	}
}

// Packets of queue 0 hold nothing of the buffer: they cause no pause and no drop, and a link that fails releases nothing
// for them, so that the next pause comes when it always does.
func TestQueue0IsNotAccounted(t *testing.T) {
	r := newRig(t, crowded(0))
	for range 100 {
		r.arrive(0, 0, r.packet(1, 1000, 0))
	}
	r.setLink(500, 1, false)
	if at, _ := r.frames(0); len(at) != 0 || len(r.News) != 99 {
		t.Errorf("frames at %v, %d packets dropped, want those that the link left behind", at, len(r.News))
	}
	r.setLink(1000, 1, true)
	flood(r, 2000, 0, 1, 15)
	if at, _ := r.frames(0); len(at) != 0 {
		t.Errorf("paused with 14,000 bytes held, at %v", at)
	}
	flood(r, 2000, 0, 1, 1)
	if at, _ := r.frames(0); len(at) != 1 {
		t.Error("not paused with 15,000 bytes held")
	}
}
