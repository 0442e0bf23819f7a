package inspect

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/traces"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the golden files in testdata")

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s(go test -rewrite accepts the change)", file, got, want)
	}
}

// written returns the path of a file with the content.
func written(t *testing.T, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// sightings reads a file, up to an error.
func sightings(path string) (all []traces.Sighting, err error) {
	err = Each(path, func(v *traces.Sighting) bool {
		all = append(all, *v)
		return true
	})
	return all, err
}

// sightingsIn reads the content of a file, up to an error.
func sightingsIn(content []byte) (all []traces.Sighting, err error) {
	s, err := newSource("file", bytes.NewReader(content))
	for err == nil {
		var v traces.Sighting
		if v, err = s.read(); err == nil {
			all = append(all, v)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return all, err
}

// inText is the trace of testdata/trace.txt: three hosts at switch 3, two flows, the first of which
// loses a packet, marks, a pause, and a packet of every other kind.
const inText = "testdata/trace.txt"

// star is its network.
func star() *topo.Topology {
	return &topo.Topology{
		Name: "star", Kinds: []topo.Kind{topo.Host, topo.Host, topo.Host, topo.Switch},
		Links: []topo.Link{{A: 0, B: 3, Rate: 1e11}, {A: 1, B: 3, Rate: 1e11}, {A: 2, B: 3, Rate: 1e11}},
	}
}

// binaryOf writes records as mix.tr does.
func binaryOf(t *testing.T, records []core.Record) []byte {
	t.Helper()
	e, err := traces.NewEventEncoder(star(), 0, false)
	if err != nil {
		t.Fatal(err)
	}
	b := e.AppendHeader(nil)
	for i := range records {
		b = e.Append(b, &records[i])
	}
	return b
}

// recordsOf reads a trace in text form.
func recordsOf(t *testing.T, text string) (all []core.Record) {
	t.Helper()
	in := traces.NewEventTextReader("text", strings.NewReader(text))
	for {
		r, err := in.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b)) + "\n"
}
