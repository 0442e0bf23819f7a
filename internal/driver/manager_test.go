package driver

import (
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// sweeper counts sweeps; neither of a pair of observers may be forgotten.
type sweeper struct {
	sim.Observer
	sweeps int
}

func (s *sweeper) Swept(core.Time, []sim.SweptPort, []sim.ManagerAction) { s.sweeps++ }

// Both of two observers hear of sweeps, if they want to.
func TestBothHearOfSweeps(t *testing.T) {
	var a, b sweeper
	for _, o := range []both{{&a, &b}, {&a, a.Observer}, {b.Observer, &b}} {
		o.Swept(0, nil, nil)
	}
	if a.sweeps != 2 || b.sweeps != 2 {
		t.Errorf("%d and %d sweeps, want 2 each", a.sweeps, b.sweeps)
	}
}

// The counters of the sweeps add up to those of ports.parquet; actions are in their table and in the summary; the ticks
// are those asked for.
func TestManagerTables(t *testing.T) {
	dir := t.TempDir()
	sum := runInto(t, of(t, "topology", "dumbbell:n=4,bottleneck=400Gbps", "workload", "none", "patterns", "one-many:2MB",
		"flow_control", "credits", "credits.tick", "10ns", "cc", "{name: ib-cc, params: {preset: dcms}}", "stop", "1ms",
		"dcms.sweep", "20us", "dcms.t_c", "200", "dcms.t_w", "500", "dcms.t_d", "2000"), Options{Dir: dir})
	type port struct{ node, port int32 }
	swept := make(map[port][3]int64)
	last := 0.0
	err := tables.Scan(filepath.Join(dir, "dcms_counters.parquet"), func(rows []traces.SweepRow) {
		for _, r := range rows {
			k := port{int32(r.Node), r.Port}
			c := swept[k]
			swept[k] = [3]int64{c[0] + r.PortXmitWait, c[1] + r.PortXmitData, c[2] + r.PortXmitCongTime}
			if r.TimeNs < last {
				t.Errorf("a sweep at %v follows one at %v", r.TimeNs, last)
			}
			last = r.TimeNs
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var waited float64
	var congested int64
	for _, p := range loadPorts(t, dir) {
		waited += p.TxWaitNs
		congested += p.PortXmitCongTime
		if p.PortXmitWait != int64(p.TxWaitNs/10) || p.PortXmitData > p.TxBytes/4 {
			t.Errorf("node %d port %d: %d ticks of %v ns, %d words of %d bytes", p.Node, p.Port, p.PortXmitWait, p.TxWaitNs, p.PortXmitData, p.TxBytes)
		}
		if got := swept[port{int32(p.Node), p.Port}]; p.NodeKind == traces.KindSwitch && got != [3]int64{p.PortXmitWait, p.PortXmitData, p.PortXmitCongTime} {
			t.Errorf("node %d port %d: sweeps sum up to %v, the port has %+v", p.Node, p.Port, got, p)
		}
	}
	var actions []traces.ManagerRow
	if err := tables.Scan(filepath.Join(dir, "dcms.parquet"), func(rows []traces.ManagerRow) { actions = append(actions, rows...) }); err != nil {
		t.Fatal(err)
	}
	if congested == 0 || len(actions) == 0 || actions[0].Reason != "victim found" || actions[0].MarkingRate != 0 || actions[0].VictimNode < 8 {
		t.Errorf("congested for %d ticks, actions %+v", congested, actions)
	}
	if c := sum.Credits; c == nil || c.Settings != len(actions) || c.WaitedNs < waited*0.999 || c.WaitedNs > waited*1.001 {
		t.Errorf("summary %+v; want %d settings, %v ns", c, len(actions), waited)
	}
}
