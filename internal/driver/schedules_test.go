package driver

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// ofTag lists the operations with a tag, with the places of their hosts in a list instead of these, and times less a start.
func ofTag(t *testing.T, dir, tag string, hosts []core.NodeID, start float64) (list []string) {
	t.Helper()
	relative := func(at float64) string {
		if at < 0 {
			return "never"
		}
		return fmt.Sprintf("%.3f", at-start)
	}
	for _, ops := range operationsOf(t, dir) {
		for _, o := range ops {
			if o.Tag == tag {
				list = append(list, fmt.Sprint(slices.Index(hosts, o.Host), o.Rank, o.Operation, o.Name, o.Kind, o.CPU, slices.Index(hosts, o.Peer), o.SizeBytes, relative(o.BeginNs), relative(o.EndNs)))
			}
		}
	}
	slices.Sort(list)
	return list
}

// Schedules on hosts of their own, from different times on, do what each does alone, in a network in which they do not meet.
func TestSchedules(t *testing.T) {
	for _, profile := range []string{"native", "ns3"} {
		together, alone := t.TempDir(), t.TempDir()
		network := []string{"topology", "star:n=12", "profile", profile, "cc", "dcqcn"}
		const ring, traces = "../../testdata/training.goal", "../../testdata/chakra"
		sum, rows := rowsOf(t, together, append(network, "schedule", ring+",hosts=8,3-5,start=50us,tag=ring", "schedule", traces+",hosts=0-2,11,start=300us")...)
		want, _ := rowsOf(t, alone, append(network, "schedule", ring)...)
		first := ofTag(t, alone, "training", []core.NodeID{0, 1, 2, 3}, 0)
		if got := ofTag(t, together, "ring", []core.NodeID{8, 3, 4, 5}, 50_000); len(first) < 100 || !slices.Equal(got, first) {
			t.Errorf("%s: %d operations, want %d: %s, %s", profile, len(got), len(first), got[0], first[0])
		}
		other, _ := rowsOf(t, alone, append(network, "schedule", traces)...)
		second := ofTag(t, alone, "training", []core.NodeID{0, 1, 2, 3}, 0)
		if got := ofTag(t, together, "training", []core.NodeID{0, 1, 2, 11}, 300_000); len(second) < 100 || !slices.Equal(got, second) {
			t.Errorf("%s: %d operations, want %d: %s, %s", profile, len(got), len(second), got[0], second[0])
		}
		for _, r := range rows {
			if start := map[string]float64{"ring": 50_000, "training": 300_000}[r.Tag]; start == 0 || r.StartNs < start {
				t.Errorf("%s: %+v", profile, r)
			}
		}
		shifted := func(tag string, s ScheduleTotals, start float64) ScheduleTotals {
			s.Tag, s.DoneNs = tag, s.DoneNs+start
			return s
		}
		each := []ScheduleTotals{shifted("ring", *want.Schedule, 50_000), shifted("training", *other.Schedule, 300_000)} // as given
		for i, got := range sum.Schedules {
			if got.Tag != each[i].Tag || got.Hosts != 4 || got.Done != 4 || max(got.DoneNs-each[i].DoneNs, each[i].DoneNs-got.DoneNs) > 1e-3 || got.ComputingNs != each[i].ComputingNs || got.ExposedNs != each[i].ExposedNs {
				t.Errorf("%s: %+v, want %+v", profile, got, each[i])
			}
		}
		if s := sum.Schedule; len(sum.Schedules) != 2 || s.Hosts != 8 || s.Done != 8 || s.Tag != "" || s.DoneNs != max(sum.Schedules[0].DoneNs, sum.Schedules[1].DoneNs) ||
			s.ComputingNs != (each[0].ComputingNs+each[1].ComputingNs)/2 {
			t.Errorf("%s: %+v", profile, s)
		}
	}
}

// A schedule that has not begun when the run ends has spent no time, and nobody has done a part of it, even an empty one.
func TestScheduleLater(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "job.goal")
	write(t, file, "num_ranks 2 rank 0 { calc 5000 } rank 1 { }")
	for stop, want := range map[string]struct {
		totals     ScheduleTotals
		begin, end float64
	}{
		"1us":   {ScheduleTotals{Hosts: 2}, -1, -1},
		"4us":   {ScheduleTotals{Hosts: 2, Done: 1, DoneNs: 3000, ComputingNs: 500}, 3000, -1},
		"never": {ScheduleTotals{Hosts: 2, Done: 2, DoneNs: 8000, ComputingNs: 2500}, 3000, 8000},
	} {
		sum, _ := rowsOf(t, dir, "topology", "star:n=2", "schedule", file+",hosts=1,0,start=3us", "stop", stop)
		ops := operationsOf(t, dir)[1]
		if len(ops) != 1 || *sum.Schedule != want.totals || ops[0].BeginNs != want.begin || ops[0].EndNs != want.end {
			t.Errorf("%s: %+v, %+v, want %+v", stop, *sum.Schedule, ops, want)
		}
	}
}
