package nic_test

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A host that takes 300 ns for a packet and answers 1 us after that acknowledges at those times,
// whenever it is woken, and reports how long it took.
func TestInbox(t *testing.T) {
	for _, early := range []bool{false, true} {
		cfg := config(1)
		cfg.Service, cfg.Delay = 300*core.Nanosecond, core.Microsecond
		r := newRig(t, cfg)
		for i, at := range []int64{0, 100, 200, 5000} {
			r.arrive(at, 0, r.data(int64(i)*1000))
			if early {
				r.h.Wake(&r.Turn, 0)
				r.CarryOut()
			}
		}
		r.Run(core.AtNanos(20_000))
		type answer struct{ at, seq, host int64 }
		var got []answer
		for i := range r.sent {
			got = append(got, answer{r.sent[i].at.Nanos(), r.sent[i].Seq, int64(r.sent[i].HostNanos)})
		}
		want := []answer{{1300, 1000, 1300}, {1600, 2000, 1500}, {1900, 3000, 1700}, {6300, 4000, 1300}}
		if !slices.Equal(got, want) {
			t.Errorf("early wakes %v: got %v, want %v", early, got, want)
		}
	}
}

// A host time too long for an ACK's field is reported as the largest that fits: 4.29 s.
func TestInboxOfAVerySlowHost(t *testing.T) {
	cfg := config(1)
	cfg.Delay = 5 * core.Second
	r := newRig(t, cfg)
	r.arrive(0, 0, r.data(0))
	r.Run(core.Time(6 * core.Second))
	if len(r.sent) != 1 || r.sent[0].HostNanos != math.MaxUint32 {
		t.Errorf("sent %+v", r.sent)
	}
}

// The sender's scheme hears how long the host took.
func TestHostTimeIsHeard(t *testing.T) {
	var heard []core.Duration
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
	s.step = func(sig *algorithms.Signal, _ *algorithms.Control) { heard = append(heard, sig.HostTime) }
	r := newRig(t, config(1))
	qp := r.open(0, nic.Flow{Size: 2000, Scheme: s})
	for i, host := range []uint32{0, 1700} {
		p := r.ack(qp, int64(i+1)*1000, core.Ack)
		p.HostNanos = host
		r.arrive(int64(3000+i), 0, p)
	}
	if want := []core.Duration{0, 1700 * core.Nanosecond}; !slices.Equal(heard, want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
}
