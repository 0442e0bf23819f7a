package laws

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Watchdogs drop what has been paused for long enough: what they drop sooner, or without watchdogs, is found out.
func TestWatchdogsAreChecked(t *testing.T) {
	for _, c := range []struct {
		says core.Duration
		want string
	}{
		{core.Microsecond, ""},
		{core.Second, "drops {"},
		{0, "drops {"},
	} {
		s := crowd(t)
		for i := range s.Flows { // from all over to one, twice
			s.Flows[i].Dst = core.NodeID(i % 2)
			if s.Flows[i].Src == s.Flows[i].Dst {
				s.Flows[i].Src += 2
			}
		}
		s.Profile.RTO, s.Watchdog = sim.Timeout(core.Millisecond), switching.WatchdogConfig{Detection: core.Microsecond, Restoration: 3 * core.Microsecond}
		l := newLaws(s)
		err := l.run(&liar{laws: l, lie: func(*core.Record) bool {
			s.Watchdog.Detection = c.says
			return true
		}})
		s.Watchdog.Detection = core.Microsecond
		n := l.n.WatchdogCounters()
		if text := strings.Join(l.broken, "\n"); err != nil || n.Flushed == 0 || c.want == "" && n.Refused == 0 || (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("%v: %v, %+v, got %.400q, want %q", c.says, err, n, text, c.want)
		}
	}
}
