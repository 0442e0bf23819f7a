package tables

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/qbb-sim/qbb/traces"
)

// textRow has every kind of column that a run writes.
type textRow struct {
	Name string  `parquet:"name"`
	Yes  bool    `parquet:"yes"`
	X    float64 `parquet:"x"`
	N    int64   `parquet:"n"`
	Port int32   `parquet:"port"`
}

// A table as text has its columns' names, and every row with all digits of its numbers.
func TestText(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([]textRow, 5000)
	for i := range rows {
		rows[i] = textRow{fmt.Sprint("a,b ", i), rng.IntN(2) == 0, rng.NormFloat64() * float64(rng.Int64N(1<<60)), rng.Int64() - 1<<62, rng.Int32() - 1<<30}
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := parquet.WriteFile(path, rows, parquet.MaxRowsPerRowGroup(1500)); err != nil {
		t.Fatal(err)
	}
	var got []textRow
	seen := 0
	err := Text(path, func(cells []string) {
		if seen++; seen == 1 {
			if want := []string{"name", "yes", "x", "n", "port"}; !slices.Equal(cells, want) {
				t.Fatalf("columns %q, want %q", cells, want)
			}
			return
		}
		x, err1 := strconv.ParseFloat(cells[2], 64)
		n, err2 := strconv.ParseInt(cells[3], 10, 64)
		port, err3 := strconv.ParseInt(cells[4], 10, 32)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("%q: %v, %v, %v", cells, err1, err2, err3)
		}
		got = append(got, textRow{strings.Clone(cells[0]), cells[1] == "true", x, n, int32(port)})
	})
	if err != nil || !slices.Equal(got, rows) {
		t.Errorf("%d rows of %d are not those that were written, %v", len(got), len(rows), err)
	}
}

// Tables of other programs can be text too: null is empty, a number has its value. Values that CSV cannot express are
// refused, and so are files that are not tables.
func TestTextOfOthers(t *testing.T) {
	columns := pauses("node_kind", parquet.Optional(parquet.String()))
	columns["port"] = parquet.Uint(32)
	row := pauseRow("pause", int32(7), nil, int32(-1), int32(3), 1.5)
	var got [][]string
	if err := Text(writeRows(t, columns, row, row), func(cells []string) { got = append(got, slices.Clone(cells)) }); err != nil {
		t.Fatal(err)
	}
	want := []string{"pause", "7", "", "4294967295", "3", "1.5"}
	if len(got) != 3 || got[0][2] != "node_kind" || !slices.Equal(got[1], want) || !slices.Equal(got[2], want) {
		t.Errorf("got %q, want twice %q", got, want)
	}
	nothing := func([]string) { t.Error("there is a row") }
	path := writeRows(t, pauses("port", parquet.Repeated(parquet.Int(32))), row)
	checkError(t, Text(path, nothing), path+`: column is not a plain one: "port": write numbers and strings only`)
	none := filepath.Join(t.TempDir(), "none")
	if err := Text(none, nothing); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}

// A file without rows has a line of names.
func TestTextWithoutRows(t *testing.T) {
	lines := 0
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := parquet.WriteFile(path, []traces.PFCRow(nil)); err != nil {
		t.Fatal(err)
	}
	if err := Text(path, func([]string) { lines++ }); err != nil || lines != 1 {
		t.Errorf("%d lines, %v", lines, err)
	}
}
