package nic_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// answers gives the receiving side packets of 1000 bytes, each as a time in microseconds and its
// byte, and returns what it answers.
func answers(t *testing.T, cfg nic.Config, arrivals [][2]int64) (list []string) {
	r := newRig(t, cfg)
	for _, a := range arrivals {
		r.arrive(1000*a[0], 0, r.data(a[1]))
		answer := "-"
		for i := range r.sent {
			answer = fmt.Sprint(r.sent[i].Kind, " ", r.sent[i].Seq)
		}
		r.Run(core.AtNanos(1000*a[0] + 999))
		r.sent = r.sent[:0]
		list = append(list, answer)
	}
	if r.Pool.Live() != 0 {
		t.Errorf("%d packets alive", r.Pool.Live())
	}
	return list
}

// Packets in order are acknowledged; one beyond a gap draws a NACK, but not a second one for the
// same byte within 500 us; one received before draws nothing, or an ACK.
func TestGoBackN(t *testing.T) {
	arrivals := [][2]int64{
		{0, 0}, {1, 2000}, {2, 3000}, {400, 3000}, {501, 3000}, {503, 4000},
		{504, 1000}, {505, 3000}, {506, 1000}, {507, 2000}, {508, 5000}, {509, 0},
	}
	want := []string{
		"ack 1000", "nack 1000", "-", "-", "nack 1000", "-",
		"ack 2000", "nack 2000", "-", "ack 3000", "nack 3000", "-",
	}
	if got := answers(t, config(1), arrivals); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	cfg := config(1)
	cfg.AckDuplicates = true
	want[8], want[11] = "ack 2000", "ack 3000"
	if got := answers(t, cfg, arrivals); !reflect.DeepEqual(got, want) {
		t.Errorf("duplicates acknowledged:\ngot  %v\nwant %v", got, want)
	}
}

// With go-back-0 the receiver falls back to the beginning of the chunk that has a gap.
func TestGoBack0Receiver(t *testing.T) {
	cfg := config(1)
	cfg.Recovery, cfg.Chunk = every(nic.GoBack0), 4000
	got := answers(t, cfg, [][2]int64{{0, 0}, {1, 1000}, {2, 3000}, {3, 0}, {4, 1000}, {5, 2000}, {6, 3000}, {7, 4000}, {8, 6000}, {9, 4000}})
	want := []string{"ack 1000", "ack 2000", "nack 0", "ack 1000", "ack 2000", "ack 3000", "ack 4000", "ack 5000", "nack 4000", "ack 5000"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// An acknowledgement is the data packet turned round: it carries back its INT and its time, tells
// whether it was marked, and holds what the scheme adds to a header.
func TestAnswer(t *testing.T) {
	cfg := config(1)
	cfg.Header, cfg.Receivers = 48, []algorithms.Scheme{&scheme{receiver: func(*algorithms.Arrival, *algorithms.Reply) {}}}
	r := newRig(t, cfg)
	p := r.data(0)
	p.Size, p.Sent, p.Aux, p.SrcQP, p.Flags, p.Marker, p.Scheme = 1048+42, 7, 99, 5, core.CE|core.ECT|core.Last, 2, 1
	r.Pool.AddINT(p)
	p.NHops = 2
	r.arrive(10, 0, p)
	want := core.Packet{
		Kind: core.Ack, Src: 1, Dst: 2, SrcPort: 100, DstPort: 10_000, Size: 60 + 42, Sent: 7, Seq: 1000, Aux: 99,
		DstQP: 5, Prio: 3, Flags: core.ECE, NHops: 2,
	}
	if len(r.sent) != 1 || !reflect.DeepEqual(r.sent[0].Packet, want) {
		t.Errorf("got  %+v\nwant %+v", r.sent, want)
	}
	if len(r.News) != 1 || r.News[0].Kind != core.FlowReceived {
		t.Errorf("told %+v", r.News)
	}
}

// An acknowledgement has at least the minimum length of a packet, and keeps nothing of the data
// packet's own fields except the mark.
func TestShortAnswer(t *testing.T) {
	cfg := config(1)
	cfg.AckLen, cfg.MinLen = 40, 64
	r := newRig(t, cfg)
	p := r.data(0)
	p.Flags = core.ECT | core.Last | core.Rtx
	r.arrive(10, 0, p)
	if len(r.sent) != 1 || r.sent[0].Size != 64 || r.sent[0].Flags != 0 {
		t.Errorf("sent %+v", r.sent)
	}
}

// An answer without a route back to its source is dropped, and counted at the port by which the packet came that it
// answers.
func TestAnswerWithoutRoute(t *testing.T) {
	cfg := config(2)
	cfg.Router = fan{}
	r := newRig(t, cfg)
	r.Turn.Trace = &core.Trace{}
	r.arrive(10, 1, r.data(0))
	if last := r.Turn.Trace.Records[len(r.Turn.Trace.Records)-1]; last.Event != core.EventDrop || last.Packet.Kind != core.Ack || last.Port != 1 {
		t.Errorf("recorded %+v", last)
	}
	c := r.h.Counters(1, core.AtNanos(10))
	if len(r.sent) != 0 || len(r.News) != 1 || r.News[0].Kind != core.Dropped || c.DroppedPackets != 1 || c.NoRoute != 1 || r.Pool.Live() != 0 {
		t.Errorf("sent %v, told %+v, counted %+v, %d packets alive", r.sent, r.News, c, r.Pool.Live())
	}
}

// Every packet for another host is dropped, whatever its kind: the same queue-pair number means
// another pair there.
func TestAnothersPacket(t *testing.T) {
	kinds := []core.Kind{core.Data, core.Ack, core.Nack, core.CNP, core.CNM, core.Grant, core.Datagram}
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 5000, Dst: 2, Prio: 3, Scheme: &scheme{}})
	r.sent = nil
	for _, kind := range kinds {
		p := r.data(0)
		p.Kind, p.Dst = kind, 4
		r.arrive(10, 0, p)
	}
	acked, _, _, _ := r.h.Flow(0)
	c := r.h.Counters(0, core.AtNanos(10))
	if n := int64(len(kinds)); len(r.sent) != 0 || int64(len(r.News)) != n || c.NoRoute != n || r.h.Expected(0) != 0 || acked != 0 {
		t.Errorf("sent %v, told %+v, counted %+v, received up to %d, acknowledged up to %d", r.sent, r.News, c, r.h.Expected(0), acked)
	}
}

