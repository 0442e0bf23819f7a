package sim_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// nobody ignores everything.
type nobody struct{}

func (nobody) FlowEnded(*sim.FlowRecord)         {}
func (nobody) PauseReceived(*sim.PauseRecord)    {}
func (nobody) QueueDump(core.Time, *sim.Network) {}
func (nobody) Records([]core.Record)             {}

// setup makes a set-up from flows, as rows of a table, and from keys: key, value, key, value.
func setup(t *testing.T, flows string, pairs ...string) *sim.Setup {
	t.Helper()
	file := fileOf(t, "flows.csv", "src,dst,bytes,start_ns,after\n"+flows)
	sc := scenario.Default()
	pairs = append([]string{"workload", "none", "flows", file}, pairs...)
	for i := 0; i < len(pairs); i += 2 {
		if err := sc.Set(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fileOf writes a file of its own, and returns its path.
func fileOf(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// hosted makes a hosted network of two hosts from a table of flows.
func hosted(t *testing.T, flows string) *sim.Hosted {
	t.Helper()
	h, err := sim.BuildHosted(setup(t, flows, "topology", "star:n=2"), nobody{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A hosted network expects the flows of its set-up, and those that have waited, until they are
// opened.
func TestHostedExpects(t *testing.T) {
	h := hosted(t, "0,1,1000,5,\n1,0,1000,100,0\n")
	var turn core.Turn
	expect := func(what string, want bool) {
		t.Helper()
		if h.Expects(h.Now()) != want {
			t.Errorf("%s: expects %v", what, !want)
		}
	}
	expect("a flow is to start", true)
	h.At(core.AtNanos(5))
	h.Open(0, &turn)
	expect("another waits for it", false)
	h.Heed(0, &core.Action{Kind: core.FlowDone, Flow: 0})
	expect("the other is ready", true)
	h.At(core.AtNanos(105))
	h.Open(1, &turn)
	expect("both are open", false)
}

// A host that does not report what is received is told of flows that wait for it when the sender knows of it; once, if it
// reports that late.
func TestHostedEndsUnheard(t *testing.T) {
	h := hosted(t, "0,1,1000,5,\n1,0,1000,100,0\n")
	h.Open(0, new(core.Turn))
	h.At(30)
	h.Heed(0, &core.Action{Kind: core.FlowDone, Flow: 0})
	if got, want := h.Ready(), []sim.Ready{{Flow: 1, At: core.AtNanos(100) + 30}}; !slices.Equal(got, want) {
		t.Errorf("ready are %v, want %v", got, want)
	}
	if h.Heed(1, &core.Action{Kind: core.FlowReceived, Flow: 0}); len(h.Ready()) > 0 {
		t.Error("the flow is ready twice")
	}
}

// Nothing is known about a packet that its host has taken over: it is not called lost.
func TestHostedUnfinished(t *testing.T) {
	h := hosted(t, "0,1,1000,0,\n")
	var turn core.Turn
	h.Open(0, &turn)
	taken := 0
	for _, a := range turn.Actions {
		if a.Kind == core.Transmit {
			h.Pool().Free(a.Packet)
			taken++
		}
	}
	r := h.Record(0)
	if reason, stuck := h.Why(false).Unfinished(&r); taken != 1 || reason != "was still sending at the end of the run" || stuck {
		t.Errorf("%d packets taken: %q, stuck %v", taken, reason, stuck)
	}
}

// A flow that is added counts as one of the set-up.
func TestHostedAdd(t *testing.T) {
	h := hosted(t, "0,1,1000,0,\n")
	var turn core.Turn
	h.Open(0, &turn)
	if i := h.Add(sim.Flow{Src: 0, Dst: 1, Bytes: 70}); i != 1 || !h.Waits(1) || h.Waits(0) {
		t.Errorf("it is flow %d, waits: %v; the first waits: %v", i, h.Waits(1), h.Waits(0))
	}
	h.At(20)
	h.Open(1, &turn)
	h.At(50)
	h.Heed(0, &core.Action{Kind: core.FlowDone, Flow: 1})
	if r := h.Record(1); r.SrcPort != 10001 || r.Start != 20 || r.FCT != 30 || !r.Finished || r.Flow.Bytes != 70 {
		t.Errorf("%+v of %+v", r, r.Flow)
	}
}

// The receiving host knows of the end of a flow at once, even if the sender gives up; another host learns it from the
// sender.
func TestHostedReceives(t *testing.T) {
	told := []sim.Ready{{Flow: 2, At: core.AtNanos(200) + 30}}
	for _, c := range []struct {
		end       core.ActionKind
		told      []sim.Ready
		abandoned bool
	}{{core.FlowDone, told, false}, {core.FlowFailed, nil, true}} {
		h := hosted(t, "0,1,1000,5,\n1,0,1000,100,0\n0,1,1000,200,0\n")
		var turn core.Turn
		h.Open(0, &turn)
		if h.Waits(1) || h.Waits(2) {
			t.Error("flows that wait for others may be opened")
		}
		h.At(30)
		for range 2 { // the second time it has been forgotten
			h.Heed(1, &core.Action{Kind: core.FlowReceived, Flow: 0})
		}
		if got, want := h.Ready(), []sim.Ready{{Flow: 1, At: core.AtNanos(100) + 30}}; !slices.Equal(got, want) || !h.Expects(h.Now()) {
			t.Errorf("received: ready are %v, want %v; it expects %v", got, want, h.Expects(h.Now()))
		}
		h.Heed(0, &core.Action{Kind: c.end, Flow: 0})
		if got := h.Ready(); !slices.Equal(got, c.told) {
			t.Errorf("action %d: ready are %v, want %v", c.end, got, c.told)
		}
		if h.Record(1).Abandoned || h.Record(2).Abandoned != c.abandoned || !h.Waits(1) {
			t.Errorf("action %d: abandoned are %v and %v", c.end, h.Record(1).Abandoned, h.Record(2).Abandoned)
		}
	}
}

// Records show the state of flows at any time.
func TestHostedRecords(t *testing.T) {
	h := hosted(t, "0,1,1000,5,\n1,0,1000,100,0\n0,1,1000,200,1\n")
	var turn core.Turn
	expect := func(want ...sim.FlowRecord) {
		t.Helper()
		for i, w := range want {
			r := h.Record(i)
			if got := (sim.FlowRecord{Start: r.Start, FCT: r.FCT, Started: r.Started, Finished: r.Finished, Failed: r.Failed, Abandoned: r.Abandoned}); got != w {
				t.Errorf("at %v, flow %d: %+v, want %+v", h.Now(), i, got, w)
			}
		}
	}
	later := sim.FlowRecord{Start: core.Never}
	expect(sim.FlowRecord{Start: core.AtNanos(5)}, later, later)
	h.At(core.AtNanos(6))
	h.Open(0, &turn)
	h.At(core.AtNanos(9))
	expect(sim.FlowRecord{Start: core.AtNanos(6), FCT: 3 * core.Nanosecond, Started: true}, later, later)
	h.Heed(0, &core.Action{Kind: core.FlowFailed, Flow: 0})
	abandoned := sim.FlowRecord{Start: core.Never, Abandoned: true}
	expect(sim.FlowRecord{Start: core.AtNanos(6), FCT: 3 * core.Nanosecond, Started: true, Failed: true}, abandoned, abandoned)
}

// Source ports count up from 10000 for each pair of hosts, whether flows wait for others or not.
func TestSourcePorts(t *testing.T) {
	h := hosted(t, "0,1,1000,0,\n0,1,1000,0,0\n0,1,1000,0,\n1,0,1000,0,\n")
	var turn core.Turn
	for i, want := range []uint16{10000, 10001, 10002, 10000} {
		h.Open(i, &turn)
		if got := h.Record(i).SrcPort; got != want {
			t.Errorf("flow %d: port %d, want %d", i, got, want)
		}
	}
}

// A packet belongs to the flow of its source, an ACK to that of its destination, and flow-control packets to none.
func TestFlowOf(t *testing.T) {
	h := hosted(t, "1,0,1000,0,\n0,1,1000,0,\n0,1,1000,0,\n")
	var turn core.Turn
	for i := range 3 {
		h.Open(i, &turn)
	}
	for _, c := range []struct {
		packet core.Packet
		want   int64
	}{
		{core.Packet{Kind: core.Data, Src: 0, SrcQP: 1, Dst: 1, DstQP: 0}, 2},
		{core.Packet{Kind: core.Ack, Src: 1, SrcQP: 0, Dst: 0, DstQP: 1}, 2},
		{core.Packet{Kind: core.Data, Src: 1, SrcQP: 0, Dst: 0, DstQP: 0}, 0},
		{core.Packet{Kind: core.Pause}, -1},
		{core.Packet{Kind: core.Credit}, -1},
		{core.Packet{Kind: core.Datagram}, -1},
	} {
		if got := h.FlowOf(&c.packet); got != c.want {
			t.Errorf("%+v: flow %d, want %d", c.packet, got, c.want)
		}
	}
}

// A look covers up to 256 running flows, the earliest ones, among the 1024 from the first that has not ended.
func TestLookAtFlows(t *testing.T) {
	const flows = 1200
	h := hosted(t, strings.Repeat("0,1,1000,0,\n", flows))
	var turn core.Turn
	end := func(from, to int) {
		for i := from; i < to; i++ {
			h.Heed(0, &core.Action{Kind: core.FlowDone, Flow: int32(i)})
		}
	}
	looks := 0
	expect := func(what string, more int) {
		t.Helper()
		h.LookAtFlows()
		if got := h.Reactions()[0].Looks; got != looks+more {
			t.Errorf("%s: %d looks, want %d", what, got-looks, more)
		}
		looks = h.Reactions()[0].Looks
	}
	for i := 1; i < flows; i++ {
		h.Open(i, &turn)
	}
	expect("all but one", 256)
	end(1, 1000)
	expect("24 of the first 1024", 24)
	h.Open(0, &turn)
	expect("and the first", 25)
	end(0, 1)
	expect("the first has ended", 200)
	end(1000, flows)
	expect("all have ended", 0)
	if got := h.Reactions()[0]; got.Flows != flows || got.Changed != 0 || got.Line != 100*core.Gbps {
		t.Errorf("%+v, want %d flows, none changed, of 100 Gb/s", got, flows)
	}
}

// Flows that end with another answer than they began with have changed: those that shared a link, but not the one that
// was over after one packet.
func TestReactions(t *testing.T) {
	for threads := range 3 {
		s := setup(t, "0,2,1000000,0,\n1,2,1000000,0,\n3,4,100,0,\n", "topology", "star:n=5", "cc", "dctcp-window")
		s.Threads = threads
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		n.Step(0, 1<<20)
		_, first, _ := n.Running(2)
		for n.Step(core.Never, 1<<20) {
		}
		if got := n.Reactions()[0]; got.Flows != 3 || got.Changed != 2 || got.Line != 100*core.Gbps || got.Window != first.Window || got.Window == 0 {
			t.Errorf("%d threads: %+v, the window was %v at first", threads, got, first.Window)
		}
	}
}

// A look shows when a flow waits for the host's window while its scheme's would let it send.
func TestHeldByTheHost(t *testing.T) {
	for window, held := range map[string]int{"on": 1, "off": 0} {
		n, err := sim.Build(setup(t, "0,1,100000000,0,\n", "topology", "dumbbell:n=1,bottleneck=10Gbps", "cc", "reno", "host.window", window), nobody{})
		if err != nil {
			t.Fatal(err)
		}
		n.Step(core.Time(core.Millisecond), 1<<20)
		n.LookAtFlows()
		if got := n.Reactions()[0]; got.Looks != 1 || got.Held != held {
			t.Errorf("host.window %s: %d of %d looks found the flow held, want %d of 1", window, got.Held, got.Looks, held)
		}
	}
}

// A hosted network is a single part, however large it is: its host has one order of events.
func TestLargeHosted(t *testing.T) {
	h, err := sim.BuildHosted(setup(t, "0,5000,1000,0,\n", "topology", "fat-tree:k=28"), nobody{})
	if err != nil {
		t.Fatal(err)
	}
	if h.Parts() != 1 {
		t.Errorf("%d parts", h.Parts())
	}
	h.Open(0, new(core.Turn))
	if h.Started() != 1 {
		t.Errorf("%d flows have started", h.Started())
	}
}

// Flows that a host adds also end where others of the set-up wait for each other.
func TestAddedBesideWaiting(t *testing.T) {
	h := hosted(t, "0,1,1000,0,\n1,0,1000,0,0\n")
	var turn core.Turn
	added := h.Add(sim.Flow{Src: 1, Dst: 0, Bytes: 1000, Prio: 3})
	h.Open(added, &turn)
	h.Heed(0, &core.Action{Kind: core.FlowReceived, Flow: 1})
	h.Heed(1, &core.Action{Kind: core.FlowDone, Flow: int32(added)})
	if h.Ended() != 1 || len(h.Ready()) != 0 {
		t.Errorf("%d flows have ended", h.Ended())
	}
}

// Programs need the network's own events.
func TestHostedWithoutPrograms(t *testing.T) {
	s := setup(t, "0,1,1000,0,\n", "topology", "star:n=2")
	s.Programs = make([]sim.Program, 3)
	if _, err := sim.BuildHosted(s, nobody{}); err == nil || err.Error() != "a schedule needs qbb's own event loop: it cannot run inside another simulator" {
		t.Error(err)
	}
}

// Flows that are not in the order of their starts would start late.
func TestFlowsInOrder(t *testing.T) {
	for name, build := range map[string]func(*sim.Setup){
		"by itself": func(s *sim.Setup) { _, _ = sim.Build(s, nobody{}) },
		"hosted":    func(s *sim.Setup) { _, _ = sim.BuildHosted(s, nobody{}) },
	} {
		for _, swapped := range []bool{false, true} {
			s := setup(t, "0,1,1000,0,\n1,0,1000,5,0\n1,0,1000,7,\n0,1,1000,7,\n", "topology", "star:n=2")
			if swapped {
				s.Flows[2].Start++
			}
			func() {
				defer func() {
					want := any(nil)
					if swapped {
						want = "sim: flow 3 starts before flow 2: Setup.Flows is not in the order of starts"
					}
					if got := recover(); got != want {
						t.Errorf("%s, swapped %v: %v", name, swapped, got)
					}
				}()
				build(s)
			}()
		}
	}
}
