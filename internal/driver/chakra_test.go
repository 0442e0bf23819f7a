package driver

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads/chakra/chakratest"
)

type chakraNode = chakratest.Node

// traced runs Chakra traces, one of each rank.
func traced(t *testing.T, ranks [][]chakraNode, pairs ...string) (*Summary, []traces.FCTRow) {
	t.Helper()
	dir := t.TempDir()
	return rowsOf(t, dir, append([]string{"schedule", chakratest.Write(t, dir, "job", ranks...)}, pairs...)...)
}

// each gives ranks nodes of their own.
func each(ranks int, nodes func(rank int) []chakraNode) (list [][]chakraNode) {
	for r := range ranks {
		list = append(list, nodes(r))
	}
	return list
}

// What a trace and a schedule in GOAL both can say happens at the same times.
func TestChakraAsGOAL(t *testing.T) {
	ranks := [][]chakraNode{
		{
			{ID: 7, Type: chakratest.Comp, Micros: 5},
			{ID: 9, Type: chakratest.Send, Data: []uint64{7}, Attributes: chakratest.Message(100_000, "comm_dst", 1, "comm_tag", 3)},
			{ID: 8, Type: chakratest.Send, Ctrl: []uint64{7}, Attributes: chakratest.Message(20_000, "comm_src", 0, "comm_dst", 1, "comm_tag", 4)},
			{ID: 1, Type: chakratest.Load, Micros: 3000, Ctrl: []uint64{9, 8}},
			{ID: 2, Type: chakratest.Comp, Micros: 2000, Attributes: []chakratest.Attribute{chakratest.Varint("is_cpu_op", 27, 0)}},
			{ID: 3, Type: chakratest.Comp, Micros: 2000},
			{ID: 4, Type: chakratest.Recv, Data: []uint64{1}, Ctrl: []uint64{2, 3}, Attributes: chakratest.Message(1, "comm_src", 1)},
		},
		{
			{ID: 1, Type: chakratest.Send, Data: []uint64{5, 2}, Ctrl: []uint64{2}, Attributes: chakratest.Message(300, "comm_dst", 0)}, // before what it waits for
			{ID: 2, Type: chakratest.Recv, Attributes: chakratest.Message(20_000, "comm_src", 0, "comm_tag", 4)},
			{ID: 3, Type: chakratest.Recv, Attributes: chakratest.Message(100_000, "comm_src", 0, "comm_dst", 1, "comm_tag", 3)},
			{ID: 4, Type: chakratest.Metadata, Micros: 4, Data: []uint64{3}},
			{ID: 5, Type: chakratest.Comp, Micros: 3, Data: []uint64{4}},
			{ID: 6, Type: chakratest.Store, Micros: 2000, Data: []uint64{1}},
			{ID: 7, Type: chakratest.Comp, Micros: 2000, Data: []uint64{1}},
		},
		nil,
	}
	const text = `num_ranks 3
rank 0 { a: calc 5000 b: send 100000b to 1 tag 3 c: send 20000b to 1 tag 4 d: calc 3000000 cpu 2 e: calc 2000000 cpu 1 f: calc 2000000 g: recv 1b from 1
b requires a c requires a d requires b d requires c g requires d g requires e g requires f }
rank 1 { a: send 300b to 0 b: recv 1b from 0 tag 4 c: recv 1b from 0 tag 3 d: calc 4000 e: calc 3000 f: calc 2000000 cpu 2 g: calc 2000000
a requires e a requires b d requires c e requires d f requires a g requires a }`
	for _, more := range scheduleNetworks {
		sum, rows := traced(t, ranks, more...)
		want, same := scheduled(t, text, more...)
		sameTimes(t, fmt.Sprint(more), rows, same)
		if *sum.Schedule != *want.Schedule || len(rows) != 3 || rows[0].Tag != "job" || sum.Schedule.DoneNs < 3e6 || sum.Schedule.DoneNs > 3.1e6 {
			t.Errorf("%v: %+v, want %+v; %+v", more, sum.Schedule, want.Schedule, rows)
		}
	}
}

