package scenario

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

const baselines = "../../testdata/baselines"

// fromConfig makes the setup that a config.txt describes.
func fromConfig(c *traces.Config) (*sim.Setup, error) {
	sc, err := ofConfig(c)
	if err != nil {
		return nil, err
	}
	return sc.Setup()
}

// runBaseline runs a case of the reference simulator and returns fct.txt, pfc.txt and qlen.txt.
func runBaseline(t testing.TB, dir string, trace bool) (fct, pfc, qlen, events *bytes.Buffer, n *sim.Network) {
	t.Helper()
	c, err := traces.LoadConfig(filepath.Join(dir, "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := fromConfig(c)
	if err != nil {
		t.Fatal(err)
	}
	fct, pfc, qlen, events = new(bytes.Buffer), new(bytes.Buffer), new(bytes.Buffer), new(bytes.Buffer)
	w := &TextWriter{FCT: fct, PFC: pfc, Queues: qlen}
	if !trace {
		s.Trace = nil
	}
	n, err = sim.Build(s, w)
	if err != nil {
		t.Fatal(err)
	}
	for n.Step(core.Never, 1<<20) {
	}
	return fct, pfc, qlen, events, n
}

// TestBaselines requires the reference's files byte for byte.
func TestBaselines(t *testing.T) {
	cases, err := filepath.Glob(baselines + "/*/config.txt")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no baselines: %v", err)
	}
	for _, config := range cases {
		dir := filepath.Dir(config)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			fct, pfc, qlen, _, _ := runBaseline(t, dir, false)
			compare(t, filepath.Join(dir, "fct.txt"), fct.Bytes())
			compare(t, filepath.Join(dir, "pfc.txt"), pfc.Bytes())
			if _, err := os.Stat(filepath.Join(dir, "qlen.txt")); err == nil {
				compare(t, filepath.Join(dir, "qlen.txt"), qlen.Bytes())
			}
		})
	}
}

// compare reports the first line in which got differs from the file; a missing file counts as
// empty.
func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			t.Errorf("%s:%d: missing %q", file, i+1, w[i])
		case i >= len(w):
			t.Errorf("%s:%d: not expected: %q", file, i+1, g[i])
		case !bytes.Equal(g[i], w[i]):
			t.Errorf("%s:%d:\n got %.120q\nwant %.120q", file, i+1, g[i], w[i])
		default:
			continue
		}
		return
	}
}
