package rcc

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-6*math.Abs(want) }

// newReceiver is the receiver of a port of 100 Gb/s where the largest base round trip is 13 us.
func newReceiver() (*receiver, *algorithms.Reply) {
	p := Defaults()
	r, reply := &receiver{p: &p}, new(algorithms.Reply)
	r.Start(0, &algorithms.Port{Line: 100 * core.Gbps, MaxRTT: 13 * us, MTU: 1000}, reply)
	return r, reply
}

// arrive shows a packet of size bytes, sent delay before, and returns the window granted; 0 for
// none.
func arrive(r *receiver, reply *algorithms.Reply, at core.Duration, qp int32, size int32, delay core.Duration) core.Bytes {
	reply.Send = false
	r.Step(&algorithms.Arrival{
		Instant: core.Instant{Now: core.Time(at)}, QP: qp,
		Packet: core.Packet{Size: size, Sent: core.Time(at - delay)},
	}, reply)
	if !reply.Send {
		return 0
	}
	return core.Bytes(reply.Aux)
}

// Check case 10.1: eight flows over a saturated last hop of 100 Gb/s and 13 us get
// 20312.5 B each, all within a round trip.
func TestCheckCase1Assignment(t *testing.T) {
	r, reply := newReceiver()
	r.saturated = true
	var granted [8]core.Bytes
	for at := range core.Duration(2) {
		for qp := range int32(8) {
			if got := arrive(r, reply, at*us, qp, 1048, 5*us); got != 0 {
				granted[qp] = got
			}
		}
	}
	for qp, got := range granted {
		if got != 20_312 {
			t.Errorf("queue pair %d: granted %v, want 20312B", qp, got)
		}
	}
	for i := range r.flows {
		if r.flows[i].window != 20_312.5 {
			t.Errorf("slot %d: %v B, want 20312.5", i, r.flows[i].window)
		}
	}
	if got := arrive(r, reply, 3*us, 0, 1048, 5*us); got != 0 {
		t.Errorf("granted %v again within a round trip and with as many flows", got)
	}
}

// The share of very many flows, and of flows whose bandwidth-delay product is shorter, is a packet.
func TestLeastShare(t *testing.T) {
	r, reply := newReceiver()
	r.saturated = true
	for qp := range int32(200) { // 162,500 B among 163 and more are less than 1000 each
		want := max(1000, 162_500/core.Bytes(qp+1))
		if got := arrive(r, reply, 0, qp, 1048, 5*us); got != want {
			t.Fatalf("flow %d: granted %v, want %v", qp+1, got, want)
		}
	}
	p := Defaults()
	short := &receiver{p: &p}
	short.Start(0, &algorithms.Port{Line: core.Gbps, MaxRTT: us, MTU: 1000}, reply)
	arrive(short, reply, 0, 0, 1048, 5*us)
	if w := short.flows[0].window; w != 1000 {
		t.Errorf("a product of 125 B: a flow begins with %v, want 1000", w)
	}
}

// When the port becomes saturated, at 26 us, a flow whose window was adjusted within the round trip gets its share at
// once, also if it is the only one.
func TestGrantWhenSaturated(t *testing.T) {
	r, reply := newReceiver()
	for _, c := range []struct {
		at    core.Duration
		size  int32
		grant bool
	}{{6 * us, 1048, false}, {13 * us, 1048, false}, {20 * us, 170_000, true}, {26 * us, 1048, true}} {
		if got := arrive(r, reply, c.at, 0, c.size, 5*us+c.at); (got != 0) != c.grant {
			t.Fatalf("at %v: granted %v", c.at, got)
		}
	}
	if reply.Aux != 162_500 {
		t.Errorf("granted %v, want all that the line carries, 162500B", core.Bytes(reply.Aux))
	}
}

// Check cases 10.2 and 10.3: no error, no change; an error of a half at first makes u =
// 0.325, and the window 1.157010 times as large.
func TestCheckCases2And3Adjustment(t *testing.T) {
	r, _ := newReceiver()
	f := flow{window: 50_000}
	if r.adjust(&f, 10*us); f.window != 50_000 {
		t.Errorf("at the delay aimed at: %v, want 50000", f.window)
	}
	f = flow{window: 50_000}
	if r.adjust(&f, 5*us); !near(f.window, 50_000*1.157010) {
		t.Errorf("at half of it: %v, want %v", f.window, 50_000*1.157010)
	}
	before := f.window
	u := 0.5*-1 + 0.05*(0.5-1) + 0.1*(-1-0.5)
	if r.adjust(&f, 20*us); !near(f.window, before*(1+0.5*math.Tanh(u))) {
		t.Errorf("at twice: %v, want %v", f.window, before*(1+0.5*math.Tanh(u)))
	}
}

