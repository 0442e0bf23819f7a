package timeline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// read is a timeline that has been read again.
type read struct {
	TraceEvents []struct {
		Name      string
		Phase     phase `json:"ph"`
		PID, TID  int32
		At        float64 `json:"ts"`
		Lasts     float64 `json:"dur"`
		Arguments struct {
			Name  string
			Value float64
		} `json:"args"`
	}
}

// of returns the timeline of a folder.
func of(t *testing.T, dir string) *read {
	t.Helper()
	var text bytes.Buffer
	if err := Write(&text, dir); err != nil {
		t.Fatal(err)
	}
	var r read
	if err := json.Unmarshal(text.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// slices lists the slices as node, name of the track, name, begin and end in us.
func (r *read) slices(t *testing.T) (list []string) {
	t.Helper()
	tracks := r.tracks(t)
	for _, e := range r.TraceEvents {
		if e.Phase == complete {
			list = append(list, fmt.Sprintf("%d %s %s %.6f %.6f", e.PID, tracks[track{core.NodeID(e.PID), e.TID}], e.Name, e.At, e.At+e.Lasts))
		}
	}
	slices.Sort(list)
	return list
}

// tracks returns the names of tracks, which must be known before anything is on them.
func (r *read) tracks(t *testing.T) map[track]string {
	t.Helper()
	names := make(map[track]string)
	for _, e := range r.TraceEvents {
		at := track{core.NodeID(e.PID), e.TID}
		switch {
		case e.Phase == metadata && e.Name != "process_sort_index":
			if names[at] != "" || e.Arguments.Name == "" {
				t.Errorf("the track %v has the names %q and %q", at, names[at], e.Arguments.Name)
			}
			names[at] = e.Arguments.Name
		case e.TID > 0 && e.TID == e.PID:
			t.Errorf("%+v is on the first thread of a process", e)
		case names[at] == "" || names[track{at.node, 0}] == "":
			t.Errorf("%+v is on a track without a name", e)
		}
	}
	return names
}

// rows returns the rows of a table.
func rows[Row any](t *testing.T, dir, name string) (all []Row) {
	t.Helper()
	if err := tables.Scan(filepath.Join(dir, name), func(rows []Row) { all = append(all, rows...) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// Flows, calcs and collectives are where and when the tables have them, and last until the end of a run that is stopped.
func TestSlices(t *testing.T) {
	for _, c := range []struct{ schedule, stop string }{{"training.goal", "never"}, {"chakra", "never"}, {"training.goal", "600us"}, {"chakra", "600us"}} {
		dir := sample.Of(t, "topology", "star:n=5", "schedule", filepath.Join("../../testdata", c.schedule), "patterns", "permutation:500KB,hosts=0-4", "stop", c.stop)
		end := math.Inf(1)
		if c.stop != "never" {
			end = 600_000
		}
		var want []string
		add := func(node core.NodeID, track, name string, begin, until float64) {
			if until < 0 {
				until = end
			}
			if begin >= 0 {
				want = append(want, fmt.Sprintf("%d %s %s %.6f %.6f", node, track, name, begin/1000, until/1000))
			}
		}
		names := make(map[int64]string)
		for _, o := range rows[traces.ScheduleRow](t, dir, "schedule.parquet") {
			switch o.Kind {
			case "calc":
				add(o.Host, fmt.Sprintf("cpu %d", o.CPU), o.Name, o.BeginNs, o.EndNs)
			case "collective":
				add(o.Host, "collectives", o.Name, o.BeginNs, o.EndNs)
			case "send":
				names[o.FlowID] = o.Name
			}
		}
		for _, f := range rows[traces.FCTRow](t, dir, "fct.parquet") {
			until := -1.0
			if f.Finished {
				until = f.StartNs + f.FCTNs
			}
			add(f.Src, f.Tag, cmp.Or(names[f.FlowID], fmt.Sprintf("to %d", f.Dst)), f.StartNs, until)
		}
		slices.Sort(want)
		got := of(t, dir).slices(t)
		if !slices.Equal(got, want) {
			t.Errorf("%+v: %d slices, want %d", c, len(got), len(want))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("%q, want %q", got[i], want[i])
				}
			}
		}
	}
}

// Slices on a track follow one another, on as few tracks of a name as there are slices at a time.
func TestLanes(t *testing.T) {
	r := of(t, sample.Run(t, t.TempDir(), "dcqcn"))
	tracks := r.tracks(t)
	type span struct{ begin, end float64 }
	on, of, used := make(map[track][]span), make(map[group][]span), make(map[group]int)
	for _, e := range r.TraceEvents {
		if e.Phase != complete {
			continue
		}
		at := track{core.NodeID(e.PID), e.TID}
		g, s := group{at.node, tracks[at]}, span{e.At, e.At + e.Lasts}
		if on[at] == nil {
			used[g]++
		}
		on[at], of[g] = append(on[at], s), append(of[g], s)
	}
	const rounding = 1e-6
	for at, list := range on {
		for i := range list[1:] {
			if list[i+1].begin < list[i].end-rounding {
				t.Errorf("%v: %v overlaps %v", at, list[i+1], list[i])
			}
		}
	}
	busiest := 0
	for g, list := range of {
		most := 0
		for _, a := range list {
			n := 0
			for _, b := range list {
				if b.begin <= a.begin+rounding && b.end > a.begin+rounding {
					n++
				}
			}
			most = max(most, n)
		}
		busiest = max(busiest, most)
		if used[g] != most {
			t.Errorf("%v: %d tracks for %d slices at a time", g, used[g], most)
		}
	}
	if busiest < 3 {
		t.Errorf("%d slices at a time test too little", busiest)
	}
}

// A counter has at every time the value of its time series, and 0 before and behind it.
func TestCounters(t *testing.T) {
	dir := sample.Run(t, t.TempDir(), "hpcc")
	type value struct{ at, is float64 }
	counters := make(map[string][]value)
	r := of(t, dir)
	for _, e := range r.TraceEvents {
		if e.Phase == counter {
			name := fmt.Sprintf("%d %s", e.PID, e.Name)
			counters[name] = append(counters[name], value{e.At, e.Arguments.Value})
		}
	}
	sender, nodes := make(map[int32]core.NodeID), core.NodeID(0)
	for _, f := range rows[traces.FCTRow](t, dir, "fct.parquet") {
		sender[int32(f.FlowID)] = f.Src
	}
	for _, p := range rows[traces.PortRow](t, dir, "ports.parquet") {
		nodes = max(nodes, p.Node+1)
	}
	ends, changes, seen := make(map[string]float64), 0, make(map[string]bool)
	for _, s := range rows[traces.SeriesRow](t, dir, "series.parquet") {
		name, is := fmt.Sprintf("%d %s", nodes, s.Metric), s.Mean
		if s.Flow >= 0 {
			name = fmt.Sprintf("%d flow %d %s", sender[s.Flow], s.Flow, s.Metric)
		} else if s.Port >= 0 {
			name = fmt.Sprintf("%d port %d %s", s.Node, s.Port, s.Metric)
		}
		if s.Metric == traces.MetricQueue {
			is = s.Max
		}
		seen[name], ends[name] = true, s.TimeNs+s.SpanNs
		list := counters[name]
		i, _ := slices.BinarySearchFunc(list, s.TimeNs/1000+1e-6, func(v value, at float64) int { return cmp.Compare(v.at, at) })
		if got := append([]value{{}}, list...)[i].is; got != is {
			t.Fatalf("%s at %v ns: %v, want %v", name, s.TimeNs, got, is)
		}
	}
	for name, list := range counters {
		changes += len(list)
		last := list[len(list)-1]
		if !seen[name] || last.is != 0 || last.at > ends[name]/1000+1e-6 {
			t.Errorf("%s, which ends at %v ns: %v", name, ends[name], last)
		}
		for i := range list[1:] {
			if list[i].is == list[i+1].is {
				t.Errorf("%s: %v and %v", name, list[i], list[i+1])
			}
		}
	}
	if len(counters) < 100 || changes < 1000 {
		t.Errorf("%d counters with %d values test too little", len(counters), changes)
	}
}

// Without a schedule and time series there are flows; other tables, and a summary that can be read, must be there.
func TestMissing(t *testing.T) {
	dir := sample.Of(t, "topology", "star:n=3", "workload", "none", "patterns", "one-one:1KB", "series.interval", "0s")
	if got := of(t, dir).slices(t); len(got) != 1 {
		t.Errorf("%q", got)
	}
	for _, c := range []struct{ file, content, want string }{
		{"series.parquet", "x", "series.parquet: not a Parquet file"},
		{"fct.parquet", "", dir + ": no fct.parquet: is this the folder of a finished run?"},
		{"ports.parquet", "", dir + ": no ports.parquet: is this the folder of a finished run?"},
		{"summary.json", "{", "summary.json: unexpected end of JSON input"},
		{"summary.json", "", dir + ": no summary.json: is this the folder of a finished run?"},
	} {
		path := filepath.Join(dir, c.file)
		os.Remove(path)
		if c.content != "" {
			if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := Write(&bytes.Buffer{}, dir); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Of flows that somebody has taken out of their table there is nothing, wherever they were.
func TestFewerFlows(t *testing.T) {
	dir := sample.Of(t, "topology", "star:n=4", "workload", "none", "patterns", "permutation:1MB", "series.flows", "all")
	flows := rows[traces.FCTRow](t, dir, "fct.parquet")
	out, err := traces.NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	table, err := tables.Create[traces.FCTRow](out, "fct.parquet", nil)
	if err == nil {
		err = cmp.Or(table.Write(flows[1:2]), out.Commit())
	}
	if err != nil {
		t.Fatal(err)
	}
	counters := make(map[string]core.NodeID)
	for _, e := range of(t, dir).TraceEvents {
		if e.Phase == counter && strings.HasPrefix(e.Name, "flow ") {
			counters[e.Name] = core.NodeID(e.PID)
		}
	}
	if len(counters) == 0 {
		t.Error("there are no counters of the flow that is left")
	}
	for name, node := range counters {
		if !strings.HasPrefix(name, fmt.Sprintf("flow %d ", flows[1].FlowID)) || node != flows[1].Src {
			t.Errorf("%s at node %d", name, node)
		}
	}
}
