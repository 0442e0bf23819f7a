package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// small are the flags of a run of a few hundred packets.
var small = []string{"run", "--topology", "star:n=4", "--workload", "fbhadoop", "--load", "0.3", "--duration", "50us"}

func with(args []string, more ...string) []string { return append(slices.Clone(args), more...) }

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// files returns the names in a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

var tableFiles = []string{"fct.parquet", "pfc.parquet", "ports.parquet", "queue_cdf.parquet", "series.parquet", "summary.json"}

// Two hosts on a cable have no switch, so nothing is said about queues.
func TestRunWithoutSwitch(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "cable.txt", "2 0 1\n\n0 1 100Gbps 1us 0\n")
	report := mustQBB(t, "run", "--topology", "cable.txt", "--pattern", "all-to-all:10KB")
	if strings.Contains(report, "Queues") || !strings.Contains(report, "\nFlows         2 of 2 finished\n") {
		t.Error(report)
	}
}

// The built-in scenario needs no flag, prints what README.md shows to newcomers, and writes to the documented folder.
func TestRunDefault(t *testing.T) {
	dir, readme := t.TempDir(), string(read(t, "../../README.md"))
	t.Chdir(dir)
	report := mustQBB(t, "run")
	figures, machine, _ := strings.Cut(report, "\nTime ")
	if !strings.Contains(readme, "```\n"+figures+"\n```\n") {
		t.Errorf("README.md does not show\n%s", figures)
	}
	for _, part := range []string{" packet-hops/s\n", "\nFiles  ", "fct.parquet"} {
		if !strings.Contains(machine, part) {
			t.Errorf("no %q in\n%s", part, report)
		}
	}
	narrow(t, "report", report)
	out := scenario.Default().Out
	if got := files(t, dir); !slices.Equal(got, []string{out}) {
		t.Errorf("the working folder holds %v", got)
	}
	if got := files(t, out); !slices.Equal(got, tableFiles) {
		t.Errorf("%s holds %v, want %v", out, got, tableFiles)
	}
	rows := loadFCT(t, filepath.Join(out, "fct.parquet"))
	if len(rows) == 0 {
		t.Error("no flows")
	}
	for i := range rows {
		if r := &rows[i]; !r.Finished || r.FCTNs < r.IdealFCTNs || r.Slowdown < 1 || r.Scheme != "hpcc" || r.Tag != "background" {
			t.Fatalf("row %d: %+v", i, *r)
		}
	}
	if !strings.Contains(mustQBB(t, "help", "run"), out+"/ for scenarios") {
		t.Errorf("qbb help run does not name the folder %s", out)
	}
}

// A case of the reference gives exactly its files, beside the tables, in the working folder.
func TestRunConfig(t *testing.T) {
	for _, name := range []string{"star61-incast60-dcqcn", "fat16-linkdown-hpcc"} {
		dir := t.TempDir()
		t.Chdir(dir)
		report := mustQBB(t, "run", filepath.Join(baseline(name), "config.txt"))
		if !strings.Contains(report, "; profile ns3, seed ") {
			t.Errorf("%s: the report does not name the profile:\n%s", name, report)
		}
		if !strings.Contains(report, " from 2s to 2s;") {
			t.Errorf("%s: the report does not say when queues were sampled:\n%s", name, report)
		}
		narrow(t, name, report)
		for _, file := range []string{"fct.txt", "pfc.txt"} {
			want, err := os.ReadFile(filepath.Join(baseline(name), file))
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			if got := read(t, file); !bytes.Equal(got, want) {
				t.Errorf("%s: %s differs from the reference's", name, file)
			}
		}
		for _, file := range tableFiles {
			if _, err := os.Stat(file); err != nil && file != "series.parquet" { // the profile ns3 records none
				t.Errorf("%s: %v", name, err)
			}
		}
		if o := qbb(t, "compare", filepath.Join(baseline(name), "fct.txt"), "fct.parquet"); o.code != exitOK {
			t.Errorf("%s: fct.parquet differs from the reference's fct.txt:\n%s", name, o.stdout)
		}
	}
}

