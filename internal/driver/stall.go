package driver

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// stall notices that a run makes no progress: that no packet crosses a link or is lost there, and no
// flow starts or ends, or that packets move in vain. If the run has no set end, stall ends it. It looks
// only now and then, so it costs a run nothing: at simulated times, on which results depend, and after
// numbers of events, on which they do not depend unless something is wrong with the simulator.
type stall struct {
	n      *sim.Network
	every  core.Duration // between looks
	looks  int           // since every was last changed
	seen   progress      // by looks
	due    core.Time     // the look after the last one that found something still to come
	vain   vain
	run    progress  // by checks
	now    core.Time // of the last check
	since  int64     // events run when the time last changed
	reason string    // why the run was ended; empty: it was not
}

// progress is what has been done, and when that last grew.
type progress struct {
	done   int64
	at     core.Time
	events int64
}

func (p *progress) note(n *sim.Network, now core.Time) {
	if done := moved(n) + int64(n.Started()) + int64(n.Ended()); done != p.done {
		p.done, p.at, p.events = done, now, n.Engine.Events()
	}
}

// moved is the number of packets that have crossed a link or were lost there.
func moved(n *sim.Network) int64 { return n.Engine.Hops() + n.Lost() }

// checkEvery is the number of events between checks.
const checkEvery = 1 << 16

// Looks begin a microsecond apart; after this many the distance is doubled.
const (
	firstLook  = core.Microsecond
	looksApart = 512
)

func watchForStall(n *sim.Network) *stall {
	s := &stall{n: n, every: firstLook}
	n.Watch(s, core.Time(firstLook))
	return s
}

// Bounds of what a run may do without progress.
const (
	// mostEvents is some minutes of computing.
	mostEvents = 1 << 30
	// mostAtOnce is for one instant, in addition to what its flows and ports may need.
	mostAtOnce = 1 << 24
	perEntity  = 64
)

// patience is the simulated time without a packet after which nothing is expected any more: more
// than the largest gap between two packets of a flow at 10 kb/s, than a packet and its acknowledgement are
// under way, however long the links and slow the hosts, and than a row of time-outs, each of which is at most 16 times
// the first.
func (s *stall) patience() core.Duration {
	trip, _ := s.n.LongestTrip()
	return max(core.Second, tripsIdle*min(trip, longestTrip)) + 40*s.n.LongestTimeout()
}

// tripsIdle is more than one round trip, since links may fail and paths become longer.
const tripsIdle = 4

// Look implements engine.Watcher. It ends a run in which only time goes on.
func (s *stall) Look(now core.Time) core.Time {
	s.n.LookAtFlows()
	s.seen.note(s.n, now)
	if s.n.Setup.Stop == core.Never {
		s.end(now)
	}
	if s.looks++; s.looks == looksApart {
		s.looks, s.every = 0, 2*s.every
	}
	return now.Add(s.every)
}

// end ends a run without an end of its own if nothing would ever happen any more.
func (s *stall) end(now core.Time) {
	if idle := now.Sub(s.seen.at); idle > core.Second && s.waitedInVain(now) {
		s.reason = fmt.Sprintf("stopped at %s: no packet has moved for %s, and nothing else would ever happen", instant(now), instant(core.Time(idle)))
	} else if lasts, over := s.vain.look(s.n, now); over {
		s.reason = fmt.Sprintf("stopped at %s: packets move, but for %s none has brought a flow any further (with options.retries above 0 flows give up)", instant(now), instant(core.Time(lasts)))
	}
	if s.reason != "" {
		s.n.Halt()
	}
}

// waitedInVain reports whether patience has run out since something moved, and since something was still to come: what
// came, such as a packet after a long gap, has time to move.
func (s *stall) waitedInVain(now core.Time) bool {
	if s.n.Expects(now) {
		s.due = now.Add(s.every)
		return false
	}
	return now.Sub(max(s.seen.at, s.due)) > s.patience()
}

// check decides whether the run goes on, by the number of events.
func (s *stall) check() bool {
	n := s.n
	now, events := n.Engine.Now(), n.Engine.Events()
	if now != s.now {
		s.now, s.since = now, events
	}
	s.run.note(n, now)
	atOnce := int64(mostAtOnce + perEntity*(len(n.Setup.Flows)+2*len(n.Setup.Topology.Links)))
	switch {
	case events-s.since > atOnce:
		s.reason = fmt.Sprintf("stopped: %d events at %s without progress of time", events-s.since, now)
	case events-s.run.events > mostEvents:
		s.reason = fmt.Sprintf("stopped: %d events without a packet, since %s", events-s.run.events, instant(s.run.at))
	}
	return s.reason == ""
}

// instant writes a time with six digits.
func instant(t core.Time) string {
	switch {
	case t < core.Time(core.Millisecond):
		return fmt.Sprintf("%.6g us", t.Seconds()*1e6)
	case t < core.Time(core.Second):
		return fmt.Sprintf("%.6g ms", t.Seconds()*1e3)
	}
	return fmt.Sprintf("%.6g s", t.Seconds())
}

// notes reports which ports block which.
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
		notes = append(notes, blockedText(blocked))
	}
	return notes
}

// mostBlocked is the most queues that a note names.
const mostBlocked = 4

// blockedText names the first of some queues that wait.
func blockedText(blocked []sim.Blocked) string {
	text := spelling.Count(len(blocked), "queue of a switch waits", "queues of switches wait")
	if blocked[0].Since == core.Never {
		text += " for credits:"
	} else {
		text += " for a pause to end:"
	}
	for i, b := range blocked {
		if i == mostBlocked {
			text += " and others"
			break
		}
		text += " " + queueText(&b)
		if b.Since != core.Never {
			text += ", since " + instant(b.Since)
		}
		text += ";"
	}
	return strings.TrimSuffix(text, ";")
}

// deadlockText prints a cycle of queues with its ports.
func deadlockText(cycle []sim.Blocked, stuck int) string {
	var names []string
	formed := core.Time(0)
	for i := range cycle {
		formed = max(formed, cycle[i].Since)
		names = append(names, queueText(&cycle[i]))
	}
	kind := "PFC deadlock since " + instant(formed)
	if formed == core.Never {
		kind = "credit deadlock"
	}
	text := fmt.Sprintf("%s: %d queues wait for one another, each for the next and the last for the first: %s",
		kind, len(cycle), strings.Join(names, ", "))
	if more := stuck - len(cycle); more > 0 {
		text += fmt.Sprintf("; %d more wait for them", more)
	}
	return text
}

func queueText(b *sim.Blocked) string {
	held := "paused by"
	if b.Since == core.Never {
		held = "without credits of"
	}
	return fmt.Sprintf("switch %d port %d (%s node %d port %d, class %d, %v)", b.Node, b.Port, held, b.Peer.Node, b.Peer.Port, b.Class, rounded(b.Bytes))
}

// rounded makes a size of a kilobyte or more a whole number of kilobytes.
func rounded(b core.Bytes) core.Bytes {
	if b < 1000 {
		return b
	}
	return (b + 500) / 1000 * 1000
}
