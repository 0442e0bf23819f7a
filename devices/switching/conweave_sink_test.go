package switching

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// labelled has a packet with a label come from host 20 for host 3, behind port 0.
func (w *weave) labelled(nanos int64, in int, number int64, flags label, epoch, stamp uint32) {
	w.data(nanos, in, 20, 3, number, func(p *core.Packet) {
		p.Sack, p.HostNanos = int64(newLabel(flags, uint16(in), epoch)), stamp
	})
}

// A destination ToR answers requests and marks, and hosts see no labels.
func TestSinkAnswers(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 1, 0, request, 4, 300)
	w.data(3000, 2, 20, 3, 1, func(p *core.Packet) { p.Sack, p.Flags = int64(newLabel(0, 9, 4)), core.CE })
	w.labelled(5000, 2, 2, tail, 4, 700)
	w.labelled(7000, 1, 3, rerouted, 4, 700)
	w.At(9000)
	w.want("1000:2 REPLY path 1 epoch 4 to 20.7", "1000:0 0", "3000:2 NOTIFY path 9 epoch 4 to 20.7", "3000:0 1",
		"5000:0 2", "5000:2 CLEAR path 2 epoch 4 to 20.7", "7000:0 3")
}

// What comes before the TAIL of its epoch is held until TAIL has gone, and goes in the order in which it has come.
func TestSinkHoldsUntilTail(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 1, 0, request, 4, 300)
	w.labelled(2000, 2, 4, rerouted, 4, 1700)
	w.labelled(3000, 2, 5, rerouted, 4, 1700)
	w.labelled(4000, 1, 1, 0, 4, 1000)
	w.labelled(6000, 2, 6, rerouted, 4, 1700)
	if depth, use := w.sw.Depth(0), w.sw.ports[2].ingress.use[3].bytes; depth != 0 || use != 3000 {
		t.Errorf("%d bytes in queues, and of port 2 %d in the buffer", depth, use)
	}
	w.labelled(7000, 1, 2, tail, 4, 1700)
	w.At(12_000)
	w.want("1000:2 REPLY path 1 epoch 4 to 20.7", "1000:0 0", "4000:0 1", "7000:0 2", "7000:2 CLEAR path 1 epoch 4 to 20.7",
		"8000:0 4", "9000:0 5", "10000:0 6")
	if use := w.sw.ports[2].ingress.use[3].bytes; use != 0 || w.Pool.Live() != 0 || w.Wake[0] != core.Never {
		t.Errorf("%d bytes stay in the buffer, %d packets are left, port 0 is to wake at %v", use, w.Pool.Live(), w.Wake[0])
	}
}

// TAIL is given up theta_resume, 20 us, after its estimated arrival: it needs as long as the last packet on the old path did. If
// it comes later, it is no TAIL.
func TestSinkGivesTailUp(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 1, 0, 0, 4, 300)
	w.labelled(2000, 2, 4, rerouted, 4, 3000) // at 3700
	w.labelled(9000, 1, 1, 0, 4, 1300)        // at 10,700
	w.At(30_699)
	w.want("1000:0 0", "9000:0 1")
	w.labelled(30_699, 2, 5, rerouted, 4, 3000)
	w.At(30_700)
	w.labelled(33_000, 1, 3, tail, 4, 3000)
	w.labelled(35_000, 2, 6, rerouted, 4, 3000)
	w.labelled(40_000, 1, 7, 0, 5, 39_000)
	w.labelled(90_000, 2, 8, rerouted, 5, 41_000) // TAIL should have come 48 us ago
	w.At(92_000)
	w.want("30700:2 CLEAR path 2 epoch 4 to 20.7", "30700:0 4", "31700:0 5", "33000:0 3", "35000:0 6", "40000:0 7",
		"90000:2 CLEAR path 2 epoch 5 to 20.7", "90000:0 8")
	if got := w.sw.WeaveCounters(); got != (WeaveCounters{GivenUp: 2}) {
		t.Errorf("counted %+v", got)
	}
}

