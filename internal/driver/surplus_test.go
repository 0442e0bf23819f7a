package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/scenario"
)

// With a lowered count a flow file is as good as one with its last lines cut off, as for the
// reference, except for a note.
func TestLoweredCount(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(baselines, "dumbbell4-hpcc", "flow.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	lines[0] = []byte("3\n")
	fct := func(flows []byte) (text string, notes []string) {
		sc, err := scenario.Load(filepath.Join(baselines, "dumbbell4-hpcc", "config.txt"))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		sc.Flows = filepath.Join(dir, "flow.txt")
		write(t, sc.Flows, string(flows))
		sum := runInto(t, sc, Options{Dir: dir})
		if sum.Flows.Total != 3 || sum.Flows.Finished != 3 {
			t.Errorf("%+v", sum.Flows)
		}
		return contents(t, dir)["fct.txt"], sum.Notes
	}
	got, notes := fct(bytes.Join(lines, nil))
	want, others := fct(bytes.Join(lines[:4], nil))
	if got != want {
		t.Errorf("fct.txt\n%s\nwant\n%s", got, want)
	}
	if len(notes) != 1+len(others) || !strings.Contains(notes[0], `flow.txt:5: more flows than the 3 that the count announces`) {
		t.Errorf("notes %q", notes)
	}
}
