package nic_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A packet that leaves at t lets the flow's next one leave at t + TxTime(n, rate) + gap: exactly
// then if the flow is alone.
func TestPacing(t *testing.T) {
	for _, c := range []struct {
		control algorithms.Control
		unpaced bool
		want    [][2]int64
	}{
		{algorithms.Control{}, false, [][2]int64{{5, 0}, {1005, 1000}, {2005, 2000}}},
		{algorithms.Control{Rate: line / 4}, false, [][2]int64{{5, 0}, {4005, 1000}, {8005, 2000}}},
		{algorithms.Control{Rate: line / 4, Gap: 77 * core.Nanosecond}, false, [][2]int64{{5, 0}, {4082, 1000}, {8159, 2000}}},
		{algorithms.Control{Gap: 100 * core.Nanosecond}, false, [][2]int64{{5, 0}, {1105, 1000}, {2205, 2000}}},
		{algorithms.Control{Rate: line / 4}, true, [][2]int64{{5, 0}, {1005, 1000}, {2005, 2000}}},
	} {
		cfg := config(1)
		cfg.Unpaced = c.unpaced
		r := newRig(t, cfg)
		r.open(5, nic.Flow{Size: 2500, SrcPort: 77, DstPort: 88, Scheme: &scheme{start: c.control}})
		r.Run(core.AtNanos(100_000))
		for i, size := range []int32{1000, 1000, 500} {
			if d := &r.sent[i]; d.Size != size || d.Payload != size || (d.Flags&core.Last != 0) != (i == 2) || d.Sent != d.at || d.Src != 1 || d.Dst != 2 || d.SrcPort != 77 || d.DstPort != 88 {
				t.Errorf("%+v: packet %d is %+v", c.control, i, d.Packet)
			}
		}
		if got := r.took(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.control, got, c.want)
		}
	}
}

// Many flows of random rates and gaps share a port: each keeps its distance, the port is never
// idle while a flow is due, and the flows that are due are served in turn.
func TestPacingOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	r := newRig(t, config(1))
	const n = 12
	var gap [n]core.Duration
	for i := range n {
		c := algorithms.Control{Rate: core.Rate(1+rng.IntN(100)) * line / 400, Gap: core.Duration(rng.IntN(3)) * core.Microsecond}
		gap[i] = core.Exact.TxTime(1000, c.Rate) + c.Gap
		r.open(0, nic.Flow{Size: 1e9, Scheme: &scheme{start: c}})
	}
	r.Run(core.AtNanos(2_000_000))
	var due [n]core.Time
	for i := range r.sent {
		d := &r.sent[i]
		least := core.Never
		for _, at := range due {
			least = min(least, at)
		}
		before := core.Time(0)
		if i > 0 {
			before = r.sent[i-1].at.Add(core.Microsecond)
		}
		if want := max(before, least); d.at != want || due[d.SrcQP] > d.at {
			t.Fatalf("packet %d, of flow %d due at %v, left at %v, want %v", i, d.SrcQP, due[d.SrcQP], d.at, want)
		}
		due[d.SrcQP] = d.at.Add(gap[d.SrcQP])
	}
	if len(r.sent) < 1500 {
		t.Errorf("only %d packets were sent", len(r.sent))
	}
}

// A new flow that becomes due before the one that its port waits for is not held up by it. In the
// reference a pending wake-up stays where it is.
func TestWakeComesForward(t *testing.T) {
	for _, c := range []struct {
		forAll bool
		want   [][2]int64
	}{
		{false, [][2]int64{{0, 0}, {2000, 0}, {4000, 1000}, {6000, 2000}, {100_000, 1000}}},
		{true, [][2]int64{{0, 0}, {2000, 0}, {100_000, 1000}, {101_000, 1000}, {103_000, 2000}}},
	} {
		cfg := config(1)
		cfg.WakeForAll = c.forAll
		r := newRig(t, cfg)
		r.open(0, nic.Flow{Size: 2000, Scheme: &scheme{start: algorithms.Control{Rate: line / 100}}})
		r.open(2000, nic.Flow{Size: 3000, Scheme: &scheme{start: algorithms.Control{Rate: line / 2}}})
		r.Run(core.AtNanos(200_000))
		if got := r.took(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("for all %v: got %v, want %v", c.forAll, got, c.want)
		}
	}
}