func TestAdjustmentStaysWithinBounds(t *testing.T) {
	r, _ := newReceiver()
	f := flow{window: 100_000}
	for range 100 {
		r.adjust(&f, 0)
	}
	if f.window != 162_500 || f.sum != mostSum {
		t.Errorf("window %v and sum %v, want 162500 and %v", f.window, f.sum, mostSum)
	}
	for range 1000 {
		r.adjust(&f, core.Millisecond)
	}
	if f.window != 1000 || f.sum != -mostSum {
		t.Errorf("window %v and sum %v, want 1000 and %v", f.window, f.sum, -mostSum)
	}
	if f.assign(5000, 3); f.sum != 0 || f.before != 0 {
		t.Error("an assignment keeps the controller's memory")
	}
}

// Over every round trip, arrivals are compared with the line rate.
func TestSaturation(t *testing.T) {
	r, reply := newReceiver()
	feed := func(from core.Duration, bytes int32) {
		for i := range core.Duration(13) {
			arrive(r, reply, from+(i+1)*us, 1, bytes/13, 5*us)
		}
	}
	feed(0, 162_500)
	if !r.saturated {
		t.Error("a full link is not saturated")
	}
	feed(13*us, 150_000)
	if r.saturated {
		t.Error("a link at 92 % is saturated")
	}
	r.p.Saturation = 1
	for _, c := range []struct {
		bytes     int32
		saturated bool
	}{{162_500, true}, {162_500 - 13, false}} {
		if feed(core.Duration(r.since), c.bytes); r.saturated != c.saturated {
			t.Errorf("%d of 162500 B that the line carries: saturated %v with saturation=1", c.bytes, r.saturated)
		}
	}
}

// While the network limits the flow: a grant once a round trip, by the delay above the flow's
// minimum.
func TestGrantsOnceARoundTrip(t *testing.T) {
	r, reply := newReceiver()
	for i := range core.Duration(13) {
		if got := arrive(r, reply, i*us, 7, 100, 5*us); got != 0 {
			t.Fatalf("granted %v before a round trip", got)
		}
	}
	got := arrive(r, reply, 13*us, 7, 100, 25*us) // 20 us of queue: e = -1
	want := 162_500 * (1 + 0.5*math.Tanh(-0.5-0.05-0.1))
	if got != core.Bytes(want) || reply.QP != 7 || reply.Kind != core.Grant {
		t.Errorf("%+v, want a grant of %v", reply, core.Bytes(want))
	}
	if got := arrive(r, reply, 14*us, 7, 100, 25*us); got != 0 {
		t.Errorf("granted %v again", got)
	}
}

func TestSenderObeys(t *testing.T) {
	s, c := new(sender), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * us, MTU: 1000}, c)
	for _, step := range []struct {
		aux  uint64
		want core.Bytes
	}{{20_312, 20_312}, {1 << 63, 162_500}, {0, 1000}} {
		if s.Step(&algorithms.Signal{Kind: algorithms.Grant, Aux: step.aux}, c); c.Window != step.want {
			t.Errorf("grant of %d: window %v, want %v", step.aux, c.Window, step.want)
		}
	}
}

// Fair windows fill the line with packets including their headers.
func TestWindowsArePayload(t *testing.T) {
	s, c := new(sender), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * us, MTU: 1000, Packet: 1250}, c)
	if c.Window != 130_000 {
		t.Errorf("begins with %v, want the payload of 162500B", c.Window)
	}
	if s.Step(&algorithms.Signal{Kind: algorithms.Grant, Aux: 20_000}, c); c.Window != 16_000 {
		t.Errorf("grant of 20 KB: window %v, want 16 KB of payload", c.Window)
	}
}

// A flow that is silent for two round trips loses its share.
func TestSilentFlow(t *testing.T) {
	r, reply := newReceiver()
	arrive(r, reply, 0, 1, 1048, 5*us)
	for _, c := range []struct {
		at   core.Duration
		want core.Bytes
	}{{26 * us, 81_250}, {26*us + 1, 162_500}} {
		if got := arrive(r, reply, c.at, 2, 400_000, 5*us); got != c.want { // more than the line's bytes in 26 us
			t.Errorf("at %v: granted %v, want %v", c.at, got, c.want)
		}
	}
}

func BenchmarkReceiver(b *testing.B) {
	r, reply := newReceiver()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		arrive(r, reply, core.Duration(i)*100*core.Nanosecond, int32(i&63), 1048, 8*us)
	}
}

// A flow whose packets come at longer intervals than two round trips, as those of a window of one packet behind a long
// queue, is granted windows too, and those go on from its own: it keeps its window and its least delay.
func TestSlowFlow(t *testing.T) {
	r, reply := newReceiver()
	at := 13 * us
	arrive(r, reply, at, 0, 1048, 5*us)
	for range 40 {
		at += 14 * us
		arrive(r, reply, at, 0, 1048, 200*us)
	}
	if w := r.flows[0].window; w != 1000 {
		t.Fatalf("after a long queue: a window of %v, want 1000", w)
	}
	for range 10 {
		at += 40 * us
		if got := arrive(r, reply, at, 0, 1048, 200*us); got != 1000 {
			t.Fatalf("a packet in three round trips is granted %v, want 1000B", got)
		}
	}
	at += 14 * us
	if got := arrive(r, reply, at, 0, 1048, 5*us); got < 1000 || got > 1500 {
		t.Errorf("when the queue is gone: %v, want at most half more than 1000B", got)
	}
}
