// Package slowdown sums up how much longer flows took than alone in the network: percentiles
// by size of message.
package slowdown

import (
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Percentiles are those of a Bucket, in percent.
var Percentiles = [...]float64{50, 95, 99}

// Bucket holds the finished flows of at least From and less than To bytes.
type Bucket struct {
	From, To core.Bytes // To is core.Unlimited in the last bucket
	Flows    int
	Values   [len(Percentiles)]float64 // slowdown at each percentile; 0 without flows
}

// edges separate the buckets.
var edges = [...]core.Bytes{1e3, 10e3, 100e3, 1e6, 10e6}

// Flow is a finished flow.
type Flow struct {
	Bytes    int64
	Slowdown float64
}

// Table returns [Buckets] of the finished flows among the rows.
func Table(rows []traces.FCTRow) []Bucket {
	var flows []Flow
	for i := range rows {
		if r := &rows[i]; r.Finished {
			flows = append(flows, Flow{r.SizeBytes, r.Slowdown})
		}
	}
	return Buckets(flows)
}

// Buckets returns a bucket for every decade of sizes from 1 kB to 10 MB, and the two ends; the
// last element holds all flows.
func Buckets(flows []Flow) []Bucket {
	table := make([]Bucket, 0, len(edges)+2)
	from := core.Bytes(0)
	for _, to := range edges {
		table = append(table, Bucket{From: from, To: to})
		from = to
	}
	table = append(table, Bucket{From: from, To: core.Unlimited}, Bucket{To: core.Unlimited})
	for i := range table {
		table[i].fill(flows)
	}
	return table
}

func (b *Bucket) fill(flows []Flow) {
	var values []float64
	for _, f := range flows {
		if core.Bytes(f.Bytes) >= b.From && core.Bytes(f.Bytes) < b.To {
			values = append(values, f.Slowdown)
		}
	}
	slices.Sort(values)
	b.Flows = len(values)
	for i, p := range Percentiles {
		b.Values[i] = Percentile(values, p)
	}
}

// Label names the range of sizes: <1KB, 10KB-100KB, >=10MB, all.
func (b *Bucket) Label() string {
	switch {
	case b.From == 0 && b.To == core.Unlimited:
		return "all"
	case b.From == 0:
		return "<" + b.To.String()
	case b.To == core.Unlimited:
		return ">=" + b.From.String()
	}
	return b.From.String() + "-" + b.To.String()
}

// Percentile returns the smallest of the values, which are sorted, that p percent of them do
// not exceed (nearest rank); 0 for none.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(float64(p * float64(len(sorted)) / 100)))
	return sorted[max(rank, 1)-1]
}
