package laws

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// A link that fails and returns at the same time loses what was on it, and what waited for it.
func TestLinkBlinks(t *testing.T) {
	dropped := int64(0)
	for link := range crowd(t).Topology.Links {
		s := crowd(t)
		s.Profile.RTO = sim.Timeout(core.Millisecond)
		for _, up := range []bool{false, true} {
			s.Links = append(s.Links, sim.LinkEvent{At: core.Time(20 * core.Microsecond), Link: link, Up: up})
		}
		l := newLaws(s)
		if err := l.run(l); err != nil || l.broken != nil {
			t.Errorf("link %d: %v, %.800q", link, err, l.broken)
		}
		dropped += l.dropped
	}
	if dropped < 50 {
		t.Errorf("%d packets are lost: this tests too little", dropped)
	}
}
