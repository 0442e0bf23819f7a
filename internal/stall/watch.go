package stall

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Watch looks at a run. It looks only now and then, so it costs a run nothing: at simulated times, on which results
// depend, and after numbers of events, on which they do not depend unless something is wrong with the simulator.
type Watch struct {
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

// New watches a network that has run no event.
func New(n *sim.Network) *Watch {
	w := &Watch{n: n, every: firstLook}
	n.Watch(w, core.Time(firstLook))
	return w
}

// Step runs the network on, up to the given number of events, none later than until, and reports whether the run
// continues.
func (w *Watch) Step(until core.Time, events int64) (more bool) {
	for more = true; more && events > 0; {
		before, came, most := w.n.Engine.Events(), w.n.Came(), min(events, checkEvery)
		more = w.n.Step(until, int(most))
		ran := w.n.Engine.Events() - before
		if more && (ran < most || w.n.Came() > came) { // the time, or what is awaited, has come
			break
		}
		events -= ran
		more = more && w.check()
	}
	return more
}

// Stopped reports whether the run was ended for want of progress.
func (w *Watch) Stopped() bool { return w.reason != "" }

// progress is what has been done, and when that last grew.
type progress struct {
	done   int64
	at     core.Time
	events int64
}

func (p *progress) note(n *sim.Network, now core.Time) {
	if done := n.Moved() + int64(n.Started()) + int64(n.Ended()); done != p.done {
		p.done, p.at, p.events = done, now, n.Engine.Events()
	}
}

// checkEvery is the number of events between checks.
const checkEvery = 1 << 16

// Looks begin a microsecond apart; after this many the distance is doubled.
const (
	firstLook  = core.Microsecond
	looksApart = 512
)

// Bounds of what a run may do without progress.
const (
	// mostEvents is some minutes of computing.
	mostEvents = 1 << 30
	// mostAtOnce is for one instant, in addition to what its flows and ports may need.
	mostAtOnce = 1 << 24
	perEntity  = 64
)

// patience is the simulated time without a packet after which nothing is expected any more: more than the largest gap
// between two packets of a flow at 10 kb/s, than a packet and its acknowledgement are under way, however long the links
// and slow the hosts, and than a row of time-outs, each of which is at most 16 times the first, and than PFC watchdogs take.
func (w *Watch) patience() core.Duration {
	trip, _ := w.n.LongestTrip()
	return max(core.Second, tripsIdle*min(trip, longestTrip)) + 40*w.n.LongestTimeout() + watchdogs(w.n)
}

// watchdogs is after how long a deadlock of pauses is over, if there are watchdogs.
func watchdogs(n *sim.Network) core.Duration { return 2 * n.Setup.Watchdog.Detection }

// tripsIdle is more than one round trip, since links may fail and paths become longer.
const tripsIdle = 4

// Look implements engine.Watcher. It ends a run in which only time goes on.
func (w *Watch) Look(now core.Time) core.Time {
	w.n.LookAtFlows()
	w.seen.note(w.n, now)
	if w.n.Setup.Stop == core.Never && !w.n.AwaitsFlows() {
		w.end(now)
	}
	if w.looks++; w.looks == looksApart {
		w.looks, w.every = 0, 2*w.every
	}
	return now.Add(w.every)
}

// end ends a run without an end of its own if nothing would ever happen any more.
func (w *Watch) end(now core.Time) {
	if idle := now.Sub(w.seen.at); idle > core.Second && w.waitedInVain(now) {
		w.reason = fmt.Sprintf("stopped at %s: no packet has moved for %s, and nothing else would ever happen", instant(now), instant(core.Time(idle)))
		w.n.HaltAtRest(w.seen.at)
	} else if lasts, over := w.vain.look(w.n, now); over {
		w.reason = fmt.Sprintf("stopped at %s: packets move, but for %s none has brought a flow any further (with options.retries above 0 flows give up)", instant(now), instant(core.Time(lasts)))
		w.n.Halt()
	}
}

// waitedInVain reports whether patience has run out since something moved, and since something was still to come: what
// came, such as a packet after a long gap, has time to move.
func (w *Watch) waitedInVain(now core.Time) bool {
	if w.n.Expects(now) {
		w.due = now.Add(w.every)
		return false
	}
	return now.Sub(max(w.seen.at, w.due)) > w.patience()
}

// check decides whether the run goes on, by the number of events.
func (w *Watch) check() bool {
	n := w.n
	now, events := n.Engine.Now(), n.Engine.Events()
	if now != w.now {
		w.now, w.since = now, events
	}
	w.run.note(n, now)
	atOnce := int64(mostAtOnce + perEntity*(len(n.Setup.Flows)+2*len(n.Setup.Topology.Links)))
	switch {
	case events-w.since > atOnce:
		w.reason = fmt.Sprintf("stopped: %d events at %s without progress of time", events-w.since, now)
	case events-w.run.events > mostEvents:
		w.reason = fmt.Sprintf("stopped: %d events without a packet, since %s", events-w.run.events, instant(w.run.at))
	}
	return w.reason == ""
}
