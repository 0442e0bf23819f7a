package tables

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/qbb-sim/qbb/traces"
)

// pauses returns the columns of pfc.parquet, one of them replaced.
func pauses(name string, node parquet.Node) parquet.Group {
	columns := parquet.Group{
		"event": parquet.String(), "node": parquet.Int(32), "node_kind": parquet.String(),
		"port": parquet.Int(32), "priority": parquet.Int(32), "time_ns": parquet.Leaf(parquet.DoubleType),
	}
	columns[name] = node
	return columns
}

// pauseRow is a row of these columns, in the order of their names.
func pauseRow(event, node, kind, port, priority, at any) parquet.Row {
	var row parquet.Row
	for i, v := range []any{event, node, kind, port, priority, at} {
		row = append(row, parquet.ValueOf(v).Level(0, 0, i))
	}
	return row
}

// Numbers of other types, as other programs write them, are read with their value, or refused.
func TestForeignColumns(t *testing.T) {
	want := []traces.PFCRow{{TimeNs: 1.5, Node: 7, NodeKind: "host", Port: 1, Priority: 3, Event: "pause"}}
	double, single := parquet.Leaf(parquet.DoubleType), parquet.Leaf(parquet.FloatType)
	for _, c := range []struct {
		column string
		node   parquet.Node
		value  any
		want   any    // of the column, if not the usual one
		err    string // after the name of the file; empty: there is none
	}{
		{"node", parquet.Int(64), int64(7), nil, ""},
		{"node", parquet.Int(64), int64(1 << 40), nil, `row 1: node is out of range "1099511627776"`},
		{"node", parquet.Uint(16), int32(7), nil, ""},
		{"node", parquet.Uint(32), int32(-1), nil, `row 1: node is out of range "4294967295"`},
		{"node", double, 7., nil, ""},
		{"node", double, 7.5, nil, `row 1: node is not a whole number "7.5"`},
		{"node", parquet.String(), "7", nil, ""},
		{"node", parquet.Decimal(2, 9, parquet.Int32Type), int32(700), nil, ""},
		{"node", parquet.Int(64), int64(-1 << 31), int64(-1 << 31), ""},
		{"node", parquet.String(), "seven", nil, `row 1: node is not a whole number "seven"`},
		{"node", parquet.Repeated(parquet.Int(32)), int32(7), nil, `column is not a plain one: "node": write numbers and strings only`},
		{"node", parquet.Group{"id": parquet.Int(32)}, int32(7), nil, `column is not a plain one: "node": write numbers and strings only`},
		{"time_ns", single, float32(0.1), 0.1, ""},
		{"time_ns", parquet.Int(64), int64(2), 2., ""},
		{"time_ns", parquet.Decimal(3, 18, parquet.Int64Type), int64(1500), nil, ""},
		{"time_ns", parquet.Timestamp(parquet.Nanosecond), int64(1), nil, `column has times of a calendar: "time_ns": write numbers`},
		{"time_ns", parquet.String(), "soon", nil, `row 1: time_ns is not a number "soon"`},
		{"time_ns", parquet.String(), "0x1p4", nil, `row 1: time_ns is not a number "0x1p4"`},
		{"time_ns", parquet.String(), "nan", nil, `row 1: time_ns is not a finite number "NaN"`},
		{"node_kind", parquet.Optional(parquet.String()), nil, "", ""},
	} {
		row := pauseRow("pause", int32(7), "host", int32(1), int32(3), 1.5)
		for i, name := range []string{"event", "node", "node_kind", "port", "priority", "time_ns"} {
			if name == c.column {
				row[i] = parquet.ValueOf(c.value).Level(0, 0, i)
			}
		}
		path := writeRows(t, pauses(c.column, c.node), row)
		var got []traces.PFCRow
		err := Scan(path, func(rows []traces.PFCRow) { got = append(got, rows...) })
		if c.err != "" {
			checkError(t, err, path+": "+c.err)
			continue
		}
		rows := reflect.ValueOf(append([]traces.PFCRow(nil), want...))
		switch v := c.want.(type) {
		case float64:
			rows.Index(0).FieldByName("TimeNs").SetFloat(v)
		case int64:
			rows.Index(0).FieldByName("Node").SetInt(v)
		case string:
			rows.Index(0).FieldByName("NodeKind").SetString(v)
		}
		if err != nil || !reflect.DeepEqual(got, rows.Interface()) {
			t.Errorf("%s of type %v: %+v, %v, want %+v", c.column, c.node, got, err, rows)
		}
	}
}

// A flag may be a number, as after an aggregation.
func TestForeignFlags(t *testing.T) {
	type flags struct {
		Finished int32 `parquet:"finished"`
	}
	type flag struct {
		Finished bool `parquet:"finished"`
	}
	for value, want := range map[int32]string{0: "false", 1: "true", 2: `row 1: finished is neither true nor false "2"`} {
		path := filepath.Join(t.TempDir(), "f")
		if err := parquet.WriteFile(path, []flags{{value}}); err != nil {
			t.Fatal(err)
		}
		err := Scan(path, func(rows []flag) {
			for _, r := range rows {
				if r.Finished != (want == "true") {
					t.Errorf("%d is %v", value, r.Finished)
				}
			}
		})
		if value < 2 && err != nil || value == 2 && (err == nil || err.Error() != path+": "+want) {
			t.Errorf("%d: %v", value, err)
		}
	}
}

