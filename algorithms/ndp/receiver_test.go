package ndp

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// slot is what a packet of 1000 bytes and a header of 250 takes at 100 Gb/s.
const slot = 100 * core.Nanosecond

// newReceiver is the receiver of a port of 100 Gb/s.
func newReceiver(p Params) (*receiver, *algorithms.Reply) {
	r, reply := &receiver{p: &p}, new(algorithms.Reply)
	r.Start(0, &algorithms.Port{Port: 1, Line: 100 * core.Gbps, MTU: 1000}, reply)
	return r, reply
}

// pull is a pull that was sent: when, in slots, for which queue pair, and what it says.
type pull struct {
	at    float64
	qp    int32
	count uint32
}

// play shows the receiver packets that come at a time, and then its timers up to another, and returns the pulls.
func play(r *receiver, reply *algorithms.Reply, at core.Time, arrivals []algorithms.Arrival, until core.Time) (list []pull) {
	step := func(a algorithms.Arrival, now core.Time) {
		a.Now, reply.Send = now, false
		r.Step(&a, reply)
		if reply.Send {
			port, count := pullOf(reply.Aux)
			if port != 1 || reply.Kind != core.Grant {
				panic("no pull of port 1")
			}
			list = append(list, pull{float64(now) / float64(slot), reply.QP, count})
		}
	}
	for _, a := range arrivals {
		step(a, at)
	}
	for reply.Wake <= until {
		step(algorithms.Arrival{Timer: true}, reply.Wake)
	}
	return list
}

// full is the arrival of a full packet of a queue pair, and cut of one that was trimmed.
func full(qp int32, missing int64) algorithms.Arrival {
	return algorithms.Arrival{QP: qp, Bytes: 1000, Packet: core.Packet{Size: 1250}, Missing: missing}
}

func cut(qp int32, missing int64) algorithms.Arrival {
	return algorithms.Arrival{QP: qp, Packet: core.Packet{Size: 250}, Missing: missing}
}

// Pulls leave at the rate of full packets, trimmed ones count as others, and flows take turns: the one that comes last does
// not wait for the pulls of those before it.
func TestPullQueue(t *testing.T) {
	r, reply := newReceiver(Defaults())
	got := play(r, reply, 0, []algorithms.Arrival{full(4, -1), cut(4, -1), cut(4, -1), full(0, -1), cut(0, -1), full(7, -1)}, core.Time(100*slot))
	want := []pull{{0, 4, 1}, {1, 4, 2}, {2, 0, 1}, {3, 7, 1}, {4, 4, 3}, {5, 0, 2}}
	if !slices.Equal(got, want) {
		t.Errorf("pulls %v, want %v", got, want)
	}
	if reply.Wake != core.Never {
		t.Errorf("waits for %v with an empty queue", reply.Wake)
	}
	if got, want := play(r, reply, core.Time(200*slot), []algorithms.Arrival{full(4, -1)}, 0), []pull{{200, 4, 4}}; !slices.Equal(got, want) {
		t.Errorf("after a while: pulls %v, want %v", got, want)
	}
}

// A part of the line rate takes longer.
func TestPullRate(t *testing.T) {
	p := Defaults()
	p.PullRate = 0.8
	r, reply := newReceiver(p)
	got := play(r, reply, 0, []algorithms.Arrival{full(0, -1), full(0, -1), full(0, -1)}, core.Time(100*slot))
	if want := []pull{{0, 0, 1}, {1.25, 0, 2}, {2.5, 0, 3}}; !slices.Equal(got, want) {
		t.Errorf("pulls %v, want %v", got, want)
	}
}

// As soon as it is known what of a flow is missing, no more pulls than that are left; the others' turns come sooner.
func TestEndOfAFlow(t *testing.T) {
	r, reply := newReceiver(Defaults())
	first := []algorithms.Arrival{full(0, -1), cut(0, -1), cut(0, -1), cut(0, -1), full(1, -1), full(1, -1), full(2, -1)}
	play(r, reply, 0, first, -1)
	got := play(r, reply, core.Time(slot/2), []algorithms.Arrival{cut(0, 2), full(1, 0), full(3, 0)}, core.Time(100*slot))
	if want := []pull{{1, 0, 2}, {2, 2, 1}, {3, 0, 3}}; !slices.Equal(got, want) {
		t.Errorf("pulls %v, want %v", got, want)
	}
}

// An incast of n flows, whose first windows of w packets have come: the port pulls at its line rate, each flow once in n
// slots, until it has pulled n w packets.
func TestPullsOfAnIncast(t *testing.T) {
	const n, w = 100, 12
	r, reply := newReceiver(Defaults())
	var arrivals []algorithms.Arrival
	for range w {
		for qp := range int32(n) {
			arrivals = append(arrivals, cut(qp, -1))
		}
	}
	got := play(r, reply, 0, arrivals, core.Time(10_000*slot))
	if len(got) != n*w || reply.Wake != core.Never {
		t.Fatalf("%d pulls, want %d; wakes at %v", len(got), n*w, reply.Wake)
	}
	for i := 1; i < len(got); i++ { // the first packet is pulled before the others have come
		if got[i].at != float64(i) || i > n && got[i].qp != got[i-n].qp {
			t.Fatalf("pull %d: %v; want slot %[1]d and the flow of %v", i, got[i], got[max(0, i-n)])
		}
	}
}

// What a sender may send before it is pulled: 1.5 bandwidth-delay products in whole packets, at least one, and no packet of a short flow twice.
func TestFirstWindow(t *testing.T) {
	for _, c := range []struct {
		window int
		line   core.Rate
		size   core.Bytes
		want   int
	}{
		{0, 100 * core.Gbps, 0, 195}, {0, 99 * core.Gbps, 1 << 30, 194}, {0, core.Gbps, 0, 2}, {0, core.Mbps, 0, 1}, {12, 100 * core.Gbps, 0, 12},
		{0, 100 * core.Gbps, 4001, 5}, {12, 100 * core.Gbps, 1, 1},
	} {
		p := Defaults()
		p.InitialWindow = c.window
		s, ctl := &sender{p: &p}, new(algorithms.Control)
		s.Start(0, &algorithms.Flow{Line: c.line, BaseRTT: 13 * core.Microsecond, MTU: 1000, Packet: 1250, Size: c.size}, ctl)
		sent := 0
		for ; ctl.Window == core.Unlimited; sent++ {
			s.Step(&algorithms.Signal{Kind: algorithms.Sent}, ctl)
		}
		if sent != c.want || ctl.Window != 0 {
			t.Errorf("window %d at %v, %v: %d packets unasked, want %d", c.window, c.line, c.size, sent, c.want)
		}
	}
}

// The count of a pull may pass 2^32.
func TestManyPulls(t *testing.T) {
	p := Defaults()
	s, c := &sender{p: &p, pulls: []uint32{math.MaxUint32}}, new(algorithms.Control)
	if s.Step(&algorithms.Signal{Kind: algorithms.Grant, Aux: pullWord(0, 1)}, c); s.credit != 2 {
		t.Errorf("a pull of 1 after one of 2^32 - 1 gives credit for %d packets, want 2", s.credit)
	}
}

func BenchmarkReceiver(b *testing.B) {
	r, reply := newReceiver(Defaults())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		a := full(int32(i&63), -1)
		a.Now = core.Time(i) * core.Time(slot)
		r.Step(&a, reply)
	}
}
