package reproduce

import (
	"context"
	"math"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// With B-D and C-D the port of D is congested all the time, and before that never. The sweeps do not show it: C-D
// starts 0.2 of 1.2 s after one.
func TestCongestedTime(t *testing.T) {
	c := clockOf(true)
	run := dynamicCases(true)[0]
	run.Set = with(run.Set, "stop", c.text(7.2))
	tr, err := run.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if share := tr.growth(tr.Congested, c.nanos(0), c.nanos(4.9)); share != 0 {
		t.Errorf("congested for %v of the time of B-D alone", share)
	}
	if share := tr.growth(tr.Congested, c.nanos(5.1), c.nanos(7)); math.Abs(share-1) > 1e-3 {
		t.Errorf("congested for %v of the time of B-D and C-D", share)
	}
	m := run.Seen.(*manager)
	if share := m.growth(c, m.congest, 6.9) * tick.Seconds(); math.Abs(share-1.0/1.2) > 0.01 {
		t.Errorf("the sweep from 4.8 to 6 s has a share of %v", share)
	}
}

// Counters are drawn as their growth per second.
func TestCounterRates(t *testing.T) {
	m := &manager{swept: []float64{1.2e7, 2.4e7}, wait: []float64{0, 120}, data: []float64{12, 24}, congest: []float64{6, 6}}
	f := m.counterRates(clockOf(true), "id", "title")
	for i, want := range [][2]float64{{0, 1e4}, {1e3, 2e3}, {500, 500}} {
		y := f.Series[i].Y
		for k := range want {
			if math.Abs(float64(y[k])-want[k]) > 1e-6 {
				t.Errorf("%s: %v, want %v", f.Names[i], y, want)
			}
		}
	}
}

func TestEnd(t *testing.T) {
	c := clockOf(true)
	tr := &track{Ended: []sim.FlowRecord{
		{ID: 3, Flow: &sim.Flow{}, Start: c.at(2), FCT: 205 * core.Millisecond, Finished: true}, {ID: 4, Flow: &sim.Flow{}, Start: c.at(2)},
	}}
	if at := tr.end(c, 3); at != 22.5 {
		t.Errorf("ends at %v s, want 22.5", at)
	}
	if at := tr.end(c, 4); !math.IsInf(at, 1) {
		t.Errorf("what has not ended ends at %v s", at)
	}
}

// tenths is a record of two flows with a sample every tenth of a second of the clock: the first one sends at 8 Gb/s
// until a time, then at 2, the second at 1 until the end. The port is congested from that time on.
func tenths(c clock, until, end float64) *track {
	t := &track{Acked: make([][]float64, 2), Words: make([][]float64, 2)}
	bytes, congested := 0.0, 0.0
	for i := range int(math.Round(10*end)) + 1 {
		at := c.nanos(float64(i) / 10)
		t.Times, t.Congested = append(t.Times, at), append(t.Congested, congested)
		t.Acked[0], t.Acked[1] = append(t.Acked[0], bytes), append(t.Acked[1], at/8)
		t.Words[1] = append(t.Words[1], bytes/4)
		step := c.nanos(0.1)
		if float64(i)/10 < until-0.05 {
			bytes += step
		} else {
			bytes, congested = bytes+step/4, congested+step
		}
	}
	return t
}

// A fall of rates, and the begin of congestion, are at the end of the first tenth of a second that shows them.
func TestFalls(t *testing.T) {
	for _, c := range []clock{clockOf(false), clockOf(true)} {
		tr := tenths(c, 8.4, 12)
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
		near("the first flow falls to 5 Gb/s", tr.falls(c, []int{0}, 5, 7), 8.5)
		near("both together fall to 3 Gb/s", tr.falls(c, []int{0, 1}, 3.01, 7), 8.5)
		near("from 10 s on", tr.falls(c, []int{0}, 5, 10), 10.1)
		near("congested", tr.congestedFrom(c), 8.5)
		near("words", tr.words(c, 0, 8)*32/1e9, 8)
		for _, at := range []float64{tr.falls(c, []int{0, 1}, 2.9, 7), tr.falls(c, []int{0}, 5, 13), tenths(c, 8.4, 8.7).congestedFrom(c)} {
			if !math.IsInf(at, 1) {
				t.Errorf("what does not happen for half a second happens at %v s", at)
			}
		}
		near("words from 10 s to the end", tr.words(c, 10, math.Inf(1))*32/1e9, 2)
		if rate := tr.words(c, math.Inf(1), math.Inf(1)); !math.IsNaN(rate) {
			t.Errorf("a period without samples has %v words/s", rate)
		}
	}
}

func TestLast(t *testing.T) {
	c := clockOf(false)
	tr := &track{}
	for id, end := range []float64{40, 300, 20} {
		tr.Ended = append(tr.Ended, sim.FlowRecord{ID: id, Flow: &sim.Flow{}, Start: c.at(8), FCT: core.Duration(c.at(end - 8)), Finished: true})
	}
	if at := tr.last(c, 0, 2); at != 40 {
		t.Errorf("the last ends at %v s, want 40", at)
	}
	if at := tr.last(c, 0, 3); !math.IsInf(at, 1) {
		t.Errorf("what has not ended ends at %v s", at)
	}
}

// The largest growth of a counter is that of a sweep which ends by the time.
func TestMost(t *testing.T) {
	c := clockOf(true)
	m := &manager{swept: []float64{1.2e7, 2.4e7, 3.6e7}}
	for by, want := range map[float64]float64{1: 0, 1.2: 5, 2.5: 5, 3.6: 7} {
		if got := m.most(c, []float64{5, 2, 7}, by); got != want {
			t.Errorf("by %v s: %v, want %v", by, got, want)
		}
	}
}

// The words of a port are those that the manager reads, in sweeps that end with a sample.
func TestWords(t *testing.T) {
	c := clockOf(true)
	run := dynamicCases(true)[0]
	run.Set = with(run.Set, "stop", c.text(6.1))
	tr, err := run.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m := run.Seen.(*manager)
	if ours, swept := tr.words(c, 4.8, 6), m.growth(c, m.data, 6); math.Abs(ours-swept) > 1e-6*swept {
		t.Errorf("sampled %v words/s, swept %v", ours, swept)
	}
}