// Where nothing of the old path has come, the wait begins with the first packet that is held; and the estimate for one path says
// nothing of the next one, but stays where an epoch has not changed it.
func TestSinkWithoutEstimate(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 2, 4, rerouted, 4, 500)
	w.labelled(2000, 1, 3, 0, 3, 9) // of the epoch before
	w.At(22_000)
	w.labelled(23_000, 2, 5, request, 5, 22_000) // on path 2, with the delay of 1 us
	w.labelled(24_000, 1, 6, rerouted, 6, 40_000)
	w.At(62_000)
	w.want("2000:0 3", "21000:2 CLEAR path 2 epoch 4 to 20.7", "21000:0 4", "23000:2 REPLY path 2 epoch 5 to 20.7", "23000:0 5",
		"61000:2 CLEAR path 1 epoch 6 to 20.7", "61000:0 6")
	w.labelled(70_000, 2, 7, rerouted, 7, 99_000)
	w.At(91_000)
	w.want("90000:2 CLEAR path 2 epoch 7 to 20.7", "90000:0 7")
}

// Time stamps wrap every 4.3 s: after seconds without a packet, TAIL is waited for all the same.
func TestSinkAfterSeconds(t *testing.T) {
	const second = int64(1e9)
	for seconds := range int64(10) {
		w := newWeave(t, 2, func(cfg *Config) { cfg.Balance.ConWeave.Inactive = core.Second })
		w.labelled(1000, 1, 0, 0, 4, 300) // 700 ns on its way
		from := 5000 + seconds*second
		w.labelled(from, 2, 4, rerouted, 4, uint32(from-200)) // TAIL comes 500 ns later
		w.At(from + 20_499)
		w.want("1000:0 0")
		w.At(from + 25_000)
		w.want(fmt.Sprintf("%d:2 CLEAR path 2 epoch 4 to 20.7", from+20_500), fmt.Sprintf("%d:0 4", from+20_500))
	}
}

// What is known of a connection stays as long as it has packets: that its TAIL has passed, a millisecond before.
func TestSinkRemembersTheBusy(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 1, 0, tail, 4, 300)
	want := []string{"1000:0 0", "1000:2 CLEAR path 1 epoch 4 to 20.7"}
	for n := range int64(4) {
		w.labelled(500_000*(n+1), 2, n+1, rerouted, 4, 300)
		want = append(want, fmt.Sprintf("%d:0 %d", 500_000*(n+1), n+1))
	}
	w.want(want...)
}

// Epochs of all connections have one count, which may wrap while one of them has no packets: its last epoch is forgotten.
func TestSinkForgetsEpochs(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 1, 0, 0, 4, 300)
	w.labelled(801_001, 2, 5, rerouted, 4+1<<(epochBits-1), 800_000)
	w.labelled(803_000, 1, 4, tail, 4+1<<(epochBits-1), 800_000)
	w.At(806_000)
	w.want("1000:0 0", "803000:0 4", "803000:2 CLEAR path 1 epoch 134217732 to 20.7", "804000:0 5")
}

// The port wakes in time for the first of many connections that is to be given up, however their estimates change.
func TestSinkWakesForTheFirst(t *testing.T) {
	rng, wakes := rand.New(rand.NewPCG(5, 3)), make(map[core.Time]bool)
	w := newWeave(t, 2, nil)
	for now := int64(1000); now < 1e7; now += 1 + rng.Int64N(2000) {
		epoch, flags := uint32(now>>17), []label{0, rerouted, rerouted, tail}[rng.IntN(4)]
		w.data(now, 1+rng.IntN(2), 20, 3, 0, func(p *core.Packet) {
			p.SrcQP, p.Sack, p.HostNanos = rng.Int32N(20), int64(newLabel(flags, 0, epoch)), uint32(now-rng.Int64N(5000))
		})
		first := w.sw.weaver.next(0)
		if wakes[first] = true; w.Wake[0] > first || first <= w.Turn.Now {
			t.Fatalf("at %d ns the port is to wake at %v, but something is to be given up at %v", now, w.Wake[0], first)
		}
	}
	if len(wakes) < 500 {
		t.Errorf("it wakes at %d times: this tests too little", len(wakes))
	}
}

