package traces

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/qbb-sim/qbb/core"
)

func someFlow(i int) FCTRow {
	start, fct := core.Duration(i)*12345, core.Duration(i%997+1)*7
	return FCTRow{
		FlowID: int64(i), Src: core.NodeID(i % 300), Dst: core.NodeID(i%299 + 1), SrcPort: 10000, DstPort: 100, Priority: 3,
		Tag: []string{"background", "incast"}[i&1], Scheme: "hpcc", SizeBytes: int64(i) * 3,
		StartNs: Nanos(start), FCTNs: Nanos(fct), IdealFCTNs: Nanos(fct / 2), Slowdown: Slowdown(Nanos(fct), Nanos(fct/2)),
		RetransmittedBytes: int64(i % 5), ECNMarkedPackets: int64(i % 7), Finished: i%11 != 0,
	}
}

func TestTableRoundTrip(t *testing.T) {
	const n = rowsInGroup + 1000 // more than a group
	dir := t.TempDir()
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := CreateTable[FCTRow](out, "fct.parquet", []Meta{{"scenario", "incast"}, {"seed", "7"}})
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]FCTRow, 1000)
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
}

// counter counts bytes and keeps none.
type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

// A table holds back one row group, however many rows it is given.
func TestTableMemoryIsBounded(t *testing.T) {
	var size counter
	table := NewTable[FCTRow](&size, nil)
	rows := make([]FCTRow, 4096)
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
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestSameRowsSameBytes(t *testing.T) {
	write := func() []byte {
		var b bytes.Buffer
		table := NewTable[PortRow](&b, []Meta{{"seed", "1"}, {"version", "2"}, {"scenario", "3"}, {"a", "4"}, {"b", "5"}})
		table.Write([]PortRow{{Node: 1, Port: 2, PausedNs: 3}, {Node: 4, TxBytes: 5}})
		if err := table.Close(); err != nil {
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

func TestNanosAreExact(t *testing.T) {
	const limit = 1000 << 42 // picoseconds
	check := func(ps core.Duration) {
		if got := PicosOf(Nanos(ps)); got != ps {
			t.Errorf("%d ps comes back as %d", ps, got)
		}
	}
	for i := core.Duration(0); i < 5000; i++ {
		check(i)
		check(limit - 1 - i)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		check(core.Duration(r.Int64N(limit) >> r.IntN(40)))
	}
}

func TestWrongTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := parquet.WriteFile(path, []PortRow{{Node: 1}}); err != nil {
		t.Fatal(err)
	}
	_, err := LoadFCT(path)
	checkError(t, err, path+`: no column "flow_id": is this the right table?`)
}

func TestSlowdown(t *testing.T) {
	for _, test := range []struct{ fct, ideal, want float64 }{{30, 20, 1.5}, {19, 20, 1}, {0, 20, 0}} {
		if got := Slowdown(test.fct, test.ideal); got != test.want {
			t.Errorf("Slowdown(%g, %g) = %g", test.fct, test.ideal, got)
		}
	}
}

func FuzzFCTParquet(f *testing.F) {
	var b bytes.Buffer
	table := NewTable[FCTRow](&b, nil)
	table.Write([]FCTRow{someFlow(1)})
	table.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := readRows[FCTRow]("x", bytes.NewReader(b), int64(len(b)))
		checkOneLine(t, err, "x")
	})
}

// A scan sees the rows of all groups, in order; another table or no table is one line.
func TestScanTable(t *testing.T) {
	dir := t.TempDir()
	out, err := NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := CreateTable[PFCRow](out, "pfc.parquet", nil)
	if err != nil {
		t.Fatal(err)
	}
	const n = 5000
	for i := range n {
		if err := table.Write([]PFCRow{{TimeNs: float64(i), Event: EventPause}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "pfc.parquet")
	seen := 0
	err = ScanTable(path, func(rows []PFCRow) {
		for _, r := range rows {
			if r.TimeNs != float64(seen) || r.Event != EventPause {
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
		{ScanTable(path, func([]PortRow) {}), path + `: no column "peer": is this the right table?`},
		{ScanTable(text, func([]PortRow) {}), text + ": not a Parquet file"},
		{ScanTable(text+"x", func([]PortRow) {}), "open " + text + "x: no such file or directory"},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}
