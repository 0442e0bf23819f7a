package nic_test

import (
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A NACK takes the sender back to the expected byte; what it retransmits is counted and flagged.
// With SkipAcked it does not send what has been acknowledged since.
func TestNackAtSender(t *testing.T) {
	for _, c := range []struct {
		skip bool
		want [][2]int64
	}{
		{false, [][2]int64{{0, 0}, {1000, 1000}, {2000, 2000}, {3000, 3000}, {4000, 1000}, {5000, 2000}, {6000, 3000}, {7000, 4000}}},
		{true, [][2]int64{{0, 0}, {1000, 1000}, {2000, 2000}, {3000, 3000}, {4000, 1000}, {5000, 4000}}},
	} {
		cfg := config(1)
		cfg.SkipAcked = c.skip
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{ID: 9, Size: 5000})
		r.arrive(3500, 0, r.ack(qp, 1000, core.Nack))
		r.arrive(4500, 0, r.ack(qp, 4000, core.Ack))
		r.Run(core.AtNanos(100_000))
		again := int64(0)
		for i := range r.sent {
			if d := &r.sent[i]; (d.Flags&core.Rtx != 0) != (i > 3 && d.Seq < 4000) {
				t.Errorf("packet %d of byte %d: flags %b", i, d.Seq, d.Flags)
			} else if d.Flags&core.Rtx != 0 {
				again += 1000
			}
		}
		if got := r.took(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("skip %v: got %v, want %v", c.skip, got, c.want)
		}
		r.arrive(200_000, 0, r.ack(qp, 5000, core.Ack))
		r.arrive(200_100, 0, r.ack(qp, 5000, core.Ack))
		if _, done, _, st := r.h.Flow(qp); !done || st.RetransmittedBytes != again || st.MarkedPackets != 0 || !reflect.DeepEqual(r.ended(core.FlowDone), []int32{9}) {
			t.Errorf("done %v, %+v, ended %v", done, st, r.ended(core.FlowDone))
		}
		if r.Pool.Live() != 0 {
			t.Errorf("%d packets alive", r.Pool.Live())
		}
	}
}

// A late acknowledgement takes nothing back; a NACK of go-back-0 does, down to the beginning of the chunk.
func TestAcknowledgedBytes(t *testing.T) {
	cfg := config(1)
	cfg.Recovery, cfg.Chunk = every(nic.GoBack0), 4000
	var heard, got []int64
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
	s.step = func(sig *algorithms.Signal, _ *algorithms.Control) { heard = append(heard, int64(sig.Bytes)) }
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{Size: 20_000, Scheme: s})
	for i, a := range []struct {
		seq  int64
		kind core.Kind
	}{{3000, core.Ack}, {2000, core.Ack}, {4000, core.Nack}, {7000, core.Ack}, {4000, core.Nack}, {0, core.Nack}} {
		r.arrive(int64(10_000+i), 0, r.ack(qp, a.seq, a.kind))
		acked, _, _, _ := r.h.Flow(qp)
		got = append(got, acked)
	}
	if want := []int64{3000, 3000, 4000, 7000, 4000, 4000}; !reflect.DeepEqual(got, want) {
		t.Errorf("acknowledged %v, want %v", got, want)
	}
	if want := []int64{3000, 0, 1000, 3000, 0, 0}; !reflect.DeepEqual(heard, want) {
		t.Errorf("heard of %v, want %v", heard, want)
	}
}

