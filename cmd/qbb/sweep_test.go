package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// grid are the flags of a sweep of four short runs.
var grid = with([]string{"sweep"}, with(small[1:], "--vary", "cc=hpcc dctcp", "--vary", "seed=7..8")...)

// qbbSweep runs a sweep and ignores its progress on standard error.
func qbbSweep(t *testing.T, args ...string) string {
	t.Helper()
	o := qbb(t, args...)
	if o.code != exitOK {
		t.Fatalf("exit code %d: %s", o.code, o.stderr)
	}
	return o.stdout
}

// A sweep does the same as the command lines that it prints, whatever the number of threads, and its table is that of
// qbb table.
func TestSweep(t *testing.T) {
	t.Chdir(t.TempDir())
	one := qbbSweep(t, with(grid, "--threads", "1", "--out", "one")...)
	two := qbbSweep(t, with(grid, "--threads", "2", "--out", "two")...)
	names := []string{"dctcp-seed7", "dctcp-seed8", "hpcc-seed7", "hpcc-seed8"}
	if got := files(t, "two"); !slices.Equal(got, names) {
		t.Fatalf("the folders are %q", got)
	}
	lines := strings.Split(strings.TrimSpace(mustQBB(t, with(grid, "--print", "--out", "three")...)), "\n")
	for _, line := range lines {
		words := strings.Fields(line)
		if words[0] != "qbb" {
			t.Fatal(line)
		}
		mustQBB(t, with(words[1:], "--quiet")...)
	}
	for _, name := range names {
		for _, file := range tableFiles[:len(tableFiles)-1] { // the summary has the wall-clock time
			want := read(t, filepath.Join("one", name, file))
			if !bytes.Equal(want, read(t, filepath.Join("two", name, file))) || !bytes.Equal(want, read(t, filepath.Join("three", name, file))) {
				t.Errorf("%s/%s differs", name, file)
			}
		}
	}
	table := mustTellFew(t, "table", "one/hpcc-seed7", "one/hpcc-seed8", "one/dctcp-seed7", "one/dctcp-seed8")
	if one != table+"\n4 runs in one, for qbb report, plot and table\n" {
		t.Errorf("the sweep prints\n%s\nand qbb table\n%s", one, table)
	}
	if strings.Replace(two, "two", "one", 1) != one {
		t.Errorf("with two threads it prints\n%s", two)
	}
}

// Runs of another sweep in the same folder, which a pattern of the shell would include, are named.
func TestSweepBesideAnother(t *testing.T) {
	t.Chdir(t.TempDir())
	const note = "holds"
	for _, step := range []struct{ seeds, want string }{
		{"7..8", ""},
		{"7..8", ""},
		{"8", "qbb sweep: g also holds 1 run of other sweeps, such as g/seed7: g/* includes them\n"},
		{"9", "qbb sweep: g also holds 2 runs of other sweeps, such as g/seed7: g/* includes them\n"},
	} {
		o := qbb(t, with([]string{"sweep"}, with(small[1:], "--vary", "seed="+step.seeds, "--out", "g")...)...)
		if want := filepath.FromSlash(step.want); o.code != exitOK || !strings.Contains(o.stderr, want) || strings.Contains(o.stderr, note) != (want != "") {
			t.Errorf("seeds %s: %d, %q, want %q", step.seeds, o.code, o.stderr, want)
		}
	}
}

