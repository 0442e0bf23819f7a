package native

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Flows that Python adds to those of a file take their places by start among them, and wait for the
// added flow that they name.
func TestFlowsAddedToThoseOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flow.csv")
	const recorded = "src,dst,bytes,start_ns,after\n0,1,1000,50000,\n2,3,2000,60000,\n3,2,3000,0,1\n"
	if err := os.WriteFile(file, []byte(recorded), 0o666); err != nil {
		t.Fatal(err)
	}
	s := NewScenario()
	if err := s.Apply(asJSON(map[string]string{"flows": file, "topology": "star:n=5"})); err != nil {
		t.Fatal(err)
	}
	s.SetFlows("src,dst,bytes,start_ns,after\n1,4,4000,10000,\n4,1,5000,20,0\n0,4,6000,55000,\n")
	setup, err := s.copy().Setup()
	if err != nil {
		t.Fatal(err)
	}
	type flow struct {
		bytes int64
		start core.Duration
		after int // flow of so many bytes; 0: none
	}
	var got []flow
	for i := range setup.Flows {
		f := &setup.Flows[i]
		row := flow{bytes: f.Bytes, start: core.Duration(f.Start)}
		if f.After > 0 {
			row.after = int(setup.Flows[f.After-1].Bytes)
		}
		got = append(got, row)
	}
	const us, ns = core.Microsecond, core.Nanosecond
	want := []flow{{4000, 10 * us, 0}, {5000, 20 * ns, 4000}, {1000, 50 * us, 0}, {6000, 55 * us, 0}, {2000, 60 * us, 0}, {3000, 0, 2000}}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
