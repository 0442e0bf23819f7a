//go:build cgo

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// nobody observes a run.
type nobody struct{}

func (nobody) FlowEnded(*sim.FlowRecord)         {}
func (nobody) PauseReceived(*sim.PauseRecord)    {}
func (nobody) QueueDump(core.Time, *sim.Network) {}
func (nobody) Records([]core.Record)             {}

// dumbbell runs the network of examples/dumbbell.c in the standalone simulator, in scheduling
// order, and prints what the example prints.
func dumbbell(t *testing.T, scheme string, bytes int64) string {
	t.Helper()
	sc := scenario.Default()
	if err := sc.Set("cc", scheme); err != nil {
		t.Fatal(err)
	}
	if err := sc.Set("series.interval", "0s"); err != nil { // the scenario still has another topology
		t.Fatal(err)
	}
	if err := sc.Set("ecn.thresholds", "{rate: 100Gbps, kmin: 400KB, kmax: 1600KB, pmax: 0.2}"); err != nil {
		t.Fatal(err)
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	s.Profile.Order, s.Stop = engine.BySchedule, core.Never
	s.Topology = &topo.Topology{Kinds: []topo.Kind{topo.Host, topo.Host, topo.Host, topo.Host, topo.Switch, topo.Switch}}
	for _, ends := range [...][2]core.NodeID{{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 5}} {
		s.Topology.Links = append(s.Topology.Links, topo.Link{A: ends[0], B: ends[1], Rate: 100 * core.Gbps, Delay: core.Microsecond})
	}
	s.Flows = nil
	for i := range 2 {
		s.Flows = append(s.Flows, sim.Flow{Src: core.NodeID(i), Dst: core.NodeID(i + 2), Bytes: bytes, Prio: 3, SrcPort: 10000, DstPort: 100})
	}
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for n.Step(core.Never, 1<<20) {
	}
	var b strings.Builder
	for i := range 2 {
		r := n.Record(i)
		fmt.Fprintf(&b, "flow %d -> %d: %d bytes in %d ps, %.2f Gb/s\n", i, i+2, bytes, int64(r.FCT), float64(bytes)*8000/float64(r.FCT))
	}
	return b.String()
}

// TestStandalone runs the dumbbell under every scheme, with the devices behind the C interface and
// the example's event loop, and in the standalone simulator: times are equal to the picosecond.
func TestStandalone(t *testing.T) {
	program := compile(t, "examples/dumbbell.c")
	for _, e := range catalog.All() {
		t.Run(e.Name, func(t *testing.T) {
			const bytes = 1_000_000
			got := execute(t, program, e.Name, fmt.Sprint(bytes))
			if want := dumbbell(t, e.Name, bytes); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}