// Collectives take the same times as the patterns.
func TestChakraOfPatterns(t *testing.T) {
	text := func(name string, value string) []chakratest.Attribute {
		return append(chakratest.Message(300_000, "comm_type", chakratest.AllReduce), chakratest.Text(name, value))
	}
	for name, c := range map[string]struct {
		pattern string
		flows   int
		nodes   func(rank int) []chakraNode
	}{
		"an all-reduce": {"ring-all-reduce:600KB", 60, func(int) []chakraNode { return []chakraNode{chakratest.Collective(1, chakratest.AllReduce, 600_000)} }},
		"a reduce-scatter": {"ring-all-gather:600001B", 30, func(int) []chakraNode {
			return []chakraNode{chakratest.Collective(1, chakratest.ReduceScatter, 600_001)}
		}},
		"an all-gather": {"ring-all-gather:600KB", 30, func(int) []chakraNode { return []chakraNode{chakratest.Collective(1, chakratest.AllGather, 100_000)} }},
		"an all-to-all": {"all-to-all:100KB", 30, func(int) []chakraNode { return []chakraNode{chakratest.Collective(1, chakratest.AllToAll, 600_000)} }},
		"three all-reduces, 2 us after each other": {"ring-all-reduce:600KB,3,2us", 180, func(int) []chakraNode {
			return []chakraNode{
				chakratest.Collective(1, chakratest.AllReduce, 600_000),
				{ID: 2, Type: chakratest.Comp, Micros: 2, Data: []uint64{1}}, chakratest.Collective(3, chakratest.AllReduce, 600_000, 2),
				{ID: 4, Type: chakratest.Comp, Micros: 2, Data: []uint64{3}}, chakratest.Collective(5, chakratest.AllReduce, 600_000, 4),
			}
		}},
		"two groups": {"ring-all-reduce:300KB,stride=2", 24, func(rank int) []chakraNode {
			return []chakraNode{{Type: chakratest.Coll, Attributes: text("pg_name", fmt.Sprint(rank%2))}}
		}},
	} {
		for _, more := range scheduleNetworks {
			_, rows := traced(t, each(6, c.nodes), more...)
			_, same := rowsOf(t, t.TempDir(), append([]string{"patterns", c.pattern}, more...)...)
			if len(rows) != c.flows {
				t.Errorf("%s: %d flows, want %d", name, len(rows), c.flows)
			}
			sameTimes(t, fmt.Sprint(name, more), rows, same)
		}
	}
}

// A rank that is late holds up the others, and passes on nothing before its own part has begun.
func TestChakraLateRank(t *testing.T) {
	_, rows := traced(t, each(4, func(rank int) []chakraNode {
		nodes := []chakraNode{chakratest.Collective(1, chakratest.AllReduce, 4000)}
		if rank == 2 {
			nodes[0].Data = []uint64{0}
			nodes = append(nodes, chakraNode{Type: chakratest.Comp, Micros: 500})
		}
		return nodes
	}), "topology", "star:n=4")
	late, sent := 0, 0
	for _, r := range rows {
		if r.StartNs >= 500e3 {
			late++
		} else if sent++; r.Src == 2 {
			t.Errorf("rank 2 sends at %v ns", r.StartNs)
		}
	}
	if sent != 3+2+1 || late != 18 { // 3 sends three times, 0 twice, 1 once
		t.Errorf("%d flows before, %d after 500 us", sent, late)
	}
}

// A broadcast goes down a binomial tree, message after message.
func TestChakraBroadcast(t *testing.T) {
	sum, rows := traced(t, each(6, func(int) []chakraNode {
		return []chakraNode{
			chakratest.Collective(1, chakratest.Broadcast, 100_000),
			{ID: 2, Type: chakratest.Comp, Micros: 100, Data: []uint64{1}},
		}
	}), "topology", "star:n=6", "cc", "none")
	slices.SortFunc(rows, func(a, b traces.FCTRow) int { return int(a.StartNs - b.StartNs) })
	end, starts := make(map[core.NodeID]float64), make(map[string]float64) // by rank: when it is free for the next message
	for _, r := range rows {
		starts[fmt.Sprint(r.Src, ">", r.Dst)] = r.StartNs
		if r.StartNs < end[r.Src] || r.SizeBytes != 100_000 {
			t.Errorf("%d sends %d B to %d at %v ns, and is free at %v", r.Src, r.SizeBytes, r.Dst, r.StartNs, end[r.Src])
		}
		end[r.Src] = r.StartNs + r.FCTNs
		end[r.Dst] = r.StartNs + r.FCTNs/2 // it is there before it is acknowledged
	}
	if len(starts) != 5 || starts["0>4"] != 0 || starts["0>2"] == 0 || starts["0>1"] < starts["0>2"] || starts["4>5"] == 0 || starts["2>3"] < starts["0>2"] {
		t.Errorf("%v", starts)
	}
	if done := max(end[0], end[2], end[4]) + 100e3; sum.Schedule.DoneNs < done-1 || sum.Schedule.DoneNs > done+10e3 {
		t.Errorf("done at %v ns, want %v", sum.Schedule.DoneNs, done)
	}
}

