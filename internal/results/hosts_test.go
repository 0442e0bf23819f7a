package results

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// area is that under the steps of a curve.
func area(s *figure.Series) (sum float64) {
	for k := 1; k < len(s.X); k++ {
		sum += float64(s.Y[k-1] * (s.X[k] - s.X[k-1]))
	}
	return sum
}

// overlapping calcs run on several cpus at once, and messages while others are under way; hosts send to themselves, too.
const overlapping = `num_ranks 3
rank 0 {
a: calc 5000
b: calc 7000 cpu 1
c: calc 1000 cpu 2
d: send 100000b to 1
e: send 300b to 1
f: calc 20000 cpu 1
g: send 50b to 0
h: recv 50b from 0
c requires a
f requires d
}
rank 1 {
a: recv 100000b from 0
b: recv 300b from 0
c: calc 3000 cpu 1
d: calc 4000
e: calc 2500 cpu 3
c requires b
d requires a
e requires a
}
rank 2 { }
`

// The area under the share of hosts that compute is the time for which a host computed, whatever runs at the same time, of
// each of several schedules, and of a run that was stopped.
func TestAreaOfComputing(t *testing.T) {
	goal := filepath.Join(t.TempDir(), "job.goal")
	if err := os.WriteFile(goal, []byte(overlapping), 0o666); err != nil {
		t.Fatal(err)
	}
	const training, chakra = "../../testdata/training.goal", "../../testdata/chakra"
	for name, pairs := range map[string][]string{
		"training":    {"schedule", training},
		"chakra":      {"schedule", chakra},
		"overlapping": {"schedule", goal},
		"stopped":     {"schedule", goal, "stop", "7500ns"},
		"several":     {"schedule", goal + ",hosts=7,2,5,start=30us", "schedule", training + ",hosts=0-1,3-4"},
	} {
		r := loadSchedule(t, pairs...)
		want := r.Summary.Schedules
		if len(want) == 0 {
			want = []driver.ScheduleTotals{*r.Summary.Schedule}
		}
		f := draw("schedule", r)
		if f.Empty != "" || len(f.Series) != doings*len(want) || !slices.Equal(f.Variants, []string{"computing", "sending"}) {
			t.Fatalf("%s: %q, %d curves, %q", name, f.Empty, len(f.Series), f.Variants)
		}
		for i := range want {
			c := &f.Series[i*doings]
			if got := area(c); c.Variant != computing || len(c.X) != maxPoints || math.Abs(got-want[i].ComputingNs) > 1e-9*got {
				t.Errorf("%s: %d points with an area of %v: %+v", name, len(c.X), got, want[i])
			}
			if len(want) > 1 && f.Names[c.Name] != want[i].Tag {
				t.Errorf("%s: the names are %q: %+v", name, f.Names, want[i])
			}
		}
		if last := f.Series[0].X[maxPoints-1]; f.Series[0].X[0] != 0 || math.Abs(float64(last)-r.scheduleEnd()) > 1e-6 {
			t.Errorf("%s: from %v to %v, want %v", name, f.Series[0].X[0], last, r.scheduleEnd())
		}
	}
}

// loadSchedule runs a scenario with a schedule on a star.
func loadSchedule(t *testing.T, pairs ...string) *Run {
	t.Helper()
	runs, err := Load([]string{sample.Of(t, append([]string{"topology", "star:n=8"}, pairs...)...)})
	if err != nil {
		t.Fatal(err)
	}
	return runs[0]
}

