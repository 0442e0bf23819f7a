package switching

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// step is a change of a queue's depth.
type step struct {
	at    core.Time
	depth core.Bytes // from then on
}

func randomSteps(rng *rand.Rand) []step {
	steps := []step{{0, 0}}
	at := core.Time(0)
	for range rng.IntN(300) {
		at += core.Time(rng.IntN(4) * []int{0, 1, 50_000, 100_000, 1_234_567}[rng.IntN(5)])
		steps = append(steps, step{at, core.Bytes(rng.IntN(20_000))})
	}
	return steps
}

// depthAt is the depth that a sample at the given instant finds: the depth before the instant's
// events.
func depthAt(steps []step, at core.Time) core.Bytes {
	depth := core.Bytes(0)
	for _, s := range steps {
		if s.at < at {
			depth = s.depth
		}
	}
	return depth
}

func count(bins []uint64, depth, bin core.Bytes) []uint64 {
	for len(bins) <= int(depth/bin) {
		bins = append(bins, 0)
	}
	bins[depth/bin]++
	return bins
}

// A histogram made without events equals that of a sampler that looks at every instant.
func TestMeterAgainstSampler(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 5))
		steps := randomSteps(rng)
		last := steps[len(steps)-1].at
		now := last + core.Time(rng.IntN(300_000))
		cfg := MeterConfig{
			Interval: []core.Duration{100 * core.Nanosecond, 1, 33_333}[max(0, rng.IntN(5)-2)],
			Start:    core.Time(rng.IntN(4) * 50_000), End: core.Never, Bin: 1000,
		}
		if cfg.Interval == 1 {
			cfg.Start = max(0, now-1000)
		}
		switch rng.IntN(4) {
		case 0:
			cfg.End = cfg.Start.Add(core.Duration(rng.IntN(50)) * cfg.Interval) // a sample falls on the end
		case 1:
			cfg.End = core.Time(rng.Int64N(int64(now) + 1))
		}
		var want []uint64
		for at := cfg.Start; at <= min(now, cfg.End); at = at.Add(cfg.Interval) {
			want = count(want, depthAt(steps, at), cfg.Bin)
		}
		m := newMeter(&cfg)
		for i := 1; i < len(steps); i++ {
			m.change(steps[i].at, steps[i-1].depth)
			if rng.IntN(10) == 0 {
				m.change(steps[i].at, steps[i].depth) // a look in between
			}
		}
		m.change(now, steps[len(steps)-1].depth)
		if !slices.Equal(m.counts, want) {
			t.Fatalf("seed %d: %+v, %v: got %d, want %d", seed, cfg, now, m.counts, want)
		}
	}
}

// If samples are events of the host, each sees the state at its place in the order.
func TestMeterOfEvents(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 6))
		var taken int64
		cfg := MeterConfig{Interval: 1, Bin: 500, Taken: &taken}
		m := newMeter(&cfg)
		var want []uint64
		depth := core.Bytes(0)
		for range rng.IntN(500) {
			for range rng.IntN(4) {
				taken++
				want = count(want, depth, cfg.Bin)
			}
			m.change(core.Time(rng.IntN(3)), depth)
			depth = core.Bytes(rng.IntN(10_000))
		}
		m.change(0, depth)
		if !slices.Equal(m.counts, want) {
			t.Fatalf("seed %d: got %d, want %d", seed, m.counts, want)
		}
	}
}

// Without an interval nothing is counted.
func TestMeterOff(t *testing.T) {
	m := newMeter(&MeterConfig{End: core.Never, Bin: 1000})
	m.change(core.AtNanos(1e9), 5000)
	if m.counts != nil {
		t.Errorf("got %d", m.counts)
	}
}

// Depths and bins may exceed 32 bits.
func TestMeterOfHugeQueues(t *testing.T) {
	m := newMeter(&MeterConfig{Interval: 1, End: core.Never, Bin: 3 << 32})
	m.change(0, 2<<32)
	m.change(1, 3<<32)
	m.change(3, 10<<32)
	if want := []uint64{1, 1, 0, 2}; !slices.Equal(m.counts, want) {
		t.Errorf("got %d, want %d", m.counts, want)
	}
}