// A printed scenario prints the same again and gives the same bytes.
func TestPrintScenario(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	flags := with(small, "--cc", "dcqcn:ai=50Mbps", "--param", "hai=60Mbps", "--seed", "7", "--incast", "3x20KB@20us",
		"--link-down", "30us:0-4", "--link-up", "40us:0-4", "--loss", "0.001", "--no-pfc", "--set", "switch.reserve=8KB", "--stop", "100ms")
	printed := mustQBB(t, with(flags, "--print-scenario")...)
	if got := files(t, dir); len(got) > 0 {
		t.Errorf("--print-scenario wrote %v", got)
	}
	for _, line := range []string{"seed: 7\n", "topology: star:n=4\n", "    ai: 50Mbps\n", "    hai: 60Mbps\n", "flow_control: none\n", "loss: 0.001\n", "  reserve: 8KB\n", "stop: 100ms\n"} {
		if !strings.Contains(printed, line) {
			t.Errorf("no %q in\n%s", line, printed)
		}
	}
	write(t, dir, "printed.yaml", printed)
	if again := mustQBB(t, "run", "printed.yaml", "--print-scenario"); again != printed {
		t.Errorf("printed again:\n%s\nwant\n%s", again, printed)
	}
	mustQBB(t, with(flags, "--quiet", "--out", "a")...)
	mustQBB(t, "run", "printed.yaml", "--quiet", "--out", "b")
	for _, file := range tableFiles[:4] {
		if !bytes.Equal(read(t, filepath.Join("a", file)), read(t, filepath.Join("b", file))) {
			t.Errorf("%s differs", file)
		}
	}
}

// Links go down and up at the times of the flags, in whatever order the flags are given.
func TestLinkFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	printed := mustQBB(t, "run", "--link-up", "2ms:16-20", "--link-down", "3ms:16-20", "--link-down", "1ms:16-20", "--print-scenario")
	_, links, _ := strings.Cut(printed, "\nlinks:\n")
	if want := "  - at: 1ms\n    down: 16-20\n    up: \"\"\n  - at: 2ms\n    down: \"\"\n    up: 16-20\n  - at: 3ms\n    down: 16-20\n"; !strings.HasPrefix(links, want) {
		t.Errorf("got %.200s", links)
	}
}

// Flags override the file; what no flag sets stays as in the file.
func TestFlagsOverrideTheFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "s.yaml", "seed: 3\nload: 0.25\ncc:\n  name: dcqcn\n  params: {ai: 50Mbps}\npatterns: [\"permutation:1KB\"]\nlinks:\n  - {at: 1ms, down: 16-20}\n")
	for _, c := range []struct {
		flags     []string
		want, not string
	}{
		{nil, "seed: 3\n", "seed: 1"},
		{[]string{"--seed", "4"}, "seed: 4\n", "seed: 3"},
		{[]string{"--seed", "4"}, "load: 0.25\n", "load: 0.5"},
		{[]string{"--cc", "dctcp"}, "name: dctcp\n", "50Mbps"},
		{[]string{"--param", "ai=70Mbps"}, "ai: 70Mbps\n", "50Mbps"},
		{[]string{"--pattern", "one-many:2KB"}, "one-many:2KB", "permutation"},
		{[]string{"--link-down", "2ms:16-20"}, "at: 2ms", "at: 1ms"},
		{[]string{"--profile", "ns3"}, "profile: ns3\n", "timing: exact"},
	} {
		printed := mustQBB(t, with([]string{"run", "s.yaml", "--print-scenario"}, c.flags...)...)
		if !strings.Contains(printed, c.want) || strings.Contains(printed, c.not) {
			t.Errorf("%v: want %q and no %q in\n%s", c.flags, c.want, c.not, printed)
		}
	}
}

// qbb run reads what qbb gen writes: the result is that of the run without files.
func TestGeneratedFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	traffic := small[3:] // workload, load and duration
	if got, want := mustQBB(t, "gen", "topology", "star:n=3", "-o", "topology.txt"), "topology.txt: 3 hosts, 1 switch, 3 links\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := mustQBB(t, "gen", "topology", "star:n=4"), "topology.txt: 4 hosts, 1 switch, 4 links\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	mustQBB(t, with([]string{"gen", "traffic", "--topology", "topology.txt", "--seed", "5"}, traffic...)...)
	mustQBB(t, "run", "--topology", "topology.txt", "--flows", "flow.txt", "--seed", "5", "--quiet", "--out", "a")
	mustQBB(t, with(small, "--seed", "5", "--quiet", "--out", "b")...)
	if o := qbb(t, "compare", "a/fct.parquet", "b/fct.parquet"); o.code != exitOK {
		t.Errorf("the runs differ:\n%s", o.stdout)
	}
	direct := mustQBB(t, with([]string{"gen", "traffic", "--topology", "star:n=4", "--seed", "5", "--out", "-"}, traffic...)...)
	if direct != string(read(t, "flow.txt")) {
		t.Error("a built and a read topology give different flows")
	}
	mustQBB(t, with([]string{"gen", "traffic", "--topology", "star:n=4", "--start", "2s", "--out", "sub/late.txt"}, traffic...)...)
	late, err := traces.LoadFlows("sub/late.txt")
	if err != nil || late[0].Start < 2e12 {
		t.Errorf("got %v, %v", late[0].Start, err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"a", "b", "flow.txt", "sub", "topology.txt"}) {
		t.Errorf("the folder holds %v", got)
	}
}

