//go:build cgo

package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
// its files and records are those of the standalone run.
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