// Only what is missing, lacks a table, was interrupted, or belongs to another scenario runs again.
func TestSweepResumes(t *testing.T) {
	t.Chdir(t.TempDir())
	qbbSweep(t, with(grid, "--out", "g")...)
	if err := os.RemoveAll("g/hpcc-seed7"); err != nil {
		t.Fatal(err)
	}
	stopped := strings.Replace(string(read(t, "g/hpcc-seed8/summary.json")), `"stopped_early": false`, `"stopped_early": true`, 1)
	write(t, "g/hpcc-seed8", "summary.json", stopped)
	kept := func(flags ...string) (names []string) {
		t.Helper()
		for line := range strings.Lines(qbb(t, with(grid, with(flags, "--resume", "--out", "g")...)...).stderr) {
			if _, rest, ok := strings.Cut(strings.TrimSuffix(line, ", kept\n"), ": "); ok && strings.HasSuffix(line, ", kept\n") {
				names = append(names, rest)
			}
		}
		slices.Sort(names)
		return names
	}
	if got := kept(); !slices.Equal(got, []string{"dctcp-seed7", "dctcp-seed8"}) {
		t.Errorf("kept %q", got)
	}
	if got := kept(); len(got) != 4 {
		t.Errorf("of a complete sweep it kept %q", got)
	}
	if err := os.Remove("g/dctcp-seed8/fct.parquet"); err != nil {
		t.Fatal(err)
	}
	if got := kept(); !slices.Equal(got, []string{"dctcp-seed7", "hpcc-seed7", "hpcc-seed8"}) {
		t.Errorf("of a sweep without a table it kept %q", got)
	}
	if _, err := os.Stat("g/dctcp-seed8/fct.parquet"); err != nil {
		t.Error(err)
	}
	if got := kept("--buffer", "1MB"); len(got) != 0 {
		t.Errorf("of another scenario it kept %q", got)
	}
}

func TestSweepInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var stdout, stderr bytes.Buffer
	code := run(ctx, with(grid, "--out", "g"), &stdout, &stderr)
	if want := "qbb sweep: interrupted: 0 of 4 runs are complete; --resume continues\n"; code != exitInterrupted || stderr.String() != want {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if _, err := os.Stat("g"); err == nil {
		t.Error("an interrupted sweep of which no run is complete leaves a folder")
	}
}

// Important notes on a run are printed when it has ended.
func TestSweepTellsNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	o := qbb(t, with([]string{"sweep", "--vary", "seed=7", "--cc", "dctcp", "--ecn", "off"}, small[1:]...)...)
	if o.code != exitOK || !strings.Contains(o.stderr, "; dctcp heard no congestion: ecn is off\n") {
		t.Errorf("exit code %d: %s", o.code, o.stderr)
	}
}

// Folders are named after values, whatever these contain.
func TestSweepLabel(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"cc", "hpcc", "hpcc"}, {"load", "0.3", "load0.3"}, {"load", ".3", "load.3"}, {"flows", "..", "flows.."}, {"switch.reserve", "4KB", "reserve4KB"},
		{"ecn.thresholds", "[{rate: 25Gbps, kmin: 5KB}, {rate: 1Gbps}]", "thresholds_rate25Gbps,kmin5KB,rate1Gbps"},
		{"seed", "9", "seed9"}, {"files", "{fct: a, pfc: b}", "files_fcta,pfcb"},
		{"cc", "hpcc:target=0.9,ai=50Mbps", "hpcc_target=0.9,ai=50Mbps"}, {"flows", "../a/b c.csv", "b_c.csv"},
		{"incast", "8x300KB@5%", "incast8x300KB@5%"}, {"topology", "/", "_"},
		{"switch.weights", "{1: 1, 3: 10}", "weights_1=1,3=10"}, {"switch.weights.3", "10", "weights.3=10"},
		{"cc.params.ai", "50Mb/s", "ai50Mbps"}, {"topology", "star:n=4,rate=1.5GB/s,delay=1us", "star_n=4,rate=1.5GBps,delay=1us"}, {"flows", "7b/s.csv", "s.csv"}, {"flows", "lab/s", "s"},
		{"pattern", "ring-all-reduce:4MB,hosts=0-56:8,tag=tp{group}", "ring-all-reduce_4MB,hosts=0-56_8,tag=tp_group_"},
	} {
		if got := label(c.key, c.value); got != c.want {
			t.Errorf("%s=%s: %q, want %q", c.key, c.value, got, c.want)
		}
	}
	o := qbb(t, "sweep", "--vary", "flows=a/x.csv b/x.csv")
	if want := "qbb sweep: --vary: two runs would be called x.csv, by their values\n"; o.code != exitMistake || o.stderr != want {
		t.Errorf("exit code %d: %s", o.code, o.stderr)
	}
}

