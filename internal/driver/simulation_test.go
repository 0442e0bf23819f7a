package driver

import (
	"os"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// listener counts what it hears.
type listener struct{ flows, pauses, dumps, records int }

func (l *listener) FlowEnded(*sim.FlowRecord)         { l.flows++ }
func (l *listener) PauseReceived(*sim.PauseRecord)    { l.pauses++ }
func (l *listener) QueueDump(core.Time, *sim.Network) { l.dumps++ }
func (l *listener) Records(r []core.Record)           { l.records += len(r) }

func start(t *testing.T, dir string, also sim.Observer, pairs ...string) *Simulation {
	t.Helper()
	sc := busy(t, pairs...)
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Start(sc, s, dir, also)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A run in steps of time, inspected between them, writes the same files as a whole one; a listener
// hears what the files hold.
func TestSteps(t *testing.T) {
	whole, parts := t.TempDir(), t.TempDir()
	trace := []string{"trace", "all"}
	runInto(t, busy(t, trace...), Options{Dir: whole})
	var heard listener
	r := start(t, parts, &heard, trace...)
	ports, queues := 0, 0
	at := core.Time(0)
	for more, err := true, error(nil); more; {
		at = at.Add(7 * core.Microsecond)
		if more, err = r.Step(at, 1<<30); err != nil {
			t.Fatal(err)
		}
		r.PortRows(func(rows []traces.PortRow) error { ports += len(rows); return nil })
		r.QueueRows(func(rows []traces.QueueCDFRow) error { queues += len(rows); return nil })
	}
	sum, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	sameFiles(t, contents(t, whole), contents(t, parts))
	if heard.flows != sum.Flows.Finished+sum.Flows.Failed || heard.pauses == 0 || heard.records == 0 || ports == 0 || queues == 0 || sum.StoppedEarly {
		t.Errorf("heard %+v, %d ports, %d queues; summary %+v", heard, ports, queues, sum.Flows)
	}
}

// A run with an end goes on until then even after its flows have ended, however it is cut.
func TestStepsToTheEnd(t *testing.T) {
	r := start(t, "", nil, "stop", "50ms")
	for at := core.Time(0); ; {
		at = at.Add(core.Millisecond)
		if more, err := r.Step(at, 1<<30); err != nil || !more {
			break
		}
	}
	whole := runInto(t, busy(t, "stop", "50ms"), Options{})
	if sum, err := r.Finish(); err != nil || sum.EndNs != 50e6 || *sum.Queue != *whole.Queue || sum.StoppedEarly {
		t.Errorf("%+v, %v; whole %+v", sum, err, whole)
	}
}

// A step ends after exactly as many events as it may run.
func TestStepsOfEvents(t *testing.T) {
	r := start(t, "", nil, "duration", "2ms")
	defer r.Abort()
	for _, n := range []int{1, 1000, 1 << 16, 1<<16 + 1<<15} {
		before := r.Network.Engine.Events()
		more, err := r.Step(core.Never, n)
		if ran := r.Network.Engine.Events() - before; !more || err != nil || ran != int64(n) {
			t.Errorf("of %d events %d ran; more %v, %v", n, ran, more, err)
		}
	}
}

// A run that is finished early counts as interrupted; one that is aborted leaves nothing.
func TestUnfinishedRuns(t *testing.T) {
	r := start(t, "", nil)
	if more, err := r.Step(core.Time(50*core.Microsecond), 1<<30); !more || err != nil {
		t.Fatal(more, err)
	}
	if sum, err := r.Finish(); err != nil || !sum.StoppedEarly || sum.EndNs != 50e3 {
		t.Errorf("%+v, %v", sum, err)
	}
	dir := t.TempDir()
	start(t, dir, nil).Abort()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
