package driver

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

const baselines = "../../testdata/baselines"

// of returns the default scenario with some keys set: key, value, key, value.
func of(t testing.TB, pairs ...string) *scenario.Scenario {
	t.Helper()
	sc := scenario.Default()
	for i := 0; i < len(pairs); i += 2 {
		if err := sc.Set(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return sc
}

// busy has incast, marks, pauses, losses, a failing link and two schemes.
func busy(t testing.TB, more ...string) *scenario.Scenario {
	return of(t, append([]string{
		"topology", "leaf-spine:leaves=2,spines=2,hosts=4,fabric=100Gbps", "duration", "300us", "incast", "6x100KB@50us",
		"cc", "dcqcn", "cc_by_tag.incast", "hpcc", "buffer", "1500KB", "loss", "0.0001", "seed", "7", "options.rto", "200us",
		"ecn.thresholds", "{rate: 100Gbps, kmin: 10KB, kmax: 100KB, pmax: 0.5}",
		"links", "{at: 100us, down: 8-10}", "links", "{at: 200us, up: 8-10}",
	}, more...)...)
}

// runInto runs a scenario with outputs in a folder.
func runInto(t testing.TB, sc *scenario.Scenario, o Options) *Summary {
	t.Helper()
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := Run(context.Background(), sc, s, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// built makes the network of a scenario without running it.
func built(t testing.TB, sc *scenario.Scenario) *sim.Network {
	t.Helper()
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	n, err := sim.Build(s, &outputs{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// contents reads the files of a folder; summary.json without the part about the machine.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() == "summary.json" {
			b = withoutMachine(t, b)
		}
		files[e.Name()] = string(b)
	}
	return files
}

func withoutMachine(t testing.TB, b []byte) []byte {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	if m["machine"] == nil {
		t.Error("summary.json says nothing of the machine")
	}
	delete(m, "machine")
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func sameFiles(t *testing.T, a, b map[string]string) {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%d and %d files", len(a), len(b))
	}
	for name, text := range a {
		if b[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// sameAsFile requires that a text equals a file; a missing file counts as empty.
func sameAsFile(t testing.TB, file, got string) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: differs", file)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
