package slowdown

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/traces"
)

func TestPercentileByHand(t *testing.T) {
	ten := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, c := range []struct {
		values []float64
		p      float64
		want   float64
	}{
		{nil, 50, 0}, {ten[:1], 50, 1}, {ten[:1], 99, 1}, {ten[:2], 50, 1}, {ten[:3], 50, 2},
		{ten, 0, 1}, {ten, 10, 1}, {ten, 11, 2}, {ten, 50, 5}, {ten, 95, 10}, {ten, 100, 10},
	} {
		if got := Percentile(c.values, c.p); got != c.want {
			t.Errorf("percentile %v of %v: got %v, want %v", c.p, c.values, got, c.want)
		}
	}
}

// Of the slowdowns 1 to 200, in whatever order, p percent do not exceed 2p.
func TestPercentilesOfBuckets(t *testing.T) {
	var flows []Flow
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(200) {
		flows = append(flows, Flow{Bytes: 1000, Slowdown: float64(i + 1)})
	}
	table := Buckets(flows)
	want := [...]float64{100, 190, 198}
	if got := table[1].Values; got != want || table[len(table)-1].Values != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTable(t *testing.T) {
	var rows []traces.FCTRow
	for _, size := range []int64{1, 999, 1000, 9999, 1_000_000, 10_000_000, 1 << 40} {
		rows = append(rows, traces.FCTRow{SizeBytes: size, Slowdown: float64(len(rows) + 1), Finished: true})
	}
	rows = append(rows, traces.FCTRow{SizeBytes: 5, Slowdown: 100})
	want := []struct {
		label    string
		flows    int
		p50, p99 float64
	}{
		{"<1KB", 2, 1, 2}, {"1KB-10KB", 2, 3, 4}, {"10KB-100KB", 0, 0, 0}, {"100KB-1MB", 0, 0, 0},
		{"1MB-10MB", 1, 5, 5}, {">=10MB", 2, 6, 7}, {"all", 7, 4, 7},
	}
	table := Table(rows)
	if len(table) != len(want) {
		t.Fatalf("got %d buckets, want %d", len(table), len(want))
	}
	for i, w := range want {
		b := &table[i]
		if b.Label() != w.label || b.Flows != w.flows || b.Values[0] != w.p50 || b.Values[2] != w.p99 {
			t.Errorf("got %s %d %v, want %+v", b.Label(), b.Flows, b.Values, w)
		}
	}
}
