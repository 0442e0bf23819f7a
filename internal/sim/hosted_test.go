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

// A hosted network expects what its set-up holds, and flows that have waited until they are opened.
func TestHostedExpects(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	if err := os.WriteFile(file, []byte("src,dst,bytes,start_ns,after\n0,1,1000,5,\n1,0,1000,100,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sc := scenario.Default()
	for _, kv := range [...][2]string{{"topology", "star:n=2"}, {"workload", "none"}, {"flows", file}} {
		if err := sc.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	h, err := sim.BuildHosted(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
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