// Keys that change together have their own values in every run.
func TestSweepTogether(t *testing.T) {
	t.Chdir(t.TempDir())
	qbbSweep(t, "sweep", "--topology", "star:n=4", "--duration", "50us", "--vary", "flow-control+recovery=pfc+go-back-n none+selective", "--vary", "seed=1..2")
	for _, run := range []struct{ flowControl, recovery, seed string }{{"pfc", "go-back-n", "1"}, {"none", "selective", "2"}} {
		text, err := os.ReadFile(filepath.Join("sweep", run.flowControl+"-"+run.recovery+"-seed"+run.seed, "summary.json"))
		for _, want := range []string{"flow_control: " + run.flowControl, "recovery: " + run.recovery, "seed: " + run.seed} {
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%+v: no %s, %v", run, want, err)
			}
		}
	}
	if folders, err := os.ReadDir("sweep"); len(folders) != 4 || err != nil {
		t.Errorf("%v, %v", folders, err)
	}
}

// A value in brackets is a single one, with its spaces, as sections that are lists need it.
func TestSweepOfThresholds(t *testing.T) {
	t.Chdir(t.TempDir())
	const low, high = "{rate: 25Gbps, kmin: 5KB, kmax: 20KB, pmax: 0.2}", "{rate: 25Gbps, kmin: 100KB, kmax: 400KB, pmax: 0.2}"
	text := qbbSweep(t, "sweep", "--cc", "dcqcn", "--topology", "star:n=4", "--duration", "50us", "--vary", "ecn.thresholds=["+low+"] ["+high+"]")
	for _, name := range []string{"thresholds_rate25Gbps,kmin5KB,kmax20KB,pmax0.2", "thresholds_rate25Gbps,kmin100KB,kmax400KB,pmax0.2"} {
		if !strings.Contains(text, name) {
			t.Errorf("%s: no such run in\n%s", name, text)
		}
		if _, err := os.Stat("sweep/" + name + "/fct.parquet"); err != nil {
			t.Error(err)
		}
	}
}

// Values that are too long for the name of a folder are cut, and stay apart.
func TestSweepOfLongValues(t *testing.T) {
	t.Chdir(t.TempDir())
	var laws strings.Builder
	for rate := range 9 {
		fmt.Fprintf(&laws, "{rate: %d00Gbps, kmin: 5KB, kmax: 20KB, pmax: 0.2}, ", rate+1)
	}
	const last = "{rate: 25Gbps, kmin: 5KB, kmax: 20KB, pmax: "
	vary := "ecn.thresholds=[" + laws.String() + last + "0.1}] [" + laws.String() + last + "0.2}]"
	text := qbbSweep(t, "sweep", "--cc", "dcqcn", "--topology", "star:n=4", "--duration", "50us", "--vary", vary)
	names := files(t, "sweep")
	if len(names) != 2 {
		t.Fatalf("the folders are %q", names)
	}
	for _, name := range names {
		if len(name) > 255 || !strings.HasPrefix(name, "thresholds_rate100Gbps,kmin5KB") || !strings.Contains(text, name) {
			t.Errorf("a folder is %q, in\n%s", name, text)
		}
	}
}

