package scenario

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// The end of a run is an event of the set-up: in scheduling order it comes before everything else
// at its time; otherwise everything at that time still belongs to the run.
func TestStopAtTheEndOfAFlow(t *testing.T) {
	for _, order := range []string{"entity", "schedule"} {
		flows := []sim.Flow{{Src: 0, Dst: 1, Bytes: 5000, Prio: 3, DstPort: 100}}
		run := func(pairs ...string) (*sim.Network, int) {
			n, q := play(t, withFlows(t, flows, append([]string{"topology", "star:n=2", "cc", "none", "options.order", order}, pairs...)...))
			return n, len(q.ends)
		}
		n, ended := run("stop", "never")
		end := n.Now()
		if ended != 1 {
			t.Fatalf("%s: %d flows ended", order, ended)
		}
		for _, c := range []struct {
			stop  core.Time
			ended int
		}{
			{end - 1, 0},
			{end, map[string]int{"entity": 1}[order]},
			{end + 1, 1},
		} {
			if n, ended := run("stop", c.stop.String()); ended != c.ended || n.Now() != c.stop {
				t.Errorf("%s, stop %v of a flow that ends at %v: %d flows ended, want %d; the clock shows %v", order, c.stop, end, ended, c.ended, n.Now())
			}
		}
	}
}