// A flow sends while less than its window is in flight, whether the host sets the window, scaled
// by the rate or not, or the scheme. NS-3's product of window and rate has 64 bits.
func TestWindow(t *testing.T) {
	const wraps = 1<<64/8_000_000_000 + 1 // times line, that is a little above 2^64
	for name, c := range map[string]struct {
		flow    nic.Flow
		control algorithms.Control
		first   int // packets before the first ACK
		timing  core.Timing
	}{
		"none":            {nic.Flow{}, algorithms.Control{}, 10, core.Exact},
		"host":            {nic.Flow{Window: 3000}, algorithms.Control{}, 3, core.Exact},
		"host, rounded":   {nic.Flow{Window: 3001}, algorithms.Control{}, 4, core.Exact},
		"scaled":          {nic.Flow{Window: 8000, ScaleWindow: true}, algorithms.Control{Rate: line / 4}, 2, core.Exact},
		"scaled to least": {nic.Flow{Window: 100, ScaleWindow: true}, algorithms.Control{Rate: line / 1000}, 1, core.Exact},
		"scaled, large":   {nic.Flow{Window: wraps + 2000, ScaleWindow: true}, algorithms.Control{}, 10, core.Exact},
		"scaled, 64 bits": {nic.Flow{Window: wraps + 2000, ScaleWindow: true}, algorithms.Control{}, 2, core.FixedPointNanos},
		"scheme":          {nic.Flow{}, algorithms.Control{Window: 2000}, 2, core.Exact},
		"both":            {nic.Flow{Window: 5000}, algorithms.Control{Window: 1}, 1, core.Exact},
	} {
		cfg := config(1)
		cfg.Timing = c.timing
		r := newRig(t, cfg)
		c.flow.Size, c.flow.Scheme = 10_000, &scheme{start: c.control}
		qp := r.open(0, c.flow)
		r.Run(core.AtNanos(10_000_000))
		if got := len(r.sent); got != c.first {
			t.Errorf("%s: %d packets before the first ACK, want %d", name, got, c.first)
			continue
		}
		if c.first == 10 {
			continue
		}
		r.arrive(10_000_000, 0, r.ack(qp, 1000, core.Ack))
		r.Run(core.AtNanos(20_000_000))
		if got := len(r.sent); got != c.first+1 || r.sent[c.first].at != core.AtNanos(10_000_000) {
			t.Errorf("%s: %d packets after the first ACK, want one more", name, got)
		}
	}
}

