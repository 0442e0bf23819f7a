package driver

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// checkOperations compares schedule.parquet with fct.parquet and the summary of a run: every message is
// a flow, which leaves and is acknowledged when its operation begins and ends, and arrives before that; hosts compute when
// their calcs run.
func checkOperations(t *testing.T, dir string, sum *Summary) {
	t.Helper()
	if sum.Schedule == nil {
		return
	}
	flows, err := tables.LoadFCT(filepath.Join(dir, "fct.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	byID, tagged, tags := make(map[int64]traces.FCTRow), make(map[string]int), make(map[string]bool)
	for _, f := range flows {
		byID[f.FlowID] = f
		tagged[f.Tag]++
	}
	seen, computing, last := make(map[string]int), 0.0, 0.0
	for _, ops := range operationsOf(t, dir) {
		computing += computed(ops, sum.EndNs)
		for i := range ops {
			last = max(last, ops[i].EndNs)
			if f, ok := byID[ops[i].FlowID]; ok {
				tags[f.Tag] = true
				seen[ops[i].Kind]++
				checkMessage(t, &ops[i], &f)
			} else if ops[i].FlowID >= 0 {
				t.Errorf("there is no flow of %+v", ops[i])
			}
		}
	}
	messages := 0
	for tag := range tags {
		messages += tagged[tag]
	}
	if len(seen) > 2 || seen["send"] != messages || seen["recv"] != messages {
		t.Errorf("%v are messages; flows: %v", seen, tagged)
	}
	s := sum.Schedule
	if mean := computing / float64(s.Hosts); math.Abs(mean-s.ComputingNs) > 1e-3 {
		t.Errorf("calcs run for %v ns on a host: %+v", mean, s)
	}
	if s.Done == s.Hosts && (last != s.DoneNs || s.ComputingNs+s.ExposedNs > last+1e-3) {
		t.Errorf("the last operation ends at %v: %+v", last, s)
	}
}

// checkMessage compares an end of a message with its flow.
func checkMessage(t *testing.T, o *traces.ScheduleRow, f *traces.FCTRow) {
	t.Helper()
	acked := math.Inf(1)
	if f.Finished {
		acked = f.StartNs + f.FCTNs
	}
	var ok bool
	if o.Kind == "send" {
		ok = o.Host == f.Src && o.Peer == f.Dst && o.BeginNs == f.StartNs && (o.EndNs < 0 || math.Abs(o.EndNs-acked) < 1e-3)
	} else {
		ok = o.Host == f.Dst && o.Peer == f.Src && (o.EndNs < 0 || o.EndNs > f.StartNs && o.EndNs <= max(acked, o.BeginNs))
	}
	if !ok || o.SizeBytes != f.SizeBytes || f.Finished && o.EndNs < 0 && o.BeginNs >= 0 {
		t.Errorf("%+v is the flow %+v", o, f)
	}
}

// operationsOf returns the rows of schedule.parquet by host.
func operationsOf(t *testing.T, dir string) map[core.NodeID][]traces.ScheduleRow {
	t.Helper()
	byHost := make(map[core.NodeID][]traces.ScheduleRow)
	err := tables.Scan(filepath.Join(dir, "schedule.parquet"), func(rows []traces.ScheduleRow) {
		for _, o := range rows {
			byHost[o.Host] = append(byHost[o.Host], o)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return byHost
}

// computed returns for how long some calc of a host runs: the sum over the times between those at which one begins or ends.
func computed(ops []traces.ScheduleRow, until float64) (ns float64) {
	calcs := slices.DeleteFunc(slices.Clone(ops), func(o traces.ScheduleRow) bool { return o.Kind != "calc" || o.BeginNs < 0 })
	var times []float64
	for i := range calcs {
		if calcs[i].EndNs < 0 {
			calcs[i].EndNs = until
		}
		times = append(times, calcs[i].BeginNs, calcs[i].EndNs)
	}
	slices.SortFunc(times, cmp.Compare)
	for i := 1; i < len(times); i++ {
		runs := func(o traces.ScheduleRow) bool { return o.BeginNs <= times[i-1] && o.EndNs >= times[i] }
		if slices.ContainsFunc(calcs, runs) {
			ns += times[i] - times[i-1]
		}
	}
	return ns
}