// A collective has ended at a rank once the rank has begun it and has what is for it; the root sends nothing before it has begun.
func TestChakraCollectiveEnds(t *testing.T) {
	for _, kind := range []int{chakratest.Broadcast, chakratest.AllToAll} {
		for late := range 4 {
			_, rows := traced(t, each(4, func(rank int) []chakraNode {
				nodes := []chakraNode{
					{ID: 1, Type: chakratest.Comp}, {ID: 2, Type: chakratest.Comp},
					chakratest.Collective(3, kind, 400_000, 2),
					{ID: 4, Type: chakratest.Send, Data: []uint64{3}, Attributes: chakratest.Message(777, "comm_dst", (rank+1)%4)},
					{ID: 5, Type: chakratest.Recv, Attributes: chakratest.Message(777, "comm_src", (rank+3)%4)},
				}
				if rank == late {
					nodes[1].Micros = 500
					nodes = append([]chakraNode{{ID: 9, Type: chakratest.Metadata}}, nodes...)
				}
				return nodes
			}), "topology", "star:n=4", "cc", "none")
			begun, arrived := map[core.NodeID]float64{core.NodeID(late): 500e3}, make(map[core.NodeID]float64)
			for _, r := range rows {
				if r.SizeBytes != 777 {
					arrived[r.Dst] = max(arrived[r.Dst], r.StartNs+float64(r.SizeBytes)*8/100) // not before the bytes are through at 100 Gb/s
				}
			}
			for _, r := range rows {
				if r.StartNs < begun[r.Src] || r.SizeBytes == 777 && r.StartNs < arrived[r.Src] {
					t.Errorf("collective %d, rank %d late: %d sends %d B at %v ns", kind, late, r.Src, r.SizeBytes, r.StartNs)
				}
			}
		}
	}
}

// A collective of one rank takes no time, and what waits for it still waits for what it waits for.
func TestChakraAlone(t *testing.T) {
	for _, kind := range []int{chakratest.AllReduce, chakratest.Broadcast, chakratest.AllToAll, chakratest.Barrier} {
		sum, rows := traced(t, [][]chakraNode{{
			{ID: 1, Type: chakratest.Comp, Micros: 5},
			chakratest.Collective(2, kind, 1000, 1),
			{ID: 3, Type: chakratest.Load, Micros: 5, Data: []uint64{2}},
		}}, "topology", "star:n=2")
		if sum.Schedule.DoneNs != 10e3 || len(rows) != 0 {
			t.Errorf("collective %d: done at %v ns, want 10000; %+v", kind, sum.Schedule.DoneNs, rows)
		}
	}
}

// Behind a barrier everything is later than before it at all ranks.
func TestChakraBarrier(t *testing.T) {
	for ranks := 1; ranks <= 6; ranks++ {
		sum, rows := traced(t, each(ranks, func(rank int) []chakraNode {
			return []chakraNode{
				{ID: 1, Type: chakratest.Comp, Micros: uint64(10 * rank)},
				{ID: 2, Type: chakratest.Coll, Data: []uint64{1}, Attributes: []chakratest.Attribute{chakratest.Int("comm_type", chakratest.Barrier)}},
				{ID: 3, Type: chakratest.Send, Data: []uint64{2}, Attributes: chakratest.Message(777, "comm_dst", (rank+1)%ranks)},
				{ID: 4, Type: chakratest.Recv, Attributes: chakratest.Message(777, "comm_src", (rank+ranks-1)%ranks)},
			}
		}), "topology", "star:n=6", "cc", "none")
		steps := 0
		for 1<<steps < ranks {
			steps++
		}
		small := 0
		for _, r := range rows {
			switch {
			case r.SizeBytes == 1:
				small++
			case r.StartNs < 10e3*float64(ranks-1):
				t.Errorf("%d ranks: a message leaves at %v ns", ranks, r.StartNs)
			}
		}
		if small != ranks*steps || sum.Schedule.Done != ranks {
			t.Errorf("%d ranks: %d messages, want %d; %+v", ranks, small, ranks*steps, sum.Schedule)
		}
	}
}

