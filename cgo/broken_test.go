//go:build cgo

package main

import (
	"fmt"
	"testing"

	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// panicker is a writer that panics, as a bug of ours would.
type panicker struct{}

func (panicker) Write([]byte) (int, error) { panic("a bug") }

// TestBrokenRuns requires that a bug within a run is an error of that call and of all later ones,
// and that the run can be freed.
func TestBrokenRuns(t *testing.T) {
	const broken, internal = -12, -13
	own := busyRun(t, 0)
	objects.find(own).(*run).records.text.FCT = panicker{}
	for i, want := range []int{internal, broken, broken} {
		if got := until(qbb_run_until, own); got != want {
			t.Errorf("call %d gives %d, want %d", i, got, want)
		}
	}
	if code := finishRun(qbb_run_free, own); code != 0 || objects.find(own) != nil {
		t.Errorf("free gives %d", code)
	}

	hosted := busyRun(t, 1)
	host, other := nodeOf(t, qbb_run_node, hosted, 0), nodeOf(t, qbb_run_node, hosted, 1)
	objects.find(host).(*node).device = nil
	for i, want := range []int{internal, broken} {
		if got := wakeNode(qbb_node_wake, host); got != want {
			t.Errorf("wake %d gives %d, want %d", i, got, want)
		}
	}
	if got := wakeNode(qbb_node_wake, other); got != broken {
		t.Errorf("another node of the run gives %d, want %d", got, broken)
	}
	if code := finishRun(qbb_run_free, hosted); code != 0 || objects.find(other) != nil {
		t.Errorf("free gives %d", code)
	}
}

// The stack of a bug in a part of the network is available too; a failure leaves it out.
func TestFirstLine(t *testing.T) {
	bug := &engine.Bug{Value: "index out of range", Stack: []byte("goroutine 7\nmain.f()\n")}
	if got := firstLine(fmt.Sprint(bug)); got != "index out of range" {
		t.Errorf("%q", got)
	}
}

// busyRun makes a run of an incast with options.
func busyRun(t *testing.T, choices uint32) uint64 {
	t.Helper()
	qbb_open(abiVersion)
	sc, err := scenario.Read("x", []byte("topology: star:n=4\nworkload: none\nincast: 3x20KB@20us\nduration: 50us\n"))
	if err != nil {
		t.Fatal(err)
	}
	return makeRun(t, qbb_run_new, objects.add(&options{Scenario: sc}), choices)
}

func until[H ~uint64, T ~int64, R ~int32](f func(H, T, T) R, run uint64) int {
	return int(f(H(run), 1<<63-1, 0))
}

func wakeNode[H ~uint64, T ~int64, U ~uint32, A any, R ~int32](f func(H, T, T, U, *A, U) R, node uint64) int {
	return int(f(H(node), 0, 0, 0, nil, 0))
}
