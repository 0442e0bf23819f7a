package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// Rows of fct.parquet for a flow that has finished, one that has not, and one that has waited in vain for another:
// times are in ns, the slowdown is the completion time divided by the ideal one.
func TestFCTRow(t *testing.T) {
	done := sim.FlowRecord{Flow: &sim.Flow{Bytes: 1}, Start: core.AtNanos(100), FCT: 3 * core.Microsecond, Ideal: 2 * core.Microsecond, Finished: true}
	running, waiting := done, done
	running.Finished, waiting.Finished, waiting.Start = false, false, core.Never
	for _, c := range []struct {
		record               sim.FlowRecord
		start, fct, slowdown float64
	}{{done, 100, 3000, 1.5}, {running, 100, 0, 0}, {waiting, -1, 0, 0}} {
		row := FCTRow(&c.record, "hpcc")
		if row.StartNs != c.start || row.FCTNs != c.fct || row.Slowdown != c.slowdown || row.IdealFCTNs != 2000 || row.Finished != c.record.Finished || row.Scheme != "hpcc" {
			t.Errorf("%+v: got %+v", c, row)
		}
	}
}

// A row of pfc.parquet distinguishes hosts from switches, and pauses from resumes.
func TestPFCRow(t *testing.T) {
	for _, c := range []struct {
		at    sim.PauseRecord
		kind  string
		event string
		class int32
	}{
		{sim.PauseRecord{Switch: true, Pause: true, Classes: 1 << 3}, traces.KindSwitch, traces.EventPause, 3},
		{sim.PauseRecord{Classes: 1 << 1}, traces.KindHost, traces.EventResume, 1},
	} {
		if row := PFCRow(&c.at); row.NodeKind != c.kind || row.Event != c.event || row.Priority != c.class {
			t.Errorf("%+v: got %+v", c.at, row)
		}
	}
}
