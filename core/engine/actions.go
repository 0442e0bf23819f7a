package engine

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Turn returns the turn for a call of a node to which the present event does not belong, as when a process opens a flow.
// The caller calls the node with it, and then CarryOut.
func (e *Engine) Turn() *core.Turn { return &e.turn }

// join gives this part the time and the place of the event that runs in another one.
func (e *Engine) join(other *Engine) { e.turn.Instant, e.key = other.turn.Instant, other.key }

// CarryOut does what a node has asked for in the turn.
func (e *Engine) CarryOut(node core.NodeID) { e.carryOut(e.base[node]) }

// carryOut does what the turn's node, whose first port is base, has asked for.
func (e *Engine) carryOut(base PortID) {
	if a := e.turn.Actions; len(a) == 1 && a[0].Kind == core.Transmit {
		e.transmit(base+PortID(a[0].Port), &a[0])
		e.turn.Actions = e.turn.Actions[:0]
		return
	}
	e.carryOutFrom(base, 0)
}

// carryOutFrom carries out the actions from the given one on and removes them. A Kick may make
// the node ask for more: that is done in the place of the Kick, so that places in the order of
// scheduling are taken as if the port had been known to be free.
func (e *Engine) carryOutFrom(base PortID, from int) {
	for i := from; i < len(e.turn.Actions); i++ {
		a := &e.turn.Actions[i]
		id := base + PortID(a.Port)
		switch a.Kind {
		case core.Transmit:
			e.transmit(id, a)
		case core.Kick:
			n := len(e.turn.Actions)
			e.kick(id)
			e.carryOutFrom(base, n)
		case core.SetWake:
			e.setWake(id, a.At)
		case core.Dropped:
			e.Actions(e.links[base].id, a)
			e.Pool.Free(e.turn.Actions[i].Packet)
		default:
			e.Actions(e.links[base].id, a)
		}
	}
	e.turn.Actions = e.turn.Actions[:from]
}

// transmit puts a packet on the wire. It is kept out of its callers so that the compiler inlines those.
//
//go:noinline
func (e *Engine) transmit(id PortID, a *core.Action) {
	p := &e.ports[id]
	f := &a.Packet.Flight
	timeless := p.free == a.At
	p.free, f.At = a.At, a.At+core.Time(p.delay)
	if e.order == BySchedule {
		seq := *e.seq
		p.key, f.Key = seq+1, seq+2
		p.born, f.Born = e.turn.Now, e.turn.Schedules(f.At)
		*e.seq = seq + 2
		if e.page != nil {
			e.claimTransmission(id, a.Packet)
		}
	} else {
		p.key, f.Key = entityKey(rankTxDone, id), entityKey(rankArrive, id)
		p.born, f.Born = core.Never, core.Never
		if timeless {
			f.Key += e.links[id].inRow(a.At)
		}
	}
	if a.More {
		e.queue.set(int32(id)*slotsPerPort+slotTxDone, p.free, p.key, p.born)
	}
	a.Packet.Landing = int32(p.peer)
	if p.abroad != 0 {
		e.border.send(p.abroad-1, a.Packet)
		return
	}
	e.queue.push(a.Packet)
}

func (e *Engine) ended(node core.NodeID, port int) bool {
	return e.isFree(&e.ports[e.Port(node, port)])
}

// isFree reports whether a port's last transmission ended before the present event.
func (e *Engine) isFree(p *port) bool {
	return p.free < e.turn.Now || p.free == e.turn.Now && p.key < e.key
}

// kick calls TxDone: now if the end of the transmission lies before the present event, else
// when it comes.
func (e *Engine) kick(id PortID) {
	p := &e.ports[id]
	s := int32(id)*slotsPerPort + slotTxDone
	switch {
	case e.queue.pending(s):
	case e.isFree(p):
		p.node.TxDone(&e.turn, int(p.local))
	default:
		e.queue.set(s, p.free, p.key, p.born)
	}
}

func (e *Engine) setWake(id PortID, at core.Time) {
	s := int32(id)*slotsPerPort + slotWake
	if at == core.Never {
		e.queue.clear(s)
		return
	}
	if at < e.turn.Now {
		panic(fmt.Sprintf("engine: node %d asked at %v to be woken at %v", e.links[id].id, e.turn.Now, at))
	}
	key, born := entityKey(rankWake, id), core.Never
	if e.order == BySchedule {
		key, born = e.Reserve(), e.turn.Now
		if e.page != nil {
			e.page.claim(s)
		}
	}
	e.queue.set(s, at, key, born)
}

// SetLink takes the link at port a down or up, at both ends. What is in flight on it is lost
// if it arrives while the link is down.
func (e *Engine) SetLink(a PortID, up bool) {
	e.setLink(a, up, func(core.NodeID) *Engine { return e })
}

// setLink is SetLink with the engines of the nodes.
func (e *Engine) setLink(a PortID, up bool, of func(core.NodeID) *Engine) {
	ends := [2]PortID{a, e.ports[a].peer}
	for _, id := range ends {
		p := &e.ports[id]
		p.down = !up
		p.faulty = p.down || e.links[id].loss > 0
	}
	for _, id := range ends {
		p, own := &e.ports[id], of(e.links[id].id)
		p.node.SetLink(&own.turn, int(p.local), up)
		own.carryOut(p.base)
	}
}
