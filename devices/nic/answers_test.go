package nic_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// receive gives the host a data packet of a class for a queue pair.
func (r *rig) receive(nanos int64, qp int32, seq int64, class uint8) {
	p := r.data(seq)
	p.DstQP, p.Prio, p.SrcPort = qp, class, uint16(10_000+qp)
	r.arrive(nanos, 0, p)
}

// answered returns which class was acknowledged when, and up to which byte.
func (r *rig) answered() (list [][3]int64) {
	for i := range r.sent {
		list = append(list, [3]int64{r.sent[i].at.Nanos(), int64(r.sent[i].Prio), r.sent[i].Seq})
	}
	r.sent = r.sent[:0]
	return list
}

// A pause of one class stops its acknowledgements, not those of other classes behind them; when it ends the
// acknowledgements leave in the order in which they were made.
func TestPauseStopsAcksOfItsClass(t *testing.T) {
	r := newRig(t, config(1))
	r.arrive(100, 0, r.Pause(3, 0, true))
	r.receive(1000, 0, 0, 3)
	r.receive(1010, 1, 0, 4)
	r.receive(1020, 0, 1000, 3)
	r.receive(1030, 1, 1000, 4)
	r.Run(core.AtNanos(2000))
	if got, want := r.answered(), [][3]int64{{1010, 4, 1000}, {1070, 4, 2000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("while class 3 is paused: %v, want %v", got, want)
	}
	r.arrive(2000, 0, r.Pause(4, 0, true))
	r.receive(2100, 1, 2000, 4)
	r.receive(2110, 0, 2000, 3)
	r.arrive(3000, 0, r.Pause(3, 0, false))
	r.receive(3010, 0, 3000, 3)
	r.Run(core.AtNanos(4000))
	if got, want := r.answered(), [][3]int64{{3000, 3, 1000}, {3060, 3, 2000}, {3120, 3, 3000}, {3180, 3, 4000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("while class 4 is paused: %v, want %v", got, want)
	}
	r.arrive(5000, 0, r.Pause(4, 0, false))
	r.Run(core.AtNanos(6000))
	if got, want := r.answered(), [][3]int64{{5000, 4, 3000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("after both pauses: %v, want %v", got, want)
	}
	if got, want := r.h.Counters(0, core.AtNanos(6000)).Waited, 3640*core.Nanosecond; got != want {
		t.Errorf("waited %v, want %v: from 1000 to 1010, 1130 to 3000 and 3240 to 5000", got, want)
	}
}

// The acknowledgements that wait are those that a pause of their class stops, or of the one class whose pause stops all, in
// the order of their class.
func TestAcksThatWait(t *testing.T) {
	type ack struct {
		class uint8
		seq   int64
	}
	for _, c := range []struct {
		all  uint8
		want []ack
	}{{0, []ack{{3, 1000}, {3, 2000}, {4, 1000}}}, {5, []ack{{5, 1000}, {5, 1000}, {5, 2000}}}} {
		cfg := config(1)
		cfg.AckClass = c.all
		r := newRig(t, cfg)
		for class := range uint8(3) {
			r.arrive(100, 0, r.Pause(3+class, 0, true))
		}
		r.receive(1000, 1, 0, 4)
		r.receive(1010, 0, 0, 3)
		r.receive(1020, 0, 1000, 3)
		r.Run(core.AtNanos(2000))
		var got []ack
		r.h.Acks(0, func(class uint8, p *core.Packet) {
			if got = append(got, ack{class, p.Seq}); !r.h.PausesAck(0, p) {
				t.Errorf("all wait for class %d: the one of %d bytes is not paused", c.all, p.Seq)
			}
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("all wait for class %d: got %v, want %v", c.all, got, c.want)
		}
	}
}

// Acknowledgements of a paused class are lost with the link like all others.
func TestLinkFailsUnderPausedAcks(t *testing.T) {
	r := newRig(t, config(1))
	r.arrive(100, 0, r.Pause(3, 0, true))
	r.receive(1000, 0, 0, 3)
	r.receive(1010, 0, 1000, 3)
	for _, up := range []bool{false, true} {
		r.h.SetLink(&r.Turn, 0, up)
		r.CarryOut()
	}
	r.Run(core.AtNanos(9000))
	if got := r.answered(); got != nil || r.h.Counters(0, r.Turn.Now).Flushed != 2 {
		t.Errorf("sent %v; %d thrown away, want 2", got, r.h.Counters(0, r.Turn.Now).Flushed)
	}
}

// What is answered while the link is down leaves when the link is up again.
func TestAnswersMadeWhileDown(t *testing.T) {
	cfg := config(1)
	cfg.Delay = 2 * core.Microsecond
	r := newRig(t, cfg)
	for i := range int64(3) {
		r.receive(10*i, int32(i), 0, 3)
	}
	for i, up := range []bool{false, true} {
		r.At(int64(1000 + 4000*i))
		r.h.SetLink(&r.Turn, 0, up)
		r.CarryOut()
	}
	r.Run(core.AtNanos(9000))
	if got, want := r.answered(), [][3]int64{{5000, 3, 1000}, {5060, 3, 1000}, {5120, 3, 1000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// In the reference's profile all acknowledgements have one class, and a pause of that class stops them all.
func TestPauseOfTheClassOfAcks(t *testing.T) {
	cfg := config(1)
	cfg.AckClass = 3
	r := newRig(t, cfg)
	r.arrive(100, 0, r.Pause(3, 0, true))
	r.receive(1000, 0, 0, 4)
	r.arrive(1010, 0, r.Pause(4, 0, true))
	r.receive(1020, 1, 0, 3)
	r.arrive(3000, 0, r.Pause(3, 0, false))
	r.Run(core.AtNanos(4000))
	if got, want := r.answered(), [][3]int64{{3000, 4, 1000}, {3060, 3, 1000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}
