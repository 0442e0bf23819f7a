package hpccpint

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// fixed is a generator that always returns the same number.
type fixed uint32

func (f fixed) Uint32() uint32   { return uint32(f) }
func (f fixed) Float64() float64 { return 0 }

func newMarker(t *testing.T, chance core.Random) *marker {
	t.Helper()
	s := algotest.Make(t, New, Defaults())
	m := s.NewMarker().(*marker)
	m.Start(0, &algorithms.Port{Line: 100 * core.Gbps, MaxRTT: 13 * core.Microsecond, Random: chance, Shared: chance})
	return m
}

func show(m *marker, at core.Duration, queue core.Bytes, kind core.Kind, size int32, aux uint64) algorithms.Mark {
	var k algorithms.Mark
	m.Step(&algorithms.Sight{Own: kind == core.Data, Now: core.Time(at), Queue: queue, Packet: &core.Packet{Kind: kind, Size: size, Aux: aux}}, &k)
	return k
}

// Check case 8.4: one packet after 1 us, 50000 B queued, packets of 1000 B; the
// tables of the switch approximate the formula (of HPCC-PINT, Ben Basat et al., SIGCOMM 2020) to a few parts in
// ten thousand.
func TestCheckCase4Update(t *testing.T) {
	m := newMarker(t, fixed(0))
	show(m, 0, 0, core.Data, 1000, 0)
	m.u = 1
	show(m, core.Microsecond, 50_000, core.Data, 1000, 0)
	if math.Abs(m.u-0.9528994) > 4e-4 {
		t.Errorf("u = %v, want 0.9528994", m.u)
	}
}

// When packets are evenly spaced, u is their share of the link, whatever fraction of a nanosecond the round trip has.
// It may be off by what every packet of a round trip loses: 2 ln(2)/32768 of u, truncated from logarithms, and 1/16384,
// as the old u is rounded to 1/8192.
func TestEvenPackets(t *testing.T) {
	const gap, size, packets = 100 * core.Nanosecond, 1000, 41.7 // 80 % of 100 Gb/s; packets of a round trip
	for _, rtt := range []core.Duration{4170_000, 4170_500, 4170_999} {
		m := newMarker(t, fixed(0))
		m.Start(0, &algorithms.Port{Line: 100 * core.Gbps, MaxRTT: rtt, Shared: fixed(0)})
		for i := range core.Duration(500) {
			show(m, i*gap, 0, core.Data, size, 0)
		}
		if math.Abs(m.u-0.8) > packets*(0.8*2*math.Ln2/32768+1./16384) {
			t.Errorf("round trip %v: u = %v, want 0.8", rtt, m.u)
		}
	}
}

// A round trip of less than a nanosecond counts as one: 0 has no logarithm.
func TestNoRoundTrip(t *testing.T) {
	var digests []uint64
	for _, rtt := range []core.Duration{0, core.Nanosecond - 1, core.Nanosecond} {
		m := newMarker(t, fixed(0))
		m.Start(0, &algorithms.Port{Line: 100 * core.Gbps, MaxRTT: rtt, Shared: fixed(0)})
		show(m, 0, 0, core.Data, 1050, 0)
		digests = append(digests, show(m, 84*core.Nanosecond, 0, core.Data, 1050, 0).Aux)
	}
	if digests[0] != digests[2] || digests[1] != digests[2] || digests[2] == 0 {
		t.Errorf("digests %d", digests)
	}
}

// Check case 8.4: the code of 0.5 to the base 1.05 is 114 with probability
// 0.648056, and 113 otherwise.
func TestCheckCase4Encoding(t *testing.T) {
	d := newDigest(1.05)
	const limit = 42470 // 0.648056 * 65536, truncated
	for draw, want := range map[uint32]uint64{0: 114, limit - 2: 114, limit + 3: 113, 65535: 113, 65536: 114} {
		if got := d.encode(0.5, fixed(draw)); got != want {
			t.Errorf("draw %d: digest %d, want %d", draw, got, want)
		}
	}
	if got := d.decode(114); math.Abs(got-0.508522) > 1e-6 {
		t.Errorf("114 means %v, want 0.508522", got)
	}
	if got := d.decode(113); math.Abs(got-0.484307) > 1e-6 {
		t.Errorf("113 means %v, want 0.484307", got)
	}
}

// The mean of the decoded digests over all draws is the value that was encoded.
func TestEncodingIsUnbiased(t *testing.T) {
	for _, base := range []float64{1.05, 1.01} {
		d := newDigest(base)
		for _, u := range []float64{0, 1.0 / 512, 0.1, 0.5, 1, 3.3, 7.7} {
			c := d.code(max(1, math.Ceil(u*scale)))
			var p float64
			if c.above != c.below {
				p = c.threshold / 65536
			}
			mean := p*d.decode(uint64(c.above)) + (1-p)*d.decode(uint64(c.below))
			if want := max(1, math.Ceil(u*scale)) / scale; math.Abs(mean-want) > 1e-9 {
				t.Errorf("base %v: mean of the digests of %v is %v, want %v", base, u, mean, want)
			}
		}
	}
}