// Values that no run can have are reported before a figure is made of them.
func TestNumbersOfNoRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for value, text := range map[float64]string{math.NaN(): "NaN", math.Inf(1): "+Inf", math.Inf(-1): "-Inf"} {
		if err := parquet.WriteFile(path, []traces.PortRow{{Node: 1}, {Node: 2, PausedNs: value}}); err != nil {
			t.Fatal(err)
		}
		seen := 0
		err := Scan(path, func(rows []traces.PortRow) { seen += len(rows) })
		checkError(t, err, path+`: row 2: paused_ns is not a finite number "`+text+`"`)
		if seen != 1 {
			t.Errorf("%d rows were shown before it", seen)
		}
	}
	for _, size := range []int64{-1, math.MaxInt64} { // not a size, but unlimited
		if err := parquet.WriteFile(path, []traces.FCTRow{{SizeBytes: 0}, {SizeBytes: math.MaxInt64 - 1}, {SizeBytes: size}}); err != nil {
			t.Fatal(err)
		}
		_, err := LoadFCT(path)
		checkError(t, err, fmt.Sprintf(`%s: row 3: size_bytes is out of range "%d"`, path, size))
		if err := parquet.WriteFile(path, []traces.FCTRow{{SizeBytes: size}}); err != nil {
			t.Fatal(err)
		}
		_, err = LoadFCT(path)
		checkError(t, err, fmt.Sprintf(`%s: row 1: size_bytes is out of range "%d"`, path, size))
	}
	for fct, text := range map[float64]string{0: "0", -0.5: "-0.5"} { // in fct.txt, too, a flow takes a nanosecond at least
		if err := parquet.WriteFile(path, []traces.FCTRow{{FCTNs: fct}, {FCTNs: fct, Finished: true}}); err != nil {
			t.Fatal(err)
		}
		_, err := LoadFCT(path)
		checkError(t, err, path+`: row 2: fct_ns of a finished flow is not above 0 "`+text+`"`)
	}
}

// Tables without rows, as written by PyArrow, and groups without rows between others are read.
func TestNoPauses(t *testing.T) {
	for name, want := range map[string]int{"no-pauses": 0, "pauses-none-pauses": 2} {
		seen := 0
		err := Scan(filepath.Join("testdata", name+".parquet"), func(rows []traces.PFCRow) { seen += len(rows) })
		if err != nil || seen != want {
			t.Errorf("%s: %d rows, %v", name, seen, err)
		}
	}
}

// Booleans are in runs if a page of them is; without numbers of pages, as some programs write, if no encoding but that of
// levels and runs is named.
func TestInRuns(t *testing.T) {
	pages := func(encodings ...format.Encoding) (all []format.PageEncodingStats) {
		for _, e := range encodings {
			all = append(all, format.PageEncodingStats{PageType: format.DataPage, Encoding: e, Count: 1})
		}
		return all
	}
	for _, c := range []struct {
		named []format.Encoding
		pages []format.PageEncodingStats
		want  bool
	}{
		{[]format.Encoding{format.Plain}, nil, false},
		{[]format.Encoding{format.RLE, format.Plain}, nil, false},
		{[]format.Encoding{format.RLE}, nil, true},
		{[]format.Encoding{format.RLE, format.Plain}, pages(format.Plain), false},
		{[]format.Encoding{format.RLE, format.Plain}, pages(format.Plain, format.RLE), true},
	} {
		if got := inRuns(&format.ColumnMetaData{Encoding: c.named, EncodingStats: c.pages}); got != c.want {
			t.Errorf("%v, pages %v: %v", c.named, c.pages, got)
		}
	}
}

// What the Parquet library would read as other values is refused: zeros for pages in LZ4, and for most Booleans in runs.
func TestMisread(t *testing.T) {
	type flags struct {
		Flow     int64 `parquet:"flow"`
		Finished bool  `parquet:"finished"`
	}
	rows := make([]flags, 721) // a page that LZ4 halves
	for i := range rows {
		rows[i] = flags{int64(i), true}
	}
	columns := func(finished parquet.Node) parquet.WriterOption {
		return parquet.NewSchema("flags", parquet.Group{"flow": parquet.Int(64), "finished": finished})
	}
	plain := parquet.Leaf(parquet.BooleanType)
	path := filepath.Join(t.TempDir(), "f")
	for _, c := range []struct {
		options []parquet.WriterOption
		want    string // after the name of the file; empty: they are read
	}{
		{[]parquet.WriterOption{columns(plain)}, ""},
		{[]parquet.WriterOption{columns(parquet.Optional(plain)), parquet.Compression(&parquet.Zstd)}, ""},
		{[]parquet.WriterOption{columns(plain), parquet.Compression(&parquet.Lz4Raw)}, `column is compressed with LZ4, which cannot be read: "finished": compress it otherwise, such as with snappy or zstd`},
		{[]parquet.WriterOption{columns(parquet.Encoded(plain, &parquet.RLE))}, `column has Booleans in runs (RLE), which cannot be read: "finished": write them plain, as PyArrow does with data_page_version="1.0"`},
	} {
		if err := parquet.WriteFile(path, rows, c.options...); err != nil {
			t.Fatal(err)
		}
		var got []flags
		err := Scan(path, func(rows []flags) { got = append(got, rows...) })
		texts := 0
		errText := Text(path, func([]string) { texts++ })
		if c.want == "" {
			if err != nil || errText != nil || !reflect.DeepEqual(got, rows) {
				t.Errorf("%v, %v, %d rows", err, errText, len(got))
			}
			continue
		}
		checkError(t, err, path+": "+c.want)
		checkError(t, errText, path+": "+c.want)
		if len(got) > 0 || texts > 0 {
			t.Errorf("%d and %d rows were shown before it", len(got), texts)
		}
	}
}
