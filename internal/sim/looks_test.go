package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Looks count how often a flow is at the lowest rate or window that was ever seen, if that is below
// half of its first one: a lower one restarts the count.
func TestLooks(t *testing.T) {
	first := answer{rate: 100 * core.Gbps, window: 1000}
	rate := func(gbps core.Rate) answer { return answer{rate: gbps * core.Gbps, window: 1000} }
	window := func(n core.Bytes) answer { return answer{rate: 100 * core.Gbps, window: n} }
	for name, c := range map[string]struct {
		looks []answer
		want  Reaction
	}{
		"unmoved":    {[]answer{first, first}, Reaction{Looks: 2, Lowest: 100 * core.Gbps, Least: 1000}},
		"half":       {[]answer{rate(50)}, Reaction{Looks: 1, Lowest: 50 * core.Gbps, Least: 1000, Moved: 1}},
		"below half": {[]answer{rate(49)}, Reaction{Looks: 1, Lowest: 49 * core.Gbps, AtRate: 1, Least: 1000, Moved: 1}},
		"below half, and lower": {
			[]answer{rate(49), rate(49), rate(60), rate(49), rate(10), rate(10)},
			Reaction{Looks: 6, Lowest: 10 * core.Gbps, AtRate: 2, Least: 1000, Moved: 6},
		},
		"lowest at first": {[]answer{rate(1), rate(2), first}, Reaction{Looks: 3, Lowest: core.Gbps, AtRate: 1, Least: 1000, Moved: 2}},
		"half the window": {[]answer{window(500)}, Reaction{Looks: 1, Lowest: 100 * core.Gbps, Least: 500, Moved: 1}},
		"least window": {
			[]answer{window(499), window(600), window(499), window(400), window(499), window(400), window(400)},
			Reaction{Looks: 7, Lowest: 100 * core.Gbps, Least: 400, AtLeast: 3, Moved: 7},
		},
		"a gap alone": {[]answer{{rate: 100 * core.Gbps, window: 1000, gap: 1}}, Reaction{Looks: 1, Lowest: 100 * core.Gbps, Least: 1000, Moved: 1}},
	} {
		var r Reaction
		for _, now := range c.looks {
			r.look(now, first)
		}
		if r != c.want {
			t.Errorf("%s: got  %+v\nwant %+v", name, r, c.want)
		}
	}
}

// Flows that are still to come are not searched for among those that have ended, of which there may be millions: here
// one that would start at 5.
func TestExpectsNothingOfTheEnded(t *testing.T) {
	n := &Network{Setup: &Setup{Flows: []Flow{{Start: 5}}}, ledger: ledger{flows: make([]flowState, 1)}, looking: looking{oldest: 1}}
	n.loop = ownLoop{n}
	if n.Expects(0) {
		t.Error("a flow that has ended is expected")
	}
}
