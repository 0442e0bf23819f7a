package topo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// pipelineFCT is the brute-force twin of IdealFCT: it moves every packet over every link.
func pipelineFCT(there, back []Link, tm core.Timing, size, mtu, header, ack core.Bytes, every int) core.Duration {
	free := make([]core.Duration, len(there)+len(back)) // by stage: when its transmitter is free
	var done core.Duration
	for left, number := size, 1; ; left, number = left-mtu, number+1 {
		wire, at := min(left, mtu)+header, core.Duration(0)
		for stage, l := range slices.Concat(there, back) {
			if stage == len(there) {
				if left > mtu && number%every != 0 {
					break // not acknowledged
				}
				wire = ack
			}
			free[stage] = max(free[stage], at) + tm.TxTime(wire, l.Rate)
			at = free[stage] + l.Delay
		}
		if done = at; left <= mtu {
			return done
		}
	}
}

func TestIdealFCTEqualsPipeline(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rates := []core.Rate{core.Gbps, 10 * core.Gbps, 25 * core.Gbps, 40*core.Gbps + 7, 100 * core.Gbps, 400 * core.Gbps}
	line := func() (links []Link) {
		for range 1 + rng.IntN(6) {
			links = append(links, Link{Rate: rates[rng.IntN(len(rates))], Delay: core.Duration(rng.IntN(2_000_000))})
		}
		return links
	}
	for range 3000 {
		there, back := line(), line()
		mtu := core.Bytes(1 + rng.IntN(1500))
		size := core.Bytes(rng.IntN(40)) * mtu / core.Bytes(1+rng.IntN(3))
		header, ack := core.Bytes(1+rng.IntN(100)), core.Bytes(1+rng.IntN(2000)) // ACKs may be the bottleneck
		every := 1 + rng.IntN(3)
		for _, tm := range []core.Timing{core.Exact, core.FixedPointNanos} {
			got := IdealFCT(there, back, tm, size, Sizes{Payload: mtu, Packet: mtu + header, Ack: ack, AckEvery: every})
			want := pipelineFCT(there, back, tm, size, mtu, header, ack, every)
			if got != want {
				t.Fatalf("timing %d, size %d, mtu %d, header %d, ack %d over %v and back over %v: got %v, want %v",
					tm, size, mtu, header, ack, there, back, got, want)
			}
		}
	}
}

// A hand-made case: two links of 100 Gb/s and 1 us; 1000+48 bytes take 83.84 ns, 500+48 bytes 43.84
// ns, 60 bytes 4.8 ns. The short last packet waits at the switch.
func TestIdealFCTByHand(t *testing.T) {
	l := Link{Rate: 100 * core.Gbps, Delay: core.Microsecond}
	path := []Link{l, l}
	// Packets 1 and 2 leave the source by 167.68 ns, the last by 211.52 ns; at the switch it
	// arrives at 1211.52 while packet 2 is being sent until 1251.52.
	const want = 1_251_520 + 43_840 + 1_000_000 + 2*(4_800+1_000_000)
	if got := IdealFCT(path, path, core.Exact, 2500, Sizes{Payload: 1000, Packet: 1048, Ack: 60}); got != want {
		t.Errorf("got %v, want %v", got, core.Duration(want))
	}
}

// At 1 kb/s a packet takes 8.384 s: 500,000 of them fit the clock, a million and a half do not.
func TestIdealFCTOfLongestFlow(t *testing.T) {
	path := []Link{{Rate: core.Kbps}}
	if got, want := IdealFCT(path, path, core.Exact, 500e6, Sizes{Payload: 1000, Packet: 1048, Ack: 60}), 500_000*8384*core.Millisecond+480*core.Millisecond; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, size := range []core.Bytes{1500e6, 1 << 62, core.Unlimited - 1} {
		if got := IdealFCT(path, path, core.Exact, size, Sizes{Payload: 1000, Packet: 1048, Ack: 60}); got != math.MaxInt64 {
			t.Errorf("%v: got %v, want the longest time", size, got)
		}
	}
}

func TestIdealFCTOfLongFlow(t *testing.T) {
	// 1 TB in a billion packets: 80 ns each at 100 Gb/s, then one more link and the ACK.
	path := []Link{{Rate: 100 * core.Gbps}, {Rate: 100 * core.Gbps}}
	const want = (1e9+1)*80*core.Nanosecond + 2*8*core.Nanosecond
	if got := IdealFCT(path, path, core.Exact, 1e12, Sizes{Payload: 1000, Packet: 1000, Ack: 100}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestStandaloneFCT(t *testing.T) {
	// 2500 bytes in three packets of 48 bytes of headers: 2644 bytes, 211.52 ns at 100 Gb/s.
	if got, want := StandaloneFCT(4160*core.Nanosecond, 100*core.Gbps, 2500, 1000), 4371*core.Nanosecond; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	// At 8 bit/ns every byte takes 1 ns: one byte more than a full packet needs another packet.
	for size, want := range map[core.Bytes]core.Duration{1: 49, 1000: 1048, 1001: 1097, 2000: 2096} {
		if got := StandaloneFCT(0, 8*core.Gbps, size, 1000); got != want*core.Nanosecond {
			t.Errorf("%v: got %v, want %v ns", size, got, int64(want))
		}
	}
	// The reference's integers have 64 bits: the part of (10^12+48)*8*10^9 above 2^64 is lost.
	if got, want := StandaloneFCT(0, 8*core.Gbps, 1e12, 1e12), 1_569_977_058*core.Nanosecond; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestStandaloneFCTIsTheLongest(t *testing.T) {
	for name, got := range map[string]core.Duration{
		"no path":            StandaloneFCT(core.Microsecond, 0, 1000, 1000),
		"2^63 ps are passed": StandaloneFCT(core.Microsecond, 1000, 1_152_921_504, 1_152_921_504),
	} {
		if got != math.MaxInt64 {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// A single full packet over a path takes exactly the path's RTT in its exact form.
func TestIdealFCTOfOnePacketIsTheRTT(t *testing.T) {
	p := NewPaths(NewRoutes(mustParse(t, "fat-tree:thesis"), nil, AscendingID), core.Exact, testSizes)
	for _, dst := range []core.NodeID{1, 4, 15} {
		line := p.Line(0, dst, First)
		if got, want := IdealFCT(line, line, core.Exact, testSizes.Payload, testSizes), p.Pair(0, dst).RTT; got != want {
			t.Errorf("0 to %d: got %v, want %v", dst, got, want)
		}
	}
}
