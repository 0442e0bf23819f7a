package nic_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

func selective(n int) nic.Config {
	cfg := config(n)
	cfg.Recovery, cfg.RTO, cfg.RTOLow = every(nic.Selective), core.Millisecond, 100*core.Microsecond
	cfg.SkipAcked, cfg.AckDuplicates = true, true
	return cfg
}

// nack makes a NACK that names the expected byte and the packet that has arrived.
func (r *rig) nack(qp int32, seq, came int64) *core.Packet {
	p := r.ack(qp, seq, core.Nack)
	p.Sack = came
	return p
}

// IRN: recovery sends the expected packet, then those below one that has arrived, then new ones; it
// ends when everything sent before it is acknowledged.
func TestSelectiveSender(t *testing.T) {
	r := newRig(t, selective(1))
	qp := r.open(0, nic.Flow{Size: 10_000})
	r.arrive(4500, 0, r.nack(qp, 1000, 2000)) // 0 to 4000 are out; 1000 is lost
	r.arrive(5500, 0, r.nack(qp, 1000, 4000)) // so is 3000
	r.arrive(7500, 0, r.ack(qp, 3000, core.Ack))
	r.Run(core.AtNanos(100_000))
	want := [][2]int64{
		{0, 0}, {1000, 1000}, {2000, 2000}, {3000, 3000}, {4000, 4000},
		{5000, 1000}, {6000, 3000}, {7000, 5000}, {8000, 6000}, {9000, 7000}, {10_000, 8000}, {11_000, 9000},
	}
	flags := make([]bool, len(r.sent))
	for i := range r.sent {
		flags[i] = r.sent[i].Flags&core.Rtx != 0
	}
	if got := r.took(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if want := []bool{5: true, 6: true, 11: false}; !slices.Equal(flags, want) {
		t.Errorf("retransmissions are %v, want %v", flags, want)
	}
	r.arrive(200_000, 0, r.ack(qp, 10_000, core.Ack))
	if _, done, _, st := r.h.Flow(qp); !done || st.RetransmittedBytes != 2000 || st.Timeouts != 0 {
		t.Errorf("done %v, %+v", done, st)
	}
}

// With Config.Reordering of 2, three later packets must have arrived before one counts as lost. Until then its NACKs are
// acknowledgements for the scheme.
func TestReorderedIsNotLost(t *testing.T) {
	cfg := selective(1)
	cfg.Reordering = 2
	r := newRig(t, cfg)
	var nacks []bool
	listens := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}, start: algorithms.Control{Window: core.Unlimited},
		step: func(s *algorithms.Signal, _ *algorithms.Control) {
			nacks = append(nacks, s.Flags&algorithms.IsNack != 0)
		},
	}
	qp := r.open(0, nic.Flow{Size: 10_000, Scheme: listens})
	r.arrive(4500, 0, r.nack(qp, 1000, 2000)) // 0 to 4000 are out
	r.arrive(5500, 0, r.nack(qp, 1000, 3000))
	r.arrive(6500, 0, r.ack(qp, 4000, core.Ack)) // 1000 was only late
	r.arrive(7500, 0, r.nack(qp, 4000, 5000))
	r.arrive(8500, 0, r.nack(qp, 4000, 7000)) // 4000 is lost; 6000 may be late
	r.Run(core.AtNanos(50_000))
	want := [][2]int64{
		{0, 0}, {1000, 1000}, {2000, 2000}, {3000, 3000}, {4000, 4000}, {5000, 5000}, {6000, 6000}, {7000, 7000}, {8000, 8000},
		{9000, 4000}, {10_000, 9000},
	}
	if got := r.took(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if want := []bool{false, false, false, false, true}; !slices.Equal(nacks, want) {
		t.Errorf("the scheme hears NACKs: %v, want %v", nacks, want)
	}
}

