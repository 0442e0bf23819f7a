package tables

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/qbb-sim/qbb/traces"
)

// Whatever byte of a table changes, it is read with as many rows as were written, or gives a one-line error, and no
// memory is taken for more than the file can hold.
func TestDamagedNumbers(t *testing.T) {
	var events, flows bytes.Buffer
	table := newTable[traces.PFCRow](&events, nil)
	table.Write([]traces.PFCRow{{TimeNs: 1, Event: traces.EventPause}})
	table.close()
	if err := parquet.Write(&flows, []flowRow{{Src: 0, Dst: 1, Bytes: 1, Tag: "x"}}); err != nil {
		t.Fatal(err)
	}
	eachByte(t, events.Bytes(), func(b []byte) (int, error) {
		rows, err := readRows[traces.PFCRow]("x", bytes.NewReader(b), int64(len(b)))
		return len(rows), err
	})
	eachByte(t, flows.Bytes(), func(b []byte) (int, error) {
		rows, err := ReadFlows("x", bytes.NewReader(b), int64(len(b)))
		return len(rows), err
	})
}

// eachByte reads a table of one row with a bit of each of its bytes changed: one that makes small numbers large enough to
// lead elsewhere.
func eachByte(t *testing.T, whole []byte, read func(b []byte) (rows int, err error)) {
	t.Helper()
	const bit, most = 1 << 2, 16 << 20
	var before, after runtime.MemStats
	for i := range whole {
		whole[i] ^= bit
		runtime.ReadMemStats(&before)
		rows, err := read(whole)
		runtime.ReadMemStats(&after)
		whole[i] ^= bit
		checkOneLine(t, err, "x")
		if err == nil && rows != 1 {
			t.Errorf("byte %d changed: %d rows", i, rows)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > most {
			t.Errorf("byte %d changed: %d bytes of memory", i, taken)
		}
	}
}

// Each number of the footer that contradicts another is named.
func TestContradictingFooter(t *testing.T) {
	var b bytes.Buffer
	if err := parquet.Write(&b, []flowRow{{Src: 0, Dst: 1, Bytes: 1}}); err != nil {
		t.Fatal(err)
	}
	footer, err := findFooter(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(rows *int64, group *format.RowGroup)
		want   string
	}{
		{func(*int64, *format.RowGroup) {}, ""},
		{func(rows *int64, _ *format.RowGroup) { *rows = 2 }, "its groups have 1 rows, the file 2"},
		{func(_ *int64, g *format.RowGroup) { g.Columns = g.Columns[1:] }, "a group has 9 columns, the file 10"},
		{func(_ *int64, g *format.RowGroup) { g.Columns[1].MetaData.NumValues = 3 }, "column dst has 3 values in 1 rows"},
		{func(_ *int64, g *format.RowGroup) { g.Columns[0].MetaData.DataPageOffset = 3 }, "column src is to be at bytes 3 to 63, of 4 to 859"},
		{func(_ *int64, g *format.RowGroup) { g.Columns[0].MetaData.TotalCompressedSize = -1 }, "column src is to be at bytes 4 to 3, of 4 to 859"},
		{func(_ *int64, g *format.RowGroup) { g.Columns[0].MetaData.TotalCompressedSize++ }, "column dst is to be at bytes 64 to 124, of 65 to 859"},
		{func(_ *int64, g *format.RowGroup) { g.Columns[9].OffsetIndexLength++ }, "column after is to be at bytes 848 to 860, of 848 to 859"},
		{func(_ *int64, g *format.RowGroup) { g.Columns[0].ColumnIndexOffset-- }, "column src is to be at bytes 493 to 516, of 494 to 859"},
	} {
		file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		c.change(&file.Metadata().NumRows, &file.Metadata().RowGroups[0])
		if err := checkNumbers(file, footer); err == nil && c.want != "" || err != nil && err.Error() != c.want {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
