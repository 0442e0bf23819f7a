package driver

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// scheduled runs a schedule with further keys, and returns the rows of its flows.
func scheduled(t *testing.T, text string, pairs ...string) (*Summary, []traces.FCTRow) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "job.goal")
	write(t, file, text)
	return rowsOf(t, dir, append([]string{"schedule", file}, pairs...)...)
}

func rowsOf(t *testing.T, dir string, pairs ...string) (*Summary, []traces.FCTRow) {
	t.Helper()
	sum := runInto(t, of(t, pairs...), Options{Dir: dir})
	checkOperations(t, dir, sum)
	rows, err := tables.LoadFCT(filepath.Join(dir, "fct.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	return sum, rows
}

// ringSchedule is a ring all-reduce of n ranks.
func ringSchedule(n, piece int) string {
	text := fmt.Sprintf("num_ranks %d\n", n)
	for r := range n {
		text += fmt.Sprintf("rank %d {\n", r)
		for step := range 2 * (n - 1) {
			text += fmt.Sprintf("s%d: send %db to %d tag %d\n", step, piece, (r+1)%n, step)
			text += fmt.Sprintf("r%d: recv %db from %d tag %d\n", step, piece, (r+n-1)%n, step)
			if step > 0 {
				text += fmt.Sprintf("s%d requires r%d\n", step, step-1)
			}
		}
		text += "}\n"
	}
	return text
}

// Networks in which a schedule is compared with another way to say it.
var scheduleNetworks = [][]string{
	{"topology", "star:n=6"},
	{"topology", "star:n=6", "profile", "ns3"},
	{"topology", "star:n=6", "cc", "dcqcn", "host.ack_every", "4"},
}

// timesOf lists what happened to the flows.
func timesOf(rows []traces.FCTRow) (list []string) {
	for _, r := range rows {
		list = append(list, fmt.Sprint(r.Src, r.Dst, r.SizeBytes, r.StartNs, r.FCTNs))
	}
	slices.Sort(list)
	return list
}

func sameTimes(t *testing.T, name string, got, want []traces.FCTRow) {
	t.Helper()
	a, b := timesOf(got), timesOf(want)
	if !slices.Equal(a, b) {
		t.Errorf("%s: %d flows, want %d", name, len(a), len(b))
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("%s: %s, want %s", name, a[i], b[i])
			}
		}
	}
}

// What a schedule and flows that wait for others both can say happens at the same times.
func TestScheduleOfRing(t *testing.T) {
	for _, more := range scheduleNetworks {
		sum, rows := scheduled(t, ringSchedule(6, 100_000), more...)
		_, same := rowsOf(t, t.TempDir(), append([]string{"patterns", "ring-all-reduce:600KB"}, more...)...)
		if len(rows) != 60 {
			t.Errorf("%v: %d rows", more, len(rows))
		}
		sameTimes(t, fmt.Sprint(more), rows, same)
		if s := sum.Schedule; s == nil || s.Hosts != 6 || s.Done != 6 || s.DoneNs != sum.Traffic.ToNs {
			t.Errorf("%v: %+v, the last flow ends at %v", more, s, sum.Traffic.ToNs)
		}
	}
}

// A message that is answered, with computing before, between and after, through an idle network for a long time too: all
// times follow from those of the two flows alone.
func TestScheduleTimes(t *testing.T) {
	for _, calc := range []int64{1000, 3_000_000_000} {
		for _, profile := range []string{"native", "ns3"} {
			text := fmt.Sprintf("num_ranks 2\nrank 0 {\na: calc 5000\nb: send 100000b to 1\nb requires a\nc: recv 1b from 1\nd: calc %[1]d\nd requires c\n}\n"+
				"rank 1 {\na: recv 1b from 0\nb: calc %[1]d\nb requires a\nc: send 300b to 0\nc requires b\n}\n", calc)
			sum, rows := scheduled(t, text, "topology", "star:n=3,delay=2us", "profile", profile, "cc", "none")
			if len(rows) != 2 || !rows[0].Finished || !rows[1].Finished {
				t.Fatalf("%+v", rows)
			}
			// The last byte is there two links before the acknowledgement, of 66 B, that it sets off.
			there := func(r *traces.FCTRow) float64 { return r.StartNs + r.FCTNs - 2*(2000+5.28) }
			near := func(got, want float64) bool { // in ns3 every link rounds
				return math.Abs(got-want) < 1e-3 || profile == "ns3" && math.Abs(got-want) < 3
			}
			second, done := there(&rows[0])+float64(calc), max(there(&rows[1])+float64(calc), rows[1].StartNs+rows[1].FCTNs)
			if rows[0].StartNs != 5000 || !near(rows[1].StartNs, second) || !near(sum.Schedule.DoneNs, done) {
				t.Errorf("%s, %d: starts %v and %v, done at %v; want 5000, %v and %v", profile, calc, rows[0].StartNs, rows[1].StartNs, sum.Schedule.DoneNs, second, done)
			}
			if sum.EndNs < sum.Schedule.DoneNs || len(sum.Notes) > 0 {
				t.Errorf("%s, %d: the run ends at %v, the schedule at %v; %q", profile, calc, sum.EndNs, sum.Schedule.DoneNs, sum.Notes)
			}
		}
	}
}

