package driver

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/dcms"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// managerOutputs are the tables of the congestion manager.
type managerOutputs struct {
	actions  batches[traces.ManagerRow]
	counters batches[traces.SweepRow]
	count    int
}

func (o *outputs) openManager() (err error) {
	if o.sc.DCMS.Sweep == 0 {
		return nil
	}
	if o.manager.actions, err = newTable[traces.ManagerRow](o, "dcms.parquet"); err == nil {
		o.manager.counters, err = newTable[traces.SweepRow](o, "dcms_counters.parquet")
	}
	return err
}

// AppendSweep appends the rows of a sweep to those of dcms.parquet and dcms_counters.parquet. Ports where nothing has
// changed are left out.
func AppendSweep(
	set []traces.ManagerRow, found []traces.SweepRow, at core.Time, ports []sim.SweptPort, actions []sim.ManagerAction,
) ([]traces.ManagerRow, []traces.SweepRow) {
	for _, a := range actions {
		row := traces.ManagerRow{
			TimeNs: traces.Nanos(at), Node: a.Node, Port: int32(a.Port), MarkingRate: int32(a.MarkingRate),
			Reason: a.Reason.String(), VictimNode: -1, VictimPort: -1,
		}
		if a.Reason == dcms.VictimFound {
			row.VictimNode, row.VictimPort = a.Victim.Node, int32(a.Victim.Port)
		}
		set = append(set, row)
	}
	for i := range ports {
		p := &ports[i]
		if p.Growth == (dcms.Counters{}) && p.Victims == 0 {
			continue
		}
		found = append(found, traces.SweepRow{
			TimeNs: traces.Nanos(at), Node: p.Node, Port: int32(p.Port),
			PortXmitWait: p.Growth.Wait, PortXmitData: p.Growth.Data, PortXmitCongTime: p.Growth.CongTime,
			MarkingRate: int32(p.MarkingRate), Victims: int32(p.Victims),
		})
	}
	return set, found
}

// Swept implements sim.ManagerObserver.
func (o *outputs) Swept(at core.Time, ports []sim.SweptPort, actions []sim.ManagerAction) {
	m := &o.manager
	m.count += len(actions)
	if o.files == nil {
		return
	}
	m.actions.rows, m.counters.rows = AppendSweep(m.actions.rows, m.counters.rows, at, ports, actions)
	if len(m.counters.rows) >= batch {
		o.flushManager()
	}
}

func (o *outputs) flushManager() {
	o.keep(o.manager.actions.flush())
	o.keep(o.manager.counters.flush())
}

// Swept implements sim.ManagerObserver.
func (o both) Swept(at core.Time, ports []sim.SweptPort, actions []sim.ManagerAction) {
	for _, observer := range [...]sim.Observer{o.a, o.b} {
		if m, ok := observer.(sim.ManagerObserver); ok {
			m.Swept(at, ports, actions)
		}
	}
}
