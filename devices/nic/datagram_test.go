package nic_test

import (
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// give hands the host a datagram of 500 bytes in class 1.
func (r *rig) give(nanos int64, id uint64) {
	r.At(nanos)
	r.h.SendDatagram(&r.Turn, 0, &nic.Datagram{Dst: 2, Size: 500, Prio: 1, SrcPort: 77, DstPort: 88, ID: id})
	r.CarryOut()
}

// wires returns what has been sent since the last call: when, in nanoseconds, and its size.
func (r *rig) wires() (list [][2]int64) {
	for i := range r.sent {
		list = append(list, [2]int64{r.sent[i].at.Nanos(), int64(r.sent[i].Size)})
	}
	r.sent = r.sent[:0]
	return list
}

// Datagrams and queue pairs are served in turn, even if the next datagram waits when the last one has been sent. Without
// anything else to send, datagrams follow each other.
func TestDatagramsTakeTurns(t *testing.T) {
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Prio: 3, Size: 4000, BaseRTT: core.Microsecond})
	for id, at := range []int64{100, 1100, 2600, 6000, 6100} {
		r.give(at, uint64(id))
		if idle := at == 6000; r.h.HasDatagram(0) == idle {
			t.Errorf("datagram %d is held: %v", id, idle)
		}
	}
	r.Run(core.AtNanos(10_000))
	if d := &r.sent[1]; d.Kind != core.Datagram || d.Src != 1 || d.Dst != 2 || d.SrcPort != 77 || d.DstPort != 88 || d.Prio != 1 || d.Aux != 0 || d.Sent != core.AtNanos(100) || r.sent[3].Aux != 1 {
		t.Errorf("sent %+v", d.Packet)
	}
	want := [][2]int64{{0, 1000}, {1000, 500}, {1500, 1000}, {2500, 500}, {3000, 1000}, {4000, 500}, {4500, 1000}, {6000, 500}, {6500, 500}}
	if got := r.wires(); !reflect.DeepEqual(got, want) || r.h.HasDatagram(0) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// A pause of its class, and of no other, holds a datagram back but neither data nor ACKs; that
// counts as time waited.
func TestDatagramPaused(t *testing.T) {
	r := newRig(t, config(1))
	r.arrive(0, 0, r.Pause(1, 0, true))
	r.give(0, 7)
	r.open(0, nic.Flow{Prio: 3, Size: 2000, BaseRTT: core.Microsecond})
	r.Run(core.AtNanos(5000))
	if got, want := r.wires(), [][2]int64{{0, 1000}, {1000, 1000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("paused: sent %v, want %v", got, want)
	}
	r.arrive(6000, 0, r.Pause(3, 0, true))
	r.arrive(7000, 0, r.Pause(1, 0, false))
	if got, want := r.wires(), [][2]int64{{7000, 500}}; !reflect.DeepEqual(got, want) {
		t.Errorf("resumed: sent %v, want %v", got, want)
	}
	if got := r.h.Counters(0, core.AtNanos(9000)).Waited; got != 5*core.Microsecond {
		t.Errorf("waited for %v, want 5 us", got)
	}
}

// A datagram waits for an acknowledgement that has come after it, and leaves when that is sent.
func TestDatagramAfterAck(t *testing.T) {
	r := newRig(t, config(1))
	r.give(0, 0)
	r.give(100, 1)
	r.arrive(200, 0, r.data(0))
	r.Run(core.AtNanos(9000))
	if got, want := r.wires(), [][2]int64{{0, 500}, {500, 60}, {560, 500}}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// With credits, a datagram waits for as many as it needs itself.
func TestDatagramWaitsForCredits(t *testing.T) {
	cfg := config(1)
	cfg.Credits = &core.CreditConfig{Lane: 2048, Update: 1024}
	r := newRig(t, cfg)
	for id := range uint64(8) {
		if !r.h.HasDatagram(0) {
			r.give(1000*int64(id), id)
		}
	}
	if got := len(r.wires()); got != 4 || !r.h.HasDatagram(0) {
		t.Errorf("%d datagrams of 8 blocks left on 32 credits, want 4", got)
	}
}

// Datagrams that arrive are handed up; those that have not left when the link fails are dropped,
// and so are those offered while it is down.
func TestDatagramHandedUpOrDropped(t *testing.T) {
	r := newRig(t, config(1))
	p := r.Pool.New()
	p.Kind, p.Src, p.Dst, p.Size, p.Prio, p.Aux = core.Datagram, 2, 1, 500, 1, 9
	r.arrive(0, 0, p)
	r.open(0, nic.Flow{Prio: 3, Size: 1000, BaseRTT: core.Microsecond})
	r.give(100, 1)
	r.At(200)
	r.h.SetLink(&r.Turn, 0, false)
	r.CarryOut()
	r.give(300, 2)
	var kinds []core.ActionKind
	for _, a := range r.News {
		kinds = append(kinds, a.Kind)
	}
	if want := []core.ActionKind{core.Delivered, core.Dropped, core.Dropped}; !reflect.DeepEqual(kinds, want) || r.h.HasDatagram(0) {
		t.Errorf("actions %v, want %v", kinds, want)
	}
	if r.Pool.Live() != 0 {
		t.Errorf("%d packets alive", r.Pool.Live())
	}
}
