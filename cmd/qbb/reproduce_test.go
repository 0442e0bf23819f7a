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

func TestReproducePrints(t *testing.T) {
	got := mustQBB(t, "reproduce", "mpcc-window", "mpcc-delay", "--print-scenario")
	for _, want := range []string{"# window.yaml\n", "topology: dumbbell:n=4,right=1,rate=1Gbps,delay=1us\n", "src,dst,bytes,start_ns", "---\n# no-window.yaml\n", "---\n# delay.yaml\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