// A receiving side that was forgotten starts afresh.
func TestForget(t *testing.T) {
	r := newRig(t, config(1))
	r.arrive(0, 0, r.data(0))
	if got := [...]int64{r.h.Expected(0), r.h.Expected(1)}; got != [...]int64{1000, 0} {
		t.Errorf("bytes %v are expected, want 1000 and 0", got)
	}
	r.h.Forget(0)
	r.h.Forget(1)
	if got := r.h.Expected(0); got != 0 {
		t.Errorf("byte %d is expected of a pair that was forgotten", got)
	}
	r.arrive(1000, 0, r.data(1000))
	if got, want := r.took(), [][2]int64{{0, 1000}, {1000, 0}}; !reflect.DeepEqual(got, want) || r.Free[0] != core.AtNanos(1060) {
		t.Errorf("got %v, want an ACK for 1000 and a NACK for 0", got)
	}
}

// Acknowledgements go before data, and wait only for a pause of their class: that of their packet,
// 3 here, or the one class of all; those of class 0 wait for none.
func TestAcksFirst(t *testing.T) {
	waits, goes := [][2]int64{{0, 0}, {1000, 1000}, {2000, 2000}, {5000, 1000}}, [][2]int64{{0, 0}, {1000, 1000}, {1060, 1000}, {2060, 2000}}
	for _, c := range []struct {
		prio0          bool
		class, control uint8
		want           [][2]int64
	}{
		{false, 0, 0, waits},
		{true, 0, 0, goes},
		{false, 3, 0, waits},
		{false, 5, 0, goes},
		{true, 3, 0, goes},
		{false, 0, 1 << 3, goes},
		{false, 0, 1 << 4, waits},
	} {
		cfg := config(1)
		cfg.AckPrio0, cfg.AckClass, cfg.AckControl = c.prio0, c.class, c.control
		r := newRig(t, cfg)
		r.open(0, nic.Flow{Size: 3000, Prio: 4})
		r.arrive(100, 0, r.Pause(3, 0, true))
		r.arrive(200, 0, r.data(0))
		r.arrive(5000, 0, r.Pause(3, 0, false))
		r.Run(core.AtNanos(100_000))
		for i := range r.sent {
			if d := &r.sent[i]; d.Kind == core.Ack && c.control == 1<<3 && d.Prio != 0 {
				t.Errorf("a control packet travels in class %d", d.Prio)
			}
		}
		if got := r.took(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// The notification point hears of the packets of its scheme, and its answers go to the source of
// the queue pair that it names. It is woken when it asks, as often as it asks.
func TestNotificationPoint(t *testing.T) {
	var heard []string
	s := &scheme{}
	left := 0
	s.receiver = func(a *algorithms.Arrival, reply *algorithms.Reply) {
		heard = append(heard, fmt.Sprint(a.Now.Nanos(), a.Timer, a.CE, a.QP, int(a.Bytes), a.Flows))
		switch {
		case a.Timer && left > 0:
			left--
			reply.Send, reply.Kind, reply.QP, reply.Aux = true, core.Grant, int32(left), uint64(left)
			if left == 0 {
				reply.Wake = core.Never
			}
		case a.CE:
			reply.Send, reply.Kind, reply.QP, reply.Aux = true, core.CNP, a.QP, 7
			left, reply.Wake = 2, a.Now.Add(50*core.Microsecond)
		}
	}
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{s}
	r := newRig(t, cfg)
	arrive := func(nanos int64, qp int32, flags core.Flags, of uint8) {
		p := r.data(0)
		p.DstQP, p.SrcQP, p.Src, p.Flags, p.Scheme = qp, 40+qp, core.NodeID(2+qp), flags, of
		r.arrive(nanos, 0, p)
	}
	arrive(0, 0, core.Last, 1)
	arrive(1000, 1, core.ECT, 1)
	arrive(2000, 2, core.CE, 0) // of another scheme
	arrive(3000, 1, core.CE, 1)
	arrive(4000, 1, core.ECT, 1) // which has no effect
	r.Run(core.AtNanos(1_000_000))
	if want := []string{
		"0 false false 0 1000 1", "1000 false false 1 1000 1", "3000 false true 1 1000 1", "4000 false false 1 1000 1",
		"53000 true false 0 0 1", "53000 true false 0 0 1",
	}; !reflect.DeepEqual(heard, want) {
		t.Errorf("heard\n%q, want\n%q", heard, want)
	}
	var got []string
	for i := range r.sent {
		if d := &r.sent[i]; d.Kind != core.Ack {
			got = append(got, fmt.Sprint(d.at.Nanos(), " ", d.Kind, " to ", d.Dst, d.DstQP, d.DstPort, " from ", d.Src, d.SrcQP, d.SrcPort, " at ", d.Sent.Nanos(), " size ", d.Size, " aux ", d.Aux))
		}
	}
	if want := []string{
		"3000 cnp to 3 41 10000 from 1 1 100 at 3000 size 60 aux 7", "53000 grant to 3 41 10000 from 1 1 100 at 53000 size 60 aux 1",
		"53060 grant to 2 40 10000 from 1 0 100 at 53000 size 60 aux 0",
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("sent\n%q, want\n%q", got, want)
	}
}

// A queue pair that is forgotten before it has received everything, as when its sender has given up, is no longer open: the
// next one to come is the only one.
func TestForgottenIsNotOpen(t *testing.T) {
	var heard []int
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{&scheme{receiver: func(a *algorithms.Arrival, _ *algorithms.Reply) { heard = append(heard, a.Flows) }}}
	r := newRig(t, cfg)
	for qp := range int32(3) {
		p := r.data(0)
		p.DstQP, p.Scheme = qp, 1
		r.arrive(int64(1000*qp), 0, p)
		if qp > 0 {
			r.h.Forget(qp)
		}
	}
	if want := []int{1, 2, 2}; !slices.Equal(heard, want) {
		t.Errorf("%d queue pairs are open, want %d", heard, want)
	}
}

// Nor is one that has received everything, whether its last packet comes again or it is forgotten.
func TestCompleteIsNotOpen(t *testing.T) {
	var heard []int
	cfg := config(2)
	cfg.Receivers = []algorithms.Scheme{&scheme{receiver: func(a *algorithms.Arrival, _ *algorithms.Reply) { heard = append(heard, a.Flows) }}}
	r := newRig(t, cfg)
	for i, qp := range []int32{0, 0, 1, 1, 2} {
		p := r.data(0)
		p.DstQP, p.Scheme = qp, 1
		if qp == 0 {
			p.Flags = core.Last
		}
		r.arrive(int64(1000*i), 1, p)
		if i == 2 {
			r.h.Forget(0)
		}
	}
	if want := []int{1, 0, 1, 1, 2}; !slices.Equal(heard, want) {
		t.Errorf("%d queue pairs are open, want %d", heard, want)
	}
}

// The deadline of a notification point does not hide an earlier one of the port.
func TestNotificationPointAndTimeout(t *testing.T) {
	s := &scheme{receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) { reply.Wake = a.Now.Add(50 * core.Microsecond) }}
	cfg := config(1)
	cfg.Receivers, cfg.RTO = []algorithms.Scheme{s}, 10*core.Microsecond
	r := newRig(t, cfg)
	r.open(0, nic.Flow{Size: 1000})
	p := r.data(0)
	p.Scheme = 1
	r.arrive(5000, 0, p)
	r.Run(core.AtNanos(11_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {5000, 1000}, {10_000, 0}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The sender's side of notifications: each becomes the right signal, for those who listen.
func TestNotices(t *testing.T) {
	var heard []algorithms.Signal
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Notify, algorithms.Switch, algorithms.Grant)}}
	s.step = func(sig *algorithms.Signal, _ *algorithms.Control) {
		heard = append(heard, algorithms.Signal{Kind: sig.Kind, Feedback: sig.Feedback, Aux: sig.Aux, SentAt: sig.SentAt, Next: sig.Next, InFlight: sig.InFlight})
	}
	r := newRig(t, config(1))
	qp := r.open(0, nic.Flow{Size: 5000, Scheme: s})
	mute := &scheme{step: func(sig *algorithms.Signal, _ *algorithms.Control) { t.Errorf("who hears nothing heard %+v", sig) }}
	deaf := r.open(0, nic.Flow{Size: 5000, Scheme: mute})
	done := r.open(0, nic.Flow{Size: 1000, Scheme: &scheme{traits: s.traits, step: mute.step}})
	r.arrive(50, 0, r.ack(done, 1000, core.Ack))
	for i, kind := range []core.Kind{core.CNP, core.CNM, core.Grant} {
		for _, to := range []int32{qp, deaf, done, done + 1, 99} {
			p := r.ack(to, int64(-i), kind)
			p.Aux, p.Sent = uint64(10*i), core.Time(7*i)
			r.arrive(int64(100+i), 0, p)
		}
	}
	want := []algorithms.Signal{
		{Kind: algorithms.Notify, Next: 1000, InFlight: 1000},
		{Kind: algorithms.Switch, Feedback: -1, Aux: 10, SentAt: 7, Next: 1000, InFlight: 1000},
		{Kind: algorithms.Grant, Feedback: -2, Aux: 20, SentAt: 14, Next: 1000, InFlight: 1000},
	}
	if !reflect.DeepEqual(heard, want) {
		t.Errorf("heard\n%+v, want\n%+v", heard, want)
	}
	if r.Pool.Live() != 0 {
		t.Errorf("%d packets alive", r.Pool.Live())
	}
}

// A host is known to have no more of a message than what has come in order, unless it keeps packets beyond a gap, or
// has not processed some: then that is not known.
func TestReceivedLimit(t *testing.T) {
	const unknown = math.MaxInt64
	for name, c := range map[string]struct {
		recovery nic.Recovery
		service  core.Duration
		seqs     []int64
		want     int64
	}{
		"nothing":          {nic.GoBackN, 0, nil, 0},
		"in order":         {nic.GoBackN, 0, []int64{0, 1000}, 2000},
		"beyond a gap":     {nic.GoBackN, 0, []int64{0, 2000}, 1000},
		"kept":             {nic.Selective, 0, []int64{0, 2000}, unknown},
		"kept and filled":  {nic.Selective, 0, []int64{0, 2000, 1000}, unknown},
		"none to be kept":  {nic.Selective, 0, []int64{0, 1000}, 2000},
		"not dealt with":   {nic.GoBackN, 5 * core.Microsecond, []int64{0, 1000}, unknown},
		"all dealt with":   {nic.GoBackN, core.Nanosecond, []int64{0, 1000}, unknown},
		"slow and waiting": {nic.GoBackN, core.Nanosecond, nil, unknown},
	} {
		cfg := config(1)
		cfg.Recovery, cfg.Service = every(c.recovery), c.service
		r := newRig(t, cfg)
		for i, seq := range c.seqs {
			r.arrive(int64(1000*(i+1)), 0, r.data(seq))
		}
		if got := r.h.ReceivedLimit(0); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
