package switching_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// credits is config's switch with lanes of 4 KiB and an update after 1 KiB.
func credits(n int) switching.Config {
	cfg := config(n)
	cfg.Pause.Off = true
	cfg.Credits = &core.CreditConfig{Lane: 4096, Update: 1024}
	return cfg
}

// grant makes a flow-control packet of a neighbour that has sent the given number of blocks and
// grants up to a limit.
func (r *rig) grant(lane uint8, sent, limit int) *core.Packet {
	p := r.Pool.New()
	p.Kind, p.Size = core.Credit, core.CreditPacket
	p.Aux = uint64(sent)<<16 | uint64(lane)<<12 | uint64(limit)
	return p
}

// words returns the flow-control packets sent by a port.
func (r *rig) words(port int) (list []core.CreditWord) {
	for i := range r.sent {
		if d := &r.sent[i]; d.port == port && d.Kind == core.Credit {
			list = append(list, core.CreditWord(d.Aux))
			if d.Src != 100 || d.Size != core.CreditPacket {
				r.T.Errorf("a flow-control packet of %d bytes from %d", d.Size, d.Src)
			}
		}
	}
	return list
}

// A port sends exactly what it has credits for: 64 blocks are four packets of 1024 bytes. A
// flow-control packet lets it go on. The time without credits is counted.
func TestCreditsLimitAPort(t *testing.T) {
	cfg := credits(3)
	cfg.Credits.Lane = 8192
	r := newRig(t, cfg)
	r.arrive(0, 0, r.grant(3, 0, 64)) // from node 0, behind port 0: it has no effect on port 2
	r.arrive(0, 2, r.grant(3, 0, 64))
	for i := range 6 {
		r.arrive(int64(i), i%2, r.packet(2, 1024, 3))
	}
	r.Run(core.AtNanos(9_999))
	if got := r.sizes(2); len(got) != 4 {
		t.Fatalf("%d packets were sent with credits for four", len(got))
	}
	if c := r.sw.Counters(2, core.AtNanos(9_999)); c.Waited != (9_999-4*1024)*core.Nanosecond {
		t.Errorf("waited %v, want the time since the fourth packet", c.Waited)
	}
	r.arrive(10_000, 2, r.grant(3, 0, 64+31))
	if got := r.sizes(2); len(got) != 1 {
		t.Errorf("%d packets were sent with credits for one and a little", len(got))
	}
	if c := r.sw.Counters(2, core.AtNanos(11_000)); c.Waited != (10_000-4*1024)*core.Nanosecond {
		t.Errorf("waited %v", c.Waited)
	}
	r.arrive(12_000, 0, r.packet(2, 64, 3)) // there are credits for it, but it is not its turn
	r.Run(core.AtNanos(15_000))
	if got := r.sizes(2); len(got) != 0 || r.Pool.Live() != 2 {
		t.Errorf("sent %v past the first of the lane; %d packets alive", got, r.Pool.Live())
	}
}

// Lanes do not stop each other, and lane 0 needs no credits.
func TestLanesAreSeparate(t *testing.T) {
	r := newRig(t, credits(3))
	r.arrive(0, 2, r.grant(3, 0, 0))
	for prio := range uint8(3) {
		r.arrive(int64(prio)*5000, 0, r.packet(2, 1000, 2*prio+1))
	}
	r.arrive(20_000, 0, r.packet(2, 500, 0))
	r.arrive(25_000, 2, r.grant(6, 0, 64)) // nothing waits for it
	r.Run(core.AtNanos(30_000))
	if got := r.sizes(2); len(got) != 3 || got[0] != 1000 || got[1] != 1000 || got[2] != 500 {
		t.Errorf("sent %v; want lanes 1 and 5, and lane 0", got)
	}
	if got := r.sw.Depth(2); got != 1000 {
		t.Errorf("%d bytes wait, want those of lane 3", got)
	}
}

