package native

import (
	"os"
	"strings"
	"testing"
)

// A run in which a panic has shown a bug makes no results: its network is in the middle of an event.
func TestBrokenSimulation(t *testing.T) {
	s := NewScenario()
	if err := s.Apply(`{"topology": "star:n=3", "workload": "none", "patterns": ["permutation:1KB"]}`); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := s.Start(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.rec.done = nil // where the first flow that ends is kept
	_, bug := m.Run(1e12, 1e6)
	if bug == nil || !strings.HasPrefix(bug.Error(), failed) {
		t.Fatalf("the run met %v", bug)
	}
	if _, err := m.Run(1e12, 1e6); err != bug {
		t.Errorf("it goes on with %v", err)
	}
	if text, err := m.Finish(); err != bug {
		t.Errorf("it ends with %q, %v", text, err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}