// RFC 6675: in recovery a scheme's window limits what is known to be in the network, so that one packet, old or new,
// goes for each that has arrived or is known to be lost. When nothing arrives any more, a time-out declares all lost.
func TestWindowInRecovery(t *testing.T) {
	half := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}, start: algorithms.Control{Window: 8000},
		step: func(_ *algorithms.Signal, c *algorithms.Control) { c.Window = 4000 },
	}
	for name, c := range map[string]struct {
		answers func(r *rig, qp int32)
		want    [][2]int64
	}{
		"answers": {func(r *rig, qp int32) {
			r.arrive(22_000, 0, r.nack(qp, 1000, 5000)) // 3000 and 4000 are lost too; 6000 and 7000 are on their way
			r.arrive(24_000, 0, r.nack(qp, 1000, 6000))
			r.arrive(26_000, 0, r.nack(qp, 1000, 7000))
			r.arrive(28_000, 0, r.ack(qp, 3000, core.Ack))
		}, [][2]int64{{22_000, 1000}, {23_000, 3000}, {24_000, 4000}, {26_000, 8000}, {28_000, 9000}}},
		"none": {func(r *rig, _ int32) { r.Run(core.AtNanos(1_100_000)) }, // the time-out is 1 ms after the last progress
			[][2]int64{{1_020_000, 1000}, {1_021_000, 3000}, {1_022_000, 4000}, {1_023_000, 5000}}},
	} {
		r := newRig(t, selective(1))
		qp := r.open(0, nic.Flow{Size: 20_000, Scheme: half})
		r.arrive(20_000, 0, r.nack(qp, 1000, 2000)) // 0 to 7000 are out: five may be in the network
		c.answers(r, qp)
		if got := r.took(); !reflect.DeepEqual(got[8:], c.want) {
			t.Errorf("%s: got  %v\nwant %v", name, got[8:], c.want)
		}
	}
}

// In recovery a scheme hears of the last byte sent, not of the one that is sent again; and where packets may overtake each
// other, a loss that a sender with another recovery hears of is one.
func TestSignalsInRecovery(t *testing.T) {
	for way, want := range map[nic.Recovery][]algorithms.Signal{
		nic.GoBackN:   {{Kind: algorithms.Ack, Next: 1000}, {Kind: algorithms.Sent, Next: 2000, InFlight: 1000}},
		nic.Selective: {{Kind: algorithms.Ack, Next: 5000, InFlight: 4000}, {Kind: algorithms.Sent, Next: 5000, InFlight: 4000}},
	} {
		cfg := config(1)
		cfg.Recovery, cfg.Reordering = every(way), 2
		var heard []algorithms.Signal
		s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Sent)}}
		s.step = func(sig *algorithms.Signal, _ *algorithms.Control) {
			if sig.Kind == algorithms.Ack && sig.Flags != algorithms.IsNack {
				t.Errorf("way %d: the flags are %b", way, sig.Flags)
			}
			heard = append(heard, algorithms.Signal{Kind: sig.Kind, Next: sig.Next, InFlight: sig.InFlight})
		}
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{Size: 10_000, Scheme: s})
		r.Run(core.AtNanos(4500)) // 0 to 4000 are out
		heard = nil
		r.arrive(4500, 0, r.nack(qp, 1000, 4000))
		r.Run(core.AtNanos(5500))
		if !reflect.DeepEqual(heard, want) {
			t.Errorf("way %d: heard\n%+v, want\n%+v", way, heard, want)
		}
	}
}

// Every class has its own recovery, at the sender and at the receiver.
func TestRecoveryByClass(t *testing.T) {
	cfg := config(1)
	cfg.Recovery = [8]nic.Recovery{4: nic.Selective, 7: nic.GoBack0}
	cfg.Chunk = 4000
	r := newRig(t, cfg)
	for class, want := range map[uint8]struct{ next, expected int64 }{3: {1000, 2000}, 4: {1000, 4000}, 7: {0, 0}} {
		r.sent = nil
		qp := r.open(r.Turn.Now.Nanos()+100_000, nic.Flow{Size: 5000, Prio: class})
		r.Run(r.Turn.Now.Add(10 * core.Microsecond))
		r.sent = nil
		r.arrive(r.Turn.Now.Nanos()+1000, 0, r.nack(qp, 1000, 2000))
		if len(r.sent) != 1 || r.sent[0].Seq != want.next {
			t.Errorf("class %d goes back to %+v, want byte %d", class, r.sent, want.next)
		}
		for _, seq := range []int64{0, 2000, 3000, 1000} {
			p := r.data(seq)
			p.Prio, p.DstQP = class, int32(class)
			r.arrive(r.Turn.Now.Nanos()+1000, 0, p)
		}
		if got := r.h.Expected(int32(class)); got != want.expected {
			t.Errorf("class %d expects byte %d, want %d", class, got, want.expected)
		}
	}
}

