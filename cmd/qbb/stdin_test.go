package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pipe runs the program with something on its standard input, in the working folder.
func pipe(t *testing.T, input []byte, args string) (stdout []byte, stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, strings.Fields(args)...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var out, problem bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &problem
	if err := cmd.Run(); err != nil && problem.Len() == 0 {
		t.Fatal(err)
	}
	return out.Bytes(), problem.String()
}

func compressed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file that is called - is standard input, whatever it is: what is read from it is what a file would give.
func TestStandardInput(t *testing.T) {
	t.Chdir(t.TempDir())
	network, _ := pipe(t, nil, "gen topology star:n=4 -o -")
	flows, _ := pipe(t, network, "gen traffic --topology - --workload none --pattern permutation:10KB -o -")
	scenario := []byte("topology: net.txt\nflows: flow.txt\npcap: {file: p.pcapng}\nfiles: {events: mix.tr, events_text: mix.txt}\n")
	for name, text := range map[string][]byte{"net.txt": network, "flow.txt": flows, "s.yaml": scenario} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pipe(t, nil, "run s.yaml --quiet --out file")
	want, _ := pipe(t, nil, "csv file")
	if bytes.Count(want, []byte("\n")) != 5 {
		t.Fatalf("the run from files has\n%s", want)
	}
	for args, input := range map[string][]byte{
		"run - --out a":                                        scenario,
		"run - --out b":                                        compressed(t, scenario),
		"run s.yaml --flows - --out c":                         flows,
		"run s.yaml --flows - --out d":                         compressed(t, flows),
		"run s.yaml --topology - --out e":                      network,
		"run --topology net.txt --set flows=- --quiet --out f": []byte("src,dst,bytes,start_ns\n" + rows(t, want)),
	} {
		if _, problem := pipe(t, input, args); problem != "" {
			t.Errorf("%s: %s", args, problem)
		}
		words := strings.Fields(args)
		if got, problem := pipe(t, nil, "csv "+words[len(words)-1]); !bytes.Equal(got, want) {
			t.Errorf("%s gives\n%s%s", args, got, problem)
		}
	}
	schedule := []byte("num_ranks 2 rank 0 { send 5b to 1 } rank 1 { recv 5b from 0 }")
	if out, problem := pipe(t, schedule, "run --topology net.txt --schedule -,hosts=2-3,start=1us --out g"); !bytes.Contains(out, []byte("done on 2 hosts")) {
		t.Errorf("%s%s", out, problem)
	}
	table, err := os.ReadFile("file/fct.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if got, problem := pipe(t, table, "csv -"); !bytes.Equal(got, want) {
		t.Errorf("a table gives\n%s%s", got, problem)
	}
	if got, problem := pipe(t, table, "compare - file"); !bytes.Contains(got, []byte("Identical")) {
		t.Errorf("compared with itself a table gives\n%s%s", got, problem)
	}
	for _, name := range []string{"p.pcapng", "mix.tr", "mix.txt"} {
		trace, err := os.ReadFile("file/" + name)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := pipe(t, nil, "inspect file/"+name+" --flows")
		if got, problem := pipe(t, compressed(t, trace), "inspect - --flows"); len(want) == 0 || !bytes.Equal(got, want) {
			t.Errorf("%s gives\n%s%s", name, got, problem)
		}
	}
}

// Mistakes in what is piped, and where two files would be.
func TestStandardInputMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ input, args, want string }{
		{"seed: 1\nlod: 1\n", "run -", "qbb run: /dev/stdin:2: unknown key \"lod\""},
		{"", "run -", "qbb run: /dev/stdin:1: the file is empty"},
		{"0,1,5\n", "run --flows -", "qbb run: /dev/stdin:1: no line with the names of the columns"},
		{"seed: 1\n", "csv -", "qbb csv: /dev/stdin: not a Parquet file\n"},
		{"seed: 1\n", "run - --flows -", "qbb run: flows: -, standard input, is CONFIG already: write one of them to a file\n"},
		{"", "run --schedule -,tag=a --schedule -,tag=b", "qbb run: schedule: -, standard input, is schedule already: write one of them to a file\n"},
		{"", "compare - -", "qbb compare: both files are -, standard input: write one of them to a file\n"},
	} {
		if _, problem := pipe(t, []byte(c.input), c.args); !strings.HasPrefix(problem, c.want) || strings.Count(problem, "\n") != 1 {
			t.Errorf("%s: %s", c.args, problem)
		}
	}
}

// rows returns the flows of fct.csv as rows of a table of flows.
func rows(t *testing.T, table []byte) string {
	t.Helper()
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(string(table)), "\n") {
		if cells := strings.Split(line, ","); i > 0 {
			b.WriteString(strings.Join([]string{cells[1], cells[2], cells[8], cells[9]}, ",") + "\n")
		}
	}
	return b.String()
}
