package nic_test

import (
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// trimmed makes the NACK of a packet that was trimmed; it says that everything before a byte has arrived.
func (r *rig) trimmed(qp int32, seq, expected int64) *core.Packet {
	p := r.nack(qp, expected, seq)
	p.Prio, p.Flags = 0, core.Trimmed
	return p
}

// A trimmed packet is answered at once, in its own class, and changes nothing: the packet is still expected.
func TestTrimmedPacketIsReported(t *testing.T) {
	r := newRig(t, selective(1))
	for i, seq := range []int64{2000, 0, 1000} {
		p := r.data(seq)
		if p.Flags = core.ECT | core.CE | core.Last; i != 1 {
			p.Size, p.Payload, p.Prio, p.Flags = 0, 0, 0, p.Flags|core.Trimmed
		}
		r.arrive(int64(i)*1000, 0, p)
	}
	r.Run(core.AtNanos(10_000))
	type answer struct {
		kind      core.Kind
		seq, sack int64
		prio      uint8
		flags     core.Flags
		size      int32
	}
	var got []answer
	for i := range r.sent {
		p := &r.sent[i]
		got = append(got, answer{p.Kind, p.Seq, p.Sack, p.Prio, p.Flags, p.Size})
	}
	want := []answer{{core.Nack, 0, 2000, 0, core.Trimmed, 60}, {core.Ack, 1000, 0, 3, core.ECE, 60}, {core.Nack, 1000, 1000, 0, core.Trimmed, 60}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A packet is sent again as often as it is trimmed, before new ones, and only it: what its NACK has overtaken is not lost.
// The scheme hears of a loss, not of a round trip.
func TestTrimmedPacketIsSentAgain(t *testing.T) {
	cfg := selective(1)
	cfg.Reordering = 2
	r := newRig(t, cfg)
	var heard []algorithms.Signal
	listens := &scheme{
		traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Loss)}, start: algorithms.Control{Window: core.Unlimited},
		step: func(s *algorithms.Signal, _ *algorithms.Control) { heard = append(heard, *s) },
	}
	qp := r.open(0, nic.Flow{Size: 10_000, Scheme: listens})
	r.arrive(4500, 0, r.trimmed(qp, 3000, 2000)) // 0 to 4000 are out
	r.arrive(4600, 0, r.trimmed(qp, 3000, 2000)) // no packet is trimmed twice
	r.arrive(5500, 0, r.ack(qp, 3000, core.Ack))
	r.arrive(6500, 0, r.trimmed(qp, 3000, 3000)) // again
	r.arrive(6600, 0, r.nack(qp, 3000, 4000))
	r.arrive(6700, 0, r.trimmed(qp, 1000, 3000)) // has arrived
	r.Run(core.AtNanos(50_000))
	want := [][2]int64{
		{0, 0}, {1000, 1000}, {2000, 2000}, {3000, 3000}, {4000, 4000}, {5000, 3000}, {6000, 5000}, {7000, 3000}, {8000, 6000},
		{9000, 7000}, {10_000, 8000}, {11_000, 9000},
	}
	if got := r.took(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	var kinds []algorithms.SignalKind
	for _, s := range heard {
		kinds = append(kinds, s.Kind)
		if s.Flags != 0 || s.Kind == algorithms.Loss && (s.RTT != 0 || s.Acked != map[int64]int64{5000: 0, 6000: 3000}[s.Next]) {
			t.Errorf("the scheme hears %+v", s)
		}
	}
	if want := []algorithms.SignalKind{algorithms.Loss, algorithms.Ack, algorithms.Loss, algorithms.Ack}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("the scheme hears %v, want %v", kinds, want)
	}
	if _, _, _, st := r.h.Flow(qp); st.RetransmittedBytes != 2000 || st.Timeouts != 0 || st.MarkedPackets != 0 {
		t.Errorf("%+v", st)
	}
}

// What has been trimmed is not in the network: a scheme's window lets the packet go again, and no other. A time-out finds
// it lost like the rest, and those that come while packets are trimmed are put off.
func TestTrimmedPacketAndWindow(t *testing.T) {
	half := &scheme{start: algorithms.Control{Window: 4000}}
	r := newRig(t, selective(1))
	qp := r.open(0, nic.Flow{Size: 20_000, Scheme: half})
	r.arrive(900_000, 0, r.trimmed(qp, 2000, 0)) // 0 to 3000 are out; the time-out is 1 ms
	r.arrive(900_500, 0, r.trimmed(qp, 1000, 0))
	if got, want := r.took(), [][2]int64{{0, 0}, {1000, 1000}, {2000, 2000}, {3000, 3000}, {900_000, 2000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	r.Run(core.AtNanos(2_100_000))
	want := [][2]int64{{901_000, 1000}, {1_901_000, 0}, {1_902_000, 1000}, {1_903_000, 2000}, {1_904_000, 3000}}
	if got := r.took(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if _, _, _, st := r.h.Flow(qp); st.Timeouts != 1 {
		t.Errorf("%d time-outs", st.Timeouts)
	}
}

// A flow of which packets are trimmed, and none arrives, for as long as its time-outs would last, here one and another of
// twice the time, is given up, though the NACKs of trimmed packets keep those from coming. What arrives starts that anew,
// beyond a gap too.
func TestTrimmedInVain(t *testing.T) {
	for _, c := range []struct {
		retries int
		rise    int64 // when a packet arrives, us; 0: never
		kind    core.Kind
		want    int64 // when the flow is given up, us; 0: never
	}{{1, 0, 0, 31}, {1, 21, core.Ack, 56}, {1, 21, core.Nack, 56}, {2, 0, 0, 71}, {0, 0, 0, 0}} {
		cfg := selective(1)
		cfg.RTO, cfg.RTOLow, cfg.Retries = 10*core.Microsecond, 10*core.Microsecond, c.retries
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{Size: 20_000})
		got := int64(0)
		for us := int64(1); us < 200 && got == 0; us += 5 {
			p := r.trimmed(qp, 4000, 0)
			if us == c.rise {
				p = r.nack(qp, 0, 1000)
				if p.Kind = c.kind; c.kind == core.Ack {
					p.Seq = 1000
				}
			}
			r.arrive(1000*us, 0, p)
			if len(r.ended(core.FlowFailed)) > 0 {
				got = us
			}
		}
		if got != c.want {
			t.Errorf("%+v: given up at %d us", c, got)
		}
		if _, patience := r.h.MinDrainTime(qp); c.want == 0 && patience != ever {
			t.Errorf("%+v: given up not before %v", c, patience)
		}
		r.took()
		if r.Run(core.AtNanos(300_000)); c.want != 0 && r.took() != nil {
			t.Errorf("%+v: sends after it was given up", c)
		}
	}
}

// A trimmed packet goes again at once, and has the first time-out, whatever number of flows a port has, and whatever time-outs
// there were before.
func TestTrimmedPacketAfterTimeout(t *testing.T) {
	for _, others := range []int{0, 100} {
		cfg := selective(1)
		cfg.RTO, cfg.RTOLow = core.Second, core.Second
		r := newRig(t, cfg)
		for range others {
			r.open(0, nic.Flow{Size: 2000, Window: 1000})
		}
		qp := r.open(0, nic.Flow{Size: 1000, RTO: core.Millisecond})
		first := int64(1000 * others)
		r.arrive(first+1_500_000, 0, r.trimmed(qp, 0, 0))
		r.Run(core.AtNanos(3_000_000))
		got := r.took()[others:]
		if want := [][2]int64{{first, 0}, {first + 1_000_000, 0}, {first + 1_500_000, 0}, {first + 2_500_000, 0}}; !reflect.DeepEqual(got, want) {
			t.Errorf("beside %d flows: got %v, want %v", others, got, want)
		}
	}
}