// Later epochs wait behind one of which something is held, and then for their own TAIL; what belongs to an earlier one does not wait.
func TestSinkKeepsEpochsInOrder(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 2, 11, rerouted, 4, 500)
	w.labelled(2000, 1, 31, rerouted, 5, 900)
	w.labelled(3000, 2, 21, request, 5, 700)
	w.labelled(3200, 1, 8, rerouted, 3, 0)
	w.labelled(4300, 1, 9, tail, 3, 0)
	w.want("3000:2 REPLY path 2 epoch 5 to 20.7", "3200:0 8", "4300:0 9")
	w.labelled(6000, 1, 10, tail, 4, 500)
	w.labelled(9000, 2, 22, tail, 5, 900)
	w.labelled(12_000, 1, 32, rerouted, 5, 900)
	w.At(14_000)
	w.want("6000:0 10", "6000:2 CLEAR path 1 epoch 4 to 20.7", "7000:0 11", "8000:0 21", "9000:2 CLEAR path 2 epoch 5 to 20.7", "9000:0 22",
		"10000:0 31", "12000:0 32")
}

// A TAIL that has waited behind an earlier epoch lets go what it follows, ahead of what came after it.
func TestSinkReplaysTail(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 2, 11, rerouted, 4, 500)
	w.labelled(2000, 1, 31, rerouted, 5, 900)
	w.labelled(3000, 2, 21, tail, 5, 900)
	w.labelled(4000, 1, 41, 0, 6, 1200)
	w.labelled(6000, 1, 10, tail, 4, 500)
	w.At(12_000)
	w.want("6000:0 10", "6000:2 CLEAR path 1 epoch 4 to 20.7", "6064:2 CLEAR path 2 epoch 5 to 20.7", "7000:0 11", "8000:0 21", "9000:0 31", "10000:0 41")
}

// What is held takes buffer of the port on which it has come, which is paused in time; without room it is dropped.
func TestSinkHoldsInTheBuffer(t *testing.T) {
	// Beside headroom of 100,000 for each port and reserves of 4096 there are 8000.
	w := newWeave(t, 2, func(cfg *Config) {
		cfg.Buffer.Total, cfg.Ports[2].Shift, cfg.Balance.ConWeave.Resume = 3*104_096+8000, 1, core.Second
	})
	n := int64(0)
	for ; w.sw.ports[2].count.DroppedPackets == 0 && n < 1000; n++ {
		w.labelled(1000*n, 2, n, rerouted, 4, 1)
	}
	// 7 packets fill the reserve and a third of the rest, 100 the headroom.
	w.want("6000:2 pause")
	if n != 108 {
		t.Errorf("packet %d is dropped", n)
	}
	w.labelled(1_000_000, 1, -1, tail, 4, 1) // after it 107 packets leave; four fit the reserve
	w.At(1_200_000)
	if !slices.Contains(w.sent, "1103000:2 resume") || w.Pool.Live() != 0 {
		t.Errorf("%q is sent, %d packets are left", w.sent, w.Pool.Live())
	}
}

