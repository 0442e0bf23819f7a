package stall

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// built makes the network of a scenario without background traffic.
func built(t *testing.T, pairs ...string) *sim.Network {
	t.Helper()
	sc := scenario.Default()
	for pairs = append([]string{"workload", "none"}, pairs...); len(pairs) > 0; pairs = pairs[2:] {
		if err := sc.Set(pairs[0], pairs[1]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	n, err := sim.Build(s, &scenario.TextWriter{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Progress is visible whenever a packet has crossed a link or a flow has started or ended, however many events lie
// between two looks.
func TestProgressIsSeen(t *testing.T) {
	for apart := 1; apart <= 8; apart++ {
		n := built(t, "topology", "star:n=3,rate=10Gbps", "patterns", "long-and-short:3KB,1KB,1us", "patterns", "all-to-all:1KB,2")
		type state struct{ hops, started, ended int64 }
		var p progress
		var last state
		for more := true; more; {
			more = n.Step(core.Never, apart)
			now := state{n.Engine.Hops(), int64(n.Started()), int64(n.Ended())}
			p.note(n, n.Engine.Now())
			if seen := p.events == n.Engine.Events(); seen != (now != last) {
				t.Fatalf("%d events apart, at %v: from %+v to %+v: seen %v", apart, n.Engine.Now(), last, now, seen)
			}
			last = now
		}
		if last.hops < 20 || last.ended != int64(len(n.Setup.Flows)) {
			t.Errorf("the case is too quiet: %+v of %d flows", last, len(n.Setup.Flows))
		}
	}
}

// Links that lose packets repeat their credits for ever, and lose some of them: that is no progress. Flows that wait for a
// packet that was lost, without a timer, are told so.
func TestCreditsAreNoProgress(t *testing.T) {
	for seed := range 5 {
		n := built(t, "topology", "star:n=4", "patterns", "permutation:100KB", "cc", "none", "flow_control", "credits", "loss", "0.1",
			"options.rto", "0s", "seed", strconv.Itoa(seed))
		w := New(n)
		for w.Step(core.Never, 1<<20) {
		}
		if !strings.Contains(w.reason, "no packet has moved") {
			t.Errorf("seed %d: %s", seed, w.reason)
		}
		why := n.Why(false)
		for i := range n.Setup.Flows {
			r := n.Record(i)
			if r.Finished {
				continue
			}
			if got, stuck := why.Unfinished(&r); !stuck || !strings.HasPrefix(got, "waits for packets that were lost, without a retransmission timer") {
				t.Errorf("seed %d, flow %d: stuck %v, %s", seed, i, stuck, got)
			}
		}
	}
}

// While a switch is paused, that is said, as long as flows have not ended, and no longer.
func TestBlocks(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows") // from both sides
	if err := os.WriteFile(flows, []byte("3\n0 2 3 100 300000 0\n1 2 3 100 300000 0\n3 2 3 100 300000 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	n := built(t, "topology", "dumbbell:n=2", "flows", flows, "cc", "none", "buffer", "300KB")
	said := 0
	for more := true; more; {
		more = n.Step(core.Never, 100)
		if blocks := Blocks(n); len(n.Blocked()) == 0 && len(blocks) > 0 {
			t.Fatalf("no queue waits, and %q", blocks)
		} else if len(blocks) == 1 && strings.HasPrefix(blocks[0], "1 queue of a switch waits for a pause to end: switch 4 port 2 (paused by node 5 port 0, class 3, ") {
			said++
		} else if len(n.Blocked()) > 0 {
			t.Fatalf("of queues that wait %q is said", blocks)
		}
	}
	if said == 0 || n.Ended() != len(n.Setup.Flows) {
		t.Errorf("said %d times; %d flows ended", said, n.Ended())
	}
}

// A look during a pause between flows goes no further than the next flow: there may be millions.
func TestLooksInLongIdleTime(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	if err := os.WriteFile(flows, []byte("3\n0 1 3 100 1000 0\n0 1 3 100 1000 50\n0 1 3 100 1000 50\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	n := built(t, "topology", "star:n=2", "flows", flows)
	n.Step(core.Time(core.Second), 1<<20)
	watch := Watch{n: n, every: core.Second}
	watch.Look(core.Time(core.Second))
	n.Setup.Flows[2].Src = -1 // a look at it panics
	watch.Look(core.Time(3 * core.Second))
	if watch.reason != "" {
		t.Error(watch.reason)
	}
}

// In a closed loop a step ends with a flow, if that is asked for, and when all have ended others may follow, however late.
func TestClosedLoop(t *testing.T) {
	n := built(t, "topology", "star:n=4", "patterns", "permutation:1KB", "patterns", "permutation:1MB")
	n.Setup.ClosedLoop = true
	w := New(n)
	for _, c := range []struct {
		breaks sim.Await
		ended  int
	}{{sim.Ends, 1}, {sim.Ends, 2}, {sim.Nothing, 8}} {
		n.BreakAt = c.breaks
		if more := w.Step(core.Time(10*core.Second), 1<<40); !more || n.Ended() != c.ended {
			t.Errorf("breaks at %v: %d flows have ended, more %v", c.breaks, n.Ended(), more)
		}
	}
	if w.Stopped() || n.Now() != core.Time(10*core.Second) {
		t.Errorf("at %v: %v", n.Now(), w.Notes())
	}
}

// Looks are a microsecond apart at first, and twice as far after every 512 of them, in a run with an end of its own too.
func TestLooksApart(t *testing.T) {
	watch, now := Watch{n: built(t, "topology", "star:n=2", "stop", "1s"), every: firstLook}, core.Time(firstLook)
	for look := 1; look <= 3*512; look++ {
		next := watch.Look(now)
		if got, want := next.Sub(now), core.Microsecond<<(look/512); got != want {
			t.Fatalf("look %d is followed by one after %v, want %v", look, got, want)
		}
		now = next
	}
}

// An instant may have a number of events, more for every flow and port, and a run a number without a packet; then it is stopped.
func TestChecks(t *testing.T) {
	const atOnce = mostAtOnce + 64*(2+2*2)
	n := built(t, "topology", "star:n=2", "patterns", "permutation:1KB")
	for _, c := range []struct {
		since int64     // events at the beginning of an instant
		now   core.Time // that instant
		run   progress
		want  string
	}{
		{-atOnce, 0, progress{}, ""},
		{-atOnce - 1, 0, progress{}, "stopped: 16777601 events at 0s without progress of time"},
		{-atOnce - 1, -1, progress{}, ""}, // another instant
		{0, 0, progress{events: -mostEvents}, ""},
		{0, 0, progress{events: -mostEvents - 1, at: core.AtNanos(2000)}, "stopped: 1073741825 events without a packet, since 2 us"},
		{0, 0, progress{events: -mostEvents - 1, done: -1}, ""}, // a packet has moved
	} {
		w := Watch{n: n, now: c.now, since: c.since, run: c.run}
		if ok := w.check(); ok != (c.want == "") || w.reason != c.want {
			t.Errorf("%+v: goes on %v, %q", c, ok, w.reason)
		}
	}
}

// Endless events at one instant are noticed.
func TestStallAtAnInstant(t *testing.T) {
	n := built(t, "topology", "star:n=2", "patterns", "permutation:1KB")
	forever := &restless{n: n}
	forever.id = n.Engine.Part(0).AddProcess(forever)
	n.Engine.Part(0).ScheduleProcess(forever.id, 0)
	watch := Watch{n: n}
	for watch.Step(1, 1<<20) {
		if n.Engine.Events() > 2*mostAtOnce {
			t.Fatalf("endless events at one instant are not noticed in %d events", n.Engine.Events())
		}
	}
	if !watch.Stopped() || !strings.Contains(watch.reason, "without progress of time") {
		t.Error(watch.reason)
	}
}

// restless is a process that runs again at once.
type restless struct {
	n  *sim.Network
	id engine.ProcessID
}

// Run implements engine.Process.
func (r *restless) Run(now core.Time) { r.n.Engine.Part(0).ScheduleProcess(r.id, now) }
