package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// A run with a set end lasts until then, and one whose last flow has yet to start lasts until it does: neither needs a
// look.
func TestLastsWithoutLooks(t *testing.T) {
	for _, c := range []struct {
		stop, start, want core.Time
	}{{5000, 7000, core.Never}, {core.Never, 7000, 6999}} {
		n := &Network{Setup: &Setup{Stop: c.stop, Flows: []Flow{{Start: c.start}}}, ledger: ledger{flows: make([]flowState, 1)}}
		if until, looks := n.lasts(); until != c.want || looks != 0 {
			t.Errorf("with the end %v the run lasts until %v after %d looks, want %v", c.stop, until, looks, c.want)
		}
	}
}
