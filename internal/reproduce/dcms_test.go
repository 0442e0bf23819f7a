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
	tr := &Track{Ended: []sim.FlowRecord{
		{ID: 3, Flow: &sim.Flow{}, Start: c.at(2), FCT: 205 * core.Millisecond, Finished: true}, {ID: 4, Flow: &sim.Flow{}, Start: c.at(2)},
	}}
	if at := tr.end(c, 3); at != 22.5 {
		t.Errorf("ends at %v s, want 22.5", at)
	}
	if at := tr.end(c, 4); !math.IsInf(at, 1) {
		t.Errorf("what has not ended ends at %v s", at)
	}
}
