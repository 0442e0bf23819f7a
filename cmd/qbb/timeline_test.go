package main

import (
	"encoding/json"
	"os"
	"testing"
)

// The timeline of a run is written whole, under the given name, and not in place of what it is made from.
func TestTimeline(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("job.goal", []byte("num_ranks 2 rank 0 { send 5b to 1 } rank 1 { recv 5b from 0 }"), 0o666); err != nil {
		t.Fatal(err)
	}
	mustQBB(t, "run", "--topology", "star:n=4", "--schedule", "job.goal", "--out", "a")
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
	for _, input := range []string{"a/summary.json", "a/schedule.parquet"} {
		before, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove("link.json")
		if err := os.Symlink(input, "link.json"); err != nil {
			t.Fatal(err)
		}
		if o := qbb(t, "timeline", "a", "-o", "link.json"); o.code != exitMistake || o.stderr != "qbb timeline: link.json: this output would replace an input: give it another name\n" {
			t.Errorf("%s: %+v", input, o)
		}
		if after, err := os.ReadFile(input); err != nil || string(after) != string(before) {
			t.Errorf("%v: %s has changed", err, input)
		}
	}
	for dir, want := range map[string]string{"b": "b: no such folder: give the folder of a finished run", "a/fct.parquet": "a/fct.parquet: not a folder: give the folder of a finished run"} {
		if o := qbb(t, "timeline", dir); o.code != exitMistake || o.stderr != "qbb timeline: "+want+"\n" {
			t.Errorf("%+v", o)
		}
	}
}