// A CSV file holds everything about a flow: its generator, what it waits for, and what a file of flows said about it.
func TestGeneratedTable(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "in.csv", "src,dst,bytes,start_ns,tag,scheme,src_port,after\n0,1,5000,10.5,\"a, b\",hpcc,77,\n1,0,6000,3,,dctcp,,0\n2,1,7000,20,,,,\n")
	traffic := []string{"--topology", "star:n=4", "--workload", "fbhadoop", "--load", "0.3", "--duration", "50us", "--incast", "3x20KB@20us", "--pattern", "one-one:1KB-4KB,2", "--pattern", "all-to-all:1KB,tag=x,after=one-one,start=1us", "--flows", "in.csv"}
	mustQBB(t, with([]string{"gen", "traffic", "-o", "out.csv"}, traffic...)...)
	mustQBB(t, "run", "--topology", "star:n=4", "--flows", "out.csv", "--cc", "dcqcn", "--quiet", "--out", "a")
	mustQBB(t, with([]string{"run", "--cc", "dcqcn", "--quiet", "--out", "b"}, traffic...)...)
	a, b := loadFCT(t, "a/fct.parquet"), loadFCT(t, "b/fct.parquet")
	if !slices.Equal(a, b) {
		t.Errorf("from the table\n%v\nfrom the flags\n%v", a, b)
	}
	tags, schemes := make(map[string]int), make(map[string]int)
	for _, r := range a {
		tags[r.Tag]++
		schemes[r.Scheme]++
	}
	if tags["incast"] != 9 || tags["one-one"] != 12 || tags["one-one-answer"] != 12 || tags["x"] != 12 || tags["a, b"] != 1 || tags["background"] == 0 || schemes["hpcc"] != 1 || schemes["dctcp"] != 1 {
		t.Errorf("tags %v, schemes %v", tags, schemes)
	}
	mustQBB(t, "gen", "traffic", "--topology", "star:n=4", "--flows", "in.csv", "--start", "2s", "-o", "late.CSV")
	if got, want := string(read(t, "late.CSV")), "src,dst,bytes,start_ns,src_port,tag,scheme,after\n"+
		"0,1,5000,2000000010.500,77,\"a, b\",hpcc,\n1,0,6000,3,,,dctcp,0\n2,1,7000,2000000020,,,,\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What a run would note about its traffic is said when the traffic is written.
func TestGenTrafficNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	o := qbb(t, "gen", "traffic", "--topology", "star:n=4", "--duration", "1us", "-o", "f.csv")
	if want := "qbb gen traffic: no background flow arrives within 1us at a load of 0.5: "; o.code != exitOK || !strings.HasPrefix(o.stderr, want) || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("exit code %d, %q; want %q", o.code, o.stderr, want)
	}
}

// Compressed inputs, under any name, give the same run.
func TestCompressedInputs(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	mustQBB(t, "gen", "topology", "star:n=4")
	mustQBB(t, with([]string{"gen", "traffic", "--topology", "star:n=4"}, small[3:]...)...)
	write(t, dir, "plain.yaml", "topology: topology.txt\nflows: flow.txt\n")
	write(t, dir, "packed.yaml", gzipped(t, "topology: topo\nflows: flows\n"))
	write(t, dir, "topo", zstandard(t, read(t, "topology.txt")))
	write(t, dir, "flows", gzipped(t, string(read(t, "flow.txt"))))
	mustQBB(t, "run", "plain.yaml", "--quiet", "--out", "a")
	mustQBB(t, "run", "packed.yaml", "--quiet", "--out", "b")
	if o := qbb(t, "compare", "a/fct.parquet", "b/fct.parquet"); o.code != exitOK {
		t.Errorf("the runs differ:\n%s", o.stdout)
	}
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zstandard(t *testing.T, text []byte) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll(text, nil))
}

func TestRunJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	text := mustQBB(t, with(small, "--json", "--out", "o")...)
	var sum driver.Summary
	if err := json.Unmarshal([]byte(text), &sum); err != nil {
		t.Fatal(err)
	}
	if sum.Flows.Finished == 0 || sum.Flows.Finished != sum.Flows.Total || sum.Profile != "native" {
		t.Errorf("got %+v", sum.Flows)
	}
	if text != string(read(t, "o/summary.json")) {
		t.Errorf("--json printed\n%sand summary.json holds\n%s", text, read(t, "o/summary.json"))
	}
}