// A folder, a prefix of names, and names beside the scenario's file mean the traces.
func TestChakraNames(t *testing.T) {
	dir := t.TempDir()
	prefix := chakratest.Write(t, dir, "llama.7b", each(3, func(int) []chakraNode { return []chakraNode{chakratest.Collective(1, chakratest.AllReduce, 30)} })...)
	write(t, filepath.Join(dir, "s.yaml"), "schedule: llama.7b\ntopology: star:n=4\n")
	for _, name := range []string{dir, dir + "/", prefix} {
		_, rows := rowsOf(t, t.TempDir(), "topology", "star:n=4", "schedule", name)
		if len(rows) != 12 || rows[0].Tag != "llama" {
			t.Errorf("%s: %d rows, %+v", name, len(rows), rows)
		}
		sc := of(t, "topology", "star:n=4", "schedule", name)
		if !sc.Reads(prefix+".1.et") || sc.Reads(filepath.Join(dir, "s.yaml")) {
			t.Errorf("%s: the files that are read are not known", name)
		}
	}
	sc, err := scenario.Load(filepath.Join(dir, "s.yaml"))
	if err == nil {
		err = sc.Complete()
	}
	if err != nil || !slices.Equal(sc.Schedule, []string{prefix}) {
		t.Errorf("beside the scenario: %q, %v", sc.Schedule, err)
	}
	alone, other := filepath.Join(dir, "job.et"), filepath.Join(dir, "llama.8")
	write(t, alone, "")
	for name, want := range map[string]string{
		alone:            alone + " has the name of a Chakra trace without a rank: name the traces NAME.0.et, NAME.1.et and so on, and write NAME",
		other + "/":      "llama.8/: no such file or directory",
		other + ".0.et":  "llama.8.0.et: no such file or directory",
		prefix + ".1.et": prefix + ".1.et is the Chakra trace of rank 1 alone: write " + prefix + " for those of all ranks",
		t.TempDir():      " has no Chakra traces, which are named NAME.RANK.et",
		other:            "llama.8: no such file or directory, nor are there Chakra traces " + other + ".0.et and so on",
	} {
		if _, err := of(t, "topology", "star:n=4", "schedule", name).Setup(); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := of(t, "topology", "star:n=2", "schedule", prefix).Setup(); err == nil || !strings.HasSuffix(err.Error(), "llama.7b has 3 ranks, and the network 2 hosts: choose a larger one") {
		t.Error(err)
	}
}

// Traces are read as Chakra's tools compress them, and the names that they then have mean the same.
func TestChakraCompressed(t *testing.T) {
	ranks := each(3, func(int) []chakraNode { return []chakraNode{chakratest.Collective(1, chakratest.AllReduce, 30)} })
	dir := t.TempDir()
	prefix := chakratest.Write(t, dir, "llama.7b", ranks...)
	_, want := rowsOf(t, t.TempDir(), "topology", "star:n=4", "schedule", prefix)
	for r := range ranks {
		name := fmt.Sprintf("%s.%d.et", prefix, r)
		plain, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		z := gzip.NewWriter(&text)
		z.Write(plain)
		z.Close()
		write(t, name+".gz", text.String())
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{dir, prefix} {
		if _, rows := rowsOf(t, t.TempDir(), "topology", "star:n=4", "schedule", name); !slices.Equal(rows, want) {
			t.Errorf("%s: %+v, want %+v", name, rows, want)
		}
	}
	one := prefix + ".1.et.gz"
	if _, err := of(t, "topology", "star:n=4", "schedule", one).Setup(); err == nil || !strings.HasSuffix(err.Error(), one+" is the Chakra trace of rank 1 alone: write "+prefix+" for those of all ranks") {
		t.Error(err)
	}
}
