package nic_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A notification point holds acknowledgements back: a later one makes them superfluous, Release sends them with the
// mark of their packet, and a flow's last one goes out in any case. Each carries the time at which the first packet
// that it answers was made (RFC 7323, section 4.3).
func TestHold(t *testing.T) {
	var hold, release bool
	s := &scheme{}
	s.receiver = func(a *algorithms.Arrival, reply *algorithms.Reply) {
		reply.QP, reply.Hold, reply.Release = 0, hold, release
		if a.Timer {
			reply.Release, reply.Wake = true, core.Never
		} else if hold && a.CE {
			reply.Wake = a.Now.Add(50 * core.Microsecond)
		}
	}
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{s}
	r := newRig(t, cfg)
	var got [][]string
	arrive := func(micros, seq int64, flags core.Flags, held, free bool) {
		hold, release = held, free
		p := r.data(seq)
		p.Flags, p.Scheme, p.Sent = flags, 1, core.AtNanos(1000*micros)
		r.arrive(1000*micros, 0, p)
		r.Run(core.AtNanos(1000*micros + 99_000))
		var list []string
		for i := range r.sent {
			d := &r.sent[i]
			list = append(list, fmt.Sprint(d.at.Nanos()/1000, " ", d.Kind, " ", d.Seq, " ", d.Flags&core.ECE/core.ECE, " of ", d.Sent.Nanos()/1000))
		}
		got, r.sent = append(got, list), r.sent[:0]
	}
	arrive(100, 0, 0, true, false)
	arrive(200, 1000, 0, false, false)        // covers what the first would have said
	arrive(300, 2000, core.CE, true, false)   // released by the timer
	arrive(400, 3000, core.CE, true, false)   // likewise
	arrive(500, 4000, 0, true, false)         // held
	arrive(600, 5000, core.CE, false, true)   // released before the ACK of this one
	arrive(700, 6000, 0, true, false)         // held
	arrive(800, 8000, 0, true, false)         // a gap: the NACK covers it
	arrive(900, 7000, 0, false, true)         // nothing is held
	arrive(1000, 8000, core.Last, true, true) // the last one
	want := [][]string{
		nil, {"200 ack 2000 0 of 100"}, {"350 ack 3000 1 of 300"}, {"450 ack 4000 1 of 400"}, nil,
		{"600 ack 5000 0 of 500", "600 ack 6000 1 of 600"}, nil, {"800 nack 7000 0 of 700"}, {"900 ack 8000 0 of 900"},
		{"1000 ack 9000 0 of 1000"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if r.Pool.Live() != 0 {
		t.Errorf("%d packets alive", r.Pool.Live())
	}
}

// What a notification point says holds for one arrival alone, and of several acknowledgements that are held back the
// last one is kept, with the time of the first.
func TestHoldIsForOnePacket(t *testing.T) {
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{&scheme{receiver: func(a *algorithms.Arrival, reply *algorithms.Reply) {
		if a.CE {
			reply.Hold = true
		} else if a.Packet.Flags&core.Rtx != 0 {
			reply.Release = true
		}
	}}}
	r := newRig(t, cfg)
	for i, c := range []struct {
		flags core.Flags
		want  string
	}{
		{core.CE, ""}, {0, "2000 of 0 "}, {core.CE, ""}, {core.Rtx, "3000 of 2 4000 of 3 "}, {core.CE, ""}, {core.CE, ""}, {0, "7000 of 4 "},
	} {
		p := r.data(int64(1000 * i))
		p.Flags, p.Scheme, p.Sent = c.flags, 1, core.AtNanos(int64(i))
		r.arrive(int64(1000*i), 0, p)
		r.Run(core.AtNanos(int64(1000*i + 900)))
		got := ""
		for _, d := range r.sent {
			got += fmt.Sprint(d.Seq, " of ", d.Sent.Nanos(), " ")
		}
		if r.sent = r.sent[:0]; got != c.want {
			t.Errorf("packet %d is answered %q, want %q", i, got, c.want)
		}
	}
	if r.Pool.Live() != 0 {
		t.Errorf("%d packets alive", r.Pool.Live())
	}
}

// An acknowledgement held back for a queue pair that is forgotten is freed.
func TestForgetHeld(t *testing.T) {
	s := &scheme{receiver: func(_ *algorithms.Arrival, reply *algorithms.Reply) { reply.Hold = true }}
	cfg := config(1)
	cfg.Receivers = []algorithms.Scheme{s}
	r := newRig(t, cfg)
	p := r.data(0)
	p.Scheme = 1
	r.arrive(0, 0, p)
	if r.Pool.Live() != 1 {
		t.Errorf("%d packets held, want 1", r.Pool.Live())
	}
	r.h.Forget(0)
	if r.Pool.Live() != 0 || len(r.sent) != 0 {
		t.Errorf("%d packets alive, %d sent", r.Pool.Live(), len(r.sent))
	}
}

// With selective recovery an acknowledgement is not held back while packets beyond a gap have arrived: its packet fills
// all or part of the gap (RFC 5681, section 4.2).
func TestHoldEndsAtGaps(t *testing.T) {
	s := &scheme{receiver: func(_ *algorithms.Arrival, reply *algorithms.Reply) { reply.Hold = true }}
	cfg := config(1)
	cfg.Receivers, cfg.Recovery = []algorithms.Scheme{s}, every(nic.Selective)
	r := newRig(t, cfg)
	for i, c := range []struct {
		seq  int64
		want string // empty: held
	}{
		{0, ""}, {2000, "nack 1000"}, {1000, "ack 3000"}, {3000, ""}, // one packet was missing
		{5000, "nack 4000"}, {7000, "nack 4000"}, {4000, "ack 6000"}, {6000, "ack 8000"}, {8000, ""}, // two gaps
		{11000, "nack 9000"}, {9000, "ack 10000"}, {10000, "ack 12000"}, {12000, ""}, // a gap of two packets
	} {
		p := r.data(c.seq)
		p.Scheme = 1
		r.arrive(int64(1000*i), 0, p)
		got := ""
		for _, d := range r.sent {
			got += fmt.Sprint(d.Kind, " ", d.Seq)
		}
		if r.sent = r.sent[:0]; got != c.want {
			t.Errorf("byte %d is answered %q, want %q", c.seq, got, c.want)
		}
	}
}
