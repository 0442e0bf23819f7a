package twin

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// write makes the files of a random case.
func write(t *testing.T, dir string, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 23))
	s := network(rng)
	payload := pick(rng, 1000, 1000, 1500, 256, 9000, 64)
	for _, file := range []struct{ name, text string }{
		{"topology.txt", s.text(rng.IntN(5) == 0)},
		{"flow.txt", s.traffic(payload)},
		{"config.txt", s.config(filepath.ToSlash(dir), pick(rng, 1, 3, 7, 8, 10), payload)},
	} {
		if err := os.WriteFile(filepath.Join(dir, file.name), []byte(file.text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// simulate runs a case as qbb run does.
func simulate(t *testing.T, dir string) {
	t.Helper()
	sc, err := scenario.Load(filepath.Join(dir, "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	sc.Out = dir
	setup, err := driver.Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := driver.Run(t.Context(), sc, setup, driver.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
}

// repeat runs a case here.
func repeat(t *testing.T, dir string) *world {
	t.Helper()
	c, err := traces.LoadConfig(filepath.Join(dir, "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	network, _, err := traces.LoadTopology(c.TopologyFile)
	if err != nil {
		t.Fatal(err)
	}
	flows, err := traces.LoadFlows(c.FlowFile)
	if err != nil {
		t.Fatal(err)
	}
	w := build(c, network, flows)
	w.run()
	return w
}

// Profile ns3 and the twin write the same files.
func TestTwin(t *testing.T) {
	seen, lines := make(map[string]int), make(map[string]int)
	for seed := range uint64(401) {
		if seed == 400 {
			seed = 1082 // a utilisation that fades to nothing under HPCC-PINT
		}
		dir := t.TempDir()
		write(t, dir, seed)
		w := repeat(t, dir)
		if w.cut {
			continue
		}
		simulate(t, dir)
		for _, file := range []struct {
			name string
			want *bytes.Buffer
		}{{"fct.txt", &w.fct}, {"pfc.txt", &w.pfc}, {"qlen.txt", &w.qlen}} {
			got, err := os.ReadFile(filepath.Join(dir, file.name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, file.want.Bytes()) {
				t.Errorf("seed %d, CC_MODE %d: %s differs, first in line %s", seed, w.c.CCMode, file.name, difference(got, file.want.Bytes()))
			}
			lines[file.name] += bytes.Count(got, []byte("\n"))
		}
		for what, n := range w.seen {
			seen[what] += n
		}
	}
	for _, what := range []string{"marked", "resumed", "dropped", "NACK", "failure", "in flight on a failed link"} {
		if seen[what] == 0 {
			t.Errorf("%s: in no case", what)
		}
	}
	for _, name := range []string{"fct.txt", "pfc.txt", "qlen.txt"} {
		if lines[name] < 100 {
			t.Errorf("%s has %d lines in all cases together", name, lines[name])
		}
	}
}

func difference(got, want []byte) string {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	i := 0
	for i < min(len(a), len(b))-1 && bytes.Equal(a[i], b[i]) {
		i++
	}
	return fmt.Sprintf("%d:\n got %s\nwant %s", i+1, a[i], b[i])
}