// A scheme that asks for a probe gets one packet out, window or not.
func TestProbe(t *testing.T) {
	r := newRig(t, config(1))
	s := &scheme{start: algorithms.Control{Window: 1000, Wake: core.AtNanos(5000)}}
	s.step = func(sig *algorithms.Signal, c *algorithms.Control) {
		if sig.Kind == algorithms.Timer {
			c.Do |= algorithms.Probe
			c.Wake = sig.Now.Add(5 * core.Microsecond)
		}
	}
	r.open(0, nic.Flow{Size: 3000, Scheme: s})
	r.Run(core.AtNanos(30_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {5000, 1000}, {10_000, 2000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Every packet, also a retransmission, carries the scheme's stamp as it is when the packet is made.
func TestStamp(t *testing.T) {
	r := newRig(t, config(1))
	s := &scheme{start: algorithms.Control{Stamp: 7}, traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack)}}
	s.step = func(sig *algorithms.Signal, c *algorithms.Control) { c.Stamp = sig.Aux + 1 }
	qp := r.open(0, nic.Flow{Size: 3000, Scheme: s})
	p := r.ack(qp, 1000, core.Ack)
	p.Aux = 1 << 63
	r.arrive(1500, 0, p)
	p = r.ack(qp, 1000, core.Nack)
	p.Aux = 40
	r.arrive(3500, 0, p)
	r.Run(core.AtNanos(10_000))
	var got []uint64
	for i := range r.sent {
		got = append(got, r.sent[i].Aux)
	}
	if want := []uint64{7, 7, 1<<63 + 1, 41, 41}; !slices.Equal(got, want) {
		t.Errorf("packets carry %d, want %d", got, want)
	}
}

// What a scheme hears about an acknowledgement, and about a packet sent.
func TestSignals(t *testing.T) {
	var heard []algorithms.Signal
	s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Sent, algorithms.Notify), NotifyIsEcho: true}}
	s.step = func(sig *algorithms.Signal, _ *algorithms.Control) {
		kept := *sig
		kept.Instant = core.Instant{Now: sig.Now}
		heard = append(heard, kept)
	}
	r := newRig(t, config(1))
	qp := r.open(0, nic.Flow{Size: 2000, Scheme: s})
	p := r.ack(qp, 1000, core.Ack)
	p.Sent, p.Flags, p.Aux = core.AtNanos(10), core.ECE, 99
	r.arrive(1500, 0, p)
	p = r.ack(qp, 1000, core.Nack)
	p.Sent = core.AtNanos(20)
	r.arrive(2500, 0, p)
	at := func(nanos int64) core.Instant { return core.Instant{Now: core.AtNanos(nanos)} }
	want := []algorithms.Signal{
		{Instant: at(0), Kind: algorithms.Sent, Bytes: 1000, Next: 1000, InFlight: 1000},
		{Instant: at(1000), Kind: algorithms.Sent, Bytes: 1000, Next: 2000, InFlight: 2000},
		{Instant: at(1500), Kind: algorithms.Notify, Flags: algorithms.ECE, Acked: 1000, Next: 2000, InFlight: 1000},
		{
			Instant: at(1500), Kind: algorithms.Ack, Flags: algorithms.ECE, Bytes: 1000, Marked: 1000, Acked: 1000, Next: 2000, InFlight: 1000,
			SentAt: core.AtNanos(10), RTT: 1490 * core.Nanosecond, Aux: 99,
		},
		{Instant: at(2500), Kind: algorithms.Ack, Flags: algorithms.IsNack, Acked: 1000, Next: 1000, SentAt: core.AtNanos(20), RTT: 2480 * core.Nanosecond},
		{Instant: at(2500), Kind: algorithms.Sent, Bytes: 1000, Next: 2000, InFlight: 1000},
	}
	if !reflect.DeepEqual(heard, want) {
		t.Errorf("heard\n%+v\nwant\n%+v", heard, want)
	}
	if acked, done, _, st := r.h.Flow(qp); acked != 1000 || done || st.MarkedPackets != 1 || st.RetransmittedBytes != 1000 {
		t.Errorf("acked %d, done %v, %+v", acked, done, st)
	}
}

// Data packets of a scheme that needs INT carry an empty stack, and the scheme sees the records that
// come back: at most as many as the format keeps, however many hops were counted.
func TestINTStacks(t *testing.T) {
	for _, needs := range []algorithms.Needs{0, algorithms.INT, algorithms.ECN} {
		heard := -1
		s := &scheme{traits: algorithms.Traits{Needs: needs, Hears: algorithms.Hears(algorithms.Ack)}}
		s.step = func(sig *algorithms.Signal, _ *algorithms.Control) { heard = len(sig.Hops) }
		r := newRig(t, config(1))
		keep := r.Sent
		r.Sent = func(port int, p *core.Packet) {
			if (p.INT != nil) != (needs == algorithms.INT) || p.NHops != 0 || (p.Flags&core.ECT != 0) != (needs == algorithms.ECN) {
				t.Errorf("needs %b: packet %+v", needs, p)
			}
			keep(port, p)
		}
		qp := r.open(0, nic.Flow{Size: 5000, Scheme: s})
		for _, hops := range []uint8{0, 3, 7} {
			p := r.ack(qp, 0, core.Ack)
			r.Pool.AddINT(p)
			p.NHops = hops
			if r.arrive(500, 0, p); heard != min(int(hops), 5) {
				t.Errorf("%d hops counted, %d records heard", hops, heard)
			}
		}
	}
}

