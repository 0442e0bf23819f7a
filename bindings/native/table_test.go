package native

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

func randomRows(n int) []traces.FCTRow {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	rows := make([]traces.FCTRow, n)
	for i := range rows {
		rows[i] = traces.FCTRow{
			FlowID: r.Int64(), Src: core.NodeID(r.Int32()), Dst: -1, DstPort: r.Int32(), Tag: fmt.Sprint(r.IntN(3)), Scheme: "hpcc",
			SizeBytes: -r.Int64(), StartNs: r.NormFloat64(), Slowdown: r.Float64(), Finished: r.IntN(2) == 0,
		}
	}
	return rows
}

// Rows come back unchanged, from a table and from one that is filled with its bytes.
func TestRowsThereAndBack(t *testing.T) {
	want := randomRows(1000)
	table := tableOf[traces.FCTRow]("fct")
	add(table, want[:1])
	add(table, want[1:])
	again, err := NewTable("fct")
	if err != nil {
		t.Fatal(err)
	}
	for i := range table.columns {
		c := &table.columns[i]
		data, err := table.Column(c.Name)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Fill(c.Name, data, asJSON(c.Labels)); err != nil {
			t.Fatal(err)
		}
	}
	for _, got := range []*Table{table, again} {
		rows, err := rowsOf[traces.FCTRow](got, "fct")
		if err != nil || !slices.Equal(rows, want) || got.Rows() != len(want) {
			t.Errorf("%d rows are not the %d that were put in: %v", len(rows), len(want), err)
		}
	}
}

// The rows of another kind of table are refused.
func TestRowsOfAnotherKind(t *testing.T) {
	ports := tableOf[traces.PortRow]("ports")
	add(ports, make([]traces.PortRow, 3))
	const want = "a table fct is needed, not ports"
	if _, err := Compare(ports, tableOf[traces.FCTRow]("fct")); err == nil || err.Error() != want {
		t.Errorf("comparing: %v", err)
	}
	if _, err := Slowdowns(ports); err == nil || err.Error() != want {
		t.Errorf("slowdowns: %v", err)
	}
}

// What cannot fill a column leaves it, and its labels, as they were.
func TestFillWithWrongLabels(t *testing.T) {
	want := randomRows(10)
	table := tableOf[traces.FCTRow]("fct")
	add(table, want)
	tags := table.column("tag")
	for _, labels := range []string{`["x"]`, `["x", 3]`} {
		if err := table.snapshot().Fill("tag", []byte{0, 0, 0, 0, 1, 0, 0, 0}, labels); err == nil {
			t.Fatalf("%s: column %v has been filled", labels, tags.Labels)
		}
		if rows, err := rowsOf[traces.FCTRow](table, "fct"); err != nil || !slices.Equal(rows, want) {
			t.Errorf("%s: labels are %q, %v", labels, tags.Labels, err)
		}
	}
}

// A snapshot does not change, and may grow on its own.
func TestSnapshot(t *testing.T) {
	rows := randomRows(100)
	table := tableOf[traces.FCTRow]("fct")
	add(table, rows[:10])
	early, grown := table.snapshot(), table.snapshot()
	add(table, rows[10:])
	add(grown, rows[50:60])
	for _, c := range []struct {
		table *Table
		want  []traces.FCTRow
	}{{table, rows}, {early, rows[:10]}, {grown, slices.Concat(rows[:10], rows[50:60])}} {
		if got, err := rowsOf[traces.FCTRow](c.table, "fct"); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%d rows, want %d: %v", len(got), len(c.want), err)
		}
	}
}