// In a lossy class a connection may hold as much as a queue of the class at the port; others have queues of their own. What goes
// joins the queue of the class, which may then hold more.
func TestSinkHoldsAsMuchAsAQueue(t *testing.T) {
	// Beside headroom of 100,000 for each port and reserves of 4096 for each port and class there are 16,000, of which a queue may
	// hold half of the rest.
	w := newWeave(t, 2, func(cfg *Config) {
		cfg.Buffer.Lossy, cfg.Buffer.Sharing, cfg.Buffer.LossyShift, cfg.Buffer.Total = 1<<3, ABM, 1, 3*108_192+16_000
	})
	for n := range int64(9) {
		w.labelled(1000*n, 2, n, rerouted, 4, 1)
	}
	if n := w.sw.ports[2].count.DroppedPackets; n != 2 { // 7000 bytes of 7048 are held, 2904 in the pool
		t.Errorf("of 9 packets %d are dropped", n)
	}
	w.data(9000, 2, 21, 3, 9, func(p *core.Packet) { p.Sack, p.HostNanos = int64(newLabel(rerouted, 2, 7)), 1 })
	if n := w.sw.ports[2].count.DroppedPackets; n != 2 {
		t.Error("what one connection holds leaves no room for another")
	}
	w.labelled(10_000, 1, -1, tail, 4, 1)
	if depth := w.sw.Depth(0); depth != 7000 {
		t.Errorf("%d bytes wait", depth)
	}
	if w.sw.congested[3] != 1 { // more than a queue may hold
		t.Errorf("%d queues are congested", w.sw.congested[3])
	}
	w.At(40_000)
	if w.Pool.Live() != 0 || w.sw.buffer.shared != 0 {
		t.Errorf("%d packets are left, and %d bytes of the pool are used", w.Pool.Live(), w.sw.buffer.shared)
	}
}

// What is held keeps its neighbour from sending, and is seen by who asks why.
func TestSinkShowsWhatItHolds(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 2, 4, rerouted, 4, 500)
	w.labelled(2000, 2, 5, rerouted, 4, 500)
	for class, want := range []string{3: "2:4 2:5 "} {
		got := ""
		w.sw.Packets(0, uint8(class), func(in int, p *core.Packet) { got += fmt.Sprintf("%d:%d ", in, p.Seq) })
		if got != want {
			t.Errorf("class %d: %q, want %q", class, got, want)
		}
	}
}

// With the link of their host goes what is held for it; a later TAIL is one all the same.
func TestSinkFlushes(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.labelled(1000, 2, 4, rerouted, 4, 500)
	w.labelled(2000, 2, 5, rerouted, 4, 500)
	trace, drops := &core.Trace{}, ""
	w.Turn.Trace = trace
	w.sw.SetLink(&w.Turn, 0, false)
	w.CarryOut()
	for i := range trace.Records {
		if e := &trace.Records[i]; e.Event == core.EventDrop {
			drops += fmt.Sprintf("%d at %d:%d queue %d depth %d; ", e.Packet.Seq, e.Node, e.Port, e.Queue, int(e.Depth))
		}
	}
	if want := "4 at 100:0 queue 3 depth 0; 5 at 100:0 queue 3 depth 0; "; drops != want {
		t.Errorf("the trace has %q, want %q", drops, want)
	}
	if c := w.sw.Counters(0, w.Turn.Now); c.Flushed != 2 || w.Pool.Live() != 0 || w.sw.ports[2].ingress.use[3].bytes != 0 {
		t.Errorf("%d packets are flushed, %d are left, and %d bytes of the buffer", c.Flushed, w.Pool.Live(), w.sw.ports[2].ingress.use[3].bytes)
	}
	w.sw.SetLink(&w.Turn, 0, true)
	w.CarryOut()
	w.At(30_000)
	w.labelled(31_000, 1, 3, tail, 4, 500)
	w.labelled(33_000, 2, 6, rerouted, 4, 500)
	w.At(35_000)
	w.want("31000:0 3", "33000:0 6")
}

