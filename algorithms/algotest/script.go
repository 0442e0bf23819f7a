package algotest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// RunScripts runs every script in testdata.
func RunScripts(t *testing.T, factory Factory) { RunScriptsIn(t, "testdata", factory) }

// RunScriptsIn runs every script in a folder.
func RunScriptsIn(t *testing.T, folder string, factory Factory) {
	t.Helper()
	paths, err := filepath.Glob(folder + "/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts in %s (%v)", folder, err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) { RunScript(t, path, factory) })
	}
}

// RunScript runs one script. A script is a list of blocks: commands, one a line, a line of
// four dashes, the expected output up to the next empty line. Lines that begin with # are
// comments. The commands are:
//
//	params name=value ...       restart the scheme with these parameters
//	start [line=100Gbps rtt=13us mtu=1000 window=162500B min=0 int=full|quantised]
//	ack|sent|timer|notify|switch|grant|loss|path t=10us [acked=1000 next=2000 rtt=14us host=1us
//	     bytes=1000 marked=1000 aux=3 feedback=3 ece nack timeout hop=100Gbps/9us/1000B/0B[/4] ...]
//	run [flows=2 for=1ms line=100Gbps rtt=13us mtu=1000 int=full|quantised kmin=400KB kmax=1600KB
//	     pmax=0.2 buffer=0 from=0,300us to=never,700us]
//
// t is counted from the flow's start; a sender's timers that are due by then come first and
// are listed too. acked and next stay what they were, rtt is the flow's unless given. Every
// signal's line shows the answer; run shows a plot.
func RunScript(t *testing.T, path string, factory Factory) {
	t.Helper()
	in, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runScript(in, factory)
	if err != nil {
		t.Fatalf("%s:%v", path, err)
	}
	if bytes.Equal(in, got) {
		return
	}
	if rewrite() {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s: output differs (-rewrite accepts it)\n%s", path, firstDifference(in, got))
}

var rewriteFlag = registerRewrite()

// registerRewrite defines -rewrite unless another package of the test has.
func registerRewrite() *flag.Flag {
	if flag.Lookup("rewrite") == nil {
		flag.Bool("rewrite", false, "write the expected output of scripts anew")
	}
	return flag.Lookup("rewrite")
}

func rewrite() bool { return rewriteFlag.Value.String() == "true" }

// firstDifference shows the lines around the first one that differs.
func firstDifference(want, got []byte) string {
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	part := func(lines []string) string {
		return strings.Join(lines[min(i, len(lines)):min(i+20, len(lines))], "\n")
	}
	return fmt.Sprintf("line %d\nwant:\n%s\ngot:\n%s", i+1, part(w), part(g))
}

const separator = "----"

// runScript returns the script with the output that it has now.
func runScript(in []byte, factory Factory) ([]byte, error) {
	st := &stage{factory: factory}
	var out strings.Builder
	var answer strings.Builder
	lines := strings.Split(string(in), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case line == separator:
			out.WriteString(separator + "\n" + answer.String())
			answer.Reset()
			for i+1 < len(lines) && lines[i+1] != "" {
				i++
			}
			continue
		case line != "" && line[0] != '#':
			if err := st.command(line, &answer); err != nil {
				return nil, fmt.Errorf("%d: %q: %w", i+1, line, err)
			}
		}
		out.WriteString(line)
		if i+1 < len(lines) {
			out.WriteByte('\n')
		}
	}
	if answer.Len() > 0 {
		return nil, fmt.Errorf("%d: commands without a line %q after them", len(lines), separator)
	}
	return []byte(out.String()), nil
}
