//go:build cgo

package main

import (
	"reflect"
	"testing"

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
