package native

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// Simulation is a run in progress. Its methods take turns.
type Simulation struct {
	mu     sync.Mutex
	sc     *scenario.Scenario
	run    *driver.Simulation
	rec    *recorder
	over   bool
	closed bool
	result string // what Finish has returned
	broken error  // the network has panicked
}

// Results of Run.
const (
	Over    = 0 // nothing is left to happen
	Reached = 1 // the time was reached
	GoOn    = 2 // the slice of wall-clock time was up
	Came    = 3 // what is awaited
)

// What Run may await, in a closed loop.
const (
	Nothing = int(sim.Nothing)
	End     = int(sim.Ends)     // of a flow
	Arrival = int(sim.Arrivals) // of a flow's last byte
)

// slice is the number of events between looks at the clock.
const slice = 1 << 13

var errClosed = errors.New("the simulation is closed")

// Run goes on until a simulated time in picoseconds, at most for some milliseconds of wall-clock
// time, or also until what is awaited comes, and says why it returned.
func (m *Simulation) Run(until int64, millis, what int) (why int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer guardState(&err, &m.broken)
	if err := m.usable(); err != nil {
		return Over, err
	}
	n := m.run.Network
	if what != Nothing && !n.Setup.ClosedLoop {
		return Over, errNoLoop
	}
	n.BreakAt = sim.Await(what)
	m.over = m.over && (n.Halted() || !n.Setup.ClosedLoop)
	end := time.Now().Add(time.Duration(millis) * time.Millisecond)
	for !m.over {
		before, came := n.Engine.Events(), n.Came()
		more, err := m.run.Step(core.Time(until), slice)
		m.over = !more
		switch {
		case err != nil:
			return Over, err
		case n.Came() > came:
			return Came, nil
		case m.over:
		case n.Engine.Events()-before < slice:
			return Reached, nil
		case !time.Now().Before(end):
			return GoOn, nil
		}
	}
	return Over, nil
}

// usable returns why the run can neither go on nor have results, if so. The caller holds the lock.
func (m *Simulation) usable() error {
	if m.closed {
		return errClosed
	}
	return m.broken
}

// progress is how far a run has come.
type progress struct {
	Now     int64 // ps
	Stop    int64 // ps; -1: when all flows have ended
	Started int
	Ended   int
	Total   int
	Hops    int64
	Over    bool
}

// Progress returns how far the run has come, as JSON.
func (m *Simulation) Progress() (text string, err error) {
	defer guard(&err)
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.run.Network
	p := progress{
		Now: int64(n.Engine.Now()), Stop: int64(n.Setup.Stop), Started: n.Started(), Ended: n.Ended(),
		Total: len(n.Setup.Flows), Hops: n.Engine.Hops(), Over: m.over,
	}
	if n.Setup.Stop == core.Never {
		p.Stop = -1
	}
	return asJSON(p), nil
}

// Finish completes the files and returns summary.json; once it has, the same again.
func (m *Simulation) Finish() (text string, err error) {
	defer guard(&err)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.result != "" {
		return m.result, nil
	}
	if err := m.usable(); err != nil {
		return "", err
	}
	m.closed = true
	sum, err := m.run.Finish()
	if err != nil {
		return "", err
	}
	m.result = asJSON(struct {
		*driver.Summary
		Files []string `json:"files"`
	}{sum, sum.Files})
	return m.result, nil
}

// Close removes the files of a run that is not finished. The tables stay.
func (m *Simulation) Close() (err error) {
	defer guard(&err)
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		m.run.Abort()
	}
	return nil
}

// Table returns a table of the current results: one of [Kinds].
func (m *Simulation) Table(name string) (t *Table, err error) {
	defer guard(&err)
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.run.Network
	switch name {
	case "fct":
		return m.rec.flows(n), nil
	case "pfc":
		return m.rec.frames.snapshot(), nil
	case "dcms":
		return m.rec.set.snapshot(), nil
	case "dcms_counters":
		return m.rec.found.snapshot(), nil
	}
	k, err := findKind(name)
	if err != nil {
		return nil, err
	}
	t = k.make()
	switch name {
	case "ports":
		err = m.run.PortRows(into[traces.PortRow](t))
	case "schedule":
		err = m.run.ScheduleRows(into[traces.ScheduleRow](t))
	case "series":
		err = m.run.SeriesRows(into[traces.SeriesRow](t))
	default:
		err = m.run.QueueRows(into[traces.QueueCDFRow](t))
	}
	return t, err
}

// Written lists those of [Kinds] that a run of the scenario writes into its folder, as JSON.
func (m *Simulation) Written() (text string, err error) {
	defer guard(&err)
	m.mu.Lock()
	defer m.mu.Unlock()
	names := slices.Sorted(maps.Keys(kinds()))
	return asJSON(slices.DeleteFunc(names, func(name string) bool { return !m.run.Writes(name + ".parquet") })), nil
}

// into returns a function that adds rows to a table.
func into[T any](t *Table) func([]T) error {
	return func(rows []T) error { add(t, rows); return nil }
}

type depthRow struct {
	Node       core.NodeID `parquet:"node" unit:"node id" doc:"switch"`
	Port       int32       `parquet:"port" unit:"port, from 0" doc:"egress port"`
	Peer       core.NodeID `parquet:"peer" unit:"node id" doc:"the device at the other end"`
	QueueBytes int64       `parquet:"queue_bytes" unit:"B" doc:"bytes now queued"`
}

// Queues returns the current queues of all switch ports.
func (m *Simulation) Queues() (t *Table, err error) {
	defer guard(&err)
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.run.Network
	var rows []depthRow
	for id, ports := range n.Ports() {
		if n.Setup.Topology.Kinds[id] != topo.Switch {
			continue
		}
		for i, p := range ports {
			rows = append(rows, depthRow{core.NodeID(id), int32(i), p.Peer, int64(n.Depth(core.NodeID(id), i))})
		}
	}
	t = tableOf[depthRow]("queues")
	add(t, rows)
	return t, nil
}

type runningRow struct {
	FlowID      int64       `parquet:"flow_id" doc:"number of the flow"`
	Src         core.NodeID `parquet:"src" unit:"node id" doc:"source host"`
	Dst         core.NodeID `parquet:"dst" unit:"node id" doc:"destination host"`
	SizeBytes   int64       `parquet:"size_bytes" unit:"B" doc:"size of the message"`
	AckedBytes  int64       `parquet:"acked_bytes" unit:"B" doc:"bytes acknowledged"`
	RateBps     int64       `parquet:"rate_bps" unit:"bit/s" doc:"rate that the scheme allows"`
	WindowBytes int64       `parquet:"window_bytes" unit:"B" doc:"bytes in flight that the scheme allows; -1: any number"`
}

// Running returns the flows that are now sending.
func (m *Simulation) Running() (t *Table, err error) {
	defer guard(&err)
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.run.Network
	var rows []runningRow
	for i := range n.Setup.Flows {
		acked, c, ok := n.Running(i)
		if !ok {
			continue
		}
		f := &n.Setup.Flows[i]
		rows = append(rows, runningRow{int64(i), f.Src, f.Dst, f.Bytes, acked, int64(c.Rate), window(c.Window)})
	}
	t = tableOf[runningRow]("running")
	add(t, rows)
	return t, nil
}

// window is -1 for none.
func window(w core.Bytes) int64 {
	if w == core.Unlimited {
		return -1
	}
	return int64(w)
}
