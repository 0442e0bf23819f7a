package native

import (
	"cmp"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Flows that Python adds in any order to those of a file are sorted among them by start, and wait for the added
// flow that they name.
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
	if err := s.SetFlows("src,dst,bytes,start_ns,after\n0,4,6000,55000,\n1,4,4000,10000,\n4,1,5000,20,1\n"); err != nil {
		t.Fatal(err)
	}
	setup, err := s.copy().Setup()
	if err != nil {
		t.Fatal(err)
	}
	type flow struct {
		bytes int64
		start core.Duration
		after int // size of the flow that it waits for; 0: none
	}
	var got []flow
	for i := range setup.Flows {
		f := &setup.Flows[i]
		row := flow{bytes: f.Bytes, start: core.Duration(f.Start)}
		if len(f.After) > 0 {
			row.after = int(setup.Flows[f.After[0]].Bytes)
		}
		got = append(got, row)
	}
	const us, ns = core.Microsecond, core.Nanosecond
	want := []flow{{4000, 10 * us, 0}, {5000, 20 * ns, 4000}, {1000, 50 * us, 0}, {6000, 55 * us, 0}, {2000, 60 * us, 0}, {3000, 0, 2000}}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	var ids []byte
	for _, id := range []uint32{3, 0, 1} {
		ids = binary.NativeEndian.AppendUint32(ids, id)
	}
	if got, err := s.FlowIDs(); err != nil || !slices.Equal(got, ids) {
		t.Errorf("the added flows are numbers %v of the run, %v, want %v", got, err, ids)
	}
	if err := s.SetFlows(""); err != nil {
		t.Fatal(err)
	}
	if ids, err := s.FlowIDs(); err != nil || len(ids) != 0 {
		t.Errorf("no added flows are numbers %v of the run, %v", ids, err)
	}
}

// An error names the added flow by its number, and a flow of a file by its line.
func TestErrorsOfFlows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flow.csv")
	const head = "src,dst,bytes,start_ns,scheme\n"
	for _, c := range []struct{ recorded, added, want string }{
		{"", head + "0,1,1,0,\n0,9,1,0,\n", `added flow 1: flow end is no node "9": nodes are numbered from 0 to 5`},
		{"", head + "0,1,0,0,\n", `added flow 0: bytes is out of range "0": write a whole number from 1 to 1125899906842624`},
		{"0,1,1,5,\n0,1,1,0,\n", head + "0,1,1,0,\n", file + `:3: starts before the flow above it: "0s": sort the flows by start`},
		{"", "src,dst,start_ns\n0,1,0\n", `added flows: no column "bytes": a flow table has src,dst,bytes and start_ns or start_s`},
		{"0,1,1,0,\n0,2,1,0,\n", head + "0,1,1,0,\n0,5,1,0,\n", `added flow 1: flow end is a switch: "5": flows run between hosts`},
		{"0,1,1,0,\n0,9,1,0,\n", head + "0,1,1,0,\n", file + `:3: flow end is no node "9": nodes are numbered from 0 to 5`},
		{"0,1,1,0,hpc\n", head + "0,1,1,0,\n", file + `:2: no scheme "hpc"; did you mean hpcc`},
		{"0,1,1,0,\n", head + "0,1,1,0,hpcc\n0,1,1,0,hpc\n", `added flow 1: no scheme "hpc"; did you mean hpcc`},
	} {
		s := NewScenario()
		keys := map[string]string{"topology": "star:n=5"}
		if c.recorded != "" {
			keys["flows"] = file
			if err := os.WriteFile(file, []byte(head+c.recorded), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Apply(asJSON(keys)); err != nil {
			t.Fatal(err)
		}
		err1, err2 := s.SetFlows(c.added), error(nil)
		if err1 == nil {
			_, err1 = s.Flows()
			_, err2 = s.Start("", 1, false)
		}
		for _, err := range []error{err1, cmp.Or(err2, err1)} {
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		}
	}
}

// The network of a scenario does not need its flows, even if keys name some of them.
func TestTopologyWithoutFlows(t *testing.T) {
	for _, keys := range []string{
		`{"topology": "star:n=5", "series": {"flows": "0"}}`,
		`{"topology": "star:n=5", "incast": "2x10KB", "cc_by_tag": {"incast": "cubic"}, "class_by_cc": {"cubic": 1}}`,
		`{"topology": "star:n=5", "incast": "2x10KB", "class_by_tag": {"incast": 1}, "lossy": "1"}`,
	} {
		s := NewScenario()
		if err := s.Apply(keys); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Flows(); err != nil {
			t.Errorf("%s: no scenario: %v", keys, err)
		}
		network, err := s.Topology()
		if err != nil {
			t.Errorf("%s: %v", keys, err)
			continue
		}
		if nodes := len(network.t.Kinds); nodes != 6 {
			t.Errorf("%s: %d nodes", keys, nodes)
		}
	}
}
