package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// recorded is a folder with the same incast as a capture and as an event trace in both forms.
func recorded(t *testing.T) string { return recordedWith(t, "dcqcn", "100KB") }

func recordedWith(t *testing.T, scheme, size string) string {
	t.Helper()
	dir := t.TempDir()
	mustQBB(t, "run", "--topology", "star:n=5", "--workload", "none", "--incast", "4x"+size+"@100us", "--duration", "100us", "--buffer", "600KB",
		"--cc", scheme, "--loss", "0.001", "--set", "ecn.thresholds={rate: 100Gbps, kmin: 10KB, kmax: 20KB, pmax: 0.1}",
		"--out", dir, "--pcap", "p.pcapng", "--trace", "mix.tr", "--set", "files.events_text=mix.txt", "--quiet")
	return dir
}

func TestInspectGolden(t *testing.T) {
	dir := recorded(t)
	text := filepath.Join(dir, "mix.txt")
	golden(t, "inspect/flows.txt", mustQBB(t, "inspect", text, "--flows"))
	golden(t, "inspect/flow.txt", mustQBB(t, "inspect", text, "--flow", "3"))
	golden(t, "inspect/hops.txt", mustQBB(t, "inspect", text, "--hops", "3"))
	golden(t, "inspect/packet.txt", mustQBB(t, "inspect", text, "--packet", "3:64000"))
	golden(t, "inspect/list.txt", mustQBB(t, "inspect", filepath.Join(dir, "p.pcapng"), "node==5 && time>2us && kind==pfc", "--limit", "8"))
}

// The three forms agree, as far as they hold the same data, also where a scheme adds to the
// packets.
func TestInspectForms(t *testing.T) {
	sameForms(t, recorded(t), "ce && node==dst && event==recv")
	sameForms(t, recordedWith(t, "hpcc", "99300B"), "kind==data && payload==300 && event==recv")
}

func sameForms(t *testing.T, dir, special string) {
	t.Helper()
	look := func(file string, args ...string) string {
		return mustQBB(t, append([]string{"inspect", filepath.Join(dir, file)}, args...)...)
	}
	for _, expr := range []string{"kind==data && event==send && node==src", "rtx && event==recv", "kind==nack && event!=enqueue", "kind==pause && event==recv", special, "flow==2 && seq>=64KB && kind==data && event!=enqueue"} {
		want := look("mix.tr", "--count", expr)
		if want == "0\n" {
			t.Errorf("%s: nothing in mix.tr", expr)
		}
		for _, file := range []string{"mix.txt", "p.pcapng"} {
			if got := look(file, "--count", expr); got != want {
				t.Errorf("%s: %s has %s, mix.tr %s", expr, file, got, want)
			}
		}
	}
	if first := look("mix.tr", "--packet", "0:0"); strings.Count(first, "\n") != 12 {
		t.Errorf("the first packet of the first flow, and its acknowledgement, are sent, received, queued and sent, and received:\n%s", first)
	}
	if look("mix.tr", "--flow", "1") != look("mix.txt", "--flow", "1") || look("mix.tr", "--hops", "1") != look("mix.txt", "--hops", "1") {
		t.Error("mix.tr and its text differ")
	}
	if got := strings.Count(look("p.pcapng", "--limit", "7"), "\n"); got != 8 {
		t.Errorf("a limit of 7 gives %d lines", got)
	}
}

func TestInspectMistakes(t *testing.T) {
	dir := recorded(t)
	file := filepath.Join(dir, "mix.tr")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "name a file that qbb run --pcap or --trace has written"},
		{[]string{"nothing"}, "nothing"},
		{[]string{file, "node==5 && tim>2us"}, `column 12, "tim": not a field: did you mean time?`},
		{[]string{file, "--flow", "99"}, "no packet of flow 99: see which there are with qbb inspect"},
		{[]string{file, "--hops", "99"}, "no packet of flow 99"},
		{[]string{file, "--packet", "3"}, "write FLOW:BYTE, such as 3:64000"},
		{[]string{file, "--packet", "3:64MB"}, "no packet of flow 3 holds byte 64000000"},
		{[]string{file, "ce", "--flow", "3"}, `unexpected argument "ce"`},
		{[]string{filepath.Join(dir, "summary.json")}, "summary.json"},
		{[]string{file, "--flow", "-2"}, "--flow: -2: flows are numbered from 0"},
		{[]string{file, "--hops", "-1"}, "--hops: -1: flows are numbered from 0"},
		{[]string{file, "--limit", "-3"}, "--limit: -3: write a number of packets, or 0 for all"},
		{[]string{file, "--flows", "--hops", "3"}, "choose one of --flows, --flow, --hops, --packet"},
	} {
		o := qbb(t, append([]string{"inspect"}, test.args...)...)
		if o.code != exitMistake || !strings.Contains(o.stderr, test.want) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("inspect %v: code %d, %q, want %q", test.args, o.code, o.stderr, test.want)
		}
	}
}

// The packets of a file that is cut are listed up to the cut, but not counted: a count would pass for that of the whole.
func TestInspectCutFile(t *testing.T) {
	t.Chdir(t.TempDir())
	mustQBB(t, with(small, "--trace", "mix.tr", "--out", ".")...)
	write(t, ".", "cut.tr", string(read(t, "mix.tr")[:501]))
	for flag, listed := range map[string]bool{"--limit=0": true, "--count": false} {
		o := qbb(t, "inspect", flag, "cut.tr")
		if o.code != exitMistake || (o.stdout != "") != listed || !strings.Contains(o.stderr, "is it an event trace, and complete?") {
			t.Errorf("%s: exit code %d, %q, %q", flag, o.code, o.stdout, o.stderr)
		}
	}
}

// The views of flows count the packets that the switch has trimmed.
func TestInspectTrimmed(t *testing.T) {
	t.Chdir(t.TempDir())
	summary := mustQBB(t, "run", "--topology", "star:n=9", "--workload", "none", "--pattern", "one-many:100KB", "--cc", "none", "--flow-control", "none", "--recovery", "selective",
		"--set", "buffer=200KB", "--set", "switch.trim=true", "--pcap", "p.pcapng", "--trace", "mix.tr")
	want := regexp.MustCompile(`(\d+) trimmed`).FindStringSubmatch(summary)
	if want == nil {
		t.Fatal(summary)
	}
	for _, file := range []string{"out/p.pcapng", "out/mix.tr"} {
		hops, lives := trimmedOf(t, file)
		if fmt.Sprint(hops) != want[1] || lives != hops {
			t.Errorf("%s: %d in the tables of hops, %d in those of lives; the run has %s", file, hops, lives, want[1])
		}
	}
}

// trimmedOf counts trimmed packets in the views of eight flows: those of hops, and of lives.
func trimmedOf(t *testing.T, file string) (hops, lives int) {
	for flow := range 8 {
		for line := range strings.Lines(mustQBB(t, "inspect", file, "--hops", fmt.Sprint(flow))) {
			if columns := strings.Fields(line); len(columns) > 8 && columns[0] != "node" {
				n, err := strconv.Atoi(columns[7])
				if err != nil {
					t.Fatal(line)
				}
				hops += n
			}
		}
		life := mustQBB(t, "inspect", file, "--flow", fmt.Sprint(flow))
		n, err := strconv.Atoi(regexp.MustCompile(`(\d+) packets? arrived without payload`).FindStringSubmatch(life)[1])
		if err != nil {
			t.Fatal(err)
		}
		lives += n
	}
	return hops, lives
}