// Printed commands survive a shell.
func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{"hpcc:ai=50Mbps": "hpcc:ai=50Mbps", "a b": "'a b'", "it's": `'it'\''s'`, "": "''", "$x": "'$x'"} {
		if got := quoted(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// A slip in a range is reported at once, whatever its numbers.
func TestSweepTooMany(t *testing.T) {
	for _, c := range []struct{ vary, with, want string }{
		{"seed=1..10001", "load=0.5", "seed: 1..10001 is not a range of at most 10000 numbers"},
		{"seed=-9223372036854775808..9223372036854775807", "load=0.5", "seed: -9223372036854775808..9223372036854775807 is not a range of at most 10000 numbers"},
		{"seed=1..99999999999999999999", "load=0.5", "seed: 1..99999999999999999999 is not a range of at most 10000 numbers"},
		{"seed=5..1", "load=0.5", "seed: 5..1 is not a range of at most 10000 numbers"},
		{"seed=1..10000", "stop=" + strings.Repeat("1ms ", 10_000), "more than 10000 runs"},
	} {
		o := qbb(t, "sweep", "--vary", c.vary, "--vary", c.with)
		if want := "qbb sweep: --vary: " + c.want + "\n"; o.code != exitMistake || o.stderr != want {
			t.Errorf("%s: exit code %d: %s", c.vary, o.code, o.stderr)
		}
	}
	out := mustQBB(t, "sweep", "--vary", "seed=9223372036854775806..9223372036854775807", "--print")
	if n := strings.Count(out, "\n"); n != 2 {
		t.Errorf("the largest two seeds are %d runs: %.200s", n, out)
	}
}

// Placements vary like any text: groups of neighbours, whose rings do not leave their leaf, and of hosts in all leaves, whose rings
// share the links between these, each with a tag and so a row. The size of groups can be an axis.
func TestSweepOfPlacements(t *testing.T) {
	t.Chdir(t.TempDir())
	table := qbbSweep(t, "sweep", "--topology", "leaf-spine:leaves=2,spines=1,hosts=2,fabric=100Gbps", "--cc", "none",
		"--vary", "pattern=ring-all-reduce:1MB,group=2,tag=job{group} ring-all-reduce:1MB,stride=2,tag=job{group}")
	took := make(map[string]string) // by label and run
	label := ""
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if line[0] != ' ' && len(words) > 0 {
			label = words[0]
		}
		if at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "ring-all-reduce_1MB,") }); at >= 0 {
			run, _, _ := strings.Cut(strings.TrimPrefix(words[at], "ring-all-reduce_1MB,"), "=")
			took[label+" "+run] = strings.Join(words[len(words)-2:], " ")
		}
	}
	for _, job := range []string{"job0", "job1"} {
		near, far := took[job+" group"], took[job+" stride"]
		if near != took["all group"] || !strings.HasSuffix(near, " us") || far != took["all stride"] || near == far {
			t.Errorf("%s: %q and %q in\n%s", job, near, far, table)
		}
	}
	qbbSweep(t, "sweep", "--topology", "star:n=4", "--cc", "none", "--quiet", "--out", "g", "--vary", "pattern=ring-all-reduce:8KB,group=2,tag=x ring-all-reduce:8KB,group=4,tag=x")
	mustQBB(t, "plot", "trend", "--over", "patterns", "--of", "time", "g/ring-all-reduce_8KB,group=2,tag=x", "g/ring-all-reduce_8KB,group=4,tag=x", "-o", "x.svg")
	if picture := string(read(t, "x.svg")); !strings.Contains(picture, "patterns ring-all-reduce:8KB,group=\u2026,tag=x") {
		t.Error("the size of groups is no axis")
	}
}

// Two folders with the same run are a mistake: one flag hides the other, or values are equal.
func TestSweepSameRun(t *testing.T) {
	for want, flags := range map[string][]string{
		"load0.3 and load0.6":           {"--vary", "load=0.3 0.6", "--set", "load=0.5"},
		"load0.5 and load0.50":          {"--vary", "load=0.3 0.5 0.50"},
		"hpcc-hpcc and dcqcn-hpcc":      {"--vary", "cc=hpcc dcqcn", "--vary", "cc.name=hpcc dctcp"},
		"buffer8MB and buffer8e6":       {"--vary", "buffer=8MB 8e6"},
		"loss0-seed1 and loss0.0-seed1": {"--vary", "loss=0 0.0", "--vary", "seed=1..2"},
	} {
		o := qbb(t, with([]string{"sweep", "--print"}, flags...)...)
		if want := "qbb sweep: --vary: " + want + " are the same run: their values mean the same, or another flag sets what they vary\n"; o.code != exitMistake || o.stderr != want {
			t.Errorf("%q: exit code %d: %s", flags, o.code, o.stderr)
		}
	}
}

func TestSweepOutTwice(t *testing.T) {
	o := qbb(t, "sweep", "--vary", "seed=1..2", "--out", "a", "--out", "b", "--print")
	if want := "qbb sweep: --out is given 2 times\n"; o.code != exitMistake || o.stderr != want {
		t.Errorf("exit code %d: %s", o.code, o.stderr)
	}
}

