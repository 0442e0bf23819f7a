package core

import "testing"

// Check case 11.4: free 100, ABR 4090 gives FCCL 94; with
// FCTBS 4095 a packet of 64 blocks may go and one of 100 may not.
func TestCreditCheckCase(t *testing.T) {
	l := creditLane{received: 4090, free: 100, sent: 4095}
	l.limit = l.grant()
	if l.limit != 94 {
		t.Errorf("FCCL = %d, want 94", l.limit)
	}
	if !l.may(64) || l.may(100) {
		t.Errorf("may(64) = %v, may(100) = %v; want true, false", l.may(64), l.may(100))
	}
}

// A packet may go if at most half of the counters' range is left of the grant after it; if more seems to be left, the
// packet goes beyond the grant.
func TestCreditsOfHalfTheRange(t *testing.T) {
	for limit, want := range map[uint16]bool{2048: true, 2049: false} {
		if l := (creditLane{limit: limit}); l.may(0) != want {
			t.Errorf("%d blocks granted: may send %v", limit, !want)
		}
	}
}

func TestCreditWord(t *testing.T) {
	c := NewCredits(&CreditConfig{Lane: 64 << 10, Update: 8 << 10}, Gbps)
	c.Spend(3, 65)
	c.Accept(3, 64)
	if w := c.Word(3); w.Sent() != 2 || w.Lane() != 3 || w.Limit() != 1024 {
		t.Errorf("FCTBS %d, lane %d, FCCL %d; want 2, 3, 1024", w.Sent(), w.Lane(), w.Limit())
	}
}

// Packets of the management lane wait for nothing, and a neighbour is told no less room than it must be told.
func TestCreditsAtTheirBounds(t *testing.T) {
	c := NewCredits(&CreditConfig{Lane: 64 << 10, Update: 128}, Gbps)
	c.Restart()
	if !c.May(0, 1<<20) || c.May(1, 1) {
		t.Errorf("without credits: lane 0 may send %v, lane 1 %v", c.May(0, 1<<20), c.May(1, 1))
	}
	for lost, want := range map[uint16]bool{1: false, 2: true} {
		c := NewCredits(&CreditConfig{Lane: 64 << 10, Update: 128}, Gbps)
		if got := c.Obey(CreditWord(lost)<<16 | 1<<12 | 1024); got != want {
			t.Errorf("%d blocks lost: answer %v", lost, got)
		}
	}
	for bytes, want := range map[int32]bool{64: false, 128: true} {
		c := NewCredits(&CreditConfig{Lane: 64 << 10, Update: 128}, Gbps)
		c.Accept(3, bytes)
		if got := c.Release(3, bytes); got != want {
			t.Errorf("%d bytes released: tell %v", bytes, got)
		}
	}
}

// A port is starved if it waits for room at the other end, not for credits that are under way or may yet be earned by
// packets that are. What that end need not tell yet helps only if it repeats itself.
func TestStarved(t *testing.T) {
	for _, c := range []struct {
		free            int32 // bytes of the other end's buffer that have become free
		refresh         bool
		starved, waking bool // before the other end tells of them, and after
	}{
		{0, false, true, true}, {0, true, true, true},
		{64, false, true, true}, {64, true, false, false},
		{128, false, true, false}, {128, true, false, false},
	} {
		cfg := CreditConfig{Lane: 256, Update: 128, Refresh: c.refresh}
		a, b := NewCredits(&cfg, Gbps), NewCredits(&cfg, Gbps)
		a.Spend(3, 256)
		if a.Starved(b, 3, 64) {
			t.Errorf("%+v: starved while what was sent is under way", c)
		}
		b.Accept(3, 256)
		tell := c.free > 0 && b.Release(3, c.free)
		before := a.Starved(b, 3, 64)
		if tell {
			b.Word(3)
		}
		if after := a.Starved(b, 3, 64); before != c.starved || after != c.waking || a.May(3, 64) || a.Starved(b, 0, 64) {
			t.Errorf("%+v: starved %v, then %v", c, before, after)
		}
	}
}

// pair is a link of one lane: what A sends waits in B's buffer.
type pair struct {
	a, b       *Credits
	wire, kept []int32
	words      []CreditWord
}

