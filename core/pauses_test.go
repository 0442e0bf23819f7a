package core

import "testing"

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
