package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// fctTable writes flows to a Parquet file.
func fctTable(t *testing.T, dir string, rows []traces.FCTRow) string {
	t.Helper()
	out, err := traces.NewOutput(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	table, err := tables.Create[traces.FCTRow](out, "fct.parquet", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "fct.parquet")
}

func loadFCT(t *testing.T, file string) []traces.FCTRow {
	t.Helper()
	rows, err := tables.LoadFCT(file)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

const caseHPCC, caseDCQCN = "fat16-fb30-incast-hpcc", "fat16-fb30-incast-dcqcn"

// A folder stands for its fct.parquet.
func TestCompareFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	mustQBB(t, with(small, "--out", "a", "--quiet")...)
	mustQBB(t, with(small, "--out", "b", "--quiet")...)
	if got := mustQBB(t, "compare", "a", "b"); !strings.Contains(got, "Identical.") {
		t.Errorf("got\n%s", got)
	}
}

// The same flows in text, in text upside down, in zstd and in Parquet are identical.
func TestCompareIdentical(t *testing.T) {
	text := filepath.Join(baseline(caseHPCC), "fct.txt")
	content, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	slices.Reverse(lines)
	dir := t.TempDir()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{
		text,
		write(t, dir, "reversed.txt", strings.Join(lines, "\n")),
		write(t, dir, "fct.txt.zst", string(encoder.EncodeAll(content, nil))),
		fctTable(t, dir, loadFCT(t, text)),
	} {
		if o := qbb(t, "compare", text, other); o.code != 0 || !strings.HasSuffix(o.stdout, "\nIdentical.\n") || o.stderr != "" {
			t.Errorf("%s: exit code %d, %s%s", other, o.code, o.stdout, o.stderr)
		}
	}
}

func TestCompareGolden(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	rows := []traces.FCTRow{
		{Src: 0, Dst: 1, SrcPort: 10000, DstPort: 100, SizeBytes: 500, StartNs: 2000000000, FCTNs: 4500, IdealFCTNs: 4400, Finished: true},
		{Src: 1, Dst: 0, SrcPort: 10000, DstPort: 100, SizeBytes: 50_000, StartNs: 2000000100, FCTNs: 20000, IdealFCTNs: 9000, Finished: true},
		{Src: 2, Dst: 0, SrcPort: 10000, DstPort: 100, SizeBytes: 60_000, StartNs: 2000000200, FCTNs: 15000, IdealFCTNs: 10000, Finished: true},
		{Src: 3, Dst: 0, SrcPort: 10000, DstPort: 100, SizeBytes: 30_000_000, StartNs: 2000000300, FCTNs: 9000000, IdealFCTNs: 2600000, Finished: true},
	}
	text := func(name string) {
		var b []byte
		for i := range rows {
			b = traces.AppendFCT(b, &rows[i])
		}
		write(t, dir, name, string(b))
	}
	text("a.txt")
	rows[1].FCTNs, rows[2].FCTNs = 20100, 14000
	text("close.txt")
	rows[3].SizeBytes = 31_000_000
	text("b.txt")
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"different", []string{"a.txt", "b.txt"}, exitDifferent},
		{"different-tolerance", []string{"a.txt", "b.txt", "--tolerance", "50%"}, exitDifferent},
		{"close", []string{"a.txt", "close.txt"}, exitDifferent},
		{"close-1", []string{"a.txt", "close.txt", "--tolerance=0.01"}, exitDifferent},
		{"close-7", []string{"a.txt", "close.txt", "--tolerance=7%"}, exitWithin},
	} {
		o := qbb(t, append([]string{"compare"}, c.args...)...)
		if o.code != c.code || o.stderr != "" {
			t.Errorf("%s: exit code %d, want %d: %s", c.name, o.code, c.code, o.stderr)
		}
		if q := qbb(t, append([]string{"compare", "--quiet"}, c.args...)...); q.code != c.code || q.stdout != "" {
			t.Errorf("%s with --quiet: exit code %d, %q", c.name, q.code, q.stdout)
		}
		narrow(t, c.name, o.stdout)
		golden(t, filepath.Join("compare", c.name+".txt"), o.stdout)
	}
}

// Two schemes on the same flows: every flow is in both, and the report stays narrow.
func TestCompareSchemes(t *testing.T) {
	t.Chdir(baseline(""))
	o := qbb(t, "compare", filepath.Join(caseHPCC, "fct.txt"), filepath.Join(caseDCQCN, "fct.txt"))
	if o.code != exitDifferent || strings.Contains(o.stdout, "only in") {
		t.Errorf("exit code %d\n%s", o.code, o.stdout)
	}
	narrow(t, "schemes", o.stdout)
	hasParts(t, o.stdout)
}

// hasParts requires the parts that every report of differing runs has.
func hasParts(t *testing.T, text string) {
	t.Helper()
	for _, part := range []string{"flows that differ", "mean difference", "largest difference", "first in time", "p50", "p95", "p99", "all  "} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// Times have no exponents, and no digits below the picosecond, and a count of one takes the singular.
func TestComparisonsAreReadable(t *testing.T) {
	const flow = "0b000001 0b000101 10000 100 1 0 "
	dir := t.TempDir()
	a, b := write(t, dir, "a", flow+"2000 1000\n"), write(t, dir, "b", flow+"12345678 1000\n")
	text := qbb(t, "compare", a, b).stdout
	for _, want := range []string{": 1 finished flow\n", "(+12343678 ns)", ", 1 byte,"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got := signedNanos(12345678.1 - 12345679.9); got != "-1.8 ns" {
		t.Errorf("got %s", got)
	}
}

func TestCompareTrouble(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(baseline(caseHPCC), "fct.txt")
	bad := write(t, dir, "bad.txt", "0b000901 0b000d01 10000 100 51598 2000011337 12637\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "give two files"},
		{[]string{good}, "give two files"},
		{[]string{good, good, good}, "unexpected argument"},
		{[]string{good, filepath.Join(dir, "none.txt")}, "no such file"},
		{[]string{good, bad}, "bad.txt:"},
		{[]string{good, dir}, ": no fct.parquet: give the folder of a finished run, or a file"},
		{[]string{good, good, "--tolerance", "-1"}, `--tolerance "-1": write a share such as 0.01 or 1%`},
		{[]string{good, good, "--tolerance", "0x1p-4"}, "write a share"},
		{[]string{good, good, "--tolerance", "NaN"}, "write a share"},
		{[]string{good, good, "--tolerence", "1"}, "did you mean --tolerance?"},
	} {
		o := qbb(t, append([]string{"compare"}, c.args...)...)
		if o.code != exitTrouble || !strings.Contains(o.stderr, c.want) || strings.Count(o.stderr, "\n") != 1 || o.stdout != "" {
			t.Errorf("compare %v: exit code %d, %q, %q; want %q", c.args, o.code, o.stderr, o.stdout, c.want)
		}
	}
}