// Go-back-0 that never comes beyond the byte from which it first fell back gives up after as long as its time-outs
// would last, here one and another of twice the time, although NACKs keep those from coming. A rise starts that anew. The
// fifth time-out and all later ones last 16 times the first, which is the scheme's if that is longer; a flow without a
// time-out is not given up.
func TestGoBack0InVain(t *testing.T) {
	const begin = 10_000 // us
	for _, c := range []struct {
		rto     core.Duration // us
		scheme  core.Duration // us
		retries int
		rise    int64 // when one NACK reaches farther, us; 0: never
		fall    int64 // what all others acknowledge
		want    int64 // when the flow is given up, us; 0: never
	}{
		{10, 0, 1, 0, 5000, 31}, {10, 0, 1, 21, 5000, 51}, {10, 0, 2, 0, 5000, 71}, {10, 0, 0, 0, 5000, 0}, {10, 0, 4, 0, 5000, 311}, {10, 0, 6, 0, 5000, 631},
		{10, 20, 1, 0, 5000, 61}, {20, 10, 1, 0, 5000, 61}, {0, 0, 1, 0, 5000, 0}, {10, 0, 1, 0, 0, 31},
	} {
		cfg := config(1)
		cfg.Recovery, cfg.Chunk, cfg.RTO, cfg.Retries = every(nic.GoBack0), 4000, c.rto*core.Microsecond, c.retries
		r := newRig(t, cfg)
		qp := r.open(1000*begin, nic.Flow{Size: 20_000, Scheme: &scheme{start: algorithms.Control{Timeout: c.scheme * core.Microsecond}}})
		var got int64
		for us := int64(1); us < 700 && got == 0; us += 5 {
			seq := c.fall
			if us == c.rise {
				seq += 1000
			}
			r.arrive(1000*(begin+us), 0, r.ack(qp, seq, core.Nack))
			if len(r.ended(core.FlowFailed)) > 0 {
				got = us
			}
		}
		if got != c.want {
			t.Errorf("%+v: given up at %d us", c, got)
		}
	}
}

// Where a chunk is not a whole number of packets, a packet may hold old and new bytes: the old ones count as
// retransmitted.
func TestPartRetransmitted(t *testing.T) {
	cfg := config(1)
	cfg.Recovery, cfg.Chunk = every(nic.GoBack0), 1500
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{Size: 9000, Window: 2000})
	r.arrive(5000, 0, r.ack(qp, 1700, core.Nack))
	r.Run(core.AtNanos(6500))
	if got, want := r.took(), [][2]int64{{0, 0}, {1000, 1000}, {5000, 1500}, {6000, 2500}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, _, _, st := r.h.Flow(qp); st.RetransmittedBytes != 500 {
		t.Errorf("%d bytes sent again, want 500", st.RetransmittedBytes)
	}
}

// loop joins the sending side of one host to the receiving side of another, with a delay, and loses
// the packets that lose selects.
func loop(t *testing.T, cfg nic.Config, size int64, lose func(n int, p *core.Packet) bool, until core.Time) (sent []departure, done bool, st nic.FlowStats) {
	const delay = 2 * core.Microsecond
	pool := cfg.Pool
	type flight struct {
		at core.Time
		to int
		p  *core.Packet
	}
	var flying []flight
	rigs := [2]*rig{newRig(t, cfg), nil}
	cfg.ID = 2
	rigs[1] = newRig(t, cfg)
	n := 0
	collect := func() {
		for i, r := range rigs {
			for k := range r.sent {
				d := &r.sent[k]
				p := pool.New()
				*p = d.Packet
				if lose(n, p) {
					pool.Free(p)
				} else {
					flying = append(flying, flight{d.at.Add(core.Microsecond + delay), 1 - i, p})
				}
				if p.Kind == core.Data {
					sent = append(sent, *d)
				}
				n++
			}
			r.sent = r.sent[:0]
		}
	}
	qp := rigs[0].open(0, nic.Flow{Size: size, Window: 8000})
	for now := core.Time(0); now < until; now = now.Add(100 * core.Nanosecond) {
		for _, r := range rigs {
			r.Run(now)
		}
		collect()
		var rest []flight
		for _, f := range flying {
			if f.at > now {
				rest = append(rest, f)
				continue
			}
			rigs[f.to].arrive(now.Nanos(), 0, f.p)
		}
		flying = rest
		collect()
		if _, done, _, st = rigs[0].h.Flow(qp); done {
			break
		}
	}
	return sent, done, st
}

