package main

import (
	"encoding/json"
	"os"
	"testing"
)

// The timeline of a run is written whole, under the given name, and not in place of what it is made from.
func TestTimeline(t *testing.T) {
	t.Chdir(t.TempDir())
	mustQBB(t, "run", "--topology", "star:n=4", "--duration", "50us", "--out", "a")
	if out := mustQBB(t, "timeline", "a", "-o", "x/b.JSON"); out != "x/b.JSON\n" {
		t.Errorf("got %q", out)
	}
	text, err := os.ReadFile("x/b.JSON")
	var content struct{ TraceEvents []map[string]any }
	if err == nil {
		err = json.Unmarshal(text, &content)
	}
	if err != nil || len(content.TraceEvents) < 10 {
		t.Errorf("%d events: %v", len(content.TraceEvents), err)
	}
	before, err := os.ReadFile("a/summary.json")
	if err != nil {
		t.Fatal(err)
	}
	if o := qbb(t, "timeline", "a", "-o", "a/summary.json"); o.code != exitMistake || o.stderr != "qbb timeline: a/summary.json: this output would replace an input: give it another name\n" {
		t.Errorf("%+v", o)
	}
	if after, err := os.ReadFile("a/summary.json"); err != nil || string(after) != string(before) {
		t.Errorf("%v: the summary has changed", err)
	}
}
