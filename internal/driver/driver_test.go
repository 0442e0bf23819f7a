package driver

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces/tables"
)

// The outputs depend only on the scenario: not on the folder, the number of threads, or how the run
// is cut into pieces.
func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	runInto(t, busy(t, "files.fct", "fct.txt"), Options{Dir: filepath.Join(dir, "a")})
	want := contents(t, filepath.Join(dir, "a"))
	if len(want) != 7 {
		t.Errorf("got %d files, want 5 tables, fct.txt and summary.json", len(want))
	}
	sum := runInto(t, busy(t), Options{})
	if sum.Flows.Finished == 0 || sum.Packets.Lost == 0 || sum.Packets.Marked == 0 || sum.PFC.PausesSent == 0 {
		t.Errorf("the case is too quiet: %+v %+v %+v", sum.Flows, sum.Packets, sum.PFC)
	}
	for _, c := range []struct {
		name           string
		threads, slice int
	}{{"again", 2, 0}, {"one thread", 1, 0}, {"small slices", 2, 7}, {"odd slices", 2, 1013}} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.threads))
		sub := filepath.Join(dir, c.name)
		runInto(t, busy(t, "files.fct", "fct.txt"), Options{Dir: sub, Slice: c.slice, Progress: func(Progress) {}})
		t.Run(c.name, func(t *testing.T) { sameFiles(t, contents(t, sub), want) })
	}
	runInto(t, busy(t, "files.fct", "fct.txt", "seed", "8"), Options{Dir: filepath.Join(dir, "seed")})
	if contents(t, filepath.Join(dir, "seed"))["fct.txt"] == want["fct.txt"] {
		t.Error("another seed gives the same flows")
	}
}

// There is a thread for each processor at most, and for all of them, however many there are: qbb sweep asks for these.
func TestThreadsOfProcessors(t *testing.T) {
	for _, c := range []struct{ processors, wanted, got int }{
		{2, 1, 1}, {2, 2, 2}, {2, 250, 2}, {2, 251, 0}, {2, 0, 0}, {300, 300, 300}, {300, 301, 0},
	} {
		before := runtime.GOMAXPROCS(c.processors)
		got, err := Threads(c.wanted)
		runtime.GOMAXPROCS(before)
		if got != c.got || (err == nil) != (c.got > 0) {
			t.Errorf("%d processors, %d threads: got %d, %v, want %d", c.processors, c.wanted, got, err, c.got)
		}
	}
}

// Recording packets changes nothing else.
func TestTracingChangesNothing(t *testing.T) {
	off, on := t.TempDir(), t.TempDir()
	runInto(t, busy(t, "files.fct", "fct.txt", "files.pfc", "pfc.txt"), Options{Dir: off})
	runInto(t, busy(t, "files.fct", "fct.txt", "files.pfc", "pfc.txt", "trace", "all"), Options{Dir: on})
	a, b := contents(t, off), contents(t, on)
	for _, name := range []string{"fct.txt", "pfc.txt"} {
		if a[name] != b[name] || a[name] == "" {
			t.Errorf("%s differs, or is empty", name)
		}
	}
	if len(b["mix.tr"]) < 1000 {
		t.Errorf("mix.tr has %d bytes", len(b["mix.tr"]))
	}
}

// A printed scenario read back prints the same and gives the same bytes.
func TestPrintedScenario(t *testing.T) {
	for name, sc := range map[string]*scenario.Scenario{
		"native": busy(t),
		"ns3":    busy(t, "profile", "ns3", "stop", "500us", "buffer", "8MB", "queue_sampling.end", "400us", "links", "{at: 300us, down: 9-11}"),
		"options": of(t, "topology", "star:n=4", "duration", "50us", "load", "0.3", "ecn", "enqueue", "cc", "{name: dctcp, params: {g: 0.1}}",
			"patterns", "permutation:10KB", "patterns", "long-and-short:100KB,10KB,1us", "link_loss", "{link: 0-4, loss: 0.01}",
			"options.order", "schedule", "host.window", "on", "flow_control", "none", "cc_by_tag.short", "{name: timely, params: {beta: 0.7}}"),
	} {
		t.Run(name, func(t *testing.T) {
			var first, second bytes.Buffer
			if err := sc.Print(&first); err != nil {
				t.Fatal(err)
			}
			again, err := scenario.Read("printed.yaml", first.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if err := again.Print(&second); err != nil {
				t.Fatal(err)
			}
			if first.String() != second.String() {
				t.Errorf("printed again:\n%s\nwant\n%s", second.String(), first.String())
			}
			a, b := t.TempDir(), t.TempDir()
			runInto(t, sc, Options{Dir: a})
			runInto(t, again, Options{Dir: b})
			sameFiles(t, contents(t, a), contents(t, b))
		})
	}
}

// A run from a config.txt writes the reference's files, and so does its printed scenario.
func TestConfigRun(t *testing.T) {
	for _, name := range []string{"dumbbell4-hpcc", "dumbbell4-dcqcn", "dumbbell4-timely", "dumbbell4-dctcp", "dumbbell4-pint", "fat16-linkdown-hpcc"} {
		t.Run(name, func(t *testing.T) {
			baseline := filepath.Join(baselines, name)
			sc, err := scenario.Load(filepath.Join(baseline, "config.txt"))
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := sc.Print(&text); err != nil {
				t.Fatal(err)
			}
			again, err := scenario.Read("printed.yaml", text.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			for _, sc := range []*scenario.Scenario{sc, again} {
				dir := t.TempDir()
				runInto(t, sc, Options{Dir: dir})
				got := contents(t, dir)
				sameAsFile(t, filepath.Join(baseline, "fct.txt"), got["fct.txt"])
				sameAsFile(t, filepath.Join(baseline, "pfc.txt"), got["pfc.txt"])
				if sc.Files.Events != "" {
					compareEvents(t, filepath.Join(baseline, "mix.tr.gz"), []byte(got["mix.tr"]))
				}
			}
		})
	}
}

// compareEvents compares mix.tr, whose records have padding that the reference leaves undefined.
func compareEvents(t *testing.T, file string, got []byte) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	want, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d bytes, want %d", file, len(got), len(want))
	}
	const record = 56
	header := len(want) % record
	blank := func(b []byte) {
		for i := header; i+record <= len(b); i += record {
			r := b[i : i+record]
			clear(r[30:32])
			if r[26] == 0x11 {
				clear(r[52:56])
			} else {
				clear(r[44:48])
			}
		}
	}
	blank(got)
	blank(want)
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: byte %d: record %d, offset %d: got %d, want %d", file, i, (i-header)/record, (i-header)%record, got[i], want[i])
		}
	}
}

