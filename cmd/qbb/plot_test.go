package main

import (
	"bytes"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/results"
)

// Every kind of figure can be drawn for two runs, in every format.
func TestPlot(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, dir, "job.goal", "num_ranks 2 rank 0 { a: calc 5000 b: send 1000b to 1 b requires a } rank 1 { recv 1000b from 0 }")
	for _, cc := range []string{"hpcc", "dcqcn"} {
		mustQBB(t, "run", "--topology", "star:n=8", "--workload", "fbhadoop", "--load", "0.3", "--duration", "50us", "--cc", cc, "--out", cc, "--quiet", "--series", "1us", "--series-flows", "largest:2",
			"--set", "series.fairness=10us", "--buffer", "1200KB", "--incast", "7x300KB@100us", "--schedule", "job.goal")
	}
	for _, k := range results.Kinds() {
		o, note := qbb(t, "plot", k.Name, "hpcc", "dcqcn"), ""
		if k.Name == "slowdown" {
			note = "qbb plot: slowdown: Groups have fewer than 100 flows of a seed: their p99 is the largest.\n"
		}
		if o.code != exitOK || o.stdout != k.Name+".png\n" || o.stderr != note {
			t.Errorf("%s: got %q, %q", k.Name, o.stdout, o.stderr)
		}
		picture, err := png.Decode(bytes.NewReader(read(t, k.Name+".png")))
		if err != nil {
			t.Fatal(err)
		}
		if picture.Bounds().Dx() != 1020 {
			t.Errorf("%s: %v", k.Name, picture.Bounds())
		}
	}
	mustQBB(t, "plot", "fct-cdf", "hpcc", "--wide", "-o", filepath.Join("new", "a.pdf"))
	mustQBB(t, "plot", "queue", "hpcc", "dcqcn", "--all", "-o", "q.svg")
	mustQBB(t, "plot", "queue", "hpcc", "dcqcn", "-o", "first.svg")
	all, first := string(read(t, "q.svg")), string(read(t, "first.svg"))
	if len(all) < 2*len(first) || !strings.Contains(first, "hpcc") || !bytes.HasPrefix(read(t, filepath.Join("new", "a.pdf")), []byte("%PDF-")) {
		t.Errorf("the queues take %d bytes, the first port's %d", len(all), len(first))
	}
	mustQBB(t, with(small, "--mtu", "500", "--out", "short", "--quiet")...)
	mustQBB(t, with(small, "--out", "long", "--quiet")...)
	mustTellFew(t, "plot", "trend", "--over", "mtu", "short", "long", "-o", "t.svg")
	if !strings.Contains(string(read(t, "t.svg")), "all runs") {
		t.Error("the trend has no name")
	}
	mustQBB(t, "plot", "trend", "--over", "mtu", "--of", "time", "short", "long", "-o", "time.svg")
	if !strings.Contains(string(read(t, "time.svg")), "Completion time of all") {
		t.Error("the trend does not show the time")
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "which figure? give one of slowdown, fct-cdf"},
		{[]string{"slowdwn", "hpcc"}, `no figure "slowdwn": did you mean slowdown?`},
		{[]string{"hpcc", "slowdown"}, "hpcc is a folder: the figure comes first, such as qbb plot slowdown hpcc"},
		{[]string{"slowdown"}, "which runs? give their folders: qbb plot slowdown DIR..."},
		{[]string{"slowdown", "hpcc", "-o", "x.gif"}, "x.gif: the name must end with .png, .svg or .pdf"},
		{[]string{"slowdown", "none"}, "none: no such folder"},
		{[]string{"trend", "hpcc"}, "qbb plot trend needs it: --over load"},
		{[]string{"slowdown", "hpcc", "--over", "load"}, "--over KEY belongs to qbb plot trend"},
		{[]string{"trend", "hpcc", "dcqcn", "--over", "load"}, "--over: load is the same in all runs"},
		{[]string{"slowdown", "hpcc", "--of", "time"}, "--of belongs to qbb plot trend"},
		{[]string{"trend", "hpcc", "--over", "load", "--of", "tme"}, "--of tme: trend shows slowdown, time, schedule or exposed"},
		{[]string{"rate", "short"}, "rate: nothing to draw: No flows were chosen: qbb run --series-flows largest:8."},
		{[]string{"schedule", "short"}, "schedule: nothing to draw: No run has a schedule: qbb run --schedule PATH."},
		{[]string{"queue", "hpcc", "--tag", "incast"}, "--tag: the figure queue is not of flows' completion"},
	} {
		o := qbb(t, append([]string{"plot"}, c.args...)...)
		if o.code != exitMistake || !strings.Contains(o.stderr, c.want) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%q: code %d, %q", c.args, o.code, o.stderr)
		}
	}
}
