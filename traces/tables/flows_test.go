package tables

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

func TestFlows(t *testing.T) {
	want := []traces.Flow{
		{Src: 0, Dst: 4, Prio: 3, DstPort: 100, Bytes: 2000, Start: 1_500_000, StartNanos: 1500, Tag: "a, \"b\"", Scheme: "hpcc", Line: 1},
		{Src: 1, Dst: 4, Prio: 5, DstPort: 7, Bytes: 1, Start: 1_500_250, StartNanos: 1500, SrcPort: 9, Line: 2},
		{Src: 4, Dst: 0, Prio: 3, DstPort: 100, Bytes: 5, Start: 0, StartNanos: 0, After: []int32{1}, Line: 3},
	}
	path := filepath.Join(t.TempDir(), "flows")
	five, seven, nine, one := int8(5), uint16(7), uint16(9), int64(1)
	err := parquet.WriteFile(path, []flowRow{
		{0, 4, 2000, 1500, nil, nil, nil, "a, \"b\"", "hpcc", nil},
		{1, 4, 1, 1500.25, &five, &seven, &nine, "", "", nil},
		{4, 0, 5, 0, nil, nil, nil, "", "", &one},
	})
	if err != nil {
		t.Fatal(err)
	}
	flows, err := LoadFlows(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(flows, want) {
		t.Errorf("flows\n got %+v\nwant %+v", flows, want)
	}
}

// flowRow is a flow table as another program may write it: other types, optional columns.
type flowRow struct {
	Src     int32   `parquet:"src"`
	Dst     int32   `parquet:"dst"`
	Bytes   int64   `parquet:"bytes"`
	Start   float64 `parquet:"start_ns"`
	Prio    *int8   `parquet:"prio"`
	DstPort *uint16 `parquet:"dst_port"`
	SrcPort *uint16 `parquet:"src_port"`
	Tag     string  `parquet:"tag"`
	Scheme  string  `parquet:"scheme"`
	After   *int64  `parquet:"after"`
}

func TestParquetFlowErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	type missing struct {
		Src int32 `parquet:"src"`
	}
	if err := parquet.WriteFile(path, []missing{{1}}); err != nil {
		t.Fatal(err)
	}
	_, err := LoadFlows(path)
	checkError(t, err, path+`: no column "dst": a flow table has src,dst,bytes and start_ns or start_s`)

	if err := parquet.WriteFile(path, []flowRow{{Src: 0, Dst: 1, Bytes: 1}, {Src: 0, Dst: 1, Bytes: -1}}); err != nil {
		t.Fatal(err)
	}
	_, err = LoadFlows(path)
	checkError(t, err, path+`:2: bytes is out of range "-1": write a whole number from 1 to 1125899906842624`)

	whole, _ := os.ReadFile(path)
	_, err = ReadFlows("f", bytes.NewReader(whole[:len(whole)-9]), int64(len(whole)-9))
	checkOneLine(t, err, "f")
	if err == nil {
		t.Error("a cut file was accepted")
	}
}

