//go:build cgo

package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// A run completes its own copy of a scenario: the caller's does not change.
func TestRunLeavesItsScenario(t *testing.T) {
	sc := scenario.Default()
	if err := sc.Apply([]byte("{topology: 'star:n=4', duration: 1us, incast: 2x1KB, cc: dcqcn, cc_by_tag: {incast: timely}}")); err != nil {
		t.Fatal(err)
	}
	want := sc.Clone()
	r, f := newRun(sc, 0)
	if f != nil {
		t.Fatal(f)
	}
	if !reflect.DeepEqual(sc, want) {
		t.Errorf("after a run was made of it the scenario is\n%+v\nwant\n%+v", sc, want)
	}
	sc.CCByTag["incast"] = scenario.CC{Name: "swift"}
	if got := r.scenario.CCByTag["incast"].Name; got != "timely" {
		t.Errorf("the run's scheme of incasts became %s with its maker's", got)
	}
}

// The files of a run that is ended early hold all that has happened, also where parts of the network are at different times.
func TestFinishEarly(t *testing.T) {
	sc := scenario.Default()
	if err := sc.Apply([]byte("{topology: 'fat-tree:k=8', workload: googlerpc2008, load: 0.6, duration: 20us}")); err != nil {
		t.Fatal(err)
	}
	r, f := newRun(sc, 0)
	if f != nil {
		t.Fatal(f)
	}
	if r.sim.Parts() < 2 {
		t.Fatal("the network is whole")
	}
	file := filepath.Join(t.TempDir(), "fct.txt")
	if f := r.write(0, file); f != nil { // QBB_FCT_TXT
		t.Fatal(f)
	}
	r.advance(core.Never, 50_001)
	finished := 0
	for i := range r.setup.Flows {
		if r.sim.Record(i).Finished {
			finished++
		}
	}
	if f := r.finish(); f != nil {
		t.Fatal(f)
	}
	text, err := os.ReadFile(file)
	if lines := strings.Count(string(text), "\n"); err != nil || lines != finished {
		t.Errorf("%d lines of %d flows that have finished: %v", lines, finished, err)
	}
}
