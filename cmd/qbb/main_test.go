package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the golden files in testdata")

// asCommand makes the test binary behave as qbb: a test that needs a process runs itself.
const asCommand = "QBB_TEST_AS_COMMAND"

// here is the folder of the package; tests change the working directory.
var here string

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	var err error
	if here, err = os.Getwd(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// outcome is the result of one use of the command.
type outcome struct {
	stdout, stderr string
	code           int
}

// qbb runs the command inside the test.
func qbb(t testing.TB, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), args, &stdout, &stderr)
	return outcome{stdout.String(), stderr.String(), code}
}

// mustQBB fails the test if the command does.
func mustQBB(t testing.TB, args ...string) string {
	t.Helper()
	o := qbb(t, args...)
	if o.code != exitOK {
		t.Fatalf("qbb %s: exit code %d: %s", strings.Join(args, " "), o.code, o.stderr)
	}
	if o.stderr != "" {
		t.Errorf("qbb %s: standard error: %s", strings.Join(args, " "), o.stderr)
	}
	return o.stdout
}

// mustTellFew is mustQBB for a table or a trend of so few flows that a note says so.
func mustTellFew(t *testing.T, args ...string) string {
	t.Helper()
	o := qbb(t, args...)
	if o.code != exitOK || strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, "fewer than 100 flows") {
		t.Errorf("qbb %s: exit code %d, standard error: %s", strings.Join(args, " "), o.code, o.stderr)
	}
	return o.stdout
}

// golden compares a text with a file of testdata; with -rewrite it writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(here, "testdata", name)
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -rewrite makes it)", err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s:%d:\n got %s\nwant %s\n(go test -rewrite accepts the change)", file, i+1, g[i], w[i])
		}
	}
	t.Fatalf("%s: got %d lines, want %d", file, len(g), len(w))
}

// baseline is a folder with a case of the reference simulator.
func baseline(name string) string {
	return filepath.Join(here, "..", "..", "testdata", "baselines", name)
}

// write makes a file in a folder.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
