package reproduce

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// A case has histograms of queues if it asks for them, sampled at the interval that it sets.
func TestHistograms(t *testing.T) {
	for interval, want := range map[string]core.Duration{"": 0, "100ns": 100 * core.Nanosecond, "3us": 3 * core.Microsecond} {
		c := Case{Set: []string{"topology", "star:n=2,rate=1Gbps,delay=1us"}}
		if interval != "" {
			c.Set = with(c.Set, "queue_sampling.interval", interval)
		}
		sc, err := c.scenario()
		if err != nil {
			t.Fatal(err)
		}
		if got := sc.Sampling.Interval; got != want {
			t.Errorf("%q: every %v, want %v", interval, got, want)
		}
	}
}
