package reproduce

import (
	"math"
	"slices"
	"testing"
)

// senders is a run of two, sampled every millisecond: their rates in bit/s and the queue during each millisecond after
// the start.
func senders(ms int, rates func(ms int) (a, b float64), queue func(ms int) float64) *track {
	t := &track{Flows: []int{0, 1}, Acked: make([][]float64, 2), Queue: make([][]float64, 1)}
	var acked [2]float64
	for at := range ms {
		t.Times, t.Queue[0] = append(t.Times, 1e6*float64(at)), append(t.Queue[0], queue(at))
		a, b := rates(at)
		for k, rate := range []float64{a, b} {
			t.Acked[k] = append(t.Acked[k], acked[k])
			acked[k] += rate / 8e3
		}
	}
	return t
}

func noQueue(int) float64 { return 0 }

// Shares count as fair from the end of the first of ten consecutive fair windows; windows begin with the joining at 500
// ms.
func TestTimeToFairness(t *testing.T) {
	for _, c := range []struct {
		name   string
		unfair func(ms int) bool
		want   float64 // ms
	}{
		{"before the joining, too", func(ms int) bool { return ms < 400 }, 10},
		{"from the joining on", func(ms int) bool { return ms < 500 }, 10},
		{"from 120 ms on", func(ms int) bool { return ms < 620 }, 130},
		{"from 122 ms on", func(ms int) bool { return ms < 622 }, 130}, // a window of which a fifth is not fair has 0.975
		{"from 123 ms on", func(ms int) bool { return ms < 623 }, 140},
		{"with a window that is not", func(ms int) bool { return ms < 620 || ms >= 640 && ms < 650 }, 160},
		{"for nine windows", func(ms int) bool { return ms < 620 || ms >= 710 }, math.Inf(1)},
		{"for ten windows", func(ms int) bool { return ms < 620 || ms >= 720 }, 130},
	} {
		tr := senders(1001, func(ms int) (a, b float64) {
			if c.unfair(ms) {
				return 0.9e9, 0.1e9
			}
			return 0.5e9, 0.5e9
		}, noQueue)
		if got := timeToFairness(tr) / 1e6; got != c.want {
			t.Errorf("fair %s: after %v ms, want %v", c.name, got, c.want)
		}
	}
}

// The first stage ends when the queue has fallen from its peak after the joining to the set point, the second when it
// is back there; the third begins with the rates of the next 20 ms.
func TestStages(t *testing.T) {
	queue := func(ms int) float64 {
		switch {
		case ms < 500:
			return 200e3 // is no part of it
		case ms < 530:
			return 100e3 - 1e3*math.Abs(float64(ms-505))
		case ms < 570:
			return setPoint - 1
		case ms > 600:
			return 300e3 // nor is what comes later
		}
		return setPoint
	}
	tr := senders(701, func(ms int) (a, b float64) {
		if ms < 570 || ms >= 590 {
			return 0.5e9, 0.5e9
		}
		return 0.8e9, 0.1e9
	}, queue)
	if fall, again := fallAndReturn(tr); fall != 30e6 || again != 70e6 {
		t.Errorf("the queue falls in %v and is back after %v ns, want 30 and 70 ms", fall, again)
	}
	if rates := startOfThird(tr); !slices.Equal(rates, []float64{0.8e9, 0.1e9}) {
		t.Errorf("the third stage begins with %v bit/s", rates)
	}
	if _, again := fallAndReturn(senders(701, func(int) (a, b float64) { return 1, 1 }, noQueue)); !math.IsInf(again, 1) {
		t.Errorf("a queue that never is back is after %v ns", again)
	}
}

// The largest stable delay is the one before the first at which the queue's deviation exceeds the set point, or the link
// is not used, whatever comes after it; a delay's verdict is that of the median of its seeds.
func TestStableDelay(t *testing.T) {
	run := func(swing, rate float64) *track {
		tr := senders(100, func(int) (a, b float64) { return 0, 0 }, func(ms int) float64 { return 60e3 + swing*float64(1-2*(ms%2)) })
		for ms := range tr.Times {
			tr.Sent = append(tr.Sent, rate/8e3*float64(ms))
		}
		return tr
	}
	r := &Result{tracks: make(map[string]*track)}
	for variant, last := range []string{"628us", "1347us"} {
		stable := true
		for _, d := range marginDelays() {
			for seed := 1; seed <= 5; seed++ {
				swing, rate := 20e3, 0.97e9
				switch {
				case seed <= 2: // two of five do not decide
					swing = 40e3
				case !stable && variant == 0:
					swing = 27e3
				case !stable:
					rate = 0.9e9
				}
				r.tracks[seedName("delay-"+string(rune('0'+variant))+"-"+d, seed)] = run(swing, rate)
			}
			stable = d != last // only the next one is unstable
		}
		if got, want := stableDelay(r, variant), delayOf(last); got != want {
			t.Errorf("stable up to %v ns, want %v", got, want)
		}
	}
	delays := marginDelays()
	for i := 4; i < len(delays); i++ {
		if ratio := delayOf(delays[i]) / delayOf(delays[i-1]); math.Abs(ratio-1.1) > 0.002 {
			t.Errorf("%s is %v times %s", delays[i], ratio, delays[i-1])
		}
	}
}
