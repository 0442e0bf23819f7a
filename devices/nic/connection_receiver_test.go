package nic_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// A notification point takes the messages of a connection for one queue pair; so what it holds back of one message is sent
// when a packet of the next one comes, and the source of its notifications is that of the latest message.
func TestNotificationPointOfConnection(t *testing.T) {
	for _, first := range []int32{0, 2} {
		testNotificationPointOf(t, first)
	}
}

// testNotificationPointOf tests it of a connection of the messages first, 1 and 4.
func testNotificationPointOf(t *testing.T, first int32) {
	var seen []int32
	sc := &scheme{receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
		seen = append(seen, a.QP)
		reply.Hold = a.Packet.DstQP == 1
		reply.Send, reply.QP, reply.Kind = a.Packet.DstQP == 4, a.QP, core.CNP
	}}
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{sc}
	r := newRig(t, cfg)
	for _, qp := range []int32{first, 1, 4} {
		r.h.Connect(qp, first)
	}
	for i, qp := range []int32{1, 3, 4} {
		p := r.data(0)
		p.DstQP, p.SrcQP, p.Scheme = qp, 10+qp, 1
		r.arrive(int64(10_000*i), 0, p)
	}
	r.Run(core.AtNanos(50_000))
	if want := []int32{first, 3, first}; !reflect.DeepEqual(seen, want) {
		t.Errorf("the notification point sees queue pairs %v, want %v", seen, want)
	}
	type answer struct {
		kind core.Kind
		to   int32
	}
	var answers []answer
	for i := range r.sent {
		answers = append(answers, answer{r.sent[i].Kind, r.sent[i].DstQP})
	}
	if want := []answer{{core.Ack, 13}, {core.CNP, 14}, {core.Ack, 11}, {core.Ack, 14}}; !slices.Equal(answers, want) {
		t.Errorf("answers are %v, want %v", answers, want)
	}
}

// A receiver that forgets a message keeps what concerns others of its connection: an acknowledgement that is held back, and
// where notifications go.
func TestForgottenMessage(t *testing.T) {
	sc := &scheme{receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
		reply.Hold, reply.Release, reply.QP, reply.Kind = !a.CE, a.CE, a.QP, core.CNP
		reply.Send = a.CE
	}}
	for _, forget := range [][]int32{{}, {0}, {0, 1}} {
		cfg := config(1)
		cfg.Receivers = []algorithms.Scheme{sc}
		r := newRig(t, cfg)
		for qp := range int32(3) {
			r.h.Connect(qp, 0)
		}
		arrive := func(at int64, qp int32, seq int64, flags core.Flags) {
			p := r.data(seq)
			p.DstQP, p.SrcQP, p.Scheme, p.Flags = qp, 10+qp, 1, flags
			r.arrive(at, 0, p)
		}
		arrive(0, 0, 0, core.Last)
		arrive(10_000, 1, 0, core.Last)
		arrive(20_000, 2, 0, 0) // its acknowledgement is held back
		for _, qp := range forget {
			r.h.Forget(qp)
		}
		arrive(30_000, 2, 1000, core.CE)
		r.Run(core.AtNanos(50_000))
		var answers []string
		for i := range r.sent {
			p := &r.sent[i]
			answers = append(answers, fmt.Sprint(p.Kind, " ", p.Seq, " to ", p.DstQP))
		}
		want := []string{"ack 1000 to 10", "ack 1000 to 11", "ack 1000 to 12", "cnp 0 to 12", "ack 2000 to 12"}
		if !slices.Equal(answers, want) {
			t.Errorf("messages %v forgotten: %q, want %q", forget, answers, want)
		}
		r.h.Forget(2)
		if r.Pool.Live() != 0 {
			t.Errorf("%d packets alive", r.Pool.Live())
		}
	}
}

// The acknowledgement that is held back of a message is forgotten with it.
func TestForgottenMessageIsNotAcknowledged(t *testing.T) {
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{&scheme{receiver: func(_ *algorithms.Arrival, reply *algorithms.Reply) { reply.Hold = true }}}
	r := newRig(t, cfg)
	for qp := range int32(2) {
		r.h.Connect(qp, 0)
	}
	p := r.data(0)
	p.DstQP, p.Scheme = 1, 1
	r.arrive(0, 0, p)
	r.h.Forget(1)
	if live := r.Pool.Live(); live != 0 {
		t.Errorf("%d packets alive", live)
	}
}
