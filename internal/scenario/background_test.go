package scenario

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/qbb-sim/qbb/internal/sim"
)

// A file of sizes is found beside the scenario that names it, whatever signs its name has, with and without hosts behind it. The
// scenario says so, and gives the same flows when it is read again.
func TestWorkloadBetweenHosts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sizes,to=3.txt": "1000 100\n",
		"keys.yaml":      "workload: sizes,to=3.txt,hosts=0-3,to=4-6\ntopology: star:n=8\nduration: 100us\n",
		"alone.yaml":     "workload: sizes,to=3.txt\ntopology: star:n=8\nduration: 100us\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for file, ends := range map[string][2]int{"keys.yaml": {4, 4}, "alone.yaml": {8, 0}} {
		sc, err := Load(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		s := mustSetup(t, sc)
		if len(s.Flows) == 0 {
			t.Errorf("%s: no flows", file)
		}
		for _, f := range s.Flows {
			if f.Bytes != 1000 || int(f.Src) >= ends[0] || int(f.Dst) < ends[1] {
				t.Errorf("%s: flow %+v", file, f)
			}
		}
		if sizes := filepath.Join(dir, "sizes,to=3.txt"); !sc.Reads(sizes) {
			t.Errorf("%s does not read %s", file, sizes)
		}
		var text bytes.Buffer
		if err := sc.Print(&text); err != nil {
			t.Fatal(err)
		}
		again, err := Read(filepath.Join(t.TempDir(), "s.yaml"), text.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if other := mustSetup(t, again); !reflect.DeepEqual(other.Flows, s.Flows) {
			t.Errorf("%s: %d flows when it is read again, %d before", file, len(other.Flows), len(s.Flows))
		}
	}
}

func mustSetup(t *testing.T, sc *Scenario) *sim.Setup {
	t.Helper()
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	return s
}
