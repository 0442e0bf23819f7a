package nic_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// told is a scheme whose notification points record what they are given at the start.
type told struct {
	*scheme
	ports *[]algorithms.Port
}

func (s told) NewReceiver() algorithms.Receiver { return toldReceiver{receiver{s.scheme}, s.ports} }

type toldReceiver struct {
	receiver
	ports *[]algorithms.Port
}

func (r toldReceiver) Start(now core.Time, p *algorithms.Port, reply *algorithms.Reply) {
	*r.ports = append(*r.ports, *p)
	r.receiver.Start(now, p, reply)
}

// Every notification point is given its port, and has a random stream of its own.
func TestNotificationPointsAtTheStart(t *testing.T) {
	var got []algorithms.Port
	s := told{&scheme{}, &got}
	for id := range core.NodeID(2) {
		cfg := config(2)
		cfg.ID, cfg.MaxRTT, cfg.Timing, cfg.Receivers = id, 9*core.Microsecond, core.FixedPointNanos, []algorithms.Scheme{s, s}
		newRig(t, cfg)
	}
	drawn := make(map[uint32]bool)
	for i, p := range got {
		drawn[p.Random.Uint32()] = true
		p.Random, p.Shared = nil, nil
		if want := (algorithms.Port{Node: core.NodeID(i / 4), Port: i / 2 % 2, Line: line, MaxRTT: 9 * core.Microsecond, MTU: 1000, Timing: core.FixedPointNanos}); p != want {
			t.Errorf("told %+v, want %+v", p, want)
		}
	}
	if len(got) != 8 || len(drawn) != 8 {
		t.Errorf("%d notification points draw %d different numbers, want 8 and 8", len(got), len(drawn))
	}
}

// Notification points are told how much of a flow is missing, once its last packet has come or was trimmed. Those that
// do not ask for trimmed packets see none.
func TestNotificationPointsSeeTrimmedPackets(t *testing.T) {
	type sight struct{ seq, missing int64 }
	const last, cut = core.Last, core.Trimmed
	arrivals := []struct {
		seq   int64
		flags core.Flags
	}{{1000, 0}, {4000, last | cut}, {2000, cut}, {0, 0}, {1000, 0}, {3000, 0}, {3000, 0}, {2000, 0}, {4000, last}, {4000, last}}
	for _, c := range []struct {
		way     nic.Recovery
		trimmed bool
		want    []sight
	}{
		{nic.Selective, true, []sight{{1000, -1}, {4000, 4}, {2000, 4}, {0, 3}, {1000, 3}, {3000, 2}, {3000, 2}, {2000, 1}, {4000, 0}, {4000, 0}}},
		{nic.Selective, false, []sight{{1000, -1}, {0, -1}, {1000, -1}, {3000, -1}, {3000, -1}, {2000, -1}, {4000, 0}, {4000, 0}}},
		{nic.GoBackN, true, []sight{{1000, -1}, {4000, 5}, {2000, 5}, {0, 4}, {1000, 3}, {3000, 3}, {3000, 3}, {2000, 2}, {4000, 2}, {4000, 2}}},
	} {
		var got []sight
		s := &scheme{traits: algorithms.Traits{SeesTrimmed: c.trimmed}, receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
			got = append(got, sight{a.Packet.Seq, a.Missing})
		}}
		cfg := config(1)
		cfg.Recovery, cfg.Receivers = every(c.way), []algorithms.Scheme{s}
		r := newRig(t, cfg)
		for i, a := range arrivals {
			p := r.data(a.seq)
			if p.Flags, p.Scheme = a.flags, 1; a.flags&cut != 0 {
				p.Size, p.Payload, p.Prio = 0, 0, 0
			}
			r.arrive(int64(i)*1000, 0, p)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("recovery %v, trimmed packets %v:\n got %v\nwant %v", c.way, c.trimmed, got, c.want)
		}
	}
}

// A notification point may answer a trimmed packet, the first of its flow, too.
func TestNotificationOfATrimmedPacket(t *testing.T) {
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{&scheme{traits: algorithms.Traits{SeesTrimmed: true}, receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
		reply.Send, reply.QP, reply.Kind, reply.Aux = true, a.QP, core.Grant, 7
	}}}
	r := newRig(t, cfg)
	p := r.data(5000)
	p.Flags, p.Scheme, p.Payload, p.SrcQP, p.DstQP = core.Trimmed, 1, 0, 4, 3
	r.arrive(0, 0, p)
	r.Run(core.AtNanos(1000))
	if len(r.sent) != 2 || r.sent[0].Kind != core.Grant || r.sent[0].Dst != 2 || r.sent[0].DstQP != 4 || r.sent[0].Aux != 7 || r.sent[1].Kind != core.Nack {
		t.Errorf("sent %+v, want a grant and a NACK", r.sent)
	}
}