// writeRows writes a table whose columns have the types given, in the order of their names.
func writeRows(t *testing.T, columns parquet.Group, rows ...parquet.Row) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "f")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := parquet.NewWriter(f, parquet.NewSchema("flows", columns))
	if _, err := w.WriteRows(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Numbers have the value that their column's type gives: decimals, as DuckDB writes them for
// 0.000001, have a scale.
func TestDecimals(t *testing.T) {
	columns := parquet.Group{
		"after": parquet.Optional(parquet.Decimal(0, 9, parquet.Int32Type)), "bytes": parquet.Decimal(2, 18, parquet.Int64Type),
		"dst": parquet.Int(32), "prio": parquet.Decimal(0, 38, parquet.FixedLenByteArrayType(16)),
		"src": parquet.Int(32), "start_s": parquet.Decimal(6, 9, parquet.Int32Type),
	}
	row := func(after parquet.Value, bytes int64, prio byte, start int32) parquet.Row {
		return parquet.Row{
			after, parquet.Int64Value(bytes).Level(0, 0, 1), parquet.Int32Value(1).Level(0, 0, 2),
			parquet.FixedLenByteArrayValue(append(make([]byte, 15), prio)).Level(0, 0, 3), parquet.Int32Value(0).Level(0, 0, 4), parquet.Int32Value(start).Level(0, 0, 5),
		}
	}
	none, first := parquet.NullValue().Level(0, 0, 0), parquet.Int32Value(0).Level(0, 1, 0)
	flows, err := LoadFlows(writeRows(t, columns, row(none, 123400, 5, 1), row(first, 100, 4, 1200000)))
	want := []traces.Flow{
		{Src: 0, Dst: 1, Prio: 5, DstPort: 100, Bytes: 1234, Start: 1_000_000, StartNanos: 999, Line: 1},
		{Src: 0, Dst: 1, Prio: 4, DstPort: 100, Bytes: 1, Start: 1_200_000_000_000, StartNanos: 1_199_999_999, After: []int32{0}, Line: 2},
	}
	if err != nil || !reflect.DeepEqual(flows, want) {
		t.Errorf("flows\n got %+v, %v\nwant %+v", flows, err, want)
	}
	path := writeRows(t, columns, row(none, 100, 3, -1))
	_, err = LoadFlows(path)
	checkError(t, err, path+`:1: start_s is negative "-0.000001": write seconds such as 2.000001`)
	for unscaled, want := range map[string]string{"\xff\xff\x85": "-12.3", "\x85": "-12.3", "\x80": "-12.8", "\x7f": "12.7", "": "0", "\x32": "5"} { // two's complement
		if got := decimalText(parquet.ByteArrayValue([]byte(unscaled)), 1); got != want {
			t.Errorf("%x: %s, want %s", unscaled, got, want)
		}
	}
}

// Columns other than plain numbers or strings are refused, and so are decimals that no program
// needs.
func TestOddColumns(t *testing.T) {
	const size = 20
	for _, c := range []struct {
		node parquet.Node
		want string
	}{
		{parquet.Repeated(parquet.Int(64)), `column is not a plain one: "start_s": write numbers and strings only`},
		{parquet.Group{"ns": parquet.Int(64)}, `column is not a plain one: "start_s": write numbers and strings only`},
		{parquet.Decimal(39, 48, parquet.FixedLenByteArrayType(size)), `column has 39 decimals: "start_s": write 38 at most`},
	} {
		path := writeRows(t, parquet.Group{"src": parquet.Int(32), "dst": parquet.Int(32), "bytes": parquet.Int(64), "start_s": c.node})
		_, err := LoadFlows(path)
		checkError(t, err, path+": "+c.want)
	}
	row := parquet.Row{parquet.Int64Value(1), parquet.Int32Value(1), parquet.Int32Value(0), parquet.FixedLenByteArrayValue(make([]byte, size))}
	for i := range row {
		row[i] = row[i].Level(0, 0, i)
	}
	flows, err := LoadFlows(writeRows(t, parquet.Group{"bytes": parquet.Int(64), "dst": parquet.Int(32), "src": parquet.Int(32), "start_s": parquet.Decimal(38, 48, parquet.FixedLenByteArrayType(size))}, row))
	if err != nil || len(flows) != 1 {
		t.Errorf("%+v, %v", flows, err)
	}
}

// A number of 32 bits has the decimal value that was written: 0.1, not 0.10000000149.
func TestFloat(t *testing.T) {
	columns := parquet.Group{"bytes": parquet.Int(64), "dst": parquet.Int(32), "src": parquet.Int(32), "start_s": parquet.Leaf(parquet.FloatType)}
	flows, err := LoadFlows(writeRows(t, columns, parquet.Row{
		parquet.Int64Value(1).Level(0, 0, 0), parquet.Int32Value(1).Level(0, 0, 1), parquet.Int32Value(0).Level(0, 0, 2), parquet.FloatValue(0.1).Level(0, 0, 3),
	}))
	if err != nil || len(flows) != 1 || flows[0].Start != core.Time(100*core.Millisecond) {
		t.Errorf("%+v, %v", flows, err)
	}
}

// Damage is reported with the row where reading ended.
func TestDamagedPage(t *testing.T) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[flowRow](&b, parquet.MaxRowsPerRowGroup(1500))
	for i := range 3000 {
		if _, err := w.Write([]flowRow{{Src: 0, Dst: 1, Bytes: 1, Start: float64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	file, err := parquet.OpenFile(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	chunk := file.Metadata().RowGroups[1].Columns[3].MetaData
	whole[chunk.DataPageOffset+chunk.TotalCompressedSize-1] ^= 0xff
	_, err = ReadFlows("f", bytes.NewReader(whole), int64(len(whole)))
	if err == nil || !strings.HasPrefix(err.Error(), "f: row 1501: cannot read: ") {
		t.Error(err)
	}
}

// Texts are written in UTF-8, whatever they were.
func TestTagsInUTF8(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := parquet.WriteFile(path, []flowRow{{Src: 0, Dst: 1, Bytes: 1, Tag: "caf\xe9"}}); err != nil {
		t.Fatal(err)
	}
	_, err := LoadFlows(path)
	checkError(t, err, path+`:1: tag is not UTF-8 text "caf\xe9": write it as UTF-8`)
}

// Large unsigned numbers, such as NumPy's uint32, are not negative.
func TestUnsigned(t *testing.T) {
	columns := parquet.Group{"bytes": parquet.Uint(64), "dst": parquet.Uint(8), "src": parquet.Uint(16), "start_ns": parquet.Uint(32)}
	row := func(bytes uint64) parquet.Row {
		return parquet.Row{
			parquet.Int64Value(int64(bytes)).Level(0, 0, 0), parquet.Int32Value(1).Level(0, 0, 1),
			parquet.Int32Value(0).Level(0, 0, 2), parquet.Int32Value(-1294967296).Level(0, 0, 3),
		}
	}
	flows, err := LoadFlows(writeRows(t, columns, row(1000)))
	if err != nil || len(flows) != 1 || flows[0].Start != 3_000_000_000_000 {
		t.Errorf("%+v, %v", flows, err)
	}
	path := writeRows(t, columns, row(1<<63))
	_, err = LoadFlows(path)
	checkError(t, err, path+`:1: bytes is out of range "9223372036854775808": write a whole number from 1 to 1125899906842624`)
}

// The column that pandas adds for an index, as that of sorted rows, is refused as one without a
// name.
func TestIndexOfPandas(t *testing.T) {
	path := writeRows(t, parquet.Group{"src": parquet.Int(32), "dst": parquet.Int(32), "bytes": parquet.Int(64), "start_ns": parquet.Int(64), "__index_level_0__": parquet.Int(64)})
	_, err := LoadFlows(path)
	checkError(t, err, path+`: a column without a name "__index_level_0__": leave it out, as pandas does with index=False`)
}

// Calendar times are refused, since their units would be lost.
func TestCalendar(t *testing.T) {
	for _, node := range []parquet.Node{parquet.Timestamp(parquet.Microsecond), parquet.Time(parquet.Nanosecond), parquet.Date()} {
		path := writeRows(t, parquet.Group{"src": parquet.Int(32), "dst": parquet.Int(32), "bytes": parquet.Int(64), "start_ns": node})
		_, err := LoadFlows(path)
		checkError(t, err, path+`: column has times of a calendar: "start_ns": write numbers`)
	}
}

// Numbers of 16 bits, such as NumPy's float16, are not read as texts, which would be 00 and 11 here; nor are Spark's
// times of 96 bits.
func TestBytes(t *testing.T) {
	const want = `: column has values of bytes: "start_ns": write numbers and strings only`
	path := filepath.Join("testdata", "start_ns-half.parquet")
	_, err := LoadFlows(path)
	checkError(t, err, path+want)
	path = writeRows(t, parquet.Group{"src": parquet.Int(32), "dst": parquet.Int(32), "bytes": parquet.Int(64), "start_ns": parquet.Leaf(parquet.Int96Type)})
	_, err = LoadFlows(path)
	checkError(t, err, path+want)
}

// Durations of PyArrow, such as pandas' timedelta64, are in the unit that Arrow's schema gives.
func TestDurations(t *testing.T) {
	for name, want := range map[string]core.Time{
		"start_ns-s": 5_000_000_000_000, "start_ns-us": 5_000_000, "start_ns-ns": 5000, "start_s-ms": 1_200_000_000_000, "start_s-ns": 1_200_000,
	} {
		flows, err := LoadFlows(filepath.Join("testdata", name+".parquet"))
		if err != nil || len(flows) != 2 || flows[0].Start != 0 || flows[1].Start != want {
			t.Errorf("%s: %+v, %v, want a start of %d ps", name, flows, err, want)
		}
	}
	path := filepath.Join("testdata", "bytes-us.parquet")
	_, err := LoadFlows(path)
	checkError(t, err, path+`: column has durations: "bytes": write numbers`)
}

// A damaged Arrow schema is reported.
func TestDamagedArrowSchema(t *testing.T) {
	for schema, want := range map[string]string{"?": "ARROW:schema: illegal base64 data at input byte 0", "": "runtime error", "/////xgBAAAQAAAA": "runtime error"} {
		var b bytes.Buffer
		if err := parquet.Write(&b, []flowRow{{Src: 0, Dst: 1, Bytes: 1}}, parquet.KeyValueMetadata("ARROW:schema", schema)); err != nil {
			t.Fatal(err)
		}
		_, err := ReadFlows("f", bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err == nil || !strings.HasPrefix(err.Error(), "f: damaged Parquet file: "+want) {
			t.Errorf("%q: %v", schema, err)
		}
	}
}

// A table without rows, as written by PyArrow, has no flows.
func TestNoFlows(t *testing.T) {
	if flows, err := LoadFlows(filepath.Join("testdata", "empty.parquet")); err != nil || len(flows) != 0 {
		t.Errorf("%v, %v", flows, err)
	}
}

// A footer that claims to be longer than the file is an error, and no memory is reserved for it.
func TestFooterLongerThanTheFile(t *testing.T) {
	var b bytes.Buffer
	if err := parquet.Write(&b, []flowRow{{Src: 0, Dst: 1, Bytes: 1}}); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	copy(whole[len(whole)-8:], []byte{0xff, 0xff, 0xff, 0xff})
	for _, file := range [][]byte{whole, whole[len(whole)-9:]} {
		want := fmt.Sprintf("its footer is to have 4294967295 bytes, the file has %d", len(file))
		if len(file) < 12 {
			want = fmt.Sprintf("it has %d bytes only", len(file))
		}
		_, err := ReadFlows("f", bytes.NewReader(file), int64(len(file)))
		checkError(t, err, "f: not a complete Parquet file: "+want)
	}
	binary.LittleEndian.PutUint32(whole[len(whole)-8:], uint32(len(whole)-11)) // one byte of it would be in the mark before it
	_, err := ReadFlows("f", bytes.NewReader(whole), int64(len(whole)))
	checkError(t, err, fmt.Sprintf("f: not a complete Parquet file: its footer is to have %d bytes, the file has %d", len(whole)-11, len(whole)))
}

func FuzzFlows(f *testing.F) {
	var b bytes.Buffer
	if err := parquet.Write(&b, []flowRow{{Src: 0, Dst: 1, Bytes: 1, Tag: "x"}}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	durations, err := os.ReadFile(filepath.Join("testdata", "start_ns-us.parquet"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(durations)
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := ReadFlows("f", bytes.NewReader(b), int64(len(b)))
		checkOneLine(t, err, "f")
	})
}

// Text is recognised by content.
func TestLoadText(t *testing.T) {
	dir := t.TempDir()
	flow, fct := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for path, text := range map[string]string{
		flow: "src,dst,bytes,start_ns\n0,1,1000,5\n", fct: "0b000001 0b000401 10000 100 200000 2000000000 32890 40000\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if flows, err := LoadFlows(flow); err != nil || len(flows) != 1 || flows[0].Bytes != 1000 {
		t.Errorf("%+v, %v", flows, err)
	}
	if rows, err := LoadFCT(fct); err != nil || len(rows) != 1 || rows[0].FCTNs != 32890 {
		t.Errorf("%+v, %v", rows, err)
	}
}
