package scenario

import (
	"runtime"
	"testing"

	"github.com/qbb-sim/qbb/internal/sim"
)

// memory returns the bytes alive, after a collection, and all bytes ever allocated.
func memory() (alive, total int64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), int64(m.TotalAlloc)
}

// A switch of 4,000 ports in a dumbbell of 4,004 nodes, with one flow, takes events in proportion
// to the flow's packets and memory in proportion to the nodes.
func TestLargeSwitch(t *testing.T) {
	for _, profile := range []string{"native", "ns3"} {
		alive, total := memory()
		flows := []sim.Flow{{Src: 0, Dst: 4001, Bytes: 100_000, Prio: 3, DstPort: 100, Tag: "lone"}}
		s := withFlows(t, flows, "topology", "dumbbell:n=3999,right=3", "cc", "none", "profile", profile, "stop", "1s", "buffer", "1GB", "queue_sampling.interval", "0s")
		if got := len(s.Topology.Kinds); got != 4004 {
			t.Fatalf("%d nodes, want 4004", got)
		}
		n, q := play(t, s)
		if got := len(n.Ports()[4002]); got != 4000 || len(q.ends) != 1 || !q.ends[0].Finished {
			t.Errorf("%s: %d ports, flows ended: %+v", profile, got, q.ends)
		}
		if got := n.Engine.Hops(); got != 2*3*100 {
			t.Errorf("%s: %d hops, want 100 packets and their ACKs over 3 links", profile, got)
		}
		if got := n.Engine.Events(); got > 2000 {
			t.Errorf("%s: %d events for 100 packets", profile, got)
		}
		nowAlive, nowTotal := memory()
		if alive, total := nowAlive-alive, nowTotal-total; alive > 100e6 || total > 300e6 {
			t.Errorf("%s: %d MB alive, %d MB allocated", profile, alive/1e6, total/1e6)
		}
		runtime.KeepAlive(n)
	}
}

// A fat-tree of 1,024 hosts under load runs to the end of all flows in little memory.
func TestLargeFatTree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	alive, _ := memory()
	s, err := of(t, "topology", "fat-tree:k=16", "workload", "websearch", "load", "0.3", "duration", "20us", "cc", "hpcc").Setup()
	if err != nil {
		t.Fatal(err)
	}
	n, q := play(t, s)
	if len(s.Flows) < 30 || len(q.ends) != len(s.Flows) || n.Dropped() != 0 {
		t.Errorf("%d flows, %d ended, %d packets dropped", len(s.Flows), len(q.ends), n.Dropped())
	}
	for i := range q.ends {
		if r := &q.ends[i]; !r.Finished || r.FCT < r.Ideal {
			t.Fatalf("%+v", *r)
		}
	}
	now, _ := memory()
	if perHost := (now - alive) / 1024; perHost > 100_000 {
		t.Errorf("%d bytes per host", perHost)
	}
	runtime.KeepAlive(n)
}
