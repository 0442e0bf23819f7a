package sim_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// A run without an end is over when its last flow is, whatever is still to come; a run with one goes on until then.
func TestEndOfRun(t *testing.T) {
	for _, stop := range []core.Time{core.Never, core.Time(5 * core.Millisecond)} {
		s := setup(t, "0,1,1000,3000,\n1,0,1000,9000,\n", "topology", "star:n=2")
		s.Stop = stop
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		end := stop
		if last := n.Record(1); stop == core.Never {
			end = last.Start.Add(last.Ideal) // it is alone
		}
		if n.Step(core.Never, 1<<30) || n.Now() != end {
			t.Errorf("the run ends at %v, want %v", n.Now(), end)
		}
	}
}

// Something is to be expected of a network at rest as long as a flow waits for its time: a given one, or one after another's
// end.
func TestExpects(t *testing.T) {
	s := setup(t, "0,1,1000,10000,\n1,0,1000,100000,0\n", "topology", "star:n=2")
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   int64 // us
		want bool
	}{{1, true}, {12, false}, {50, true}, {120, false}} {
		n.Step(core.AtNanos(c.at*1000), 1<<30)
		if got := n.Expects(n.Now()); got != c.want {
			t.Errorf("at %d us: %v", c.at, got)
		}
	}
}
