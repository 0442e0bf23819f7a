package core

import (
	"math/rand/v2"
	"testing"
)

// Check case 17.4: the longest pause, 65,535 quanta of 512 bit times, by the rate of the link.
func TestPauseQuanta(t *testing.T) {
	for rate, want := range map[Rate]Duration{
		10 * Gbps: 3_355_392 * Nanosecond, 25 * Gbps: 1_342_156_800, 40 * Gbps: 838_848 * Nanosecond,
		100 * Gbps: 335_539_200, 200 * Gbps: 167_769_600, 400 * Gbps: 83_884_800,
	} {
		var s Pauses
		s.Apply(1000, NewPause(3, 0xffff, false), rate)
		if got := s.Next().Sub(1000); got != want {
			t.Errorf("%v: got %v, want %v", rate, got, want)
		}
		if got := s.Expire(s.Next() - 1); got != 0 || s.Mask() != 1<<3 {
			t.Errorf("%v: before its end: expired %#x, mask %#x", rate, got, s.Mask())
		}
		if got := s.Expire(s.Next()); got != 1<<3 || s.Mask() != 0 || s.Next() != Never {
			t.Errorf("%v: at its end: expired %#x, mask %#x, next %v", rate, got, s.Mask(), s.Next())
		}
		if got := s.Total(Never); got != want {
			t.Errorf("%v: paused for %v, want %v", rate, got, want)
		}
	}
}

// A second pause extends the first and does not count twice; a shorter one shortens it.
func TestPauseAgain(t *testing.T) {
	const rate = 512 * Gbps // a quantum is a nanosecond
	var s Pauses
	s.Apply(0, NewPause(1, 100, false), rate)
	s.Apply(AtNanos(60), NewPause(1, 100, false), rate)
	s.Apply(AtNanos(70), NewPause(2, 50, false), rate)
	if got := s.Next(); got != AtNanos(120) {
		t.Errorf("next is %v, want 120 ns", got)
	}
	if got := s.Total(AtNanos(80)); got != 90*Nanosecond {
		t.Errorf("classes were paused for %v by 80 ns, want 80+10", got)
	}
	if got := s.Expire(AtNanos(130)); got != 1<<2 {
		t.Errorf("expired %#x, want class 2", got)
	}
	s.Apply(AtNanos(140), NewPause(1, 5, false), rate)
	if got := s.Next(); got != AtNanos(145) {
		t.Errorf("next is %v, want 145 ns", got)
	}
	s.Apply(AtNanos(142), NewPause(1, 0, false), rate)
	s.Apply(AtNanos(143), NewPause(1, 0, false), rate) // a second resume ends nothing
	if got := s.Mask(); got != 0 {
		t.Errorf("%#x are still paused", got)
	}
	if got := s.Total(AtNanos(1000)); got != (142+60)*Nanosecond {
		t.Errorf("paused for %v, want 142+60 ns", got)
	}
}

func TestPauseForever(t *testing.T) {
	var s Pauses
	s.Apply(0, NewPause(3, 0, true), Gbps)
	s.Apply(0, NewPause(5, 0, true), Gbps)
	if s.Next() != Never || s.Expire(Never-1) != 0 || s.Mask() != 1<<3|1<<5 {
		t.Errorf("next %v, mask %#x", s.Next(), s.Mask())
	}
	s.Clear(AtNanos(10))
	if s.Mask() != 0 || s.Total(AtNanos(99)) != 20*Nanosecond {
		t.Errorf("cleared: mask %#x, paused for %v", s.Mask(), s.Total(AtNanos(99)))
	}
}

// plainPauses are the pauses of each class on its own.
type plainPauses [8]struct {
	paused       bool
	since, until Time
	total        Duration
}

func (p *plainPauses) end(class int, now Time) {
	if c := &p[class]; c.paused {
		c.paused, c.total = false, c.total+now.Sub(c.since)
	}
}

// Frames for any set of classes, pauses that expire and failures of the link do to every class what they do to one.
func TestPausesAgainstPlain(t *testing.T) {
	const rate = 512 * Gbps // a quantum is a nanosecond
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 23))
		var s Pauses
		var plain plainPauses
		for now := Time(0); now < AtNanos(20_000); now = now.Add(Duration(rng.Int64N(20)) * Nanosecond) {
			classes, quanta := rng.IntN(256)&rng.IntN(256), rng.IntN(100)*rng.IntN(2)
			w := PauseWord(classes) | PauseWord(quanta)<<8
			forever := rng.IntN(9) == 0
			if forever {
				w |= untilResumed
			}
			what := rng.IntN(20)
			for class := range plain {
				switch c := &plain[class]; {
				case what == 0:
					plain.end(class, now)
				case what > 9:
					if c.until <= now {
						plain.end(class, now)
					}
				case classes>>class&1 == 0:
				case quanta == 0 && !forever:
					plain.end(class, now)
				default:
					if !c.paused {
						c.paused, c.since = true, now
					}
					if c.until = Never; !forever {
						c.until = now.Add(Duration(quanta) * Nanosecond)
					}
				}
			}
			before := s.Mask()
			switch {
			case what == 0:
				s.Clear(now)
			case what > 9:
				if resumed := s.Expire(now); resumed != before&^s.Mask() {
					t.Fatalf("seed %d, at %v: told that %#x expired, of %#x, not of %#x", seed, now, resumed, before, s.Mask())
				}
			default:
				s.Apply(now, w, rate)
			}
			mask, next, total := uint8(0), Never, Duration(0)
			for class, c := range plain {
				since := Never
				if total += c.total; c.paused {
					mask, next, total, since = mask|1<<class, min(next, c.until), total+now.Sub(c.since), c.since
				}
				if got := s.Since(class); got != since {
					t.Fatalf("seed %d, at %v: class %d is paused since %v, want %v", seed, now, class, got, since)
				}
			}
			if s.Mask() != mask || s.Next() != next || s.Total(now) != total {
				t.Fatalf("seed %d, at %v: paused %#x, next end %v, for %v; want %#x, %v, %v", seed, now, s.Mask(), s.Next(), s.Total(now), mask, next, total)
			}
		}
	}
}

func TestPauseWord(t *testing.T) {
	for class := range uint8(8) {
		for _, quanta := range []uint16{0, 1, 0xffff} {
			for _, forever := range []bool{false, true} {
				w := NewPause(class, quanta, forever)
				if w.Classes() != 1<<class || w.Quanta() != quanta || w.Forever() != forever || w.Resume() != (quanta == 0 && !forever) {
					t.Errorf("class %d, quanta %d, forever %v: %#x", class, quanta, forever, uint64(w))
				}
			}
		}
	}
}