// The table of codes and the formula agree at the border between them.
func TestCodesBeyondTable(t *testing.T) {
	d := newDigest(1.05)
	for _, u := range []float64{3.99, 4, 4.01, 100} {
		want := d.code(math.Ceil(u * scale))
		if got := d.encode(u, fixed(65535)); got != uint64(want.below) {
			t.Errorf("digest of %v: %d, want %d", u, got, want.below)
		}
	}
}

func TestDigestBytes(t *testing.T) {
	for base, want := range map[float64]uint64{1.05: 0xff, 1.04: 0xffff, 1.01: 0xffff, 2: 0xff} {
		if d := newDigest(base); d.mask != want {
			t.Errorf("base %v: mask %#x, want %#x", base, d.mask, want)
		}
	}
}

// A line rate is a whole number of byte/s, and so is the result of a division, which is truncated.
func TestWholeBytesPerSecond(t *testing.T) {
	var u [2]float64
	for i, line := range []core.Rate{8_000_000, 8_000_007} {
		m := newMarker(t, fixed(0))
		m.Start(0, &algorithms.Port{Line: line, MaxRTT: 13 * core.Millisecond, Random: fixed(0), Shared: fixed(0)})
		show(m, 0, 0, core.Data, 1000, 0)
		show(m, core.Millisecond, 50_000, core.Data, 1000, 0)
		u[i] = m.u
	}
	if u[0] != u[1] || u[0] == 0 {
		t.Errorf("u = %v at 8 Mb/s, %v at 7 b/s more", u[0], u[1])
	}
}

// A packet keeps the largest digest of its hops.
func TestLargestDigestStays(t *testing.T) {
	m := newMarker(t, fixed(0))
	m.u = 1
	if k := show(m, core.Microsecond, 0, core.Data, 1000, 255); k.SetAux {
		t.Errorf("digest 255 was replaced by %d", k.Aux)
	}
	m.u = 1
	if k := show(m, 2*core.Microsecond, 0, core.Data, 1000, 3); !k.SetAux || k.Aux < 100 {
		t.Errorf("digest 3 was not replaced: %+v", k)
	}
}

// A digest of one byte goes up to 255, a utilisation of 494. Larger values become 255; in the reference, which keeps
// only the low bits, they wrap.
func TestDigestBeyondItsByte(t *testing.T) {
	for timing, want := range map[core.Timing]uint64{core.Exact: 255, core.FixedPointNanos: 300 - 256} {
		m := newMarker(t, fixed(65535))
		m.Start(0, &algorithms.Port{Line: 100 * core.Gbps, MaxRTT: 13 * core.Microsecond, Shared: fixed(65535), Timing: timing})
		m.u = 4550 // a digest of 300 and a fraction
		if k := show(m, 0, 0, core.Data, 1000, 0); k.Aux != want {
			t.Errorf("timing %v: digest %d, want %d", timing, k.Aux, want)
		}
	}
}

// An ACK takes no sample, but counts as the previous packet of the next data packet.
func TestAckIsPreviousPacket(t *testing.T) {
	m := newMarker(t, fixed(0))
	show(m, 0, 0, core.Data, 1000, 0)
	u := m.u
	if k := show(m, 10*core.Microsecond, 99_999, core.Ack, 62, 0); k.SetAux || m.u != u {
		t.Errorf("an ACK changed u from %v to %v, mark %+v", u, m.u, k)
	}
	show(m, 11*core.Microsecond, 0, core.Data, 1000, 0)
	want := u*12/13 + 62.0/162_500
	if math.Abs(m.u-want) > 1e-3 {
		t.Errorf("u %v, want %v", m.u, want)
	}
}

// log keeps 16 leading bits and rounds at random.
func TestLogOfLargeNumbers(t *testing.T) {
	const x = 0x1ffff // 17 bits: one is dropped, and it is 1
	up, down := newMarker(t, fixed(0)), newMarker(t, fixed(1))
	if got, want := up.log(x), 17.0*logUnit; got != want {
		t.Errorf("rounded up: %v, want %v", got, want)
	}
	if got, want := down.log(x), math.Trunc(math.Log2(0x1fffe)*logUnit); got != want {
		t.Errorf("rounded down: %v, want %v", got, want)
	}
	const lead, part = 0x91a2, 359 // of 512, 9 bits: the draws below it, by their last 9 bits, round up
	for draw, want := range map[uint32]float64{358: lead + 1, 359: lead, 1<<31 + 358: lead + 1, 1<<31 + 359: lead, 0: lead + 1, 511: lead} {
		if got, want := newMarker(t, fixed(draw)).log(lead<<9|part), math.Trunc(math.Log2(want*512)*logUnit); got != want {
			t.Errorf("draw %d: %v, want %v", draw, got, want)
		}
	}
}

