package driver

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/scenario"
)

// The files of a run are the same to the byte whether the network runs as one part or as several,
// whatever ends the run.
func TestThreads(t *testing.T) {
	busy := []string{
		"duration", "200us", "cc", "dcqcn", "buffer", "1500KB",
		"loss", "0.0001", "seed", "7", "options.rto", "200us", "files.fct", "fct.txt", "files.pfc", "pfc.txt",
		"ecn.thresholds", "{rate: 100Gbps, kmin: 10KB, kmax: 100KB, pmax: 0.5}",
	}
	job := filepath.Join(t.TempDir(), "job.goal")
	drawSchedule(t, job, rand.New(rand.NewPCG(1, 1)), 12)
	cases := map[string][]string{
		"leaf-spine":  {"incast", "6x100KB@50us", "cc_by_tag.incast", "hpcc", "topology", "leaf-spine:leaves=2,spines=2,hosts=4,fabric=100Gbps"},
		"fat-tree":    {"incast", "6x100KB@50us", "cc_by_tag.incast", "hpcc", "topology", "fat-tree:k=4", "series.interval", "3us", "series.flows", "all"},
		"star":        {"incast", "6x100KB@50us", "cc_by_tag.incast", "hpcc", "topology", "star:n=8", "cc", "mpcc"},
		"flows alone": {"topology", "fat-tree:k=4", "series.interval", "100ns", "series.points", "20", "series.ports", "none", "series.flows", "all"},
		"a set end":   {"incast", "6x100KB@50us", "cc_by_tag.incast", "hpcc", "topology", "fat-tree:k=4", "stop", "150us", "series.interval", "10us", "series.flows", "largest:3"},
		"credits":     {"incast", "6x100KB@50us", "cc_by_tag.incast", "hpcc", "topology", "fat-tree:k=4", "flow_control", "credits", "cc", "ib-cc", "cc_by_tag.incast", "ib-cc"},
		"all at once": {"topology", "fat-tree:k=4", "workload", "none", "patterns", "permutation:100KB", "patterns", "all-to-all:10KB", "cc", "timely"},
		"a ring":      {"topology", "fat-tree:k=4", "patterns", "ring-all-reduce:400KB", "series.interval", "3us", "series.flows", "all"},
		"answers":     {"topology", "fat-tree:k=4", "workload", "none", "patterns", "one-many:1KB-100KB,3", "patterns", "one-one:5KB,4", "loss", "0"},
		"given up":    {"topology", "leaf-spine:leaves=3,spines=2,hosts=4,fabric=100Gbps", "workload", "none", "patterns", "ring-all-reduce:1200KB,3", "loss", "0.03", "options.retries", "1", "options.rto", "30us"},
		"barriers":    {"topology", "fat-tree:k=4", "workload", "none", "flows", exchanges(t, 16, 6), "loss", "0.001"},
		"barriers, given up": {"topology", "leaf-spine:leaves=3,spines=2,hosts=4,fabric=100Gbps", "workload", "none", "flows", exchanges(t, 12, 40),
			"loss", "0.03", "options.retries", "1", "options.rto", "30us"},
		"schedule": {"topology", "fat-tree:k=4", "workload", "none", "schedule", job},
		"links":    {"topology", "fat-tree:k=4", "links", "[{at: 40us, down: 0-16}, {at: 50us, down: 17-24}, {at: 90us, up: 0-16}, {at: 160us, up: 17-24}]"},
		"schedule, given up": {"topology", "leaf-spine:leaves=3,spines=2,hosts=4,fabric=100Gbps", "workload", "none", "schedule", job,
			"loss", "0.03", "options.retries", "1", "options.rto", "30us"},
		"order": {"incast", "6x100KB@50us", "cc_by_tag.incast", "hpcc", "topology", "fat-tree:k=4", "options.order", "schedule"},
		"profile ns3": {"incast", "6x100KB@50us", "cc_by_tag.incast", "hpcc", "topology", "fat-tree:k=4", "profile", "ns3", "loss", "0", "options.rto", "0s",
			"queue_sampling.events", "true", "queue_sampling.interval", "100ns", "queue_sampling.end", "300us",
			"queue_sampling.dump", "40us", "files.queues", "qlen.txt", "stop", "400us"},
		"never ends": {"incast", "6x100KB@50us", "cc_by_tag.incast", "hpcc", "topology", "dumbbell:n=4", "options.rto", "0s", "loss", "0.01"},
	}
	for name, more := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			one := runInto(t, of(t, append(busy, more...)...), Options{Dir: filepath.Join(dir, "1")})
			want := contents(t, filepath.Join(dir, "1"))
			if one.Machine.Parts != 1 || one.Flows.Started == 0 {
				t.Errorf("%d parts, flows %+v", one.Machine.Parts, one.Flows)
			}
			for threads := 2; threads < 5; threads++ {
				sub := filepath.Join(dir, fmt.Sprint(threads))
				sum := runInto(t, of(t, append(busy, more...)...), Options{Dir: sub, Threads: threads, Slice: []int{0, 97, 20_000}[threads-2]})
				if sum.Machine.Parts < threads {
					t.Errorf("%d parts on %d threads", sum.Machine.Parts, threads)
				}
				sameFiles(t, contents(t, sub), want)
			}
		})
	}
}

