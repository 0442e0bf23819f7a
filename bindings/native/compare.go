package native

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/compare"
	"github.com/qbb-sim/qbb/traces"
)

// Comparison describes the differences between two runs.
type Comparison struct{ r *compare.Report }

// Compare compares the flows of two tables fct.
func Compare(a, b *Table) (c *Comparison, err error) {
	defer guard(&err)
	rowsA, err := rowsOf[traces.FCTRow](a, "fct")
	if err != nil {
		return nil, err
	}
	rowsB, err := rowsOf[traces.FCTRow](b, "fct")
	if err != nil {
		return nil, err
	}
	return &Comparison{compare.Flows(rowsA, rowsB)}, nil
}

// Describe returns the counts as JSON.
func (c *Comparison) Describe() (text string, err error) {
	defer guard(&err)
	r := c.r
	largest, mean := r.Sizes()
	return asJSON(struct {
		Identical                bool
		FlowsA, FlowsB           int
		UnfinishedA, UnfinishedB int
		Cut                      bool
		Paired, Different        int
		OnlyA, OnlyB             int
		MeanRelative             float64
		LargestRelative          float64
	}{
		r.Identical(), r.FlowsA, r.FlowsB, r.UnfinishedA, r.UnfinishedB, r.Cut, r.Paired, len(r.Different),
		len(r.OnlyA), len(r.OnlyB), mean, relative(&largest),
	}), nil
}

func relative(d *compare.Difference) float64 {
	if d.A.FCTNs == 0 {
		return 0
	}
	return d.Relative()
}

type differenceRow struct {
	FlowA     int64       `parquet:"flow_id_a" doc:"number of the flow in A"`
	FlowB     int64       `parquet:"flow_id_b" doc:"number of the flow in B"`
	Src       core.NodeID `parquet:"src" unit:"node id" doc:"source host"`
	Dst       core.NodeID `parquet:"dst" unit:"node id" doc:"destination host"`
	SizeBytes int64       `parquet:"size_bytes" unit:"B" doc:"size of the message"`
	StartNs   float64     `parquet:"start_ns" unit:"ns" doc:"start"`
	FCTA      float64     `parquet:"fct_ns_a" unit:"ns" doc:"flow completion time in A"`
	FCTB      float64     `parquet:"fct_ns_b" unit:"ns" doc:"flow completion time in B"`
	Relative  float64     `parquet:"relative" unit:"ratio" doc:"(fct_ns_b - fct_ns_a) / fct_ns_a"`
}

// Differences lists the flows that differ, by the earlier of their ends.
func (c *Comparison) Differences() (t *Table, err error) {
	defer guard(&err)
	t = tableOf[differenceRow]("differences")
	for i := range c.r.Different {
		d := &c.r.Different[i]
		add(t, []differenceRow{{
			d.A.FlowID, d.B.FlowID, d.A.Src, d.A.Dst, d.A.SizeBytes, d.A.StartNs, d.A.FCTNs, d.B.FCTNs, d.Relative(),
		}})
	}
	return t, nil
}

// Only lists the finished flows that are only in one run: A or B.
func (c *Comparison) Only(ofB bool) (t *Table, err error) {
	defer guard(&err)
	t = tableOf[traces.FCTRow]("fct")
	if ofB {
		add(t, c.r.OnlyB)
	} else {
		add(t, c.r.OnlyA)
	}
	return t, nil
}

type slowdownRow struct {
	Size   string  `parquet:"size" doc:"range of message sizes"`
	FlowsA int64   `parquet:"flows_a" unit:"flows" doc:"finished flows in A"`
	FlowsB int64   `parquet:"flows_b" unit:"flows" doc:"finished flows in B"`
	P50A   float64 `parquet:"p50_a" unit:"ratio" doc:"median slowdown in A"`
	P50B   float64 `parquet:"p50_b" unit:"ratio" doc:"median slowdown in B"`
	P95A   float64 `parquet:"p95_a" unit:"ratio" doc:"95th percentile in A"`
	P95B   float64 `parquet:"p95_b" unit:"ratio" doc:"95th percentile in B"`
	P99A   float64 `parquet:"p99_a" unit:"ratio" doc:"99th percentile in A"`
	P99B   float64 `parquet:"p99_b" unit:"ratio" doc:"99th percentile in B"`
}

// Slowdowns compares the percentiles of slowdown by size.
func (c *Comparison) Slowdowns() (t *Table, err error) {
	defer guard(&err)
	t = tableOf[slowdownRow]("slowdowns")
	for i := range c.r.SlowdownA {
		a, b := &c.r.SlowdownA[i], &c.r.SlowdownB[i]
		add(t, []slowdownRow{{
			a.Label(), int64(a.Flows), int64(b.Flows),
			a.Values[0], b.Values[0], a.Values[1], b.Values[1], a.Values[2], b.Values[2],
		}})
	}
	return t, nil
}