// rowsRun is a run of a schedule of four hosts, with a table of operations, whose last ends at 499 ns: a part of time is 1 ns.
func rowsRun(t *testing.T, done int, rows ...traces.ScheduleRow) *Run {
	t.Helper()
	r := planned("x", "1KB", 1, done, activityParts)
	r.Summary.Schedule.Hosts = 4
	r.Summary.EndNs = activityParts
	dir := t.TempDir()
	out, err := traces.NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := tables.Create[traces.ScheduleRow](out, "schedule.parquet", nil)
	if err == nil {
		err = table.Write(rows)
	}
	if err == nil {
		err = out.Commit()
	}
	if err == nil {
		err = r.loadActivities(filepath.Join(dir, "schedule.parquet"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// operationRow is a message, or a calc, of a host.
func operationRow(host core.NodeID, kind string, flow int64, begin, end float64) traces.ScheduleRow {
	return traces.ScheduleRow{Host: host, Tag: "job", Kind: kind, FlowID: flow, BeginNs: begin, EndNs: end}
}

// A host counts once however much it does; what has not ended lasts until the end of the run, and what has not begun, messages
// that it gets or sends itself, and collectives are no doing of it.
func TestSharesOfHosts(t *testing.T) {
	r := rowsRun(t, 3,
		operationRow(1, "send", 3, 20, 40), operationRow(1, "send", 2, 10.5, 25), operationRow(1, "calc", -1, 0, 4), operationRow(1, "send", -1, 100, 200),
		operationRow(1, "send", 9, -1, -1), operationRow(1, "recv", 4, 200, 300), operationRow(1, "collective", -1, 200, 300), operationRow(1, "calc", -1, 2, 3),
		operationRow(3, "send", 4, 30, 32), operationRow(3, "send", 5, 490, -1))
	sends, calcs := &r.hosts[0].shares[sending], &r.hosts[0].shares[computing]
	for at, want := range map[int][doings]float64{
		0: {0.25, 0}, 2: {0.25, 0}, 4: {0, 0}, 9: {0, 0}, 10: {0, 0.125}, 11: {0, 0.25}, 24: {0, 0.25}, 30: {0, 0.5}, 31: {0, 0.5}, 32: {0, 0.25}, 39: {0, 0.25}, 40: {0, 0}, 150: {0, 0}, 250: {0, 0}, 489: {0, 0}, 490: {0, 0.25}, 498: {0, 0.25},
	} {
		if got := [doings]float64{calcs.points[at].mean, sends.points[at].mean}; got != want {
			t.Errorf("at %d: %v, want %v", at, got, want)
		}
	}
	f := draw("schedule", r)
	if last := f.Series[sending].Y[activityParts]; last != 0.25 || !slices.Equal(f.Names, []string{"x"}) || f.Hidden != nil {
		t.Errorf("a run that was stopped ends with a share of %v; names %q, hidden %v", last, f.Names, f.Hidden)
	}
}

// Several seeds have a mean with its interval, in equal parts of the time of the longest; a seed that is done does nothing. It
// ends where a seed was stopped.
func TestSchedulesOfSeeds(t *testing.T) {
	for _, c := range []struct {
		done       int
		end        figure.Num
		last, want figure.Num
	}{{4, activityParts, 0, 0.125}, {3, activityParts / 2., 0.25, 0.25}} {
		short := rowsRun(t, 4, operationRow(1, "calc", -1, 0, activityParts))
		long := rowsRun(t, 4, operationRow(1, "calc", -1, 0, activityParts))
		short.Summary.Schedule.Done, short.Summary.Schedule.DoneNs, short.Summary.EndNs = c.done, activityParts/2., activityParts/2.
		short.hosts = nil
		for _, a := range short.newActivities() {
			a.shares[computing].add(stretch{0, activityParts}, 0.25)
			short.hosts = append(short.hosts, a)
		}
		s := draw("schedule", withSeeds(long, short)).Series[computing]
		if s.X[activityParts] != c.end || s.Y[activityParts] != c.last || s.Y[0] != 0.25 || math.Abs(float64(s.Y[400]-c.want)) > 1e-12 {
			t.Errorf("done %d: until %v, shares %v, %v, %v", c.done, s.X[activityParts], s.Y[0], s.Y[400], s.Y[activityParts])
		}
		if s.Low[0] != 0.25 || c.done == 4 && (s.Low[400] != 0 || s.High[400] != 1) {
			t.Errorf("done %d: from %v to %v", c.done, s.Low[400], s.High[400])
		}
	}
}

// Of one run, schedules are names; of several, they are variants, of which the first is shown. A tag says nothing where
// every run has one schedule.
func TestNamesOfSchedules(t *testing.T) {
	of := func(name string, tags ...string) *Run {
		r := planned(name, "1KB", 1, 3, 1000)
		r.Name = name
		for _, tag := range tags {
			r.Summary.Schedules = append(r.Summary.Schedules, driver.ScheduleTotals{Tag: tag, Hosts: 1})
		}
		r.hosts = r.newActivities()
		r.hosts[0].shares[computing].add(stretch{0, 500}, 1)
		return r
	}
	many := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for name, c := range map[string]struct {
		runs            []*Run
		names, variants []string
		hidden          []int
		curves          int
		note            string
	}{
		"two in one":   {[]*Run{of("x", "a", "b\n")}, []string{"a", `b\n`}, []string{"computing", "sending"}, nil, 4, ""},
		"one each":     {[]*Run{of("x", "a"), of("y", "b")}, []string{"x", "y"}, []string{"computing", "sending"}, nil, 4, ""},
		"one and none": {[]*Run{of("x", "a"), {Name: "y"}}, []string{"x", "y"}, []string{"computing", "sending"}, nil, 2, ""},
		"two and one":  {[]*Run{of("x", "a", "b"), of("y", "b")}, []string{"x", "y"}, []string{"a computing", "a sending", "b computing", "b sending"}, []int{2, 3}, 6, ""},
		"many":         {[]*Run{of("x", many...)}, many[:8], []string{"computing", "sending"}, nil, 16, "Of 9 schedules it shows the first 8."},
		"many twice":   {[]*Run{of("x", many...), of("y", "3")}, []string{"x", "y"}, []string{"1 computing", "1 sending", "2 computing", "2 sending", "3 computing", "3 sending", "4 computing", "4 sending"}, []int{2, 3, 4, 5, 6, 7}, 10, "Of 9 schedules it shows the first 4."},
	} {
		f := draw("schedule", c.runs...)
		if !slices.Equal(f.Names, c.names) || !slices.Equal(f.Variants, c.variants) || !slices.Equal(f.Hidden, c.hidden) || len(f.Series) != c.curves || f.Note != c.note {
			t.Errorf("%s: names %q, variants %q, hidden %v, %d curves, note %q", name, f.Names, f.Variants, f.Hidden, len(f.Series), f.Note)
		}
		for _, s := range f.Series {
			if s.Name >= len(f.Names) || s.Variant >= len(f.Variants) {
				t.Errorf("%s: a curve of name %d and variant %d", name, s.Name, s.Variant)
			}
		}
	}
}

// A figure without hosts that did something says why. A table in the folder of a run without a schedule is an older one.
func TestNoSchedule(t *testing.T) {
	without, path := seeded("x", 1), filepath.Join(t.TempDir(), "schedule.parquet")
	if err := os.WriteFile(path, []byte("not read"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := without.loadActivities(path); err != nil {
		t.Error(err)
	}
	removed := planned("x", "1KB", 1, 3, 1000)
	if err := removed.loadActivities(path + ".none"); err != nil {
		t.Error(err)
	}
	if err := removed.loadActivities(path); err == nil {
		t.Error("the table is not read")
	}
	removed.hosts = nil
	for want, r := range map[string]*Run{
		"No run has a schedule: qbb run --schedule PATH.": without,
		"There is no schedule.parquet any more.":          removed,
		"No host computed or sent.":                       rowsRun(t, 0, operationRow(1, "calc", -1, -1, -1)),
	} {
		if f := draw("schedule", r); f.Empty != want || len(f.Series) != 0 || !slices.Equal(f.Names, []string{"x"}) {
			t.Errorf("%q, %d curves, names %q; want %q", f.Empty, len(f.Series), f.Names, want)
		}
	}
}
