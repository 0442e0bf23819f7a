package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/qbb-sim/qbb/internal/slowdown"
)

// A table of two schemes, one with two seeds: the mean is that of the seeds' separate values.
func TestTable(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"--cc", "hpcc", "--seed", "1", "--out", "hpcc-1"}, {"--cc", "hpcc", "--seed", "2", "--out", "hpcc-2"}, {"--cc", "dcqcn", "--out", "d"}} {
		mustQBB(t, with(small, append(args, "--incast", "3x30KB", "--quiet")...)...)
	}
	mustTellFew(t, "table", "hpcc-1", "hpcc-2", "d", "-o", "t.csv")
	lines, err := csv.NewReader(strings.NewReader(string(read(t, "t.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(lines[0], ","); got != "flows,run,seeds,number,p50,p50_ci95,p95,p95_ci95,p99,p99_ci95,time_ns,time_ns_ci95" {
		t.Errorf("columns %s", got)
	}
	mean := 0.0
	for _, dir := range []string{"hpcc-1", "hpcc-2"} {
		all := slowdown.Table(loadFCT(t, dir+"/fct.parquet"))
		mean += all[len(all)-1].Values[2] / 2
	}
	at := slices.IndexFunc(lines, func(l []string) bool { return l[0] == "all" && l[1] == "hpcc" })
	if at < 0 {
		t.Fatalf("no row of all flows of hpcc: %q", lines)
	}
	got, err := strconv.ParseFloat(lines[at][8], 64)
	if err != nil || got != mean || lines[at][2] != "2" || lines[at][9] == "" || lines[at+1][1] != "d" || lines[at+1][9] != "" {
		t.Errorf("got %q, then %q; the mean is %v (%v)", lines[at], lines[at+1], mean, err)
	}
	first, last := math.Inf(1), 0.0
	for _, f := range loadFCT(t, "d/fct.parquet") {
		first, last = min(first, f.StartNs), max(last, f.StartNs+f.FCTNs)
	}
	if lines[at+1][10] != exact(last-first) || lines[at][11] == "" || lines[at+1][11] != "" {
		t.Errorf("time %q, want %v", lines[at+1][10:], last-first)
	}
	for _, tag := range []string{"background", "incast"} {
		if !slices.ContainsFunc(lines, func(l []string) bool { return l[0] == tag }) {
			t.Errorf("no row of %s", tag)
		}
	}
	if text := mustTellFew(t, "table", "hpcc-1", "hpcc-2", "--tag", "incast"); !strings.Contains(text, " ± ") || strings.Contains(text, "background") {
		t.Errorf("got\n%s", text)
	}
	if err := os.Rename("d", "d>|_"); err != nil {
		t.Fatal(err)
	}
	mustTellFew(t, "table", "hpcc-1", "d>|_", "-o", "t.TEX")
	if tex := string(read(t, "t.TEX")); !strings.HasPrefix(tex, `\begin{tabular}{llrrrrr}`) || !strings.Contains(tex, "$<$1KB & hpcc-1 & 1 &") || !strings.Contains(tex, `d$>$$|$\_ & 1 &`) {
		t.Errorf("got\n%s", tex)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "which runs? give their folders: qbb table DIR..."},
		{[]string{"hpcc-1", "-o", "t.xls"}, "t.xls: the name must end with .csv, .tex or .txt"},
		{[]string{"hpcc-1", "--tag", "x"}, `--tag: no finished flow has the tag "x": the tags are background, incast`},
		{[]string{"none"}, "none: no such folder"},
	} {
		o := qbb(t, append([]string{"table"}, c.args...)...)
		if o.code != exitMistake || !strings.Contains(o.stderr, c.want) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%q: code %d, %q", c.args, o.code, o.stderr)
		}
	}
}