// A packet that leaves more than a round trip after the one before is taken to leave a round trip after it: of what was
// before nothing remains, and the queue counts for a round trip.
func TestAfterAPause(t *testing.T) {
	for _, pause := range []core.Duration{13 * core.Microsecond, 14 * core.Microsecond, core.Second} {
		m := newMarker(t, fixed(0))
		show(m, 0, 0, core.Data, 1000, 0)
		m.u = 5
		if show(m, pause, 25_600, core.Data, 1000, 0); math.Abs(m.u-26_600./162_500) > 4e-4 {
			t.Errorf("after %v: u = %v, want %v", pause, m.u, 26_600./162_500)
		}
	}
}

// counting counts draws.
type counting struct {
	core.Random
	draws *int
}

func (c counting) Uint32() uint32 {
	*c.draws++
	return c.Random.Uint32()
}

// The logarithms of a smoothed utilisation above 0 are taken even if it rounds to 0, and so are those of a queue after
// no time: large numbers take draws.
func TestDrawsForNothing(t *testing.T) {
	for _, c := range []struct {
		u         float64
		dt, queue uint64
		want      int
	}{{0, 1000, 0, 0}, {1e-5, 1000, 0, 1}, {1, 1000, 0, 1}, {1, 90_000, 0, 0}, {0, 0, 1 << 16, 1}, {0, 70_000, 1 << 16, 2}, {0, 70_000, 0, 0}} {
		draws := 0
		m := newMarker(t, counting{fixed(0), &draws})
		m.maxRTT, m.u = 100_000, c.u
		if u := m.next(c.dt, c.queue); draws != c.want || math.IsNaN(u) {
			t.Errorf("%+v: %d draws, utilisation %v", c, draws, u)
		}
	}
}

// HPCC's reaction (Li et al., SIGCOMM 2019, eq. 4 and algorithm 1, ComputeWind) to a decoded utilisation.
func TestReaction(t *testing.T) {
	const line, ai = 100 * core.Gbps, 50 * core.Mbps
	for _, c := range []struct {
		u         float64
		stage     int
		from      core.Rate
		rate      core.Rate
		nextStage int
	}{
		{1.2, 0, line, core.Rate(line).Scale(0.95/1.2) + ai, 0},
		{0.5, 0, 40 * core.Gbps, 40*core.Gbps + ai, 1},
		{0.5, 5, 40 * core.Gbps, 76*core.Gbps + ai, 0},
		{0.5, 5, 80 * core.Gbps, line, 0},
		{0.95, 0, 40 * core.Gbps, 40*core.Gbps + ai, 0}, // the target itself calls for a multiplicative step
		{40, 0, 20 * core.Gbps, core.Gbps, 0},
	} {
		p := Defaults()
		p.MIThresh = 5
		s := sender{p: &p, rate: c.from, stage: c.stage, line: line, floor: core.Gbps, ai: ai}
		rate, stage := s.react(c.u)
		if off := rate - c.rate; off < -1 || off > 1 || stage != c.nextStage {
			t.Errorf("U = %v at %v and stage %d: %d and stage %d, want %d and %d", c.u, c.from, c.stage, rate, stage, c.rate, c.nextStage)
		}
	}
}

// counted counts its draws.
type counted struct{ draws int }

func (c *counted) Uint32() uint32   { c.draws++; return 40_000 }
func (c *counted) Float64() float64 { return 0 }

// Every ACK takes one draw; with probability 0.5 a draw of 40000 of 65536 skips it.
func TestSenderDrawsPerAck(t *testing.T) {
	for _, probability := range []float64{1, 0.5} {
		p := Defaults()
		p.Probability = probability
		s := algotest.Make(t, New, p)
		m, chance, c := s.NewSender(), new(counted), new(algorithms.Control)
		m.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000, Shared: chance}, c)
		for i := range int64(3) {
			m.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: 1000 * (i + 1), Next: 100_000, Aux: 200}, c)
		}
		if chance.draws != 3 {
			t.Errorf("probability %v: %d draws for 3 ACKs", probability, chance.draws)
		}
		if moved := c.Rate < 100*core.Gbps; moved != (probability == 1) {
			t.Errorf("probability %v: rate %v", probability, c.Rate)
		}
	}
}

// Without fast reactions (algorithm 1 with only the updates once a round trip) an ACK within the round trip changes
// nothing.
func TestOnceARoundTrip(t *testing.T) {
	for _, fast := range []bool{true, false} {
		p := Defaults()
		p.FastReact = fast
		m, c := algotest.Make(t, New, p).NewSender(), new(algorithms.Control)
		m.Start(0, &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 13 * core.Microsecond, MTU: 1000, Shared: fixed(0)}, c)
		for i, slower := range []bool{false, fast, true} {
			acked := []int64{1000, 2000, 101_000}[i]
			m.Step(&algorithms.Signal{Kind: algorithms.Ack, Acked: acked, Next: 100_000, Aux: 200}, c)
			if got := c.Rate < 100*core.Gbps; got != slower {
				t.Errorf("fast_react %v, ACK of %d: rate %v", fast, acked, c.Rate)
			}
		}
	}
}
