package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A run that ends too soon says which flows did not finish, and why.
func TestSummaryUnfinished(t *testing.T) {
	t.Chdir(t.TempDir())
	summary := mustQBB(t, with(small, "--stop", "20us")...)
	if !strings.Contains(summary, " not finished: starts after the end of the run (flow ") {
		t.Errorf("got\n%s", summary)
	}
	narrow(t, "summary", summary)
}

// Slowdowns are printed as soon as one flow has finished, only for size ranges that have flows.
func TestSummaryFewFlows(t *testing.T) {
	t.Chdir(t.TempDir())
	one := []string{"run", "--topology", "star:n=2", "--workload", "none", "--pattern", "one-one:5KB"}
	const table = "Slowdown         flows     p50     p95     p99\n1KB-10KB             1    1.00    1.00    1.00\nall                  1    1.00    1.00    1.00\n\nFlows         1 of 1"
	if summary := mustQBB(t, one...); !strings.Contains(summary, table) {
		t.Errorf("got\n%s\nwant\n%s", summary, table)
	}
	if summary := mustQBB(t, with(one, "--stop", "100ns")...); strings.Contains(summary, "Slowdown") || !strings.Contains(summary, "\n\nFlows         0 of 1") {
		t.Errorf("no flow has finished:\n%s", summary)
	}
	if o := qbb(t, "table", "out"); o.code != exitMistake || o.stderr != "qbb table: no flow of the runs finished\n" {
		t.Errorf("no flow has finished: exit code %d, %q, %q", o.code, o.stdout, o.stderr)
	}
}

// Trimmed packets are counted where there are some.
func TestSummaryTrimmed(t *testing.T) {
	t.Chdir(t.TempDir())
	incast := []string{"run", "--topology", "star:n=9", "--workload", "none", "--pattern", "one-many:100KB", "--cc", "none", "--flow-control", "none", "--recovery", "selective", "--set", "buffer=200KB"}
	if summary := mustQBB(t, with(incast, "--set", "switch.trim=true")...); !regexp.MustCompile(` hops; 0 dropped, [1-9]\d* trimmed, 0 lost`).MatchString(summary) {
		t.Errorf("got\n%s", summary)
	}
	if summary := mustQBB(t, incast...); !regexp.MustCompile(` hops; [1-9]\d* dropped, 0 lost`).MatchString(summary) {
		t.Errorf("without trimming, got\n%s", summary)
	}
}

// Discarded outputs are not listed among the files of a run.
func TestSummaryThrownAway(t *testing.T) {
	t.Chdir(t.TempDir())
	summary := mustQBB(t, with(small, "--set", "files.fct="+os.DevNull, "--set", "files.pfc=pfc.txt")...)
	if strings.Contains(summary, filepath.Base(os.DevNull)) || !strings.Contains(summary, "pfc.txt") {
		t.Errorf("got\n%s", summary)
	}
}

// What ConWeave did is told where it is used: its moves, and those of which a switch has not waited for the last packet.
func TestSummaryConWeave(t *testing.T) {
	t.Chdir(t.TempDir())
	run := []string{"run", "--topology", "leaf-spine:leaves=2,spines=2,hosts=4", "--workload", "none", "--pattern", "permutation:5MB", "--cc", "swift"}
	for set, want := range map[string]string{
		"switch.load_balance=ecmp":                        "",
		"switch.load_balance=conweave":                    `\nConWeave      [1-9]\d* moves to another path, order given up for 0\n`,
		"switch.load_balance=conweave,conweave.resume=0s": `\nConWeave      [1-9]\d* moves to another path, order given up for [1-9]\d*\n`,
	} {
		args := slices.Clone(run)
		for key := range strings.SplitSeq(set, ",") {
			args = append(args, "--set", key)
		}
		summary := mustQBB(t, args...)
		if want == "" && strings.Contains(summary, "ConWeave") || !regexp.MustCompile(want).MatchString(summary) {
			t.Errorf("%s:\n%s", set, summary)
		}
	}
}

// What watchdogs did is told with the pauses, if they did something.
func TestSummaryWatchdogs(t *testing.T) {
	t.Chdir(t.TempDir())
	run := []string{"run", "--topology", "leaf-spine:leaves=2,spines=2,hosts=4", "--workload", "none", "--incast", "7x400KB@20us", "--duration", "60us", "--cc", "none", "--buffer", "1MB"}
	for detection, want := range map[string]string{
		"1us": `\nPFC +\d+ pauses; ports were paused for [0-9.]+ .s in all; watchdogs found\s+[1-9]\d* storms and dropped [1-9]\d* packets\n`,
		"1s":  `\nPFC +\d+ pauses; ports were paused for [0-9.]+ .s in all\n`,
	} {
		if summary := mustQBB(t, append(run, "--set", "pfc_watchdog.detection="+detection)...); !regexp.MustCompile(want).MatchString(summary) {
			t.Errorf("%s:\n%s", detection, summary)
		}
	}
}