// What a scheme is given about its flow when it starts.
func TestToldAtTheStart(t *testing.T) {
	own, shared := core.NewStream(1, core.StreamMark, 1), core.NewStream(1, core.StreamMark, 2)
	for _, common := range []core.Random{nil, shared} {
		var got algorithms.Flow
		s := &scheme{traits: algorithms.Traits{HeaderBytes: 10, HopBytes: 4}, told: func(f *algorithms.Flow) { got = *f }}
		cfg := config(1)
		cfg.Header, cfg.Timing = 48, core.FixedPointNanos
		r := newRig(t, cfg)
		r.open(0, nic.Flow{ID: 7, Size: 5000, Scheme: s, BaseRTT: 9, Hops: 3, Window: 3000, Random: own, Shared: common})
		want := algorithms.Flow{
			ID: 7, Line: line, BaseRTT: 9, Window: 3000, MTU: 1000, Packet: 1048 + 10 + 2*4, Size: 5000, Hops: 3,
			INT: cfg.INT, Timing: cfg.Timing, Random: own, Shared: common,
		}
		if common == nil {
			want.Shared = own
		}
		if got != want {
			t.Errorf("told %+v, want %+v", got, want)
		}
	}
}

// Short telemetry has room for all its records, whatever the path; complete telemetry has room for those of the path's switches.
func TestHeaderOfTelemetry(t *testing.T) {
	for _, c := range []struct {
		format core.INTFormat
		want   int32
	}{{core.QuantisedINT(1), 1000 + 2 + 5*8}, {core.FullINT(5), 1000 + 2 + 2*8}} {
		cfg := config(1)
		cfg.INT = c.format
		r := newRig(t, cfg)
		r.open(0, nic.Flow{Size: 1000, Hops: 3, Scheme: &scheme{traits: algorithms.Traits{Needs: algorithms.INT, HeaderBytes: 2, HopBytes: 8}}})
		if r.sent[0].Size != c.want {
			t.Errorf("records of %v: %d bytes, want %d", c.format.TxUnit, r.sent[0].Size, c.want)
		}
	}
}

// Timers of a scheme that lets them wait are not events: the scheme gets those that are due by then when its answer is
// next used, or at the end of the flow.
func TestLazyTimers(t *testing.T) {
	for _, due := range [][2]int64{{3000, 16_000}, {6000, 30_000}} {
		var ticks []int64
		var last algorithms.Signal
		s := &scheme{traits: algorithms.Traits{LazyTimers: true}, start: algorithms.Control{Window: 1000, Wake: core.AtNanos(due[0])}}
		s.step = func(sig *algorithms.Signal, c *algorithms.Control) {
			last = *sig
			ticks = append(ticks, sig.Now.Nanos())
			c.Window, c.Wake = core.Unlimited, core.AtNanos(due[1])
		}
		r := newRig(t, config(1))
		qp := r.open(0, nic.Flow{Size: 2000, Prio: 3, Scheme: s})
		r.Run(core.AtNanos(5000))
		if r.Wake[0] != core.Never || ticks != nil {
			t.Errorf("wakes at %v, ticks %v", r.Wake[0], ticks)
		}
		r.arrive(6000, 0, r.Pause(4, 0, false)) // a reason to look
		r.arrive(30_000, 0, r.ack(qp, 2000, core.Ack))
		if last.Kind != algorithms.Timer || last.Next != 2000 || last.InFlight != 0 {
			t.Errorf("heard at the end %+v", last)
		}
		r.Run(core.AtNanos(90_000))
		if got, want := r.took(), [][2]int64{{0, 0}, {6000, 1000}}; !reflect.DeepEqual(got, want) || !slices.Equal(ticks, []int64{6000, 30_000}) {
			t.Errorf("timers at %v: sent %v, want %v; ticks at %v, want 6000 and 30000", due, got, want, ticks)
		}
	}
}
