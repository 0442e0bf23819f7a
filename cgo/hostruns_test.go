//go:build cgo

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

var allBaselines = flag.Bool("baselines", false, "host all cases of the reference, for minutes")

// TestHostedBaselines hosts runs of the reference's cases, with losses and a failing link: the
// files are the reference's, byte for byte.
func TestHostedBaselines(t *testing.T) {
	const baselines = "../testdata/baselines"
	cases := []string{"dumbbell4-*", "fat16-linkdown-hpcc", "*loss*"}
	if *allBaselines {
		cases = []string{"*"}
	}
	for _, pattern := range cases {
		configs, err := filepath.Glob(filepath.Join(baselines, pattern, "config.txt"))
		if err != nil || len(configs) == 0 {
			t.Fatalf("no baselines %s: %v", pattern, err)
		}
		for _, config := range configs {
			t.Run(filepath.Base(filepath.Dir(config)), func(t *testing.T) { hostBaseline(t, config) })
		}
	}
}

func hostBaseline(t *testing.T, config string) {
	sc, err := scenario.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	h := newHostedRun(t, sc)
	dir, files := t.TempDir(), []string{"fct.txt", "pfc.txt"}
	qlen := filepath.Join(filepath.Dir(config), "qlen.txt")
	if _, err := os.Stat(qlen); err == nil {
		files = append(files, "qlen.txt")
	}
	h.write(dir, files...)
	h.play()
	h.finish()
	for _, name := range files {
		want, err := os.ReadFile(filepath.Join(filepath.Dir(config), name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s differs", name)
		}
	}
}

// TestHostedNative hosts a native run with everything that may happen in one, in scheduling order:
// its files and records are those of the standalone run, and so is every column of its tables of flows and of PFC frames.
func TestHostedNative(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	text := "src,dst,bytes,start_ns,after\n0,5,200000,0,\n5,1,50000,300,0\n1,2,1000,0,1\n6,7,30000,5,1\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	sc := scenario.Default()
	for _, kv := range [...][2]string{
		{"topology", "leaf-spine:leaves=2,spines=2,hosts=4,fabric=100Gbps"}, {"duration", "200us"}, {"flows", file},
		{"workload", "websearch"}, {"incast", "6x100KB@50us"}, {"cc", "dcqcn"}, {"cc_by_tag.incast", "hpcc"}, {"buffer", "1500KB"},
		{"seed", "7"}, {"loss", "0.0005"}, {"links", "{at: 60us, down: 8-10}"}, {"links", "{at: 120us, up: 8-10}"},
		{"ecn.thresholds", "{rate: 100Gbps, kmin: 10KB, kmax: 100KB, pmax: 0.5}"}, {"options.order", "schedule"},
		{"options.rto", "100us"}, {"trace", "all"}, {"stop", "2ms"},
	} {
		if err := sc.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"fct.txt", "pfc.txt"}
	h := newHostedRun(t, sc)
	dir := t.TempDir()
	h.write(dir, names...)
	writeTo(t, qbb_run_write, h.run, 3, filepath.Join(dir, "mix.tr"))
	h.play()
	got := objects.find(h.run).(*run).sim
	want, files := standalone(t, sc)
	if retransmitted, pauses := sameRecords(t, got, want); want.Lost() == 0 || retransmitted == 0 || pauses == 0 {
		t.Errorf("lost %d, sent %d bytes again, %d pauses: this tests too little", want.Lost(), retransmitted, pauses)
	}
	sameColumns(t, h.run, want)
	if got := pauseLines(h.run, want); got != files["pfc.txt"] {
		t.Errorf("the columns of PFC frames are\n%.500s\nwant\n%.500s", got, files["pfc.txt"])
	}
	h.finish()
	for _, name := range append(names, "mix.tr") {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(b) != files[name] || len(b) == 0 {
			t.Errorf("%s differs: %d bytes, want %d; %v", name, len(b), len(files[name]), err)
		}
	}
}

// TestHostedSchemes hosts a run of every scheme, and runs that need more than data, ACKs and PFC:
// credits, selective recovery. Every flow takes the same time as in the standalone simulator.
func TestHostedSchemes(t *testing.T) {
	cases := map[string][][2]string{
		"credits":     {{"flow_control", "credits"}, {"cc", "ibcc"}},
		"slow hosts":  {{"host.delay", "2us"}, {"host.service", "100ns"}, {"cc", "swift"}},
		"lossy class": {{"lossy", "1"}, {"class_by_cc.reno", "1"}, {"cc_by_tag.incast", "reno"}, {"buffer", "1MB"}},
		"selective":   {{"flow_control", "none"}, {"host.recovery", "selective"}, {"loss", "0.001"}, {"cc", "dcqcn"}},
		"sharing":     {{"flow_control", "none"}, {"switch.sharing", "abm"}, {"switch.lossy_shift", "1"}, {"buffer", "300KB"}, {"cc", "dcqcn"}},
		"trimming":    {{"flow_control", "none"}, {"host.recovery", "selective"}, {"switch.trim", "true"}, {"buffer", "200KB"}, {"cc", "swift"}},
	}
	for _, e := range catalog.All() {
		cases[e.Name] = [][2]string{{"cc", e.Name}}
	}
	for name, more := range cases {
		t.Run(name, func(t *testing.T) {
			sc := scenario.Default()
			for _, kv := range append([][2]string{
				{"topology", "leaf-spine:leaves=2,spines=2,hosts=4,fabric=100Gbps"}, {"duration", "100us"}, {"incast", "6x100KB@50us"},
				{"seed", "7"}, {"options.order", "schedule"}, {"options.rto", "200us"}, {"stop", "5ms"},
			}, more...) {
				if err := sc.Set(kv[0], kv[1]); err != nil {
					t.Fatal(err)
				}
			}
			h := newHostedRun(t, sc)
			h.play()
			want, _ := standalone(t, sc)
			sameRecords(t, objects.find(h.run).(*run).sim, want)
			h.finish()
		})
	}
}

// TestHostedManager hosts a run with a congestion manager, whose sweeps the host calls: it equals
// the standalone run, and differs from the run without the manager.
func TestHostedManager(t *testing.T) {
	sc := scenario.Default()
	for _, kv := range [...][2]string{
		{"topology", "leaf-spine:leaves=2,spines=2,hosts=4,fabric=100Gbps"}, {"duration", "100us"}, {"incast", "6x100KB@50us"},
		{"seed", "7"}, {"options.order", "schedule"}, {"flow_control", "credits"}, {"cc", "{name: ib-cc, params: {preset: dcms}}"},
		{"dcms.sweep", "20us"}, {"dcms.t_c", "10"}, {"dcms.t_w", "10"}, {"dcms.t_d", "1000"}, {"dcms.t_i", "2"}, {"stop", "1ms"},
	} {
		if err := sc.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	h := newHostedRun(t, sc)
	h.play()
	want, _ := standalone(t, sc)
	sameRecords(t, objects.find(h.run).(*run).sim, want)
	h.finish()
	if err := sc.Set("dcms.sweep", "0s"); err != nil {
		t.Fatal(err)
	}
	alone, _ := standalone(t, sc)
	same := 0
	for i := range want.Setup.Flows {
		if want.Record(i).FCT == alone.Record(i).FCT {
			same++
		}
	}
	if same == len(want.Setup.Flows) {
		t.Error("the manager changes nothing: this tests too little")
	}
}

// sameRecords compares flows and counters, and returns the retransmissions and the pauses.
func sameRecords(t *testing.T, got, want *sim.Network) (retransmitted, pauses int64) {
	t.Helper()
	for i := range want.Setup.Flows {
		a, b := got.Record(i), want.Record(i)
		a.Flow, b.Flow = nil, nil
		if a != b {
			t.Errorf("flow %d is %+v, want %+v", i, a, b)
		}
		retransmitted += b.Retx
	}
	for id, ports := range want.Ports() {
		for port := range ports {
			a, b := got.Counters(core.NodeID(id), port), want.Counters(core.NodeID(id), port)
			if a != b {
				t.Errorf("node %d port %d counts %+v, want %+v", id, port, a, b)
			}
			pauses += b.PausesSent
		}
	}
	if want.Started() < 10 || got.Lost() != want.Lost() || got.Dropped() != want.Dropped() {
		t.Errorf("%d flows, lost %d, want %d, dropped %d, want %d", want.Started(), got.Lost(), want.Lost(), got.Dropped(), want.Dropped())
	}
	return retransmitted, pauses
}

// sameColumns compares the table of flows of a run with the records of the standalone run, in which all have finished.
func sameColumns(t *testing.T, run uint64, want *sim.Network) {
	t.Helper()
	n := len(want.Setup.Flows)
	c := columnsOf(qbb_run_flows)
	fill(&c.size, unsafe.Sizeof(*c))
	src, dst, after := columnOf[int32](&c.src, n), columnOf[int32](&c.dst, n), columnOf[int32](&c.after, n)
	srcPort, dstPort := columnOf[uint16](&c.src_port, n), columnOf[uint16](&c.dst_port, n)
	prio, scheme, progress := columnOf[uint8](&c.prio, n), columnOf[uint8](&c.scheme, n), columnOf[uint8](&c.progress, n)
	bytes, start, fct, ideal := columnOf[int64](&c.bytes, n), columnOf[int64](&c.start, n), columnOf[int64](&c.fct, n), columnOf[int64](&c.ideal, n)
	acked, retx, marked, timeouts := columnOf[int64](&c.acked, n), columnOf[int64](&c.retransmitted, n), columnOf[int64](&c.marked, n), columnOf[int64](&c.timeouts, n)
	if rows := readColumns(qbb_run_flows, run, c, n); rows != n {
		t.Fatalf("%d rows of %d", rows, n)
	}
	const finished = 2 // QBB_FLOW_FINISHED
	var sum [4]int64
	for i := range n {
		r := want.Record(i)
		f, first := r.Flow, int32(-1)
		if len(f.After) > 0 {
			first = f.After[0]
		}
		got := fmt.Sprint(src[i], dst[i], after[i], srcPort[i], dstPort[i], prio[i], scheme[i], progress[i],
			bytes[i], start[i], fct[i], ideal[i], acked[i], retx[i], marked[i], timeouts[i])
		want := fmt.Sprint(f.Src, f.Dst, first, r.SrcPort, f.DstPort, f.Prio, f.Scheme, finished,
			f.Bytes, int64(r.Start), int64(r.FCT), int64(r.Ideal), r.Acked, r.Retx, r.Marked, r.Timeouts)
		if got != want {
			t.Errorf("flow %d has the columns %s, want %s", i, got, want)
		}
		for k, v := range [...]int64{int64(f.Scheme), r.Retx, r.Marked, r.Timeouts} {
			sum[k] += v
		}
	}
	if slices.Contains(sum[:], 0) {
		t.Errorf("schemes, bytes sent again, marks and time-outs add up to %d: this tests too little", sum)
	}
}

// pauseLines writes the table of PFC frames of a run, all of them of class 3, as pfc.txt has them.
func pauseLines(run uint64, of *sim.Network) string {
	const most = 1 << 16
	c := columnsOf(qbb_run_pfc)
	fill(&c.size, unsafe.Sizeof(*c))
	at, node, port := columnOf[int64](&c.at, most), columnOf[int32](&c.node, most), columnOf[int32](&c.port, most)
	classes, pause := columnOf[uint8](&c.classes, most), columnOf[uint8](&c.pause, most)
	var text strings.Builder
	for i := range readColumns(qbb_run_pfc, run, c, most) {
		if classes[i] != 1<<3 {
			fmt.Fprintf(&text, "classes %08b\n", classes[i])
		}
		fmt.Fprintln(&text, at[i]/int64(core.Nanosecond), node[i], uint8(of.Setup.Topology.Kinds[node[i]]), port[i]+1, pause[i])
	}
	return text.String()
}

// columnOf makes room for a column.
func columnOf[T, F any](to **F, n int) []T {
	list := make([]T, n)
	point(to, &list[0])
	return list
}

func columnsOf[H, U, C, R any](func(H, U, U, *C) R) *C { return new(C) }

func readColumns[H ~uint64, U ~uint32, C any, R ~int32](f func(H, U, U, *C) R, run uint64, columns *C, n int) int {
	return int(f(H(run), 0, U(n), columns))
}

// standalone runs a scenario in the standalone simulator and returns its files.
func standalone(t *testing.T, sc *scenario.Scenario) (*sim.Network, map[string]string) {
	t.Helper()
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	var fct, pfc, events strings.Builder
	w := &scenario.TextWriter{FCT: &fct, PFC: &pfc, Events: &events}
	n, err := sim.Build(s, w)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(sc, n); err != nil {
		t.Fatal(err)
	}
	for n.Step(core.Never, 1<<20) {
	}
	return n, map[string]string{"fct.txt": fct.String(), "pfc.txt": pfc.String(), "mix.tr": events.String()}
}