// The busiest ports have a share of the time even if they hardly sent: here two packets of 1062 B, 85 ns each, of which the
// last is acknowledged 4.2 us after its start.
func TestSummaryHardlyBusy(t *testing.T) {
	t.Chdir(t.TempDir())
	for second, want := range map[string]string{"10e-6": "1.2%,", "100e-6": "0.16%,", "10": "0.0000017%,"} {
		if err := os.WriteFile("flows.csv", []byte("src,dst,bytes,start_s\n0,1,1000,0\n0,1,1000,"+second+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		summary := mustQBB(t, "run", "--topology", "star:n=2", "--flows", "flows.csv", "--cc", "none")
		if !strings.Contains(summary, "Busiest       0 to 2 "+want) {
			t.Errorf("flows at 0 and %s s: want %s in\n%s", second, want, summary)
		}
	}
}

// What a collective took is told. Here a step is a packet of 1062 B on two links of 100 Gb/s (84.96 ns) and 1 us each, before
// which its sender acknowledges the step before (66 B, 5.28 ns); the last of six has its own acknowledgement: 15056 ns.
func TestSummaryTook(t *testing.T) {
	t.Chdir(t.TempDir())
	ring := []string{"run", "--topology", "star:n=4", "--cc", "none", "--pattern", "ring-all-reduce:4KB"}
	if summary := mustQBB(t, ring...); !strings.Contains(summary, "24 of 24 finished\nTook          ring-all-reduce 15.1 us\n") {
		t.Errorf("got\n%s", summary)
	}
	if table := mustTellFew(t, "table", "out"); !strings.Contains(table, "p99     Time\n") || strings.Count(table, "  15.1 us\n") != 2 {
		t.Errorf("got\n%s", table)
	}
	mustQBB(t, with(ring, "--pattern", "one-one:1MB", "--out", "more")...)
	if table := mustTellFew(t, "table", "out", "more"); strings.Count(table, "     -     -     -        -\n") != 2 {
		t.Errorf("a run without such flows: got\n%s", table)
	}
	if summary := mustQBB(t, with(ring, "--stop", "10us")...); !strings.Contains(summary, "\nTook          ring-all-reduce: 12 of 24 finished\n") {
		t.Errorf("got\n%s", summary)
	}
	if summary := mustQBB(t, small...); strings.Contains(summary, "Took") {
		t.Errorf("random traffic: got\n%s", summary)
	}
	write(t, ".", "flows.csv", "src,dst,bytes,start_ns,tag\n0,1,1000,0,incast\n2,1,1000,0,background\n")
	if summary := mustQBB(t, "run", "--topology", "star:n=4", "--cc", "none", "--flows", "flows.csv"); !strings.Contains(summary, "\nTook          incast 4.18 us, background 4.27 us\n") {
		t.Errorf("tags of a file: got\n%s", summary)
	}
}

// Of several groups with one tag, the summary tells how long all took and how long the fastest did, and of many tags of groups
// the extremes. A ring of two hosts has two of the
// six steps above: 6356 ns.
func TestSummaryTookOfGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	run := []string{"run", "--topology", "star:n=20", "--cc", "none"}
	for _, c := range []struct{ patterns, want string }{
		{"ring-all-reduce:4KB,hosts=0-15,group=4", "ring-all-reduce 15.1 us (4 groups, the fastest 15.1 us)"},
		{"ring-all-reduce:4KB,stride=5,tag=tp ring-all-reduce:4KB,hosts=0-3,tag=dp", "tp 15.1 us (5 groups, the fastest 15.1 us), dp 15.1 us"},
		{"ring-all-reduce:4KB,hosts=0-3,tag=a ring-all-reduce:2KB,hosts=8-9,tag=a", "a 15.1 us (2 groups, the fastest 6.36 us)"},
		{"ring-all-reduce:4KB,hosts=0-3,tag=a ring-all-reduce:2KB,hosts=8-9,tag=b", "a 15.1 us, b 6.36 us"},
		{"ring-all-reduce:4KB,hosts=0-7,group=4,tag=tp{group}", "tp0 15.1 us, tp1 15.1 us"},
		{"ring-all-reduce:2KB,3,hosts=0-1,tag=r{round}", "r0 6.36 us, r1 6.36 us, r2 6.36 us"},
		{"one-many:1KB,2,hosts=0-1,tag=x", "x 8.37 us"},
		{"ring-all-reduce:2KB,hosts=0-15,group=2,tag=a{group} ring-all-reduce:4KB,hosts=16-19,tag=b", "a0 6.36 us to b 15.1 us, of 9 tags"},
	} {
		args := run
		for _, p := range strings.Fields(c.patterns) {
			args = with(args, "--pattern", p)
		}
		_, took, _ := strings.Cut(mustQBB(t, args...), "\nTook ")
		took, _, _ = strings.Cut(took, "\nQueues ")
		if got := strings.Join(strings.Fields(took), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.patterns, got, c.want)
		}
	}
	slow := with(run, "--pattern", "ring-all-reduce:2KB,hosts=0-15,group=2,tag=a{group}", "--pattern", "ring-all-reduce:4KB,hosts=16-19,tag=b", "--stop")
	if summary := mustQBB(t, with(slow, "7us")...); !strings.Contains(summary, "\nTook          a0 6.36 us to a7 6.36 us; 8 of 9 tags finished\n") {
		t.Errorf("got\n%s", summary)
	}
	if summary := mustQBB(t, with(slow, "6us")...); strings.Contains(summary, "\nTook ") {
		t.Errorf("got\n%s", summary)
	}
}

// Beyond eight tags that are not of groups there are no times.
func TestSummaryTookOfMany(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "src,dst,bytes,start_ns,tag\n"
	for i := range 9 {
		text += fmt.Sprintf("0,1,1000,%d,t%d\n", 10_000*i, i)
	}
	write(t, ".", "flows.csv", text)
	if summary := mustQBB(t, "run", "--topology", "star:n=4", "--cc", "none", "--flows", "flows.csv"); strings.Contains(summary, "\nTook ") {
		t.Errorf("got\n%s", summary)
	}
}