// A receiver answers every packet beyond a gap with a NACK that names it; the packet that closes
// the gap also acknowledges those behind it.
func TestSelectiveReceiver(t *testing.T) {
	r := newRig(t, selective(1))
	type answer struct {
		kind      core.Kind
		seq, sack int64
	}
	last := r.data(5000)
	last.Flags, last.Size, last.Payload = core.Last, 500, 500
	for i, p := range []*core.Packet{r.data(0), r.data(2000), last, r.data(2000), r.data(1000), r.data(1000), r.data(4000), r.data(3000)} {
		r.arrive(int64(1000*i), 0, p)
	}
	r.Run(core.AtNanos(50_000))
	var got []answer
	for i := range r.sent {
		got = append(got, answer{r.sent[i].Kind, r.sent[i].Seq, r.sent[i].Sack})
	}
	want := []answer{
		{core.Ack, 1000, 0}, {core.Nack, 1000, 2000}, {core.Nack, 1000, 5000}, {core.Nack, 1000, 2000},
		{core.Ack, 3000, 0}, {core.Ack, 3000, 0}, {core.Nack, 3000, 4000}, {core.Ack, 5500, 0},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if ended := r.ended(core.FlowReceived); len(ended) != 1 {
		t.Errorf("received %v", ended)
	}
}

// A time-out also declares a last packet of a single byte lost.
func TestSelectiveLosesASingleByte(t *testing.T) {
	r := newRig(t, selective(1))
	qp := r.open(0, nic.Flow{Size: 2001})
	r.arrive(10_000, 0, r.ack(qp, 1000, core.Ack))
	r.Run(core.AtNanos(150_000)) // the time-out is 0.1 ms after the last progress
	if got, want := r.took(), [][2]int64{{0, 0}, {1000, 1000}, {2000, 2000}, {110_000, 1000}, {111_000, 2000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// IRN: with at most three packets in flight the short time-out applies, with more the long one,
// from the last progress. A time-out declares everything lost that has not arrived.
func TestSelectiveTimeouts(t *testing.T) {
	r := newRig(t, selective(1))
	qp := r.open(0, nic.Flow{Size: 6000, Window: 5000})
	r.arrive(10_000, 0, r.nack(qp, 1000, 2000)) // 0 to 4000 are out; 1000 again, and 5000
	r.Run(core.AtNanos(1_100_000))              // the time-out is 1 ms after the last progress
	r.arrive(1_100_000, 0, r.ack(qp, 4000, core.Ack))
	r.Run(core.AtNanos(1_250_000)) // two packets are left: 0.1 ms
	want := [][2]int64{
		{0, 0}, {1000, 1000}, {2000, 2000}, {3000, 3000}, {4000, 4000}, {10_000, 1000}, {11_000, 5000},
		{1_010_000, 1000}, {1_011_000, 3000}, {1_012_000, 4000}, {1_013_000, 5000}, {1_200_000, 4000}, {1_201_000, 5000},
	}
	if got := r.took(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// A time-out set for few packets waits for the long one if many are in flight when it comes.
func TestSelectiveTimeoutGrows(t *testing.T) {
	r := newRig(t, selective(1))
	r.open(0, nic.Flow{Size: 4000})
	r.Run(core.AtNanos(1_000_000))
	want := [][2]int64{{0, 0}, {1000, 1000}, {2000, 2000}, {3000, 3000}, {1_000_000, 0}}
	if got := r.took(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The short time-out is never shorter than the scheme's either, and one that comes with many packets out still waits
// for the long one, which is never shorter than the scheme's.
func TestSelectiveTimeoutOfTheScheme(t *testing.T) {
	for _, c := range []struct {
		size  int64
		micro core.Duration
		want  int64 // when byte 0 leaves again, us
	}{{1000, 50, 100}, {1000, 300, 300}, {4000, 300, 1000}, {4000, 2000, 2000}, {1000, 2000, 2000}} {
		r := newRig(t, selective(1))
		r.open(0, nic.Flow{Size: c.size, Scheme: &scheme{start: algorithms.Control{Timeout: c.micro * core.Microsecond}}})
		r.Run(core.AtNanos(1000 * c.want))
		got := r.took()
		if last := got[len(got)-1]; len(got) != int(c.size/1000)+1 || last != [2]int64{1000 * c.want, 0} {
			t.Errorf("%d bytes, %d us: sent %v, want byte 0 again at %d us", c.size, c.micro, got, c.want)
		}
	}
}

// The short time-out is never longer than the flow's.
func TestSelectiveTimeoutOfTheFlow(t *testing.T) {
	r := newRig(t, selective(1))
	r.open(0, nic.Flow{Size: 1000, RTO: 40 * core.Microsecond})
	r.Run(core.AtNanos(40_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {40_000, 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The short time-out is at least two round trips.
func TestSelectiveTimeoutOfALongPath(t *testing.T) {
	r := newRig(t, selective(1))
	r.open(0, nic.Flow{Size: 1000, BaseRTT: 75 * core.Microsecond})
	r.Run(core.AtNanos(200_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {150_000, 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A flow that has gone back after a NACK and waits for a pause to end has nothing in flight, so it does not time out.
func TestNoTimeoutOfAFlowThatHasGoneBack(t *testing.T) {
	for _, way := range []nic.Recovery{nic.GoBackN, nic.Selective} {
		cfg := config(1)
		cfg.RTO, cfg.RTOLow, cfg.SkipAcked, cfg.Recovery = 10*core.Microsecond, 10*core.Microsecond, true, every(way)
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{Size: 3000, Prio: 3})
		r.arrive(3000, 0, r.Pause(3, 0, true))
		r.arrive(3500, 0, r.nack(qp, 0, 2000))
		r.arrive(50_000, 0, r.Pause(3, 0, false))
		r.Run(core.AtNanos(55_000))
		if _, _, _, st := r.h.Flow(qp); st.Timeouts != 0 || st.RetransmittedBytes == 0 {
			t.Errorf("way %d: %+v", way, st)
		}
	}
}

// One lost packet is sent twice, all others once: the flow takes one packet's time more than
// without the loss, if the packets behind it cover the round trip.
func TestSelectiveOneLoss(t *testing.T) {
	const packets = 40
	for _, lost := range []int64{0, 1, 17, 30} {
		once := false
		sent, done, st := loop(t, selective(1), packets*1000, func(_ int, p *core.Packet) bool {
			if p.Kind == core.Data && p.Seq == lost*1000 && !once {
				once = true
				return true
			}
			return false
		}, core.Time(5*core.Millisecond))
		if !done || st.Timeouts != 0 || st.RetransmittedBytes != 1000 || len(sent) != packets+1 {
			t.Errorf("packet %d lost: done %v, %+v, %d packets sent", lost, done, st, len(sent))
		}
	}
}

// IRN: a retransmission that is lost in turn is sent again after a time-out since the last
// progress, not before: the long one with a window of packets in flight, the short one with three.
// Packets that have arrived meanwhile are not sent again.
func TestSelectiveLostRetransmission(t *testing.T) {
	const packets = 40
	for _, c := range []struct {
		lost int64
		wait core.Duration
	}{{17, core.Millisecond}, {packets - 3, 100 * core.Microsecond}} {
		var tries []core.Time
		sent, done, st := loop(t, selective(1), packets*1000, func(_ int, p *core.Packet) bool {
			if p.Kind == core.Data && p.Seq == c.lost*1000 {
				tries = append(tries, p.Sent)
			}
			return p.Kind == core.Data && p.Seq == c.lost*1000 && len(tries) < 3
		}, core.Time(5*core.Millisecond))
		if !done || len(tries) != 3 || len(sent) != packets+2 || st.RetransmittedBytes != 2000 || st.Timeouts != 1 {
			t.Fatalf("packet %d lost twice: done %v, %+v, sent %v", c.lost, done, st, tries)
		}
		// The last progress is the ACK of the packet before, which left 1 us earlier and takes 6 us (see loop).
		if progress := tries[0].Add(5 * core.Microsecond); tries[2] != progress.Add(c.wait) {
			t.Errorf("packet %d lost twice: sent at %v, want %v after %v", c.lost, tries, c.wait, progress)
		}
	}
}

// Whatever is lost, every run ends, with one retransmission for every lost packet and no more,
// unless a time-out declares all in flight lost or an acknowledgement is lost. Go-back-N sends
// more.
func TestSelectiveRandomLoss(t *testing.T) {
	const size = 60_500
	for seed := range uint64(40) {
		share := []float64{0.01, 0.05, 0.2, 0.4}[seed%4]
		run := func(cfg nic.Config, acksToo bool) (lost int64, st nic.FlowStats) {
			rng := rand.New(rand.NewPCG(seed, 3))
			_, done, st := loop(t, cfg, size, func(_ int, p *core.Packet) bool {
				if (p.Kind == core.Data || acksToo) && rng.Float64() < share {
					if p.Kind == core.Data {
						lost += int64(p.Payload)
					}
					return true
				}
				return false
			}, core.Time(400*core.Millisecond))
			if !done {
				t.Errorf("seed %d: the flow has not ended: %+v", seed, st)
			}
			return lost, st
		}
		lost, st := run(selective(1), false)
		if st.RetransmittedBytes < lost || st.Timeouts == 0 && st.RetransmittedBytes > lost {
			t.Errorf("seed %d: %d bytes lost, %+v", seed, lost, st)
		}
		run(selective(1), true)
		back := selective(1)
		back.Recovery = every(nic.GoBackN)
		if lostBack, stBack := run(back, false); lost > 5000 && st.Timeouts == 0 && stBack.RetransmittedBytes*lost <= st.RetransmittedBytes*lostBack {
			t.Errorf("seed %d: go-back-N sends %d bytes again for %d lost, selective %d for %d", seed, stBack.RetransmittedBytes, lostBack, st.RetransmittedBytes, lost)
		}
	}
}