// An interrupted run leaves complete files of its results so far.
func TestInterrupted(t *testing.T) {
	sc := busy(t)
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	dir := t.TempDir()
	calls := 0
	sum, err := Run(ctx, sc, s, Options{Dir: dir, Slice: 2000, Every: 1, Progress: func(Progress) {
		if calls++; calls == 10 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tables.LoadFCT(filepath.Join(dir, "fct.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	unfinished := 0
	for i := range rows {
		if !rows[i].Finished {
			unfinished++
		}
	}
	if !sum.StoppedEarly || len(rows) != len(s.Flows) || unfinished == 0 || unfinished != sum.Flows.Unfinished {
		t.Errorf("stopped %v, %d rows of %d flows, %d unfinished, summary %d", sum.StoppedEarly, len(rows), len(s.Flows), unfinished, sum.Flows.Unfinished)
	}
	if len(sum.Notes) == 0 || !strings.Contains(sum.Notes[0], "interrupted") {
		t.Errorf("notes %q", sum.Notes)
	}
	for i := range rows[1:] {
		a, b := &rows[i], &rows[i+1]
		switch {
		case a.Finished && b.Finished && a.StartNs+a.FCTNs > b.StartNs+b.FCTNs+1e-3:
			t.Errorf("flow %d stands before flow %d, which finished earlier", a.FlowID, b.FlowID)
		case !a.Finished && (b.Finished || a.FlowID > b.FlowID):
			t.Errorf("unfinished flow %d stands before flow %d", a.FlowID, b.FlowID)
		}
	}
	ids := make([]int, 0, len(rows))
	for i := range rows {
		ids = append(ids, int(rows[i].FlowID))
	}
	slices.Sort(ids)
	for i, id := range ids {
		if i != id {
			t.Fatalf("flow %d is missing or double", i)
		}
	}
}

// Outputs that cannot be written, or would replace an input, leave nothing behind.
func TestOutputErrors(t *testing.T) {
	dir := t.TempDir()
	flows := filepath.Join(dir, "flows.csv")
	write(t, flows, "src,dst,bytes,start_ns\n0,1,1000,0\n")
	sc := of(t, "topology", "star:n=4", "flows", flows, "files.fct", "flows.csv")
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), sc, s, Options{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "would replace an input") {
		t.Errorf("got %v", err)
	}
	sc = of(t, "topology", "star:n=4", "flows", flows, "pcap.file", "/dev/full")
	if s, err = Setup(sc); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if _, err = Run(context.Background(), sc, s, Options{Dir: "."}); err == nil || !strings.HasPrefix(err.Error(), "/dev/full: not written: ") {
		t.Errorf("got %v", err)
	}
	if left := contents(t, dir); len(left) != 1 || !strings.HasPrefix(left["flows.csv"], "src") {
		t.Errorf("left %v", left)
	}
}

// A run whose outputs can no longer be written does not go on to its end.
func TestRunEndsWhenDiskIsFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	sc := of(t, "topology", "star:n=4", "workload", "none", "patterns", "permutation:1GB", "pcap.file", "/dev/full", "pcap.snap", "96B")
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Start(sc, s, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	more, steps := true, 0
	for ; more; steps++ {
		more, err = r.Step(core.Never, 1000)
	}
	if err == nil || err.Error() != "/dev/full: not written: no space left on device" || steps > 20 || r.Network.Ended() != 0 {
		t.Errorf("after %d steps: %v", steps, err)
	}
}
