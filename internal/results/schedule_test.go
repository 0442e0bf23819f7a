package results

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
)

// planned is a run of three hosts with a schedule, which so many of them did.
func planned(name, mtu string, seed uint64, done int, ns float64) *Run {
	r := seeded(name, seed)
	r.Settings = []Setting{{"mtu", mtu}, {"schedule", "job.goal"}}
	r.Flows = []Flow{{Start: 10, FCT: ns / 2, Slowdown: 1}}
	r.Summary.Schedule = &driver.ScheduleTotals{Hosts: 3, Done: done, DoneNs: ns, ExposedNs: ns - 100}
	return r
}

// A schedule's row has the time when its last host was done, of the seeds in which all hosts were, and no slowdown.
func TestSchedules(t *testing.T) {
	a := planned("a", "1KB", 1, 3, 100)
	a.others = []*Run{planned("a", "1KB", 2, 3, 300), planned("a", "1KB", 3, 2, 7)}
	runs := []*Run{a, planned("b", "1KB", 1, 2, 50), seeded("c", 1)}
	table := BySchedule(runs)
	if len(table) != 1 || table[0].Label != "schedule" {
		t.Fatalf("%+v", table)
	}
	var got []float64
	for _, r := range table[0].Rows {
		got = append(got, float64(r.Flows), r.Time.Mean, float64(r.Time.N), float64(r.Values[0].N))
	}
	if want := []float64{6, 200, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if BySchedule(runs[2:]) != nil {
		t.Error("a run without a schedule has one")
	}
	if err := Only(runs, ""); err != nil || BySchedule(runs) != nil {
		t.Errorf("flows with a tag are a schedule, %v", err)
	}
}

// The trends of schedules show when the last host was done, not when flows ended, and what communication was exposed, which
// may be none.
func TestScheduleTrend(t *testing.T) {
	runs := []*Run{planned("a", "2KB", 1, 3, 400), planned("b", "1KB", 1, 3, 100), planned("c", "4KB", 1, 2, 9)}
	f, err := ScheduleTrend(runs, "mtu")
	if err != nil || len(f.Series) != 1 || !slices.Equal(f.Series[0].X, []figure.Num{1e3, 2e3}) || !slices.Equal(f.Series[0].Y, []figure.Num{100, 400}) {
		t.Errorf("%+v, %v", f.Series, err)
	}
	if f.Title != "Schedule by mtu" || f.Y.Label != "Schedule done after" || f.Y.Unit != figure.Time || f.About == "" {
		t.Errorf("title %q, axis %+v, about %q", f.Title, f.Y, f.About)
	}
	f, err = ExposedTrend(runs, "mtu")
	if err != nil || len(f.Series) != 1 || !slices.Equal(f.Series[0].X, []figure.Num{1e3, 2e3}) || !slices.Equal(f.Series[0].Y, []figure.Num{0, 300}) || f.Y.Scale == figure.Log {
		t.Errorf("%+v, %v, %v", f.Series, f.Y.Scale, err)
	}
	if f.Title != "Exposed communication by mtu" || f.Y.Label != "Exposed communication" || f.Y.Unit != figure.Time || f.About == "" {
		t.Errorf("title %q, axis %+v, about %q", f.Title, f.Y, f.About)
	}
	for _, r := range runs {
		r.Summary.Schedule.Done = 1
	}
	if f, err := ScheduleTrend(runs, "mtu"); err != nil || f.Empty != "No schedule was done on all hosts." {
		t.Errorf("%q, %v", f.Empty, err)
	}
}
