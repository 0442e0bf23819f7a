package core

// Node is a device. The host calls it with a Turn and afterwards carries out the turn's
// actions in order. Calls that find nothing to do are harmless.
type Node interface {
	// Receive hands over a packet that has arrived on a port.
	Receive(t *Turn, port int, p *Packet)
	// TxDone says that the port is free again. The host calls it only where a Transmit
	// had More set or a Kick followed.
	TxDone(t *Turn, port int)
	// Wake says that the deadline of the port's timer has come.
	Wake(t *Turn, port int)
	// SetLink says that the port's link has gone down or come up.
	SetLink(t *Turn, port int, up bool)
}

// Router tells the equal-cost egress ports of a node towards a host.
type Router interface {
	Next(node, dst NodeID) []uint16
}

// ActionKind is what a node wants done.
type ActionKind uint8

// Kinds of action.
const (
	// Transmit: put Packet on Port's link; the port is busy until At. With More the node
	// wants TxDone then.
	Transmit ActionKind = iota
	// Kick: the node has something to send on a port that is, or may be, busy: call
	// TxDone when it is free, at once if it is already.
	Kick
	// SetWake: call Wake for Port at At; replaces the port's earlier deadline; Never cancels.
	SetWake
	// FlowDone: the flow Flow, opened at this node, has been acknowledged completely.
	FlowDone
	// FlowFailed: the flow has been given up after too many time-outs, or as long without progress.
	FlowFailed
	// FlowReceived: the queue pair Flow has received its last byte in order.
	FlowReceived
	// Dropped: Packet was discarded for lack of buffer or of a route, or with its link. The host frees it.
	Dropped
	// Paused and Resumed: a PFC frame for class Class has been received on Port.
	Paused
	Resumed
	// Delivered: Packet, a datagram, has arrived. The host frees it.
	Delivered
)

// String returns the name of the kind.
func (k ActionKind) String() string {
	names := [...]string{"Transmit", "Kick", "SetWake", "FlowDone", "FlowFailed", "FlowReceived", "Dropped", "Paused", "Resumed", "Delivered"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Action is one thing that a node wants done.
type Action struct {
	Packet *Packet
	At     Time // SetWake: the deadline; Transmit: the end of the transmission
	Flow   int32
	Port   int32
	Kind   ActionKind
	More   bool
	Class  uint8
}

// Instant is a place in the order of events.
type Instant struct {
	// Now is the current time.
	Now Time
	// Born is when the event now running was scheduled; of an arrival it may be a picosecond later (Schedules). Where
	// equal times are settled by scheduling order, a timer armed before Born fires before the event. A host that lets
	// timers go first at equal times sets Never.
	Born Time
}

// Fired reports whether a timer due at due and armed at armed comes before this instant:
// the rule by which lazily evaluated timers keep the order of events.
func (i Instant) Fired(due, armed Time) bool {
	return due < i.Now || due == i.Now && armed < i.Born
}

// Schedules returns Born of an arrival at a time that the event now running schedules. The time may be that of the next
// tick of a timer that ticks now, with the period at-Now. If the tick of now, which was scheduled a period ago, comes
// before this event, it has scheduled the next one before the arrival, which then has Now+1.
func (i Instant) Schedules(at Time) Time {
	if i.Now.Sub(i.Born) < at.Sub(i.Now) {
		return i.Now + 1
	}
	return i.Now
}

// Turn is one call of a node: what it is told, and what it answers. The host owns it and
// uses it again; nodes keep no pointer to it.
type Turn struct {
	Instant
	// Actions collects what must happen. The host empties it.
	Actions []Action
	// Trace collects packet records. Nil: tracing is off.
	Trace *Trace
	// Draws collects decisions by chance about packets, in their order, of which nothing may depend but what becomes
	// of the packet at the next node. Nil: they are made at once.
	Draws *[]Draw
	// Ended reports whether a port's latest transmission from before this turn, if it ends at Now, ends
	// before the event now running. If nil, a node must Kick.
	Ended func(node NodeID, port int) bool
}

// Busy reports whether the transmission of a node's port that ends at the time end is under way, or
// may be.
func (t *Turn) Busy(node NodeID, port int, end Time) bool {
	return end > t.Now || end == t.Now && t.endsLater(node, port)
}

// endsLater reports whether a transmission that ends at Now ends after the event now running, or may:
// what begins in this turn does, even if it takes no time.
func (t *Turn) endsLater(node NodeID, port int) bool {
	if t.Ended == nil {
		return true
	}
	for i := range t.Actions {
		if a := &t.Actions[i]; a.Kind == Transmit && int(a.Port) == port {
			return true
		}
	}
	return !t.Ended(node, port)
}

// next appends an action with any contents; the caller writes all its fields in place, since a
// composite literal is built elsewhere and copied, for which the processor waits.
func (t *Turn) next() *Action {
	n := len(t.Actions)
	if n == cap(t.Actions) {
		t.grow()
	}
	t.Actions = t.Actions[:n+1]
	return &t.Actions[n]
}

// grow makes room for another action.
func (t *Turn) grow() { t.Actions = append(t.Actions, Action{})[:len(t.Actions)] }

// add appends an action of a kind, nothing else of which is set.
func (t *Turn) add(kind ActionKind, port int) *Action {
	a := t.next()
	a.Packet, a.At, a.Flow, a.Port = nil, 0, 0, int32(port)
	a.Kind, a.More, a.Class = kind, false, 0
	return a
}

// Transmit appends a Transmit action.
func (t *Turn) Transmit(port int, p *Packet, end Time, more bool) {
	a := t.next()
	a.Packet, a.At, a.Flow, a.Port = p, end, 0, int32(port)
	a.Kind, a.More, a.Class = Transmit, more, 0
}

// Kick appends a Kick action.
func (t *Turn) Kick(port int) { t.add(Kick, port) }

// SetWake appends a SetWake action.
func (t *Turn) SetWake(port int, at Time) { t.add(SetWake, port).At = at }

// Deliver appends a Delivered action.
func (t *Turn) Deliver(port int, p *Packet) { t.add(Delivered, port).Packet = p }

// PauseReceived appends what a PFC frame received on a port does: Paused or Resumed.
func (t *Turn) PauseReceived(port int, w PauseWord) {
	kind := Paused
	if w.Resume() {
		kind = Resumed
	}
	t.add(kind, port).Class = w.Classes()
}

// Flow appends FlowDone, FlowFailed or FlowReceived.
func (t *Turn) Flow(kind ActionKind, port int, flow int32) { t.add(kind, port).Flow = flow }

// Decide makes a decision by chance, now or when the number has come that the sequence has for it.
func (t *Turn) Decide(d Draw, from Random) {
	if t.Draws != nil {
		*t.Draws = append(*t.Draws, d)
		return
	}
	d.Take(from)
}

// Drop appends a Dropped action.
func (t *Turn) Drop(port int, p *Packet) { t.add(Dropped, port).Packet = p }
