package scenario

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
)

// Without losses all ways of recovery are the same run.
func TestRecoveryWithoutLoss(t *testing.T) {
	for _, cc := range []string{"dcqcn", "hpcc", "swift", "cubic", "dctcp-window"} {
		var want outcome
		for i, way := range recoveryNames {
			s := withFlows(t, crowd(6), append(tight(cc), "topology", "star:n=6", "options.rto", "5ms", "host.rto_low", "5ms", "host.recovery", way, "host.window", "off")...)
			n, _ := play(t, s)
			if n.Dropped() != 0 {
				t.Fatalf("%s: %d packets dropped", cc, n.Dropped())
			}
			if i == 0 {
				want = outcomeOf(n)
				continue
			}
			t.Run(cc+" "+way, func(t *testing.T) { sameOutcome(t, outcomeOf(n), want) })
		}
	}
}

// Whatever is lost, every flow of every scheme ends, and selective recovery sends less again than
// going back does.
func TestSelectiveRecoveryOfEveryScheme(t *testing.T) {
	for _, e := range catalog.All() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			retx := make(map[string]int64)
			for _, way := range []string{"go-back-n", "selective"} {
				s := withFlows(t, crowd(6), append(tight(e.Name), "topology", "star:n=6", "loss", "0.01", "host.recovery", way)...)
				n, q := play(t, s)
				for i := range q.ends {
					if r := &q.ends[i]; !r.Finished || r.Acked != r.Flow.Bytes {
						t.Errorf("%s: flow %d: %+v", way, r.ID, *r)
					}
					retx[way] += q.ends[i].Retx
				}
				if len(q.ends) != len(s.Flows) || n.Lost() == 0 {
					t.Errorf("%s: %d of %d flows ended, %d packets lost", way, len(q.ends), len(s.Flows), n.Lost())
				}
			}
			if retx["selective"] >= retx["go-back-n"] {
				t.Errorf("sent again: %v", retx)
			}
		})
	}
}

// Selective recovery brings IRN's cap on the bytes in flight, one bandwidth-delay product, unless
// the window is set; and it needs a time-out, since a lost tail makes no NACK.
func TestSelectiveRecoveryDefaults(t *testing.T) {
	for _, c := range []struct {
		set  []string
		want string
	}{
		{nil, "off"}, {[]string{"host.recovery", "selective"}, "on"}, {[]string{"host.recovery", "selective", "host.window", "off"}, "off"},
	} {
		sc := of(t, c.set...)
		if err := sc.Complete(); err != nil || sc.Host.Window != c.want {
			t.Errorf("%v: window %s, %v; want %s", c.set, sc.Host.Window, err, c.want)
		}
	}
	err := of(t, "host.recovery", "selective", "options.rto", "0s").Complete()
	if err == nil || !strings.Contains(err.Error(), "host.recovery: selective needs a time-out: set options.rto") {
		t.Errorf("got %v", err)
	}
}