// One lost packet costs a retransmission of all that was behind it; the flow finishes without a
// time-out. Go-back-0 sends again from the beginning of the chunk.
func TestOneLoss(t *testing.T) {
	for _, back := range []bool{false, true} {
		cfg := config(1)
		cfg.RTO, cfg.SkipAcked, cfg.AckDuplicates = core.Millisecond, true, true
		cfg.Chunk = 4000
		if back {
			cfg.Recovery = every(nic.GoBack0)
		}
		lost := int64(-1)
		sent, done, st := loop(t, cfg, 20_000, func(_ int, p *core.Packet) bool {
			if p.Kind == core.Data && p.Seq == 6000 && lost < 0 {
				lost = p.Seq
				return true
			}
			return false
		}, core.Time(2*core.Millisecond))
		first := int64(6000)
		if back {
			first = 4000
		}
		second := int64(-1) // where the sender went back to
		for i := 1; i < len(sent); i++ {
			if sent[i].Seq < sent[i-1].Seq {
				second = sent[i].Seq
				break
			}
		}
		if !done || st.Timeouts != 0 || lost != 6000 || second != first {
			t.Errorf("go-back-0 %v: done %v, %+v, went back to %d, want %d", back, done, st, second, first)
		}
	}
}

// A sender that has gone back when its last byte is acknowledged still sends the rest, as the reference does, unless it
// skips what was acknowledged.
func TestLeftOver(t *testing.T) {
	for _, skip := range []bool{false, true} {
		cfg := config(1)
		cfg.SkipAcked = skip
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{Size: 3000})
		r.arrive(4000, 0, r.ack(qp, 0, core.Nack))
		r.arrive(4500, 0, r.ack(qp, 3000, core.Ack))
		r.Run(core.AtNanos(100_000))
		want := [][2]int64{{0, 0}, {1000, 1000}, {2000, 2000}, {4000, 0}}
		if !skip {
			want = append(want, [2]int64{5000, 1000}, [2]int64{6000, 2000})
		}
		if got := r.took(); !reflect.DeepEqual(got, want) {
			t.Errorf("skip %v: got %v, want %v", skip, got, want)
		}
		if len(r.News) != 1 || r.News[0].Kind != core.FlowDone {
			t.Errorf("skip %v: told %+v", skip, r.News)
		}
	}
}

// Such a sender sends its packet even if it leaves the list in that turn because its port comes across another that has
// ended; no other sender takes its place.
func TestLeftOverOfAFlowThatLeaves(t *testing.T) {
	r := newRig(t, config(1))
	first := r.open(0, nic.Flow{Size: 1000})
	left := r.open(0, nic.Flow{Size: 3000})
	slow := r.open(0, nic.Flow{Size: 2000, Scheme: &scheme{start: algorithms.Control{Rate: line / 16}}})
	r.arrive(8000, 0, r.ack(left, 0, core.Nack))
	r.arrive(8500, 0, r.ack(left, 3000, core.Ack))
	r.arrive(8600, 0, r.ack(first, 1000, core.Ack))
	r.Run(core.AtNanos(100_000))
	var got [][2]int64
	for i := range r.sent {
		got = append(got, [2]int64{r.sent[i].at.Nanos(), int64(r.sent[i].SrcQP)*10_000 + r.sent[i].Seq})
	}
	of := func(qp int32, seq int64) int64 { return int64(qp)*10_000 + seq }
	want := [][2]int64{
		{0, of(first, 0)}, {1000, of(left, 0)}, {2000, of(slow, 0)}, {3000, of(left, 1000)}, {4000, of(left, 2000)},
		{8000, of(left, 0)}, {9000, of(left, 1000)}, {18_000, of(slow, 1000)},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
