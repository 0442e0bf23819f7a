package sim

import "github.com/qbb-sim/qbb/core"

// Why says why flows did not finish. It is made when a run is over.
type Why struct {
	n       *Network
	stopped bool
	stuck   map[queueRef]bool // queues that can never send again
	caught  map[int64]bool    // flows with packets in them
}

// Why prepares for the question; stopped: the run was interrupted.
func (n *Network) Why(stopped bool) *Why {
	_, stuck := n.Deadlock()
	w := &Why{n: n, stopped: stopped, stuck: make(map[queueRef]bool), caught: n.caught(stuck)}
	for _, b := range stuck {
		w.stuck[queueRef{b.PortRef, b.Class}] = true
	}
	return w
}

// Unfinished says, as far as it is known, why a flow did not finish.
func (w *Why) Unfinished(r *FlowRecord) string {
	n := w.n
	routed := n.paths.Pair(r.Flow.Src, r.Flow.Dst).Hops > 0
	switch state := n.flows[r.ID].state; {
	case state == abandoned:
		return "the flow that it waits for (after) failed"
	case r.Failed && !routed:
		return "given up after too many time-outs: failed links have cut its path"
	case r.Failed && w.caught[int64(r.ID)]:
		return "given up after too many time-outs: its packets are caught in a PFC deadlock"
	case r.Failed:
		return "given up after too many time-outs"
	case !r.Started && r.Flow.After != 0:
		return "the flow that it waits for (after) did not finish in time"
	case !r.Started:
		return "starts after the end of the run"
	case !routed:
		return "failed links have cut its path"
	case w.caught[int64(r.ID)]:
		return "its packets are caught in a PFC deadlock"
	case w.heldAtSource(r):
		return "its source is paused by a PFC deadlock"
	case !w.stopped && n.idle() && w.paused(r) != core.Never:
		return "its source was paused, and nothing is left that would end the pause"
	case !w.stopped && n.idle():
		return "waits for packets that were lost, without a retransmission timer (options.rto)"
	case w.stopped:
		return "was still sending when the run was interrupted"
	}
	return "was still sending at the end of the run"
}

// idle reports whether nothing is left to happen but samples of queues; of a hosted network that is
// not known.
func (n *Network) idle() bool { return n.Engine != nil && n.Engine.Still() }

// paused returns since when the flow's class has been paused at its source.
func (w *Why) paused(r *FlowRecord) core.Time {
	_, since := w.n.hosts[r.Flow.Src].Waits(w.n.flows[r.ID].qp)
	return since
}

// heldAtSource reports whether the flow's source is paused because of packets that can never
// leave the first switch.
func (w *Why) heldAtSource(r *FlowRecord) bool {
	port, since := w.n.hosts[r.Flow.Src].Waits(w.n.flows[r.ID].qp)
	if since == core.Never || len(w.stuck) == 0 {
		return false
	}
	p := w.n.ports[r.Flow.Src][port]
	for _, q := range w.n.heldFor(PortRef{p.Peer, p.PeerPort}, r.Flow.Prio) {
		if w.stuck[q] {
			return true
		}
	}
	return false
}

// Expects reports whether flows will still start or links change after now.
func (n *Network) Expects(now core.Time) bool {
	for _, ev := range n.Setup.Links {
		if ev.At > now {
			return true
		}
	}
	for i := range n.Setup.Flows {
		if f := &n.Setup.Flows[i]; n.flows[i].state == waiting && f.After == 0 && f.Start > now {
			return true
		}
	}
	return n.loop.expects()
}
