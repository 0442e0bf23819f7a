package sim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// nobody hears nothing.
type nobody struct{}

func (nobody) FlowEnded(*sim.FlowRecord)         {}
func (nobody) PauseReceived(*sim.PauseRecord)    {}
func (nobody) QueueDump(core.Time, *sim.Network) {}
func (nobody) Records([]core.Record)             {}

// setup makes a set-up of flows, rows of a table, and of some keys: key, value, key, value.
func setup(t *testing.T, flows string, pairs ...string) *sim.Setup {
	t.Helper()
	file := filepath.Join(t.TempDir(), "flows.csv")
	if err := os.WriteFile(file, []byte("src,dst,bytes,start_ns,after\n"+flows), 0o666); err != nil {
		t.Fatal(err)
	}
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

// hosted makes a hosted network of two hosts from a table of flows.
func hosted(t *testing.T, flows string) *sim.Hosted {
	t.Helper()
	h, err := sim.BuildHosted(setup(t, flows, "topology", "star:n=2"), nobody{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A hosted network expects what its set-up holds, and flows that have waited until they are opened.
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

// Of a packet that its host has taken over nothing is known: it is not called lost.
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
