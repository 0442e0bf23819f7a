package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// Why says why flows did not finish. It is made when a run is over.
type Why struct {
	n       *Network
	stopped bool
	idle    bool              // nothing is left to happen
	stuck   map[queueRef]bool // queues that can never send again
	caught  map[int64]bool    // flows with packets in them
	paused  map[int64]bool    // flows with packets in queues of switches that are paused for ever
	acks    map[int64]trap    // flows with acknowledgements that their hosts can never send
	known   map[int]bool      // flows that were asked about: whether they are stuck
	awaited map[awaited]bool  // the same of what flows wait for
}

// awaited is what a flow waits for: so many flows of the list of its row.
type awaited struct {
	row   int32
	flows int
}

// Why prepares for the question; stopped: the run was interrupted.
func (n *Network) Why(stopped bool) *Why {
	_, stuck := n.Deadlock()
	w := &Why{
		n: n, stopped: stopped, idle: !stopped && n.idle(), stuck: make(map[queueRef]bool), caught: n.caught(stuck),
		acks: make(map[int64]trap), known: make(map[int]bool), awaited: make(map[awaited]bool),
	}
	for _, b := range stuck {
		w.stuck[queueRef{b.PortRef, b.Class}] = true
	}
	if w.idle {
		w.paused = n.caught(n.Blocked())
	}
	w.findAcks()
	return w
}

// Deadlocked reports whether queues can never send again: see Network.Deadlock.
func (w *Why) Deadlocked() bool { return len(w.stuck) > 0 }

// Unfinished says, as far as is known, why a flow did not finish, and whether it is stuck: whether it
// could not have finished in a longer run either.
func (w *Why) Unfinished(r *FlowRecord) (reason string, stuck bool) {
	reason, stuck = w.reason(r)
	w.known[r.ID] = stuck
	return reason, stuck
}

func (w *Why) reason(r *FlowRecord) (reason string, stuck bool) {
	n := w.n
	routed := n.paths.Pair(r.Flow.Src, r.Flow.Dst).Hops > 0
	deadlock := w.caughtIn(r)
	const forEver = "was paused, and nothing is left that would end the pause"
	switch {
	case r.Abandoned:
		return "a flow that it waits for (after) failed", true
	case r.Failed && !routed:
		return "given up after too many time-outs: failed links have cut its path", true
	case r.Failed && deadlock != "":
		return "given up after too many time-outs: " + deadlock, true
	case r.Failed && r.Timeouts <= int64(n.Setup.Profile.Retries):
		if n.Setup.Recovery[r.Flow.Prio&7] == nic.Selective {
			return "given up: its packets were trimmed for as long as its time-outs would have lasted", true
		}
		return "given up: go-back-0 got no farther for as long as its time-outs would have lasted", true
	case r.Failed:
		return "given up after too many time-outs", true
	case !r.Started && r.Flow.Held:
		return "its schedule had " + w.until("not come so far at the end of the run", "not come so far"), w.idle
	case !r.Started && !n.released(r.ID):
		return "a flow that it waits for (after) " + w.until("did not finish in time", "had not finished"), w.awaitsStuck(r.ID)
	case !r.Started:
		return w.until("starts after the end of the run", "had not started"), false
	case w.queued(r):
		return "waits for a flow that comes before it on their queue pair (host.connections)", w.behindStuck(r)
	case !routed:
		return "failed links have cut its path", w.idle
	case deadlock != "":
		return deadlock, true
	case w.heldAtSource(r):
		return "its source is held back by a " + w.deadlock(), true
	case w.paused[int64(r.ID)]:
		return "its packets wait at a port that " + forEver, true
	case w.idle && w.pausedAtSource(r):
		return "its source " + forEver, true
	case w.acks[int64(r.ID)] == byPause:
		return "its acknowledgements wait at its destination, which " + forEver, true
	case w.idle:
		return "waits for packets that were lost, without a retransmission timer (options.rto)", true
	case w.lost(r):
		return "packets were lost, and the run ended before they were sent again", false
	}
	return w.until("was still sending at the end of the run", "was still sending"), false
}

// until is what to say of a run that has come to its end, or of one that was interrupted.
func (w *Why) until(ended, interrupted string) string {
	if w.stopped {
		return interrupted + " when the run was interrupted"
	}
	return ended
}

// deadlock names the deadlock that the network can have.
func (w *Why) deadlock() string {
	if w.n.credits != nil {
		return "credit deadlock"
	}
	return "PFC deadlock"
}

// awaitsStuck reports whether one of the flows that a flow waits for is stuck, or waits in turn for one that is.
func (w *Why) awaitsStuck(flow int) bool {
	asked := w.awaitedBy(flow)
	stuck, known := w.awaited[asked]
	if !known {
		stuck = w.findStuck(flow)
		w.awaited[asked] = stuck
	}
	return stuck
}

func (w *Why) awaitedBy(flow int) awaited {
	return awaited{w.n.followers.head[flow], len(w.n.Setup.Flows[flow].After)}
}

func (w *Why) findStuck(flow int) bool {
	left, seen := []int{flow}, make(map[awaited]bool)
	for len(left) > 0 { // no recursion: a chain may have millions
		f := left[len(left)-1]
		left = left[:len(left)-1]
		list := w.awaitedBy(f)
		if seen[list] {
			continue
		}
		seen[list] = true
		for _, earlier := range w.n.Setup.Flows[f].After {
			i := int(earlier)
			stuck, known := w.known[i]
			switch {
			case known || w.n.flows[i].state == finished:
			case w.n.flows[i].state == waiting && len(w.n.Setup.Flows[i].After) > 0:
				left = append(left, i)
			default:
				r := w.n.Record(i)
				_, stuck = w.Unfinished(&r)
			}
			if stuck {
				return true
			}
		}
	}
	return false
}

// queued reports whether a flow waits for its turn on its connection.
func (w *Why) queued(r *FlowRecord) bool {
	_, waits := w.n.hosts[r.Flow.Src].Turn(w.n.flows[r.ID].qp)
	return waits
}

// behindStuck reports whether the flow of its connection for which a flow waits is stuck.
func (w *Why) behindStuck(r *FlowRecord) bool {
	turn, _ := w.n.hosts[r.Flow.Src].Turn(w.n.flows[r.ID].qp)
	stuck, known := w.known[int(turn)]
	if !known {
		first := w.n.Record(int(turn))
		_, stuck = w.Unfinished(&first)
	}
	return stuck
}

// idle reports whether nothing is left to happen but samples of queues, and what links repeat; for a hosted network that is
// not known.
func (n *Network) idle() bool { return n.rest != core.Never || n.Engine != nil && n.Engine.Still() }

// pausedAtSource reports whether the flow's class is paused at its source.
func (w *Why) pausedAtSource(r *FlowRecord) bool {
	_, since := w.n.hosts[r.Flow.Src].PausedSince(w.n.flows[r.ID].qp)
	return since != core.Never
}

// lost reports whether packets of the flow, or their acknowledgements, are known to be lost: no packet is left, and
// some of the flow's that ask for it were not acknowledged; for a hosted network that is not known.
func (w *Why) lost(r *FlowRecord) bool {
	return w.n.Engine != nil && w.n.packets() == 0 && w.n.hosts[r.Flow.Src].Awaits(w.n.flows[r.ID].qp)
}