// A folder may have any name: everything derived from it shows all its visible characters, and is
// well-formed.
func TestOddNames(t *testing.T) {
	t.Chdir(t.TempDir())
	const odd, shown = "a\x01\n\x1b[31m\xff", `a\x01\n\x1b[31m\xff`
	if err := os.Mkdir(odd, 0o777); err != nil {
		t.Skip(err) // some file systems require UTF-8
	}
	mustQBB(t, with(small, "--out", odd, "--quiet")...)
	mustQBB(t, with(small, "--cc", "dcqcn", "--out", "b", "--quiet")...)
	mustQBB(t, "plot", "fct-cdf", odd, "b", "-o", "f.svg")
	mustQBB(t, "report", odd, "b", "-o", "r.html")
	mustTellFew(t, "table", odd, "b", "-o", "t.csv")
	mustTellFew(t, "table", odd, "b", "-o", "t.tex")
	for file, want := range map[string]string{
		"f.svg": ">" + shown + "</text>", "r.html": "<title>" + shown + ", b – ", "t.csv": "all," + shown + ",", "t.tex": ` & a\textbackslash{}x01\textbackslash{}n`,
	} {
		text := read(t, file)
		if !bytes.Contains(text, []byte(want)) || bytes.ContainsAny(text, "\x01\x1b") || !utf8.Valid(text) {
			t.Errorf("%s holds no %s, or what cannot be seen: %.300q", file, want, text)
		}
	}
	if err := xml.Unmarshal(read(t, "f.svg"), new(struct{})); err != nil {
		t.Error(err)
	}
}

// Reasons why percentiles or their intervals mislead are noted beside every table and figure of them: seeds that change
// nothing, as with recorded flows, and flows that are missing because they did not finish.
func TestTableRemarks(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "flow.txt", "2\n0 1 3 100 30000 0\n2 1 3 100 90000000 0\n")
	const unfinished = "stop1ms: 2 of 4 flows did not finish: percentiles are of the others\n"
	const equal = "stop1ms: its 2 seeds give equal flows, so nothing in it is random: confidence intervals mean nothing\n"
	dirs := []string{"s/stop1ms-seed1", "s/stop2ms-seed1", "s/stop1ms-seed2", "s/stop2ms-seed2"}
	for _, args := range [][]string{
		{"sweep", "--topology", "star:n=3", "--flows", "flow.txt", "--vary", "stop=1ms 2ms", "--vary", "seed=1..2", "--out", "s"},
		append([]string{"table"}, dirs...), append([]string{"table", "-o", "t.csv"}, dirs...),
		append([]string{"plot", "slowdown"}, dirs...), append([]string{"plot", "trend", "--over", "stop"}, dirs...),
	} {
		o := qbb(t, args...)
		if command := "qbb " + args[0] + ": "; o.code != 0 || !strings.Contains(o.stderr, command+unfinished) || !strings.Contains(o.stderr, command+equal) {
			t.Errorf("%q: code %d, %s", args, o.code, o.stderr)
		}
	}
	for _, line := range strings.Split(string(read(t, "t.csv")), "\n") {
		if cells := strings.Split(line, ","); cells[0] == "all" && (cells[4] == "" || cells[len(cells)-2] != "") {
			t.Errorf("flows of which some did not finish have a time: %s", line)
		}
	}
	if o := qbb(t, append([]string{"plot", "queue"}, dirs...)...); strings.Contains(o.stderr, "equal flows") {
		t.Errorf("queues have no percentiles of slowdown: %s", o.stderr)
	}
}

// A table and a trend of slowdowns name the runs of so few flows that a percentile is the largest, once; a trend of
// times has no percentiles, and of enough flows nothing is said.
func TestFewFlowsAreTold(t *testing.T) {
	t.Chdir(t.TempDir())
	const few = "Runs have fewer than 100 flows of a seed, so that their p99 is the largest, below 20 also p95: mtu500 (56), mtu1KB (8).\n"
	run := func(mtu, pattern string) {
		mustQBB(t, "run", "--topology", "star:n=8", "--cc", "none", "--mtu", mtu, "--pattern", pattern, "--out", "mtu"+mtu, "--quiet")
	}
	run("500", "all-to-all:1KB")
	run("1KB", "permutation:1KB")
	run("2KB", "all-to-all:1KB,1")
	for _, c := range []struct{ args, want string }{
		{"table mtu500 mtu1KB mtu2KB", "qbb table: all: " + few},
		{"plot trend --over mtu mtu500 mtu1KB mtu2KB", "qbb plot: trend: " + few},
		{"plot trend --over mtu --of time mtu500 mtu1KB", ""},
		{"table mtu2KB", ""},
		{"table mtu2KB --tag all-to-all", "qbb table: all: Runs have fewer than 100 flows of a seed, so that their p99 is the largest: mtu2KB (56).\n"},
		{"sweep --topology star:n=8 --cc none --pattern all-to-all:1KB --vary seed=1..2", "qbb sweep: all: Runs have fewer than 100 flows of a seed, so that their p99 is the largest: sweep (56).\n"},
	} {
		if o := qbb(t, strings.Fields(c.args)...); o.code != 0 || !strings.HasSuffix(o.stderr, c.want) || strings.Contains(o.stderr, "largest") != (c.want != "") {
			t.Errorf("%s: code %d, %q, want %q", c.args, o.code, o.stderr, c.want)
		}
	}
}

