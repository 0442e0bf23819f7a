package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/reproduce"
)

func TestReproduceLists(t *testing.T) {
	got := mustQBB(t, "reproduce")
	for _, e := range reproduce.Experiments() {
		if !strings.Contains(got, "  "+e.Name) {
			t.Errorf("%s is not listed", e.Name)
		}
	}
}

func TestReproduceRuns(t *testing.T) {
	dir := t.TempDir()
	got := mustQBB(t, "reproduce", "mpcc-buildup", "mpcc-window", "--quick", "--out", dir)
	for _, want := range []string{
		"mpcc-buildup: ", "published", "deviation", "verdict", "growth of the queue without control, Gb/s", "agrees",
		"3 of 3 judged values agree with what was published; files in " + dir + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	for _, file := range []string{"mpcc-buildup/results.parquet", "mpcc-window/figure-3.4.png"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}

// Where nothing can be written, nothing is run; and what a full disk prevents from being written has been printed.
func TestReproduceCannotWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for out, want := range map[string]string{file: file, filepath.Join(file, "below"): file} {
		o := qbb(t, "reproduce", "mpcc-buildup", "--out", out)
		if o.code != exitMistake || !strings.HasPrefix(o.stderr, "qbb reproduce: "+want+": no folder can be made here: ") || o.stdout != "" {
			t.Errorf("--out %s: exit code %d, %q, %q", out, o.code, o.stderr, o.stdout)
		}
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	full := filepath.Join(dir, "mpcc-buildup", "results.txt")
	if err := os.Mkdir(filepath.Dir(full), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	o := qbb(t, "reproduce", "mpcc-buildup", "--out", dir)
	if o.code != exitFailed || !strings.HasSuffix(o.stderr, full+": not written: no space left on device\n") || !strings.Contains(o.stdout, "growth of the queue") {
		t.Errorf("exit code %d, %q, %q", o.code, o.stderr, o.stdout)
	}
	if left, err := os.ReadDir(filepath.Dir(full)); err != nil || len(left) != 1 {
		t.Errorf("%v, %v are left", left, err)
	}
}

func TestReproducePrints(t *testing.T) {
	got := mustQBB(t, "reproduce", "mpcc-window", "mpcc-delay", "--print-scenario")
	for _, want := range []string{"# window.yaml\n", "topology: dumbbell:n=4,right=1,rate=1Gbps,delay=1us\n", "src,dst,bytes,start_ns", "---\n# no-window.yaml\n", "---\n# delay.yaml\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// With --out the scenarios are files, each of which qbb run takes.
func TestReproduceWritesScenarios(t *testing.T) {
	dir := t.TempDir()
	mustQBB(t, "reproduce", "mpcc-delay", "netgauge", "--quick", "--print-scenario", "--out", dir)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.yaml"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		mustQBB(t, "run", file, "--print-scenario")
	}
	if o := qbb(t, "run", filepath.Join(dir, "mpcc-delay", "delay.yaml"), "--out", dir, "--quiet"); o.code != exitOK {
		t.Errorf("exit code %d: %s", o.code, o.stderr)
	}
}
