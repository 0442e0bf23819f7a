package laws

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Messages of one queue pair take turns and share its window; here they only seem to have one.
func TestMessagesTakeTurns(t *testing.T) {
	for _, connections := range []int{0, 1} {
		s := crowd(t)
		s.Connections = connections
		s.Flows = []sim.Flow{
			{Src: 0, Dst: 4, Bytes: 30_000, Prio: 3, SrcPort: 7, DstPort: 100}, {Src: 0, Dst: 4, Bytes: 30_000, Prio: 3, SrcPort: 7, DstPort: 100},
			{Src: 0, Dst: 4, Bytes: 500_000, Start: core.AtNanos(20_000), Prio: 3, SrcPort: 7, DstPort: 100},
		}
		l := newLaws(s)
		err := l.run(&liar{laws: l, lie: func(*core.Record) bool {
			s.Connections = 1
			return true
		}})
		text := strings.Join(l.broken, "\n")
		if want := "flow 1 begins before flow 0 has been sent, of the same queue pair"; err != nil || strings.Contains(text, want) != (connections == 0) {
			t.Errorf("%d connections: %v, %.400q", connections, err, text)
		}
	}
	s := crowd(t)
	s.Connections = 1
	s.Flows = []sim.Flow{{Src: 0, Dst: 4, Bytes: 500_000, Prio: 3, SrcPort: 7, DstPort: 100}}
	l := newLaws(s)
	err := l.run(&liar{laws: l, lie: func(r *core.Record) bool {
		sent := r.Event == core.EventDequeue && r.Packet.Kind == core.Data && r.Node == 0 && r.Packet.Seq == 400_000
		if sent {
			r.Packet.Seq = 490_000
		}
		return sent
	}})
	if err != nil || !strings.Contains(strings.Join(l.broken, "\n"), "bytes in flight on its queue pair and a window of") {
		t.Errorf("%v, %.400q", err, l.broken)
	}
}

// A message may begin at the instant at which the one before it is given up.
func TestTurnAfterGivenUp(t *testing.T) {
	s := crowd(t)
	s.Connections, s.LossPerLink, s.Profile.RTO, s.Profile.Retries = 1, 1, sim.Timeout(100*core.Microsecond), 1
	s.Flows = []sim.Flow{{Src: 0, Dst: 4, Bytes: 500_000, Prio: 3, DstPort: 100}, {Src: 0, Dst: 4, Bytes: 500_000, Prio: 3, DstPort: 100}}
	broken, err := Run(s)
	if err != nil || broken != nil {
		t.Errorf("%v, %.400q", err, broken)
	}
}