// A figure of flows can be restricted to one tag; other figures have no tags.
func TestPlotTag(t *testing.T) {
	t.Chdir(t.TempDir())
	mustQBB(t, with(small, "--incast", "3x30KB", "--quiet")...)
	mustQBB(t, "plot", "fct-cdf", "out", "-o", "all.svg")
	mustQBB(t, "plot", "fct-cdf", "out", "-o", "some.svg", "--tag", "background")
	if slices.Equal(read(t, "all.svg"), read(t, "some.svg")) {
		t.Error("the figure shows all tags")
	}
	if o := qbb(t, "plot", "queue", "out", "--tag", "incast"); o.code != exitMistake || !strings.Contains(o.stderr, "--tag: the figure queue is not of flows' completion") {
		t.Errorf("code %d, %q", o.code, o.stderr)
	}
}

// Of a schedule, tables have the time that its messages took, and when the last host had done its part; trends show it.
func TestTableOfSchedule(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "job.goal", "num_ranks 2\nrank 0 {\na: calc 5000\nb: send 1000b to 1\nb requires a\n}\nrank 1 {\na: recv 1000b from 0\nb: calc 2000000\nb requires a\n}\n")
	o := qbb(t, "sweep", "--topology", "star:n=2", "--schedule", "job.goal", "--vary", "mtu=500 1KB", "--out", "s")
	lines := strings.Split(o.stdout, "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "schedule") })
	if o.code != 0 || !strings.HasSuffix(lines[0], "Time") || at < 0 || strings.Join(strings.Fields(lines[at]), " ") != "schedule mtu500 1 2 - - - 2.01 ms" {
		t.Errorf("code %d, %s%s", o.code, o.stdout, o.stderr)
	}
	if text := mustTellFew(t, "table", "s/mtu500", "s/mtu1KB", "--tag", "job"); strings.Contains(text, "schedule") {
		t.Errorf("the schedule is among flows with a tag:\n%s", text)
	}
	mustTellFew(t, "table", "s/mtu500", "s/mtu1KB", "-o", "t.tex")
	if tex := string(read(t, "t.tex")); strings.Contains(tex, "schedule") || !strings.Contains(tex, "all & mtu500 & 1 & 1 &") {
		t.Errorf("got\n%s", tex)
	}
	for of, axis := range map[string]string{"schedule": "Schedule done after", "exposed": "Exposed communication"} {
		mustQBB(t, "plot", "trend", "--over", "mtu", "--of", of, "s/mtu500", "s/mtu1KB", "-o", "t.svg")
		if !strings.Contains(string(read(t, "t.svg")), axis) {
			t.Error("the trend does not show ", axis)
		}
	}
	mustQBB(t, with(small, "--out", "none", "--quiet")...)
	for _, c := range []struct{ args, want string }{
		{"none --of schedule", "--of schedule: no run has a schedule"},
		{"none --of exposed", "--of exposed: no run has a schedule"},
		{"s/mtu500 s/mtu1KB --of schedule --tag job", "--of schedule is of hosts, not of flows: leave out --tag"},
	} {
		o := qbb(t, append([]string{"plot", "trend", "--over", "mtu"}, strings.Fields(c.args)...)...)
		if o.code != exitMistake || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%s: code %d, %s", c.args, o.code, o.stderr)
		}
	}
}
