package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// A clock of nanoseconds cuts the rest of a delay.
func TestDelay(t *testing.T) {
	link := &topo.Link{Delay: 1_999 * core.Picosecond}
	for _, c := range []struct {
		profile Profile
		want    core.Duration
	}{{NS3(), core.Nanosecond}, {Native(), 1_999 * core.Picosecond}} {
		if got := (&Setup{Profile: c.profile}).Delay(link); got != c.want {
			t.Errorf("%s: %v, want %v", c.profile.Name, got, c.want)
		}
	}
}
