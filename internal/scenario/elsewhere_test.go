package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesElsewhere is about the names in a case whose folder is not where they say, or not where we are.
func TestFilesElsewhere(t *testing.T) {
	const base = "CC_MODE 8\nEWMA_GAIN 0.1\nDCTCP_RATE_AI 1Gb/s\nMIN_RATE 1Gb/s\nSIMULATOR_STOP_TIME 4\nPACKET_PAYLOAD_SIZE 1000\nBUFFER_SIZE 32\n"
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"sim/mix", "elsewhere"} {
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, "sim/mix/topology.txt", "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
	write(t, "sim/mix/flow.txt", "1\n0 1 3 100 1000 2\n")
	for _, c := range []struct{ folder, topology, flows, want string }{
		{"sim", "mix/topology.txt", "mix/flow.txt", ""},
		{"elsewhere", "topology.txt", "flow.txt", ""},
		{"elsewhere", "mix/topology.txt", "mix/flow.txt", `and it is no builder such as fat-tree:k=8; there is one in ` + dir + `/sim: run qbb in that folder`},
		{"elsewhere", "topology.txt", "mix/flow.txt", `mix/flow.txt: no such file or directory; there is one in ` + dir + `/sim: run qbb in that folder`},
		{"elsewhere", "topology.txt", "/gone/mix/flow.txt", `/gone/mix/flow.txt: no such file or directory; there is ../sim/mix/flow.txt: write that name`},
		{"elsewhere", "topology.txt", "inputs/flow.txt", `inputs/flow.txt: no such file or directory; there is ../sim/mix/flow.txt: write that name`},
		{"elsewhere", "topology.txt", "mix/other.txt", `mix/other.txt: no such file or directory`},
	} {
		t.Chdir(filepath.Join(dir, c.folder))
		write(t, "../sim/mix/config.txt", base+"TOPOLOGY_FILE "+c.topology+"\nFLOW_FILE "+c.flows+"\n")
		sc, err := Load("../sim/mix/config.txt")
		if err == nil {
			_, err = sc.Setup()
		}
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.HasSuffix(got, c.want) && c.want != "" {
			t.Errorf("%s in %s: %s, want %q", c.flows, c.folder, got, c.want)
		}
	}
}

// The words none and all mean what they say where there are files of these names, in our folder or in that of the scenario.
func TestWordsAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("cases", 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, "cases/case.yaml", "patterns: permutation:1KB\nfiles: {events: mix.tr}\n")
	for _, folder := range []string{"cases", dir} {
		write(t, filepath.Join(folder, "none"), "not a CDF\n")
		write(t, filepath.Join(folder, "all"), "not nodes\n")
		sc, err := Load("cases/case.yaml")
		if err != nil {
			t.Fatal(err)
		}
		switch s, err := sc.Setup(); {
		case err != nil:
			t.Errorf("files in %s: %v", folder, err)
		case len(s.Flows) != 16 || len(s.Trace) != 26:
			t.Errorf("files in %s: %d flows, %d nodes traced, want 16 and 26", folder, len(s.Flows), len(s.Trace))
		}
	}
}

// Another name is of no key, and stands for one.
func TestOtherNames(t *testing.T) {
	for name, key := range otherNames {
		if got := NearestKey(key, nil); got != key {
			t.Errorf("%s stands for %s, and that for %s", name, key, got)
		}
		if NearestKey(name, nil) != key {
			t.Errorf("%s is a key", name)
		}
	}
}
