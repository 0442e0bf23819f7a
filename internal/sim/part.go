package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
)

// part is a part of the network that runs in parallel with others, and what is counted in it.
type part struct {
	n      *Network
	engine *engine.Engine // nil: another program moves the network on (Hosted)
	pool   *core.Pool
	tally
	failures
	// reactions hold what is noted at the start and the end of flows, by scheme.
	reactions []Reaction
	news      []news
	placed    int       // of them, how many have their final places: see merged
	forgotten []int32   // flows that have ended, whose receivers have yet to forget them
	samples   int64     // of queues, taken so far
	line      *waitLine // nil: another program moves the network on
	programs  *programs // of hosts; nil: there are none
	released  []int32   // room for release
	running   []int32   // flows that have started and may still run, if there are several parts
}

// partition is the network in parts.
type partition struct {
	cut   []uint8 // by node: its part; nil: there is one only
	parts []*part
	news  []news    // not delivered yet
	met   core.Time // all parts have run what is before it; core.Never: all have reached the same time
}

// tally counts flows and packets.
type tally struct {
	started, ended int
	lost, dropped  int64
	lostFrames     int64 // of lost: those of links themselves, PFC and credits
}

// total is the tally of all parts.
func (n *Network) total() (t tally) {
	for _, p := range n.parts {
		t.started, t.ended = t.started+p.started, t.ended+p.ended
		t.lost, t.dropped, t.lostFrames = t.lost+p.lost, t.dropped+p.dropped, t.lostFrames+p.lostFrames
	}
	return t
}

// lose counts a packet that a link loses.
func (p *part) lose(_ engine.PortID, packet *core.Packet) {
	p.lost++
	if packet.Kind == core.Pause || packet.Kind == core.Credit {
		p.lostFrames++
	}
}

// now is the time of the event that runs.
func (p *part) now() core.Time {
	if p.engine != nil {
		return p.engine.Now()
	}
	return p.n.loop.Now()
}

// apart reports whether other parts run at the same time in the order of scheduling.
func (p *part) apart() bool { return p.engine != nil && p.engine.Apart() }

// partOf returns the part of a node.
func (n *Network) partOf(node core.NodeID) *part {
	if len(n.parts) == 1 {
		return n.parts[0]
	}
	return n.parts[n.cut[node]]
}

// over reports whether the run has come to its end.
func (n *Network) over() bool {
	return n.halted || n.Setup.Stop == core.Never && !n.mayGrow && n.allEnded()
}

// allEnded reports whether all flows have ended, and no program is to do anything.
func (n *Network) allEnded() bool { return n.Ended() == len(n.flows) && !n.programsPending() }

// HaltAtRest is Halt for a watcher that has found that from a time on nothing has happened, nor ever would, but what links
// repeat: pauses, credits.
func (n *Network) HaltAtRest(since core.Time) {
	n.rest = since
	n.Halt()
}

// Halt, called by a watcher or a process, ends the run.
func (n *Network) Halt() {
	n.halted = true
	n.parts[0].engine.Halt()
}
