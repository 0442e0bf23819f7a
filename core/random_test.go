package core

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A stream depends on its name only: these values never change.
func TestStreamGolden(t *testing.T) {
	s := NewStream(1, StreamMark, 7)
	var got [4]uint64
	for i := range got {
		got[i] = s.pcg.Uint64()
	}
	if want := [4]uint64{0xdadf21f138f5a14e, 0x1aca4a5f33a067d1, 0xdcbaf18fc9a1d23e, 0xbb99dc1d19084aab}; got != want {
		t.Errorf("got %#x", got)
	}
}

// What is drawn from a stream is fixed bit by bit, too: of the numbers above, the highest ones.
func TestDrawsGolden(t *testing.T) {
	s := func() *Stream { return NewStream(1, StreamMark, 7) }
	draws := s()
	for i, want := range []uint32{0xdadf21f1, 0x1aca4a5f, 0xdcbaf18f, 0xbb99dc1d} {
		if got := draws.Uint32(); got != want {
			t.Errorf("Uint32 number %d is %#x, want %#x", i, got, want)
		}
	}
	if got := s().Float64(); got != 0x0.dadf21f138f5ap0 {
		t.Errorf("Float64 is %x", got)
	}
	if got := s().Exp(); got != 0x1.ee489e8d9ecadp+00 {
		t.Errorf("Exp is %x", got)
	}
	if got := s().IntN(1000); got != 0xdadf21f138f5a14e%1000 {
		t.Errorf("IntN is %d", got)
	}
}

// Streams of different seeds, kinds and entities have nothing in common.
func TestStreamsDiffer(t *testing.T) {
	seen := make(map[uint64][3]uint64)
	for seed := range uint64(20) {
		for kind := StreamArrivals; kind <= StreamNotifier; kind++ {
			for id := range uint64(50) {
				v, name := NewStream(seed, kind, id).pcg.Uint64(), [3]uint64{seed, kind, id}
				if other, ok := seen[v]; ok {
					t.Fatalf("streams %v and %v begin alike", other, name)
				}
				seen[v] = name
			}
		}
	}
}

// Mean and variance of the distributions, over one stream and over the first numbers of many,
// within five standard errors.
func TestStreamMoments(t *testing.T) {
	const n = 200_000
	one := NewStream(3, StreamSizes, 4)
	draws := map[string]struct {
		draw           func(i int) float64
		mean, variance float64
		fourth         float64 // central moment
	}{
		"uniform":       {func(int) float64 { return one.Float64() }, 0.5, 1.0 / 12, 1.0 / 80},
		"first of each": {func(i int) float64 { return NewStream(5, StreamFlow, uint64(i)).Float64() }, 0.5, 1.0 / 12, 1.0 / 80},
		"of 32 bits":    {func(int) float64 { return float64(one.Uint32()) / (1 << 32) }, 0.5, 1.0 / 12, 1.0 / 80},
		"exponential":   {func(int) float64 { return one.Exp() }, 1, 1, 9},
		"of 7":          {func(int) float64 { return float64(one.IntN(7)) }, 3, 4, 28},
	}
	for name, c := range draws {
		var sum, squares float64
		for i := range n {
			v := c.draw(i)
			sum += v - c.mean
			squares += (v - c.mean) * (v - c.mean)
		}
		if e := sum / n; math.Abs(e) > 5*math.Sqrt(c.variance/n) {
			t.Errorf("%s: mean is off by %v", name, e)
		}
		if e := squares/n - c.variance; math.Abs(e) > 5*math.Sqrt((c.fourth-c.variance*c.variance)/n) {
			t.Errorf("%s: variance is off by %v", name, e)
		}
	}
}

func TestStreamRanges(t *testing.T) {
	s := NewStream(9, StreamPeers, 1)
	rng := rand.New(rand.NewPCG(19, 20))
	for range 20000 {
		if v := s.Float64(); v < 0 || v >= 1 {
			t.Fatalf("%v is not in [0, 1)", v)
		}
		if v := s.Exp(); !(v >= 0) || math.IsInf(v, 0) {
			t.Fatalf("%v is no waiting time", v)
		}
		n := 1 + int(rng.Uint64()>>1>>rng.IntN(63))
		if n <= 0 {
			n = math.MaxInt
		}
		if v := s.IntN(n); v < 0 || v >= n {
			t.Fatalf("%d is not in [0, %d)", v, n)
		}
	}
}

func TestInstantFired(t *testing.T) {
	for _, c := range []struct {
		due, armed Time
		at         Instant
		want       bool
	}{
		{9, 0, Instant{10, 5}, true},
		{11, 0, Instant{10, 5}, false},
		{10, 4, Instant{10, 5}, true},
		{10, 5, Instant{10, 5}, false},
		{10, 6, Instant{10, 5}, false},
		{10, 9, Instant{10, Never}, true},
	} {
		if got := c.at.Fired(c.due, c.armed); got != c.want {
			t.Errorf("due %d, armed %d, at %+v: %v", c.due, c.armed, c.at, got)
		}
	}
}

// A timer that ticks every 100 has ticked at 1000, 900 and so on. What an event schedules at 1000 for 1100 is scheduled
// after the tick of 1000 if the event was scheduled after 900; if at 900, the event that scheduled it decides in the
// same way.
func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		born []Time // of the event at 1000, of the event that scheduled it, and so on
		want bool
	}{
		{[]Time{901, 0}, true},
		{[]Time{899, 898}, false},
		{[]Time{900, 801, 0}, true},
		{[]Time{900, 799, 798}, false},
		{[]Time{900, 800, 701, 0}, true},
		{[]Time{900, 800, 700, 599, 598}, false},
	} {
		i := Instant{Now: c.born[len(c.born)-2], Born: c.born[len(c.born)-1]}
		for n := len(c.born) - 3; n >= -1; n-- {
			at := Time(1000)
			if n >= 0 {
				at = c.born[n]
			}
			i = Instant{at, i.Schedules(at)}
		}
		if got := (Instant{1100, i.Schedules(1100)}).Fired(1100, 1000); got != c.want {
			t.Errorf("events at %v: %v, want %v", c.born, got, c.want)
		}
	}
}
