package nic_test

import (
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// credits is a host like config's with lanes of 64 blocks and an update after 32.
func credits(n int) nic.Config {
	cfg := config(n)
	cfg.Credits = &core.CreditConfig{Lane: 4096, Update: 2048}
	return cfg
}

func (r *rig) grant(lane uint8, sent, limit int) *core.Packet {
	p := r.Pool.New()
	p.Kind, p.Size = core.Credit, core.CreditPacket
	p.Aux = uint64(sent)<<16 | uint64(lane)<<12 | uint64(limit)
	return p
}

// A host sends while it has credits for a full packet of 16 blocks, and counts the time without.
func TestCreditsLimitAHost(t *testing.T) {
	r := newRig(t, credits(1))
	r.open(0, nic.Flow{Size: 6000, Prio: 3})
	r.Run(core.AtNanos(9000))
	if got := r.took(); len(got) != 4 {
		t.Fatalf("sent %v with credits for four packets", got)
	}
	r.arrive(10_000, 0, r.grant(3, 0, 64+15))
	r.Run(core.AtNanos(11_999))
	if got := r.took(); len(got) != 0 {
		t.Errorf("sent %v with credits for 15 blocks", got)
	}
	r.arrive(12_000, 0, r.grant(3, 0, 64+31))
	r.Run(core.AtNanos(20_000))
	if got := r.took(); len(got) != 1 || got[0] != [2]int64{12_000, 4000} {
		t.Errorf("sent %v with credits for 31 blocks", got)
	}
	if c := r.h.Counters(0, core.AtNanos(20_000)); c.Waited != (12_000-4000+20_000-13_000)*core.Nanosecond {
		t.Errorf("waited %v", c.Waited)
	}
	for i := range int64(100) { // notifications use lane 0, which is not accounted
		p := r.Pool.New()
		p.Kind, p.Size, p.DstQP = core.CNP, 60, 0
		r.arrive(21_000+i, 0, p)
	}
	if got := r.took(); len(got) != 0 || r.Pool.Live() != 0 {
		t.Errorf("sent %v for packets of lane 0, %d packets alive", got, r.Pool.Live())
	}
}

// A full packet's credits are those for the largest packet that any flow of the port sends, even for lanes that had
// enough before: here 18 blocks instead of 16, as a scheme adds 100 bytes.
func TestCreditsForLargerPackets(t *testing.T) {
	r := newRig(t, credits(1))
	for lane := range uint8(7) {
		r.arrive(0, 0, r.grant(lane+1, 0, 17))
	}
	r.open(10_000, nic.Flow{Size: 1000, Prio: 1, Scheme: &scheme{traits: algorithms.Traits{HeaderBytes: 100}}})
	r.open(10_000, nic.Flow{Size: 1000, Prio: 7})
	r.Run(core.AtNanos(20_000))
	if got := r.took(); len(got) != 0 {
		t.Errorf("sent %v with credits for 17 blocks of 18", got)
	}
	r.arrive(20_000, 0, r.grant(7, 0, 18))
	r.arrive(30_000, 0, r.grant(1, 0, 18))
	if got, want := r.took(), [][2]int64{{20_000, 0}, {30_000, 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// An acknowledgement takes credits of its lane; another lane goes on in the meantime.
func TestAcksTakeCredits(t *testing.T) {
	r := newRig(t, credits(1))
	r.arrive(0, 0, r.grant(3, 0, 0))
	r.arrive(1000, 0, r.data(0))
	r.open(2000, nic.Flow{Size: 1000, Prio: 4})
	r.Run(core.AtNanos(5000))
	if got := r.took(); len(got) != 1 || got[0][0] != 2000 {
		t.Errorf("sent %v, want lane 4 at 2000", got)
	}
	r.arrive(6000, 0, r.grant(3, 16, 1))
	if len(r.sent) != 1 || r.sent[0].Kind != core.Ack {
		t.Errorf("sent %v, want an ACK of one block", r.took())
	}
}

// An acknowledgement for which there are credits waits for one of its class for which there are not.
func TestAcksOfALaneKeepTheirOrder(t *testing.T) {
	cfg := credits(1)
	cfg.Credits.Update = 4096 // the host has nothing else to say
	r := newRig(t, cfg)
	r.arrive(0, 0, r.grant(3, 0, 0))
	long := r.data(0)
	long.Size += 40 // telemetry, which the ACK carries back: two blocks
	r.arrive(1000, 0, long)
	r.arrive(2000, 0, r.data(1000))
	r.arrive(3000, 0, r.grant(3, 33, 1))
	r.arrive(4000, 0, r.data(2000))
	if got := r.took(); len(got) != 0 {
		t.Errorf("sent %v with credits for one block", got)
	}
	r.arrive(5000, 0, r.grant(3, 49, 4))
	r.Run(core.AtNanos(9000))
	if got, want := r.took(), [][2]int64{{5000, 1000}, {5100, 2000}, {5160, 3000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// The time for which an acknowledgement alone waits for credits is counted, at a host that sends no data.
func TestAcksWaitForCredits(t *testing.T) {
	r := newRig(t, credits(1))
	r.arrive(0, 0, r.grant(3, 0, 0))
	r.arrive(1000, 0, r.data(0))
	r.arrive(6000, 0, r.grant(3, 16, 1))
	if got := r.h.Counters(0, core.AtNanos(9000)).Waited; len(r.sent) != 1 || got != 5*core.Microsecond {
		t.Errorf("sent %v; waited %v, want 5 us", r.took(), got)
	}
}

// The neighbour is told the total received and the room that is free again.
func TestHostTellsCredits(t *testing.T) {
	r := newRig(t, credits(1))
	for i := range int64(4) {
		r.arrive(i*5000, 0, r.data(i*1000))
	}
	r.Run(core.AtNanos(30_000))
	var words []core.CreditWord
	for i := range r.sent {
		if r.sent[i].Kind == core.Credit {
			words = append(words, core.CreditWord(r.sent[i].Aux))
			if r.sent[i].Src != 1 {
				t.Errorf("sent by %d", r.sent[i].Src)
			}
		}
	}
	if len(words) != 2 || words[0].Limit() != 64+32 || words[1].Limit() != 64+64 || words[1].Lane() != 3 {
		t.Errorf("told %v, want after every 32 blocks", words)
	}
	if words[1].Sent() == 0 {
		t.Error("the ACKs do not count as sent")
	}
}

// When the link comes back the host sends nothing before the neighbour's update, and sends its own.
func TestHostCreditsAfterFailure(t *testing.T) {
	for _, at := range [...]int64{1500, 5000} { // with credits left, and without
		r := newRig(t, credits(1))
		r.open(0, nic.Flow{Size: 8000, Prio: 3})
		r.Run(core.AtNanos(at))
		r.sent = r.sent[:0]
		for _, up := range [...]bool{false, true} {
			r.Turn.Now = core.AtNanos(at)
			r.h.SetLink(&r.Turn, 0, up)
			r.CarryOut()
		}
		r.Run(core.AtNanos(9000))
		words := 0
		for i := range r.sent {
			if r.sent[i].Kind == core.Credit && int(core.CreditWord(r.sent[i].Aux).Lane()) == words+1 {
				words++
			}
		}
		if words != 7 || len(r.sent) != 7 {
			t.Errorf("at %d ns: %d packets, %d of them of flow control; want 7 of these alone", at, len(r.sent), words)
		}
		r.took()
		r.arrive(10_000, 0, r.grant(3, 0, 16))
		if got := r.took(); len(got) != 1 {
			t.Errorf("at %d ns: sent %v with credits for one packet", at, got)
		}
	}
}

// When a link has lost so much of the neighbour's packets that an update is due, the host tells the neighbour of the
// room, which it cannot know of otherwise.
func TestHostTellsOfWhatTheLinkLost(t *testing.T) {
	for lost, want := range map[int]int{31: 0, 32: 1} {
		r := newRig(t, credits(1))
		r.open(0, nic.Flow{Size: 1000, Prio: 3})
		r.Run(core.AtNanos(5000))
		r.took()
		r.arrive(5000, 0, r.grant(3, lost, 64))
		r.Run(core.AtNanos(6000))
		if len(r.sent) != want || want == 1 && core.CreditWord(r.sent[0].Aux).Limit() != 64+32 {
			t.Errorf("%d blocks lost: sent %+v", lost, r.sent)
		}
	}
}

// Bringing up a link that is already up changes nothing: the host goes on with the credits that it
// has.
func TestHostUpWhileUp(t *testing.T) {
	r := newRig(t, credits(1))
	r.open(0, nic.Flow{Size: 2000, Prio: 3})
	r.At(500)
	r.h.SetLink(&r.Turn, 0, true)
	r.CarryOut()
	r.Run(core.AtNanos(9000))
	if got, want := r.took(), [][2]int64{{0, 0}, {1000, 1000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

func TestHostRefreshesCredits(t *testing.T) {
	cfg := credits(1)
	cfg.Credits.Refresh = true
	r := newRig(t, cfg)
	r.open(0, nic.Flow{Size: 1000, Prio: 3})
	const every = 65536 * 4 // nanoseconds at 8 Gb/s
	r.Run(core.AtNanos(3*every + 1000))
	words := 0
	for i := range r.sent {
		if r.sent[i].Kind == core.Credit {
			words++
		}
	}
	if words != 3 {
		t.Errorf("%d flow-control packets in three periods", words)
	}
}

// Packets with a longer header, which the scheme asks for, need more credits.
func TestCreditsForLongHeaders(t *testing.T) {
	r := newRig(t, credits(1))
	r.open(0, nic.Flow{Size: 5000, Prio: 3, Scheme: &scheme{traits: algorithms.Traits{HeaderBytes: 100}}}) // 18 blocks
	r.Run(core.AtNanos(9000))
	if got := r.took(); len(got) != 3 {
		t.Fatalf("sent %v with credits for 64 blocks", got)
	}
	r.arrive(10_000, 0, r.grant(3, 0, 64+17-10))
	if got := r.took(); len(got) != 0 {
		t.Errorf("sent %v with credits for 17 blocks", got)
	}
	r.arrive(11_000, 0, r.grant(3, 0, 64+18-10))
	if got := r.took(); len(got) != 1 {
		t.Errorf("sent %v with credits for 18 blocks", got)
	}
}

// A host that has nothing to send still sends its credits, of several lanes one after another, and repeats them.
func TestSilentHostTellsCredits(t *testing.T) {
	cfg := credits(1)
	cfg.Credits.Update, cfg.Credits.Refresh = 512, true
	r := newRig(t, cfg)
	for lane := range uint8(3) {
		p := r.Pool.New()
		p.Kind, p.Src, p.Dst, p.Size, p.Prio = core.Datagram, 2, 1, 512, lane+1
		r.arrive(0, 0, p)
	}
	const every = 65536 * 4 // nanoseconds at 8 Gb/s
	r.Run(core.AtNanos(2*every + 1000))
	var want [][2]int64
	for _, at := range []int64{0, every, 2 * every} {
		for i := range int64(3) {
			want = append(want, [2]int64{at + i*core.CreditPacket, core.CreditPacket})
		}
	}
	if got := r.wires(); !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}