// The tables are in the run's own folder, even if a scenario puts fct.txt, and so the tables, elsewhere, as the
// configurations of the reference do.
func TestSweepGathers(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	for _, fct := range []string{"mix/fct.txt", here + "/fct.txt", "../fct.txt"} {
		flags := with(grid, "--set", "files.fct="+fct, "--out", "g")
		first := qbbSweep(t, flags...)
		if got := files(t, "."); !slices.Equal(got, []string{"g"}) || !slices.Contains(files(t, "g/hpcc-seed7"), "fct.txt") {
			t.Errorf("%s: files %q, %q", fct, got, files(t, "g/hpcc-seed7"))
		}
		o := qbb(t, with(flags, "--resume")...)
		if o.stdout != first || strings.Count(o.stderr, ", kept\n") != 4 {
			t.Errorf("%s: resumed it prints\n%s%s", fct, o.stderr, o.stdout)
		}
		line, _, _ := strings.Cut(mustQBB(t, with(flags, "--print")...), "\n")
		if !strings.HasSuffix(line, " --set files.fct=fct.txt") {
			t.Errorf("%s: it prints %s", fct, line)
		}
	}
}

// An output that a configuration discards is in no run's folder.
func TestSweepThrowsAway(t *testing.T) {
	t.Chdir(t.TempDir())
	qbbSweep(t, with(grid, "--set", "files.fct="+os.DevNull, "--set", "files.pfc="+os.DevNull, "--out", "g")...)
	if got := files(t, "g/hpcc-seed7"); slices.Contains(got, filepath.Base(os.DevNull)) || !slices.Contains(got, "fct.parquet") {
		t.Errorf("files %q", got)
	}
}

// No run may replace another run's outputs.
func TestSweepSharedOutputs(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	for _, c := range []struct{ flag, value, want string }{
		{"pcap", here + "/x.pcapng", here + "/x.pcapng"}, {"trace", "../x.txt", "g/x.txt"},
		{"set", "files.pfc=" + here + "/p.txt", here + "/p.txt"},
	} {
		o := qbb(t, with(grid, "--out", "g", "--"+c.flag, c.value)...)
		want := "qbb sweep: hpcc-seed7 and hpcc-seed8 would both write " + c.want + ": names without a folder are in the run's\n"
		if o.code != exitMistake || o.stderr != want {
			t.Errorf("%s: exit code %d: %s", c.value, o.code, o.stderr)
		}
	}
	if got := files(t, "."); len(got) > 0 {
		t.Errorf("there are files: %q", got)
	}
	mustQBB(t, with(grid, "--print", "--set", "files.pfc=/dev/null")...)
	mustQBB(t, "sweep", "--print", "--vary", "pcap="+here+"/a.pcapng "+here+"/b.pcapng")
}

// A folder that cannot be created is the user's mistake, as for qbb run.
func TestSweepFolderInTheWay(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "hpcc-seed7", "")
	o := qbb(t, with(grid, "--out", ".", "--threads", "1")...)
	if want := "qbb sweep: hpcc-seed7: hpcc-seed7: no folder can be made here: not a directory: choose another place\n"; o.code != exitMistake || o.stderr != want {
		t.Errorf("exit code %d: %s", o.code, o.stderr)
	}
}

// The examples of the help are sweeps that would run.
func TestSweepExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	_, examples, _ := strings.Cut(sweepCommand().about, "Examples:\n\n")
	for example := range strings.SplitSeq(strings.ReplaceAll(examples, "\n      ", " "), "\n") {
		example, _, _ = strings.Cut(example, " | ")
		parts := strings.Split(example, "'")
		for i := 1; i < len(parts); i += 2 { // in quotes
			parts[i] = strings.ReplaceAll(parts[i], " ", "\x00")
		}
		args := strings.Fields(strings.Join(parts, ""))
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "\x00", " ")
		}
		if got := mustQBB(t, append(args[1:], "--print")...); strings.Count(got, "qbb run ") < 2 {
			t.Errorf("%s: %q", example, got)
		}
	}
}
