package main

import (
	"os"
	"strings"
	"testing"
)

// A list of patterns in brackets is one value: phases that follow each other, and one of them alone.
func TestSweepOfPhases(t *testing.T) {
	t.Chdir(t.TempDir())
	out := mustQBB(t, "sweep", "--topology", "star:n=4", "--cc", "none", "--quiet", "--vary", "pattern=['ring-all-gather:8KB,group=2,tag=x', 'ring-all-gather:8KB,stride=2,after=x'] ring-all-gather:8KB,group=2,tag=x")
	if out != "" {
		t.Errorf("got %s", out)
	}
	entries, err := os.ReadDir("sweep")
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v", entries, err)
	}
	for i, want := range []string{`"total":8,`, `"total":4,`} {
		text := strings.Join(strings.Fields(string(read(t, "sweep/"+entries[i].Name()+"/summary.json"))), "")
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %s", entries[i].Name(), want)
		}
	}
}