// exchanges makes a file of flows: in every step each host sends to two others when it has received everything of the
// step before and its own messages are acknowledged.
func exchanges(t *testing.T, hosts, steps int) string {
	t.Helper()
	var table strings.Builder
	table.WriteString("src,dst,bytes,start_ns,after\n")
	var before [][2]int // the flows of the step before, source and destination
	for step := range steps {
		var now [][2]int
		for h := range hosts {
			var after []string
			for k, f := range before {
				if f[0] == h || f[1] == h {
					after = append(after, fmt.Sprint((step-1)*2*hosts+k))
				}
			}
			for _, far := range []int{1 + step%3, 5} {
				now = append(now, [2]int{h, (h + far) % hosts})
				fmt.Fprintf(&table, "%d,%d,%d,%d,%s\n", h, (h+far)%hosts, 3000*far+h, min(step, 1)*300, strings.Join(after, " "))
			}
		}
		before = now
	}
	file := filepath.Join(t.TempDir(), "flows.csv")
	if err := os.WriteFile(file, []byte(table.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// A run in which something acts at once on distant nodes, or puts their events in one order, has one part.
func TestOnePart(t *testing.T) {
	third := filepath.Join(t.TempDir(), "flows.csv") // host 4 learns at once of what ends at host 0
	if err := os.WriteFile(third, []byte("src,dst,bytes,start_ns,after\n0,1,10000,0,\n4,5,10000,0,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, more := range map[string][]string{
		"losses":  {"profile", "ns3", "loss", "0.001"},
		"links":   {"profile", "ns3", "links", "{at: 10us, down: 8-10}"},
		"digests": {"profile", "ns3", "cc", "hpcc-pint"},
		"trace":   {"trace", "all"},
		"after":   {"workload", "none", "duration", "0s", "flows", third},
		"delay":   {"topology", "star:n=4,delay=0s"},
		"timing":  {"topology", "star:n=4,delay=999ps", "options.timing", "ns3"}, // whole nanoseconds
	} {
		sc := of(t, append([]string{"topology", "leaf-spine:leaves=2,spines=2,hosts=4,fabric=100Gbps", "duration", "20us"}, more...)...)
		if parts := partsOf(t, sc); parts != 1 {
			t.Errorf("%s: %d parts", name, parts)
		}
	}
}

func partsOf(t *testing.T, sc *scenario.Scenario) int {
	t.Helper()
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := Run(context.Background(), sc, s, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return sum.Machine.Parts
}