// The neighbour is told when enough room has become free: FCCL is what was received plus what is
// free. A packet that is dropped for lack of a route makes room too.
func TestCreditsAreTold(t *testing.T) {
	r := newRig(t, credits(3))
	for i := range 4 {
		r.arrive(int64(i)*10_000, 0, r.packet(2, 500, 3)) // eight blocks
	}
	if w := r.words(0); len(w) != 2 || w[0].Lane() != 3 || w[0].Limit() != 64+16 || w[1].Limit() != 64+32 {
		t.Errorf("told %v, want after 16 and 32 blocks", w)
	}
	if c := r.sw.Counters(0, r.Turn.Now); c.LinkBytes != 2*core.CreditPacket || c.TxBytes != c.LinkBytes {
		t.Errorf("counted %+v", c)
	}
	for range 100 {
		r.arrive(50_000, 1, r.packet(99, 1024, 0)) // lane 0 is not accounted
	}
	r.News = nil
	r.arrive(50_000, 1, r.packet(99, 1024, 3))
	r.Run(core.AtNanos(60_000))
	if w := r.words(1); len(w) != 1 || w[0].Lane() != 3 || w[0].Limit() != 64+16 || len(r.News) != 1 || r.News[0].Kind != core.Dropped {
		t.Errorf("a packet without a route: told %v, news %v", w, r.News)
	}
}

// A full lane, which cannot happen with a neighbour that obeys, drops.
func TestLaneOverflow(t *testing.T) {
	r := newRig(t, credits(3))
	r.arrive(0, 2, r.grant(3, 0, 0))
	for i := range 5 {
		r.arrive(int64(i), 0, r.packet(2, 1024, 3))
	}
	if c := r.sw.Counters(0, core.AtNanos(10)); c.DroppedPackets != 1 || r.sw.Depth(2) != 4096 {
		t.Errorf("%d dropped, %d bytes wait; want 1, 4096", c.DroppedPackets, r.sw.Depth(2))
	}
}

// When a link comes back, nothing is sent before the neighbour's update, and the neighbour is told
// how much room there is on every lane.
func TestCreditsAfterFailure(t *testing.T) {
	r := newRig(t, credits(3))
	r.arrive(0, 2, r.grant(3, 0, 0))
	r.arrive(1, 0, r.packet(2, 1024, 3)) // waits in the buffer of port 0
	r.setLink(2, 0, false)
	r.setLink(1000, 0, true)
	r.Run(core.AtNanos(5000))
	w := r.words(0)
	if len(w) != 7 {
		t.Fatalf("%d flow-control packets, want one for each lane", len(w))
	}
	for i, word := range w {
		want := uint16(64)
		if word.Lane() == 3 {
			want = 48
		}
		if int(word.Lane()) != i+1 || word.Sent() != 0 || word.Limit() != want {
			t.Errorf("lane %d: FCTBS %d, FCCL %d; want 0, %d", word.Lane(), word.Sent(), word.Limit(), want)
		}
	}
	r.arrive(10_000, 1, r.packet(0, 1024, 3))
	r.sizes(0)
	r.Run(core.AtNanos(20_000))
	if got := r.sizes(0); len(got) != 0 {
		t.Errorf("%v was sent without credits", got)
	}
	r.arrive(30_000, 0, r.grant(3, 0, 16))
	if got := r.sizes(0); len(got) != 1 {
		t.Errorf("%v was sent with them", got)
	}
}

// Packets that a failing link leaves behind make room, of which the neighbours that sent them are told.
func TestCreditsOfFlushedPackets(t *testing.T) {
	r := newRig(t, credits(3))
	r.arrive(0, 2, r.grant(3, 0, 0))
	for in := range 2 {
		r.arrive(1, in, r.packet(2, 1024, 3)) // these wait in the buffers of ports 0 and 1
	}
	r.setLink(100, 2, false)
	r.Run(core.AtNanos(5000))
	for in := range 2 {
		if w := r.words(in); len(w) != 1 || w[0].Lane() != 3 || w[0].Limit() != 64+16 {
			t.Errorf("port %d: told %v, want all room of lane 3", in, w)
		}
	}
}

