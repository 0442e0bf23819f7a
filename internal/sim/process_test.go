package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Parts meet before a dump, which reads the histograms of all of them: no sample before nextDump is at a multiple of
// the time between dumps, and one that is the next sample itself is at nextDump.
func TestNoDumpBeforeNextDump(t *testing.T) {
	dumps := 0
	for start := core.Time(0); start < 30; start += 7 {
		for interval := core.Duration(1); interval < 12; interval++ {
			for dump := core.Duration(1); dump < 40; dump += 3 {
				n := &Network{Setup: &Setup{Sampling: Sampling{Interval: interval, Start: start, End: 200, Events: true, Dump: dump}}}
				p := new(part)
				n.parts = []*part{p}
				next := n.nextDump()
				for at := start; at <= 200; at = at.Add(interval) {
					isDump := int64(at)%int64(dump) == 0
					if here := n.nextDump(); isDump && (at < next || here != at) {
						t.Fatalf("from %v every %v, dumps every %v: a dump at %v, before %v or %v", start, interval, dump, at, next, here)
					} else if here < at {
						t.Fatalf("from %v every %v, dumps every %v: the next dump after %v is said to be at %v", start, interval, dump, at, here)
					} else if isDump {
						dumps++
					}
					if p.samples++; at >= next || isDump {
						next = n.nextDump()
					}
				}
				if got := n.nextDump(); got != core.Never {
					t.Fatalf("after the last sample: %v", got)
				}
			}
		}
	}
	if dumps < 1000 {
		t.Errorf("%d dumps", dumps)
	}
}
