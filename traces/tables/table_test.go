package tables

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

func someFlow(i int) traces.FCTRow {
	start, fct := core.Duration(i)*12345, core.Duration(i%997+1)*7
	return traces.FCTRow{
		FlowID: int64(i), Src: core.NodeID(i % 300), Dst: core.NodeID(i%299 + 1), SrcPort: 10000, DstPort: 100, Priority: 3,
		Tag: []string{"background", "incast"}[i&1], Scheme: "hpcc", SizeBytes: int64(i) * 3,
		StartNs: traces.Nanos(start), FCTNs: traces.Nanos(fct), IdealFCTNs: traces.Nanos(fct / 2), Slowdown: traces.Slowdown(traces.Nanos(fct), traces.Nanos(fct/2)),
		RetransmittedBytes: int64(i % 5), ECNMarkedPackets: int64(i % 7), Finished: i%11 != 0,
	}
}

func TestTableRoundTrip(t *testing.T) {
	const n = rowsInGroup + 1000 // more than a group
	dir := t.TempDir()
	out, err := traces.NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Create[traces.FCTRow](out, "fct.parquet", []Meta{{"scenario", "incast"}, {"seed", "7"}})
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]traces.FCTRow, 1000)
	for i := 0; i < n; i += len(batch) {
		rows := batch[:min(len(batch), n-i)]
		for j := range rows {
			rows[j] = someFlow(i + j)
		}
		if err := table.Write(rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "fct.parquet")
	rows, err := LoadFCT(path)
	if err != nil || len(rows) != n {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	for i, r := range rows {
		if r != someFlow(i) {
			t.Fatalf("row %d: %+v", i, r)
		}
	}
	b, _ := os.ReadFile(path)
	file, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := file.Lookup("seed"); !ok || v != "7" || len(file.RowGroups()) != 2 {
		t.Errorf("seed %q, %d row groups", v, len(file.RowGroups()))
	}
	for key, want := range map[string]string{"scenario": "incast", "load": ""} {
		if v, err := Value(path, key); err != nil || v != want {
			t.Errorf("%s is %q, not %q: %v", key, v, want, err)
		}
	}
	if err := os.WriteFile(path, b[:len(b)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	if v, err := Value(path, "seed"); v != "" || err == nil || !strings.HasPrefix(err.Error(), path+": not a complete Parquet file: ") {
		t.Errorf("a file that was cut has the seed %q, %v", v, err)
	}
	if _, err := Value(path+"x", "seed"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// Only a table with the names of qbb and of a scenario is a run's own, which a later run may remove: not one of another
// program, one that is damaged, a link, or another file.
func TestOfRun(t *testing.T) {
	dir := t.TempDir()
	own := func(meta ...Meta) []byte {
		var b bytes.Buffer
		if err := newTable[traces.PFCRow](&b, meta).close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var other bytes.Buffer
	if err := parquet.Write(&other, []flowRow{{Dst: 1}}, parquet.KeyValueMetadata("scenario", "x")); err != nil {
		t.Fatal(err)
	}
	whole := own(Meta{"scenario", "x"})
	for name, content := range map[string][]byte{
		"own": whole, "no scenario": own(Meta{"seed", "1"}), "other program": other.Bytes(), "cut": whole[:len(whole)-1], "text": []byte("scenario"), "empty": nil,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if got := OfRun(path); got != (name == "own") {
			t.Errorf("%s: %v", name, got)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("own", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, dir, filepath.Join(dir, "absent")} {
		if OfRun(path) {
			t.Errorf("%s is a table of a run", path)
		}
	}
}

// counter counts bytes and keeps none.
type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// A table holds back one row group, however many rows it is given.
func TestTableMemoryIsBounded(t *testing.T) {
	var size counter
	table := newTable[traces.FCTRow](&size, nil)
	rows := make([]traces.FCTRow, 4096)
	write := func(from, to int) {
		for i := from; i < to; i += len(rows) {
			for j := range rows {
				rows[j] = someFlow(i + j)
			}
			if err := table.Write(rows); err != nil {
				t.Fatal(err)
			}
		}
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // a sync.Pool survives the first
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	write(0, 2*rowsInGroup)
	before, sizeBefore := heap(), size
	write(2*rowsInGroup, 6*rowsInGroup)
	after := heap()
	if size <= sizeBefore || after > before+before/2+8<<20 {
		t.Errorf("heap grew from %d to %d bytes while %d were written", before, after, size-sizeBefore)
	}
	if err := table.close(); err != nil {
		t.Fatal(err)
	}
}

func TestSameRowsSameBytes(t *testing.T) {
	write := func() []byte {
		var b bytes.Buffer
		table := newTable[traces.PortRow](&b, []Meta{{"seed", "1"}, {"version", "2"}, {"scenario", "3"}, {"a", "4"}, {"b", "5"}})
		table.Write([]traces.PortRow{{Node: 1, Port: 2, PausedNs: 3}, {Node: 4, TxBytes: 5}})
		if err := table.close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	first := write()
	for range 20 {
		if !bytes.Equal(write(), first) {
			t.Fatal("the same rows gave different files")
		}
	}
}

func TestWrongTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := parquet.WriteFile(path, []traces.PortRow{{Node: 1}}); err != nil {
		t.Fatal(err)
	}
	_, err := LoadFCT(path)
	checkError(t, err, path+`: no column "flow_id": is this the right table?`)
}

// What is called a Parquet file is none of the text formats, of which an empty file may be a whole one.
func TestTextNamedParquet(t *testing.T) {
	for _, text := range []string{"", "0b000001 0b000101 00002710 00000064 1000 0 5 5\n", "0\n"} {
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := LoadFCT(path)
		checkError(t, err, path+": not a Parquet file")
		_, err = LoadFlows(path)
		checkError(t, err, path+": not a Parquet file")
	}
}

// Whatever byte of a table is damaged, it is read or gives a one-line error; so does a table of another program.
func TestDamagedTable(t *testing.T) {
	var b bytes.Buffer
	table := newTable[traces.PFCRow](&b, []Meta{{"scenario", "x"}})
	table.Write([]traces.PFCRow{{TimeNs: 1, Event: traces.EventPause}, {TimeNs: 2}})
	table.close()
	foreign, err := os.ReadFile(writeRows(t, pauses("node", parquet.Int(64)), pauseRow("pause", int64(7), "host", int32(1), int32(3), 1.5)))
	if err != nil {
		t.Fatal(err)
	}
	for _, whole := range [][]byte{b.Bytes(), foreign} {
		for i := range whole {
			whole[i] ^= 1
			_, err := readRows[traces.PFCRow]("x", bytes.NewReader(whole), int64(len(whole)))
			checkOneLine(t, err, "x")
			ofRun("x", bytes.NewReader(whole), int64(len(whole)))
			whole[i] ^= 1
		}
	}
}

// A missing number, as pandas writes for NaN, is reported with its row, and so is damage; a missing text is empty.
func TestForeignRows(t *testing.T) {
	type foreign struct {
		TimeNs   *float64 `parquet:"time_ns"`
		Node     int32    `parquet:"node"`
		NodeKind *string  `parquet:"node_kind"`
		Port     int32    `parquet:"port"`
		Priority int32    `parquet:"priority"`
		Event    string   `parquet:"event"`
	}
	read := func(b []byte) ([]traces.PFCRow, error) {
		return readRows[traces.PFCRow]("x", bytes.NewReader(b), int64(len(b)))
	}
	write := func(without int) []byte {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[foreign](&b, parquet.MaxRowsPerRowGroup(1500))
		for i := range 3000 {
			row := foreign{TimeNs: new(float64)}
			if *row.TimeNs = float64(i); i == without {
				row.TimeNs = nil
			}
			if _, err := w.Write([]foreign{row}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}

	whole := write(-1)
	rows, err := read(whole)
	if err != nil || len(rows) != 3000 || rows[1024] != (traces.PFCRow{TimeNs: 1024}) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	const missing = "x: row 1025: time_ns is missing: write a value, or leave the row out"
	if _, err := read(write(1024)); err == nil || err.Error() != missing {
		t.Errorf("got %v, want %s", err, missing)
	}
	file, err := parquet.OpenFile(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	whole[file.Metadata().RowGroups[1].Columns[0].MetaData.DataPageOffset] ^= 0xff
	if _, err = read(whole); err == nil || !strings.HasPrefix(err.Error(), "x: row 1501: ") {
		t.Error(err)
	}
}

func FuzzFCTParquet(f *testing.F) {
	var b bytes.Buffer
	table := newTable[traces.FCTRow](&b, nil)
	table.Write([]traces.FCTRow{someFlow(1)})
	table.close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := readRows[traces.FCTRow]("x", bytes.NewReader(b), int64(len(b)))
		checkOneLine(t, err, "x")
	})
}

// A scan sees the rows of all groups, in order; another kind of table or no table is a one-line
// error.
func TestScan(t *testing.T) {
	dir := t.TempDir()
	out, err := traces.NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Create[traces.PFCRow](out, "pfc.parquet", nil)
	if err != nil {
		t.Fatal(err)
	}
	const n = 5000
	for i := range n {
		if err := table.Write([]traces.PFCRow{{TimeNs: float64(i), Event: traces.EventPause}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "pfc.parquet")
	seen := 0
	err = Scan(path, func(rows []traces.PFCRow) {
		for _, r := range rows {
			if r.TimeNs != float64(seen) || r.Event != traces.EventPause {
				t.Fatalf("row %d: %+v", seen, r)
			}
			seen++
		}
	})
	if err != nil || seen != n {
		t.Errorf("%d rows, %v", seen, err)
	}
	text := filepath.Join(dir, "pfc.txt")
	if err := os.WriteFile(text, []byte("1 2 3 4 5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{Scan(path, func([]traces.PortRow) {}), path + `: no column "peer": is this the right table?`},
		{Scan(text, func([]traces.PortRow) {}), text + ": not a Parquet file"},
		{Scan(os.DevNull, func([]traces.PortRow) {}), os.DevNull + ": not a Parquet file"},
		{Scan(text+"x", func([]traces.PortRow) {}), "open " + text + "x: no such file or directory"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}

// A panic of the function that gets the rows passes through, and is not reported as a damaged file.
func TestScanLeavesPanicsOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := parquet.WriteFile(path, []traces.PortRow{{Node: 1}}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if r := recover(); r != "a bug" {
			t.Errorf("recovered %v", r)
		}
	}()
	err := Scan(path, func([]traces.PortRow) { panic("a bug") })
	t.Errorf("no panic, but %v", err)
}