// A notification for a queue pair that has since been forgotten is not sent: its destination is no longer known.
func TestNotificationAfterForget(t *testing.T) {
	s := &scheme{receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
		reply.Kind, reply.QP, reply.Send, reply.Wake = core.CNP, 0, a.Timer, core.Never
		if !a.Timer {
			reply.Wake = a.Now.Add(50 * core.Microsecond)
		}
	}}
	for _, forget := range []bool{false, true} {
		cfg := config(1)
		cfg.Receivers = []algorithms.Scheme{s}
		r := newRig(t, cfg)
		p := r.data(0)
		p.Flags, p.Scheme = core.Last, 1
		r.arrive(0, 0, p)
		r.Run(core.AtNanos(10_000))
		if forget {
			r.h.Forget(0)
		}
		r.Run(core.AtNanos(99_000))
		notices := 0
		for i := range r.sent {
			if r.sent[i].Kind == core.CNP {
				notices++
			}
		}
		if want := map[bool]int{false: 1}[forget]; notices != want || r.Pool.Live() != 0 {
			t.Errorf("forgotten %v: %d notifications, want %d; %d packets alive", forget, notices, want, r.Pool.Live())
		}
	}
}

// A notification does not wait for a pause, nor behind acknowledgements that do: CNPs have a class of their own
// (ConnectX cnp_802p_prio).
func TestNotificationsPassPauses(t *testing.T) {
	s := &scheme{receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
		reply.Kind, reply.QP, reply.Send = core.CNP, a.QP, a.CE
	}}
	for _, class := range []uint8{0, 3} {
		cfg := config(1)
		cfg.Receivers, cfg.AckClass = []algorithms.Scheme{s}, class
		r := newRig(t, cfg)
		r.arrive(0, 0, r.Pause(3, 0, true))
		for i, ce := range []core.Flags{0, core.CE} {
			p := r.data(int64(i) * 1000)
			p.Flags, p.Scheme = ce, 1
			r.arrive(int64(1000+1000*i), 0, p)
		}
		r.arrive(9000, 0, r.Pause(3, 0, false))
		r.Run(core.AtNanos(20_000))
		var got []string
		for i := range r.sent {
			got = append(got, fmt.Sprint(r.sent[i].at.Nanos(), " ", r.sent[i].Kind))
		}
		if want := []string{"2000 cnp", "9000 ack", "9060 ack"}; !slices.Equal(got, want) {
			t.Errorf("ack_class %d: %q, want %q", class, got, want)
		}
	}
}

// A notification that waits when its link fails is lost.
func TestNotificationsOfAFailedLink(t *testing.T) {
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{&scheme{receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
		reply.Kind, reply.QP, reply.Send = core.CNP, a.QP, true
	}}}
	r := newRig(t, cfg)
	r.open(0, nic.Flow{Size: 1000, Prio: 3})
	p := r.data(0)
	p.Scheme = 1
	r.arrive(100, 0, p) // while the port sends the flow's packet
	for i, up := range []bool{false, true} {
		r.Run(core.AtNanos(int64(200 + 2000*i)))
		r.Turn.Now = core.AtNanos(int64(200 + 2000*i))
		r.h.SetLink(&r.Turn, 0, up)
		r.CarryOut()
	}
	r.Run(core.AtNanos(9000))
	if len(r.sent) != 1 || r.sent[0].Kind != core.Data || r.Pool.Live() != 0 || r.h.Counters(0, r.Turn.Now).Flushed != 2 {
		t.Errorf("sent %+v; %d packets alive, %d lost; want the data packet, none, CNP and ACK", r.sent, r.Pool.Live(), r.h.Counters(0, r.Turn.Now).Flushed)
	}
}

// A notification without a route to its destination is dropped, as the ACK is.
func TestNotificationWithoutRoute(t *testing.T) {
	cfg := config(1)
	cfg.Router = fan{}
	cfg.Receivers = []algorithms.Scheme{&scheme{receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
		reply.Kind, reply.QP, reply.Send = core.CNP, a.QP, true
	}}}
	r := newRig(t, cfg)
	p := r.data(0)
	p.Scheme = 1
	r.arrive(0, 0, p)
	if got := r.h.Counters(0, r.Turn.Now).NoRoute; got != 2 || r.Pool.Live() != 0 || len(r.sent) != 0 {
		t.Errorf("%d packets without a route, %d alive, %d sent; want 2, 0, 0", got, r.Pool.Live(), len(r.sent))
	}
}