// Flows of a tag can have their own scheme; the tables show which.
func TestSchemeByTag(t *testing.T) {
	t.Chdir(t.TempDir())
	report := mustQBB(t, with(small, "--cc", "hpcc", "--incast", "2x5KB@10us", "--set", "cc_by_tag.incast=dctcp", "--out", "o")...)
	if !strings.HasPrefix(report, "hpcc (incast: dctcp) on star:n=4: ") {
		t.Errorf("got\n%s", report)
	}
	tags := make(map[string]int)
	for _, r := range loadFCT(t, "o/fct.parquet") {
		tags[r.Tag+" "+r.Scheme]++
	}
	if tags["incast dctcp"] != 10 || tags["background hpcc"] == 0 || len(tags) != 2 {
		t.Errorf("got %v", tags)
	}
}

// A flag with an empty value removes the file's value; where there is none it is a mistake.
func TestEmptyFlag(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "s.yaml", "incast: 2x1KB\n")
	if got := mustQBB(t, "run", "s.yaml", "--incast=", "--print-scenario"); !strings.Contains(got, "\nincast: \"\"\n") {
		t.Errorf("got\n%s", got)
	}
	if o := qbb(t, "run", "--incast=", "--print-scenario"); o.code != exitMistake || o.stderr != "qbb run: --incast: it has no value: leave it out, or write one\n" {
		t.Errorf("exit code %d, %q", o.code, o.stderr)
	}
}

// The earlier results stay if a run fails, and a folder that cannot be written is a mistake.
func TestEarlierResults(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	mustQBB(t, with(small, "--quiet", "--out", "o")...)
	before := read(t, "o/fct.parquet")
	if o := qbb(t, with(small, "--quiet", "--out", "o", "--load", "x")...); o.code != exitMistake {
		t.Errorf("exit code %d", o.code)
	}
	if !bytes.Equal(before, read(t, "o/fct.parquet")) {
		t.Error("a run that failed changed the results")
	}
	o := qbb(t, with(small, "--out", "o/fct.parquet/sub")...)
	if o.code != exitMistake || strings.Count(o.stderr, "\n") != 1 || o.stdout != "" {
		t.Errorf("exit code %d, %q, %q", o.code, o.stderr, o.stdout)
	}
}

// Ports without credits are not called paused, and without a manager nothing is said about one.
func TestRunCredits(t *testing.T) {
	report := mustQBB(t, "run", "--flow-control", "credits", "--cc", "dcqcn", "--workload", "none", "--pattern", "one-many:300KB", "--out", t.TempDir())
	if !strings.Contains(report, "(no credits ") || !strings.Contains(report, "\nCredits       ports waited") || strings.Contains(report, "pause") || strings.Contains(report, "marking rates") {
		t.Error(report)
	}
}

// Tables of an earlier run in the folder that a run does not replace are removed, and the run says
// so.
func TestRunTellsWhatItRemoved(t *testing.T) {
	t.Chdir(t.TempDir())
	mustQBB(t, with(small, "--out", "a")...)
	report := mustQBB(t, with(small, "--set", "series.interval=0s", "--set", "queue_sampling.interval=0s", "--out", "a")...)
	if want := "\nRemoved       a/: queue_cdf.parquet, series.parquet of an earlier run\n"; !strings.Contains(report, want) {
		t.Errorf("no %q in\n%s", want, report)
	}
	if got := files(t, "a"); !slices.Equal(got, []string{"fct.parquet", "pfc.parquet", "ports.parquet", "summary.json"}) {
		t.Errorf("the folder has %q", got)
	}
	sweep := append([]string{"sweep", "--vary", "seed=7", "--out", "s"}, small[1:]...)
	qbb(t, sweep...)
	o := qbb(t, with(sweep, "--set", "series.interval=0s")...)
	if want := "; removed s/seed7/: series.parquet of an earlier run\n"; o.code != exitOK || !strings.Contains(o.stderr, want) {
		t.Errorf("exit code %d: no %q in %s", o.code, want, o.stderr)
	}
}

// Tags with equals signs have a class and a scheme on the command line, too: what they are given has none.
func TestTagsWithEqualsSigns(t *testing.T) {
	dir := t.TempDir()
	flows := write(t, dir, "flows.csv", "src,dst,bytes,start_ns,tag\n0,1,1000,0,=a\n0,1,1000,0,b=c\n0,1,1000,0,d\n")
	mustQBB(t, "run", "--topology", "star:n=3", "--flows", flows, "--out", dir, "--class", "=a=1", "--class", "b=c=2", "--set", "class_by_tag.d=4",
		"--set", "cc_by_tag.=a=dcqcn", "--set", "cc_by_tag.d={name: hpcc, params: {target: 0.9}}", "--set", "class_by_tag.b=c=5")
	text := string(read(t, filepath.Join(dir, "summary.json")))
	for _, want := range []string{`\"=a\": 1`, `b=c: 5`, `d: 4`, `\"=a\":\n    name: dcqcn`, `target: 0.9`} {
		if !strings.Contains(text, want) {
			t.Errorf("the scenario lacks %s:\n%s", want, text)
		}
	}
}