// A schedule among other traffic: every message is sent once, between the right hosts, and with several threads all files are
// the same.
func TestScheduleAmongOthers(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "flows.csv"), "src,dst,bytes,start_ns,tag\n3,4,7000,1000,first\n4,3,8000,20000,second\n")
	more := []string{
		"topology", "leaf-spine:leaves=2,spines=2,hosts=4", "workload", "websearch", "duration", "200us", "patterns", "permutation:50KB,tag=p",
		"flows", filepath.Join(dir, "flows.csv"),
	}
	sum, rows := scheduled(t, ringSchedule(5, 30_000), more...)
	if sum.Schedule.Done != 5 || sum.Flows.Finished != sum.Flows.Total {
		t.Errorf("%+v, %+v", sum.Schedule, sum.Flows)
	}
	count := make(map[string]int)
	for _, r := range rows {
		if r.Tag == "job" {
			count[fmt.Sprint(r.Src, r.Dst, r.SizeBytes)]++
		} else if r.SizeBytes == 30_000 {
			t.Errorf("another flow looks like a message: %+v", r)
		}
	}
	if len(count) != 5 {
		t.Errorf("%v", count)
	}
	for r := range 5 {
		if k := fmt.Sprint(r, (r+1)%5, 30_000); count[k] != 8 {
			t.Errorf("%s: %d messages, want 8", k, count[k])
		}
	}
	file := filepath.Join(dir, "job.goal")
	write(t, file, ringSchedule(5, 30_000))
	var files []map[string]string
	for _, threads := range []int{1, 2} {
		out := t.TempDir()
		runInto(t, of(t, append([]string{"schedule", file}, more...)...), Options{Dir: out, Threads: threads})
		files = append(files, contents(t, out))
	}
	sameFiles(t, files[0], files[1])
}

// A message that is given up leaves what waits for it undone, and the run ends.
func TestScheduleAfterFailure(t *testing.T) {
	const text = "num_ranks 3 rank 0 { send 1000000b to 1 a: calc 9 } rank 1 { a: recv 1b from 0 b: send 1000b to 2 b requires a } rank 2 { recv 1b from 1 }"
	sum, rows := scheduled(t, text, "topology", "star:n=3", "links", "{at: 10us, down: 1-3}", "options.retries", "3")
	if len(rows) != 2 || rows[1].StartNs != -1 || sum.Flows.Failed != 1 || sum.Flows.Stuck != 2 || sum.Schedule.Done != 0 {
		t.Errorf("%d rows, %+v, %+v", len(rows), sum.Flows, sum.Schedule)
	}
	if len(sum.Unfinished) != 2 || !strings.HasPrefix(sum.Unfinished[1].Reason, "its schedule had not come so far") {
		t.Errorf("%+v", sum.Unfinished)
	}
}

// Computing alone takes its time, and an end that is set cuts it off.
func TestScheduleWithoutMessages(t *testing.T) {
	const text = "num_ranks 2 rank 0 { calc 5000 calc 300 } rank 1 { calc 70 }"
	sum, _ := scheduled(t, text, "topology", "star:n=2")
	if want := (ScheduleTotals{Hosts: 2, Done: 2, DoneNs: 5300, ComputingNs: 2685}); *sum.Schedule != want || sum.EndNs != 5300 {
		t.Errorf("%+v, the end is at %v; want %+v", sum.Schedule, sum.EndNs, want)
	}
	sum, _ = scheduled(t, text, "topology", "star:n=2", "stop", "1us")
	if want := (ScheduleTotals{Hosts: 2, Done: 1, DoneNs: 70, ComputingNs: 535}); *sum.Schedule != want || sum.EndNs != 1000 {
		t.Errorf("%+v, the end is at %v; want %+v", sum.Schedule, sum.EndNs, want)
	}
}

// Mistakes name the file, the line and what to do.
func TestScheduleMistakes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.goal")
	for text, want := range map[string]string{
		"num_ranks 3":                file + " has 3 ranks, and the network 2 hosts: choose a larger one",
		"num_ranks 1\nrank 0 { calc": file + ":2: the end of the file is no time in nanoseconds: write a whole number such as 8",
	} {
		write(t, file, text)
		if _, err := of(t, "topology", "star:n=2", "schedule", file).Setup(); err == nil || strings.TrimPrefix(err.Error(), "schedule: ") != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := of(t, "topology", "star:n=2", "schedule", filepath.Join(dir, "b.goal")).Setup(); err == nil || !strings.Contains(err.Error(), "b.goal: no such file") {
		t.Error(err)
	}
}

// The example's step takes at least as long as its computing and the reduction of the last layer, and as the reduction of all
// layers once the first is computed; and not much longer than the longer one.
func TestScheduleOfTraining(t *testing.T) {
	for _, gbps := range []float64{10, 25, 100, 400, 1600} {
		sum := runInto(t, of(t, "topology", fmt.Sprintf("star:n=4,rate=%vGbps", gbps), "schedule", "../../testdata/training.goal", "cc", "none"), Options{Dir: t.TempDir()})
		piece := 500 * 1062 * 8 / gbps // ns, with headers
		computing, network := 500e3+6*piece, 300e3+18*piece
		if least, done := max(computing, network), sum.Schedule.DoneNs; sum.Schedule.Done != 4 || done < least || done > 1.15*least+50e3 {
			t.Errorf("%v Gb/s: %+v, at least %v", gbps, sum.Schedule, least)
		}
	}
}
