package native

import (
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/traces"
)

type bucketRow struct {
	Size      string  `parquet:"size" doc:"range of message sizes"`
	FromBytes int64   `parquet:"from_bytes" unit:"B" doc:"least size"`
	ToBytes   int64   `parquet:"to_bytes" unit:"B" doc:"sizes are below it; -1: any"`
	Flows     int64   `parquet:"flows" unit:"flows" doc:"finished flows"`
	P50       float64 `parquet:"p50" unit:"ratio" doc:"median slowdown; like p95 and p99 0 where no flow finished"`
	P95       float64 `parquet:"p95" unit:"ratio" doc:"95th percentile"`
	P99       float64 `parquet:"p99" unit:"ratio" doc:"99th percentile"`
}

// Slowdowns returns percentiles of the slowdown of a table fct by size; the last row is all flows.
func Slowdowns(fct *Table) (t *Table, err error) {
	defer guard(&err)
	rows, err := rowsOf[traces.FCTRow](fct, "fct")
	if err != nil {
		return nil, err
	}
	t = tableOf[bucketRow]("slowdown")
	for _, b := range slowdown.Table(rows) {
		add(t, []bucketRow{{b.Label(), int64(b.From), window(b.To), int64(b.Flows), b.Values[0], b.Values[1], b.Values[2]}})
	}
	return t, nil
}
