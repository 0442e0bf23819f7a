package driver

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// lookEvery is the number of events between looks at a run.
const lookEvery = 1 << 16

// stall notices that a run makes no progress: that no packet crosses a link and no flow starts or
// ends. Where no time is set for its end, such a run is ended. It looks only now and then, so it
// costs a run nothing.
type stall struct {
	n      *sim.Network
	next   int64 // number of events at the next look
	mark   int64 // what has been done so far
	at     core.Time
	events int64 // run when mark last changed
	now    core.Time
	since  int64  // events run when the time last changed
	reason string // why the run was ended; empty: it was not
}

// Bounds of what a run may do without progress.
const (
	// mostEvents is some minutes of computing.
	mostEvents = 1 << 30
	// mostAtOnce is for an instant, besides what its flows and ports may rightly need.
	mostAtOnce = 1 << 24
	perEntity  = 64
)

// patience is the simulated time without a packet after which nothing is expected any more: more
// than the largest gap between two packets of a flow at 10 kb/s, and than a row of time-outs, each
// of which is at most 16 times the first.
func (s *stall) patience() core.Duration { return core.Second + 40*s.n.Setup.Profile.RTO }

// look decides whether the run goes on.
func (s *stall) look() bool {
	n := s.n
	now, events := n.Engine.Now(), n.Engine.Events()
	if events < s.next {
		return true
	}
	s.next = events + lookEvery
	if now != s.now {
		s.now, s.since = now, events
	}
	n.LookAtFlows()
	if mark := n.Engine.Hops() + int64(n.Started()) + int64(n.Ended()); mark != s.mark {
		s.mark, s.at, s.events = mark, now, events
	}
	atOnce := int64(mostAtOnce + perEntity*(len(n.Setup.Flows)+2*len(n.Setup.Topology.Links)))
	switch idle := now.Sub(s.at); {
	case events-s.since > atOnce:
		s.reason = fmt.Sprintf("stopped: %d events at %s without progress of time", events-s.since, n.Engine.Now())
	case events-s.events > mostEvents:
		s.reason = fmt.Sprintf("stopped: %d events without a packet, since %s", events-s.events, millis(s.at))
	case n.Setup.Stop == core.Never && idle > s.patience() && !n.Expects():
		s.reason = fmt.Sprintf("stopped at %s: no packet has moved for %s, and nothing else would ever happen", millis(now), millis(core.Time(idle)))
	}
	return s.reason == ""
}

func millis(t core.Time) string { return fmt.Sprintf("%.6g ms", t.Seconds()*1e3) }

// notes says what blocks whom.
func (s *stall) notes() (notes []string) {
	if s.reason != "" {
		notes = append(notes, s.reason)
	}
	cycle, stuck := s.n.Deadlock()
	if len(cycle) > 0 {
		return append(notes, deadlockText(cycle, len(stuck)))
	}
	if s.reason == "" && s.n.Ended() == len(s.n.Setup.Flows) {
		return notes
	}
	if blocked := s.n.Blocked(); len(blocked) > 0 {
		text := fmt.Sprintf("%d queues of switches wait for a pause to end:", len(blocked))
		for i, b := range blocked {
			if i == mostBlocked {
				text += " and others"
				break
			}
			text += fmt.Sprintf(" %s, since %s;", queueText(&b), millis(b.Since))
		}
		notes = append(notes, strings.TrimSuffix(text, ";"))
	}
	return notes
}

// mostBlocked is the most queues that a note names.
const mostBlocked = 4

// deadlockText prints a cycle of queues with its ports.
func deadlockText(cycle []sim.Blocked, stuck int) string {
	var names []string
	formed := core.Time(0)
	for i := range cycle {
		formed = max(formed, cycle[i].Since)
		names = append(names, queueText(&cycle[i]))
	}
	text := fmt.Sprintf("PFC deadlock since %s: %d queues wait for one another, each for the next and the last for the first: %s",
		millis(formed), len(cycle), strings.Join(names, ", "))
	if more := stuck - len(cycle); more > 0 {
		text += fmt.Sprintf("; %d more wait for them", more)
	}
	return text
}

func queueText(b *sim.Blocked) string {
	return fmt.Sprintf("switch %d port %d (paused by node %d port %d, class %d, %.3g KB)", b.Node, b.Port, b.Peer.Node, b.Peer.Port, b.Class, float64(b.Bytes)/1e3)
}