// What is let go while a watchdog drops what comes is sent afterwards.
func TestSinkInStorm(t *testing.T) {
	w := newWeave(t, 2, func(cfg *Config) {
		cfg.Watchdog = WatchdogConfig{Detection: 10 * core.Microsecond, Restoration: 5 * core.Microsecond}
	})
	w.arrive(0, 0, w.Pause(3, 0, true))
	w.data(1000, 1, 20, 3, 0, nil)
	w.labelled(1500, 2, 4, rerouted, 4, 1700) // given up 20 us later
	w.arrive(22_000, 0, w.Pause(3, 0, false))
	w.At(30_000)
	w.want("21500:2 CLEAR path 2 epoch 4 to 20.7", "25000:0 4")
	if got := w.sw.WatchdogCounters(); got != (WatchdogCounters{Storms: 1, Flushed: 1}) {
		t.Errorf("%+v", got)
	}
}

// A trimmed packet has overtaken others: it goes on at once, without a label, and is no TAIL.
func TestSinkTrimmed(t *testing.T) {
	w := newWeave(t, 2, func(cfg *Config) { cfg.Buffer.Lossy, cfg.Buffer.Trim, cfg.Buffer.LossyShift = 1<<3, true, 62 })
	w.labelled(1000, 2, 4, rerouted, 4, 500)
	w.data(2000, 1, 20, 3, 3, func(p *core.Packet) {
		p.Sack, p.Flags, p.Payload, p.Size, p.Prio = int64(newLabel(tail|request, 1, 4)), core.Trimmed, 0, 48, 0
	})
	for i := range int64(5) { // more than the reserve
		w.labelled(3000+100*i, 2, 5+i, rerouted, 4, 500)
	}
	w.At(20_000)
	w.want("2000:0 3", "3300:0 8", "3400:0 9")
	w.At(40_000) // TAIL is given up
	w.want("21000:2 CLEAR path 2 epoch 4 to 20.7", "21000:0 4", "22000:0 5", "23000:0 6", "24000:0 7")
}

// The table forgets connections that have been quiet for long.
func TestSinkForgets(t *testing.T) {
	w := newWeave(t, 2, nil)
	for i := range int64(5 * leastSweep) {
		w.data(2000*i, 1, 20, 3, i, func(p *core.Packet) { p.Sack, p.SrcQP = int64(newLabel(0, 0, 1)), int32(i) })
	}
	if n := len(w.sw.weaver.sinks); n > 2*leastSweep || n < 400 {
		t.Errorf("%d connections are remembered", n)
	}
}

// Once a connection is known, nothing is allocated for its packets: neither at the source's ToR nor at the destination's, where
// some are held.
func TestConWeaveAllocatesNothing(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.sw.cfg.Balance.Random = core.NewStream(1, core.StreamBalance, 1)
	var turn core.Turn
	receive := func(in int, src, dst core.NodeID, sack int64) {
		p := w.Pool.New()
		p.Src, p.Dst, p.Size, p.Payload, p.Prio, p.Flags, p.Sack = src, dst, 1000, 952, 3, core.CE, sack
		turn.Now = turn.Now.Add(10 * core.Microsecond)
		w.sw.Receive(&turn, in, p)
		for more := true; more; { // ports send what waits
			more = false
			for _, a := range turn.Actions {
				if a.Kind == core.Transmit {
					w.Pool.Free(a.Packet)
					more = true
				}
			}
			turn.Actions, turn.Now = turn.Actions[:0], turn.Now.Add(2*core.Microsecond)
			for port := 0; more && port < 3; port++ {
				w.sw.TxDone(&turn, port)
			}
		}
	}
	epoch := uint32(0)
	if n := testing.AllocsPerRun(1000, func() {
		epoch++
		receive(0, 3, 10, 0)
		receive(2, 20, 3, int64(newLabel(rerouted, 0, epoch)))
		receive(2, 20, 3, int64(newLabel(rerouted, 0, epoch)))
		receive(1, 20, 3, int64(newLabel(tail, 1, epoch)))
	}); n != 0 || w.Pool.Live() != 0 {
		t.Errorf("%v allocations for four packets, and %d packets are left", n, w.Pool.Live())
	}
}