// In whatever order packets are sent, lost and released and credits updated, no packet finds B's
// buffer full, however often the counters wrap; and when B is empty and has sent an update, A has
// the whole buffer again.
func TestCreditsNeverOverflow(t *testing.T) {
	const lane, size = 3, 10 << 10
	cfg := CreditConfig{Lane: size, Update: 2 << 10}
	for seed := range uint64(20) {
		r := NewStream(seed, StreamFlow, 0)
		p := pair{a: NewCredits(&cfg, Gbps), b: NewCredits(&cfg, Gbps)}
		sent := 0
		for range 20_000 {
			switch n := int32(1 + r.Uint32()%4200); r.Uint32() % 8 {
			case 0, 1, 2:
				if p.a.May(lane, n) {
					p.a.Spend(lane, n)
					p.wire = append(p.wire, n)
					sent++
				}
			case 3, 4:
				p.arrive(t, lane)
			case 5:
				if len(p.kept) > 0 && p.b.Release(lane, p.kept[0]) {
					p.words = append(p.words, p.b.Word(lane))
				}
				p.kept = p.kept[min(1, len(p.kept)):]
			case 6:
				if len(p.words) > 0 {
					p.a.Obey(p.words[0])
					p.words = p.words[1:]
				}
			case 7:
				if len(p.wire) > 0 && r.Uint32()%16 == 0 {
					p.wire = p.wire[1:] // lost
				}
				for len(p.wire) > 0 {
					p.arrive(t, lane)
				}
				if p.b.Obey(p.a.Word(lane)) {
					p.words = append(p.words, p.b.Word(lane))
				}
			}
		}
		if sent < 2000 {
			t.Errorf("seed %d: only %d packets were sent", seed, sent)
		}
		for len(p.wire) > 0 {
			p.arrive(t, lane)
		}
		p.b.Obey(p.a.Word(lane))
		for _, n := range p.kept {
			p.b.Release(lane, n)
		}
		p.a.Obey(p.b.Word(lane))
		if !p.a.May(lane, size) || p.a.May(lane, size+1) {
			t.Errorf("seed %d: an empty buffer does not mean %d bytes of credit", seed, size)
		}
	}
}

func (p *pair) arrive(t *testing.T, lane uint8) {
	if len(p.wire) == 0 {
		return
	}
	n := p.wire[0]
	p.wire = p.wire[1:]
	if !p.b.Accept(lane, n) {
		t.Fatalf("no room for %d bytes", n)
	}
	p.kept = append(p.kept, n)
}

// When a link has come back, nothing may be sent before the neighbour's update, and then as much as
// its buffer has room for.
func TestCreditsRestart(t *testing.T) {
	cfg := CreditConfig{Lane: 1 << 10, Update: 64}
	a, b := NewCredits(&cfg, Gbps), NewCredits(&cfg, Gbps)
	a.Spend(1, 600)
	b.Accept(1, 600) // ten blocks
	a.Restart()
	b.Restart()
	if a.May(1, 1) {
		t.Error("after a restart something may be sent before the receiver has told its credits")
	}
	a.Obey(b.Word(1))
	if !a.May(1, 384) || a.May(1, 385) {
		t.Error("the credits are not those of the six free blocks")
	}
}

func TestCreditRefresh(t *testing.T) {
	// 4x SDR: a symbol takes 4 ns (8 Gb/s of data).
	c := NewCredits(&CreditConfig{Lane: 1 << 10, Update: 64, Refresh: true}, 8*Gbps)
	if c.Next() != Never || !c.StartRefresh(0) || c.StartRefresh(5) {
		t.Error("the refreshes do not begin once")
	}
	const every = Time(65536 * 4 * Nanosecond)
	if c.Next() != every {
		t.Errorf("first refresh at %v, want %v", c.Next(), every)
	}
	c.Spend(3, 64)
	c.Spend(0, 64)
	if early, due := c.Refresh(every-1), c.Refresh(every); early != 0 || due != 1<<3 || c.Next() != 2*every {
		t.Errorf("lanes %b then %b, next %v", early, due, c.Next())
	}
	if lossless := NewCredits(&CreditConfig{Lane: 1 << 10}, Gbps); lossless.StartRefresh(0) {
		t.Error("a link that loses nothing refreshes")
	}
}

// InfiniBand's counters: time in ticks, data in words, without the link's own packets.
func TestInfiniBandCounters(t *testing.T) {
	c := Counters{Waited: 2300 * Nanosecond, Congested: 45 * Nanosecond}
	c.Sent(&Packet{Kind: Data, Size: 2110})
	c.Sent(&Packet{Kind: Credit, Size: CreditPacket})
	c.Sent(&Packet{Kind: Pause, Size: 64})
	const tick = 22 * Nanosecond
	if w, d, g := c.XmitWait(tick), c.XmitData(), c.XmitCongTime(tick); w != 104 || d != 527 || g != 2 {
		t.Errorf("PortXmitWait %d, PortXmitData %d, PortXmitCongTime %d; want 104, 527, 2", w, d, g)
	}
	if c.TxBytes != 2182 || c.LinkBytes != 72 || c.TxPackets != 3 {
		t.Errorf("sent %d bytes, %d of them the link's, in %d packets", c.TxBytes, c.LinkBytes, c.TxPackets)
	}
}