// Packets queued for a port while its link was down wait for the neighbour's update too.
func TestQueuedWhileDown(t *testing.T) {
	r := newRig(t, credits(3))
	r.setLink(0, 2, false)
	r.arrive(100, 0, r.packet(2, 1024, 3))
	r.setLink(1000, 2, true)
	r.arrive(2000, 0, r.packet(2, 1024, 3))
	r.Run(core.AtNanos(5000))
	if got := len(r.sent) - len(r.words(2)) - len(r.words(0)); got != 0 {
		t.Errorf("%d packets were sent without credits", got)
	}
	r.arrive(6000, 2, r.grant(3, 0, 64))
	r.Run(core.AtNanos(9000))
	if got := len(r.sent) - len(r.words(2)) - len(r.words(0)); got != 2 {
		t.Errorf("%d packets were sent with them", got)
	}
}

// The neighbour is told only once of room that is made while its link is down, when the link is
// back.
func TestRoomMadeWhileDown(t *testing.T) {
	r := newRig(t, credits(3))
	r.arrive(0, 2, r.grant(3, 0, 0))
	r.arrive(1, 0, r.packet(2, 1024, 3))
	r.setLink(2, 0, false)
	r.arrive(1000, 2, r.grant(3, 0, 64)) // the packet leaves the buffer of port 0
	r.setLink(3000, 0, true)
	r.Run(core.AtNanos(9000))
	w := r.words(0)
	if len(w) != 7 || w[2].Lane() != 3 || w[2].Limit() != 64 {
		t.Errorf("told %v, want all room of the 7 lanes", w)
	}
}

// Bringing up a link that is already up changes nothing: neither end restarts its counts.
func TestUpWhileUp(t *testing.T) {
	r := newRig(t, credits(3))
	r.arrive(0, 0, r.packet(2, 1024, 3))
	r.setLink(500, 2, true)
	r.arrive(2000, 0, r.packet(2, 1024, 3))
	r.Run(core.AtNanos(5000))
	if got := r.sizes(2); len(got) != 2 || got[1] != 1024 {
		t.Errorf("sent %v, want two packets", got)
	}
}

// Where links lose packets, the flow-control packets of lanes in use are repeated, and a neighbour
// whose packets were lost is told of the room that it cannot know of.
func TestCreditRefreshAndResync(t *testing.T) {
	for lane := uint8(1); lane < 8; lane++ {
		cfg := credits(3)
		cfg.Credits.Refresh = true
		r := newRig(t, cfg)
		r.arrive(0, 0, r.packet(2, 500, lane))
		const every = 65536 * 4 // nanoseconds at 8 Gb/s
		r.Run(core.AtNanos(3*every + 1000))
		if w0, w2 := r.words(0), r.words(2); len(w0) != 3 || len(w2) != 3 || w0[0].Limit() != 64+8 || w2[2].Sent() != 8 {
			t.Errorf("lane %d: in three periods port 0 sent %v and port 2 %v", lane, w0, w2)
		}
		r.sent = r.sent[:0]
		r.arrive(4*every-2000, 0, r.grant(lane, 8+20, 64))
		if w := r.words(0); len(w) != 1 || w[0].Limit() != 64+28 {
			t.Errorf("lane %d: 20 blocks were lost: told %v", lane, w)
		}
	}
}

// only is a router to some ports, whatever the destination.
type only []uint16

func (o only) Next(_, _ core.NodeID) []uint16 { return o }

// Nothing is allocated for a packet under credits.
func TestCreditsAllocateNothing(t *testing.T) {
	cfg := credits(3)
	cfg.Router = only{2}
	r := newRig(t, cfg)
	now := int64(0)
	pass := func() {
		now += 10_000
		r.arrive(now, 0, r.packet(2, 1024, 3))
		r.arrive(now+5000, 2, r.grant(3, 0, int(now/10_000*16+64)&4095))
		r.sent = r.sent[:0]
	}
	for range 2000 {
		pass()
	}
	if n := testing.AllocsPerRun(1000, pass); n != 0 {
		t.Errorf("%v allocations per packet", n)
	}
	if r.sw.Depth(2) != 0 {
		t.Errorf("%d bytes wait", r.sw.Depth(2))
	}
}
