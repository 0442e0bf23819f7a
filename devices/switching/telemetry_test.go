package switching_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/devicetest"
	"github.com/qbb-sim/qbb/devices/switching"
)

// withINT gives a packet an INT stack.
func (r *rig) withINT(p *core.Packet) *core.Packet {
	r.Pool.AddINT(p)
	return p
}

// A record holds the departure time, the bytes that the port had sent from its data queues, and
// what was left in all queues. Acknowledgements and class 0 get none.
func TestINTRecords(t *testing.T) {
	r := newRig(t, config(2))
	idle := r.withINT(r.packet(0, 60, 3)) // an ACK that finds its port idle
	idle.Kind = core.Ack
	if r.arrive(0, 1, idle); len(r.sent) != 1 || r.sent[0].hops != nil {
		t.Errorf("sent %+v", r.sent)
	}
	r.sent = nil
	r.arrive(10, 0, r.withINT(r.packet(1, 1000, 3)))
	r.arrive(20, 0, r.withINT(r.packet(1, 700, 3)))
	ack := r.withINT(r.packet(1, 60, 3))
	ack.Kind = core.Ack
	r.arrive(30, 0, ack)
	r.arrive(40, 0, r.withINT(r.packet(1, 500, 4)))
	r.arrive(50, 0, r.withINT(r.packet(1, 80, 0)))
	r.arrive(60, 0, r.withINT(r.packet(1, 80, 0)))
	r.Run(core.AtNanos(100_000))
	line := 8 * core.Gbps
	want := [][]core.Hop{
		{{Line: line, At: 10_000, Tx: 0, Queue: 0}},
		nil, nil, // class 0: at 1010 and 1090 ns
		{{Line: line, At: 1_170_000, Tx: 1000, Queue: 760}}, // class 4: its turn after class 3
		{{Line: line, At: 1_670_000, Tx: 1500, Queue: 60}},
		nil, // the ACK
	}
	var got [][]core.Hop
	for i := range r.sent {
		got = append(got, r.sent[i].hops)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// With room for five records the sixth takes the place of the first; the count goes on.
func TestINTStackWraps(t *testing.T) {
	cfg := config(2)
	cfg.INT = core.QuantisedINT(1)
	r := newRig(t, cfg)
	p := r.withINT(r.packet(1, 1000, 3))
	for hop := range 7 {
		r.Turn.Now = core.AtNanos(int64(2000 * hop))
		r.sw.Receive(&r.Turn, 0, p)
		if len(r.Turn.Actions) != 1 || r.Turn.Actions[0].Packet != p || int(p.NHops) != hop+1 || int64(p.INT[hop%5].At) != int64(2000*hop) {
			t.Fatalf("hop %d: %d records, %+v", hop, p.NHops, p.INT)
		}
		r.Turn.Actions = r.Turn.Actions[:0]
	}
}

// A packet for which there is no route is dropped at the port it came from.
func TestNoRoute(t *testing.T) {
	r := newRig(t, config(2))
	r.Turn.Trace = &core.Trace{}
	r.arrive(0, 1, r.packet(7, 1000, 3))
	if last := r.Turn.Trace.Records[1]; last.Event != core.EventDrop || last.Node != 100 || last.Port != 1 || last.Queue != 3 {
		t.Errorf("recorded %+v", last)
	}
	c := r.sw.Counters(1, r.Turn.Now)
	if len(r.sent) != 0 || len(r.News) != 1 || r.News[0].Kind != core.Dropped || r.News[0].Port != 1 || c.DroppedPackets != 1 || c.DroppedBytes != 1000 || c.NoRoute != 1 || r.Pool.Live() != 0 {
		t.Errorf("sent %d, told %+v, counted %+v", len(r.sent), r.News, c)
	}
}

// fan is a router with equal-cost ports to everywhere.
type fan []uint16

func (f fan) Next(_, _ core.NodeID) []uint16 { return f }

// Packets of a flow take the one equal-cost port that their hash selects; flows spread.
func TestECMP(t *testing.T) {
	cfg := config(5)
	cfg.Router, cfg.ECMPSeed = fan{4, 2, 3}, 77
	r := newRig(t, cfg)
	used := make(map[int]int)
	for i := range 300 {
		p := r.packet(9, 100, 3)
		p.SrcPort, p.DstPort = uint16(10_000+i/2), 100
		want := int(fan{4, 2, 3}[core.ECMPHash(p, 100^77)%3])
		r.arrive(int64(1000*i), 0, p)
		if got := r.sent[len(r.sent)-1].port; got != want {
			t.Fatalf("packet %d left by port %d, want %d", i, got, want)
		}
		used[want]++
	}
	if len(used) != 3 {
		t.Errorf("ports used: %v", used)
	}
}

// mixed is a busy switch: three sources and a random sequence of data, acknowledgements and PFC
// frames for ports of different rates, with ECN, INT, quanta, drops and a link that fails.
func mixed(t *testing.T, seed uint64, trace *core.Trace) *rig {
	rng := rand.New(rand.NewPCG(seed, 8))
	cfg := config(5)
	cfg.Mark = core.NewStream(seed, core.StreamMark, 0)
	cfg.Buffer.Total = core.Bytes(5*(4096+5000) + rng.IntN(40_000))
	cfg.Buffer.Wrap32, cfg.Buffer.KeepOnFlush = seed%2 == 0, seed%3 == 0
	cfg.Pause = switching.PauseConfig{Off: seed%7 == 0, Quanta: uint16(seed % 5 * 2000), FrameLen: 64}
	cfg.ECN = switching.ECNConfig{AtEnqueue: seed%4 == 1, Any: seed%5 == 1}
	for i := range cfg.Ports {
		cfg.Ports[i] = switching.PortConfig{
			Rate: []core.Rate{8 * core.Gbps, 80 * core.Gbps, 400 * core.Gbps}[rng.IntN(3)], Headroom: core.Bytes(5000 * rng.IntN(2)), Shift: uint8(rng.IntN(4)),
			KMin: core.Bytes(rng.IntN(3000)), KMax: 8000, PMax: 0.3,
		}
	}
	r := newRig(t, cfg)
	r.Turn.Trace = trace
	at, crowd := int64(0), int64(1+rng.IntN(1200))
	for id := range int64(3000) {
		at += rng.Int64N(crowd)
		in := rng.IntN(5)
		if rng.IntN(200) == 0 {
			r.setLink(at, in, rng.IntN(2) == 0)
			continue
		}
		var p *core.Packet
		switch rng.IntN(20) {
		case 0:
			p = r.Pause(uint8(rng.IntN(8)), uint16(rng.IntN(3)*500), rng.IntN(9) == 0)
		case 1, 2, 3:
			p = r.packet(rng.IntN(5), 60, uint8(rng.IntN(8)))
			p.Kind = core.Ack
		default:
			p = r.packet(rng.IntN(5), int32(60+rng.IntN(1000)), uint8(rng.IntN(4)))
			if rng.IntN(3) > 0 {
				r.withINT(p)
			}
		}
		p.Seq = id
		r.arrive(at, in, p)
	}
	r.Run(core.AtNanos(at + 1e6))
	return r
}

// Results do not depend on tracing. Without a trace, packets that find everything idle take a short
// cut; with one they go all the way: both switches send the same packets at the same times, with
// the same content, and have the same counts.
func TestShortCutIsTheLongWay(t *testing.T) {
	sent, drops, marks, pauses := 0, 0, int64(0), int64(0)
	for seed := range uint64(60) {
		trace := &core.Trace{}
		a, b := mixed(t, seed, nil), mixed(t, seed, trace)
		left := 0
		for i := range trace.Records {
			if trace.Records[i].Event == core.EventDequeue {
				left++
			}
		}
		if left != len(b.sent) {
			t.Fatalf("seed %d: %d records of %d packets that left", seed, left, len(b.sent))
		}
		for i := range min(len(a.sent), len(b.sent)) {
			if !reflect.DeepEqual(a.sent[i], b.sent[i]) {
				t.Fatalf("seed %d: packet %d:\nshort %+v\nlong  %+v", seed, i, a.sent[i], b.sent[i])
			}
		}
		if len(a.sent) != len(b.sent) || !slices.Equal(a.News, b.News) || a.Pool.Live() != b.Pool.Live() {
			t.Fatalf("seed %d: %d and %d sent, %d and %d told of, %d and %d alive", seed, len(a.sent), len(b.sent), len(a.News), len(b.News), a.Pool.Live(), b.Pool.Live())
		}
		end := a.Turn.Now
		for port := range 5 {
			ca, cb := a.sw.Counters(port, end), b.sw.Counters(port, end)
			if ca != cb {
				t.Fatalf("seed %d, port %d:\nshort %+v\nlong  %+v", seed, port, ca, cb)
			}
			if ha, hb := a.sw.Histogram(port, end), b.sw.Histogram(port, end); !slices.Equal(ha, hb) {
				t.Fatalf("seed %d, port %d: histograms %v and %v", seed, port, ha, hb)
			}
			marks += ca.Marked
			pauses += ca.PausesSent
			drops += int(ca.DroppedPackets)
		}
		sent += len(a.sent)
	}
	if sent < 50_000 || drops < 1000 || marks < 1000 || pauses < 1000 {
		t.Errorf("%d packets sent, %d dropped, %d marked, %d pauses: too few to mean much", sent, drops, marks, pauses)
	}
}

// The counters are sums over what went in and came out.
func TestCountersAreSums(t *testing.T) {
	for seed := range uint64(10) {
		r := mixed(t, seed, nil)
		var want [5]core.Counters
		for i := range r.sent {
			d := &r.sent[i]
			c := &want[d.port]
			c.TxPackets++
			c.TxBytes += int64(d.Size)
			if d.Kind == core.Pause {
				c.LinkBytes += int64(d.Size)
			}
			if d.Kind == core.Pause && core.PauseWord(d.Aux).Resume() {
				c.ResumesSent++
			} else if d.Kind == core.Pause {
				c.PausesSent++
			}
		}
		for _, a := range r.News {
			switch a.Kind {
			case core.Paused:
				want[a.Port].PausesReceived++
			case core.Resumed:
				want[a.Port].ResumesReceived++
			}
		}
		for port := range want {
			c, w := r.sw.Counters(port, r.Turn.Now), &want[port]
			got := core.Counters{
				TxBytes: c.TxBytes, TxPackets: c.TxPackets, LinkBytes: c.LinkBytes, PausesSent: c.PausesSent, ResumesSent: c.ResumesSent,
				PausesReceived: c.PausesReceived, ResumesReceived: c.ResumesReceived,
			}
			if got != *w {
				t.Errorf("seed %d, port %d: got %+v, want %+v", seed, port, got, *w)
			}
		}
	}
}

// The longest queue is counted even if it has no duration.
func TestMaxQueue(t *testing.T) {
	r := newRig(t, config(2))
	r.arrive(0, 0, r.packet(1, 1000, 3))
	if got := r.sw.Counters(1, r.Turn.Now).MaxQueue; got != 1000 {
		t.Errorf("a packet that found the port idle: %d, want 1000", got)
	}
	r.arrive(1, 0, r.packet(1, 800, 3))
	r.arrive(2, 0, r.packet(1, 700, 4))
	r.arrive(3, 0, r.packet(1, 5000, 0)) // queue 0 is not counted
	if got, depth := r.sw.Counters(1, r.Turn.Now).MaxQueue, r.sw.Depth(1); got != 1500 || depth != 1500 {
		t.Errorf("largest %d, present %d, want 1500", got, depth)
	}
}

// A hop allocates nothing, whether the port is idle or a queue stands, with INT, ECN and PFC.
func TestHopDoesNotAllocate(t *testing.T) {
	cfg := crowded(20)
	cfg.Router = ways{1}
	cfg.Ports[1].KMin, cfg.Ports[1].KMax, cfg.Ports[1].PMax = 2000, 9000, 0.5
	sw, pool := switching.New(cfg), cfg.Pool
	var turn core.Turn
	r := &rig{Rig: &devicetest.Rig{Pool: pool}}
	busy := core.Time(0)
	drain := func() {
		for _, a := range turn.Actions {
			if a.Kind == core.Transmit && a.Port == 1 {
				busy = a.At
			}
			if a.Packet != nil {
				pool.Free(a.Packet)
			}
		}
		turn.Actions = turn.Actions[:0]
	}
	hops := func() {
		turn.Now = turn.Now.Add(5 * core.Microsecond)
		for range 20 {
			sw.Receive(&turn, 0, r.withINT(r.packet(1, 1000, 3)))
			drain()
		}
		for range 20 {
			turn.Now = max(turn.Now, busy)
			sw.TxDone(&turn, 1)
			sw.TxDone(&turn, 0)
			drain()
		}
	}
	hops()
	if a := testing.AllocsPerRun(200, hops); a != 0 {
		t.Errorf("%v allocations in 20 hops, want 0", a)
	}
	if c := sw.Counters(0, turn.Now); c.PausesSent < 200 || sw.Counters(1, turn.Now).Marked < 200 {
		t.Errorf("the run had %d pauses and %d marks: too few to mean much", c.PausesSent, sw.Counters(1, turn.Now).Marked)
	}
}

// A gauge shows the largest queue since the last look, and does not change the counters' maximum.
func TestGauge(t *testing.T) {
	cfg := config(2)
	cfg.Ports[1].KMin, cfg.Ports[1].KMax = 400, 400
	r := newRig(t, cfg)
	r.arrive(0, 0, r.packet(1, 1000, 3))
	r.arrive(1, 0, r.packet(1, 1000, 3)) // leaves 500 bytes behind: it is marked
	r.arrive(2, 0, r.packet(1, 500, 3))
	r.arrive(3, 0, r.packet(1, 64, 0)) // no data, but sent
	r.Run(core.AtNanos(1500))          // the first has left, the second is leaving
	g := r.sw.Gauge(1, r.Turn.Now)
	if g.Queue != 500 || g.Peak != 1500 || g.TxBytes != 2064 || g.Marked != 1 {
		t.Errorf("got %+v", g)
	}
	r.Run(core.AtNanos(5000))
	if g := r.sw.Gauge(1, r.Turn.Now); g.Queue != 0 || g.Peak != 500 || g.TxBytes != 2564 {
		t.Errorf("got %+v", g)
	}
	if got := r.sw.Counters(1, r.Turn.Now).MaxQueue; got != 1500 {
		t.Errorf("the largest queue of all is %d", got)
	}
}

// The histogram of a port has its queue at every sampling instant: as it was before the events of
// that instant, and without the packet being sent.
func TestHistogram(t *testing.T) {
	r := newRig(t, config(2)) // samples every 100 ns
	r.arrive(150, 0, r.packet(1, 1000, 3))
	r.arrive(210, 0, r.packet(1, 1000, 3))
	r.arrive(300, 0, r.packet(1, 1500, 4))
	r.Run(core.AtNanos(10_000))
	// 0 B until 210, 1000 B from then, 2500 B from 300, 1000 B (class 3) from 1150, when class 4 leaves, to 2650.
	want := []uint64{0: 3 + 24, 1: 1 + 15, 2: 8}
	if got := r.sw.Histogram(1, core.AtNanos(5050)); !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
}

// A packet that arrives at the very end of a transmission, before the port has been notified of it, asks for a
// notification: it is not sent beside the other.
func TestArrivalAtTheEndOfATransmission(t *testing.T) {
	for _, queued := range []bool{false, true} {
		r := newRig(t, config(2))
		r.arrive(0, 0, r.packet(1, 1000, 3))
		if queued {
			r.arrive(10, 0, r.packet(1, 500, 3))
		}
		r.Turn.Now = core.AtNanos(1000)
		r.sw.Receive(&r.Turn, 0, r.packet(1, 300, 3))
		for _, a := range r.Turn.Actions {
			if a.Kind != core.Kick {
				t.Errorf("queued %v: asks for %+v, want a Kick at most", queued, a)
			}
		}
		r.CarryOut()
		r.Run(core.AtNanos(5000))
		if got, want := r.sizes(1), map[bool][]int32{false: {1000, 300}, true: {1000, 500, 300}}[queued]; !slices.Equal(got, want) {
			t.Errorf("queued %v: sent %v, want %v", queued, got, want)
		}
	}
}

// Packets that a failing link leaves behind are recorded as dropped at the port where they waited, with the bytes
// behind them, unless the trace leaves them out.
func TestTraceOfFlushedPackets(t *testing.T) {
	want := []string{"1000 at 100:2 queue 3 depth 1000", "1000 at 100:2 queue 3 depth 0", "500 at 100:2 queue 4 depth 0"}
	if got := flushed(t, &core.Trace{}); !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if got := flushed(t, &core.Trace{QuietFlush: true}); got != nil {
		t.Errorf("got %q", got)
	}
}

// flushed lists the drops of a trace of packets of which a failing link leaves all but the first behind.
func flushed(t *testing.T, tr *core.Trace) (drops []string) {
	r := newRig(t, config(3))
	r.Turn.Trace = tr
	for range 3 {
		r.arrive(0, 1, r.packet(2, 1000, 3))
	}
	r.arrive(0, 1, r.packet(2, 500, 4))
	r.setLink(500, 2, false)
	for i := range tr.Records {
		if e := &tr.Records[i]; e.Event == core.EventDrop {
			drops = append(drops, fmt.Sprintf("%d at %d:%d queue %d depth %d", e.Packet.Size, e.Node, e.Port, e.Queue, int(e.Depth)))
		}
	}
	return drops
}
