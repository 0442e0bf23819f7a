package engine

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// Order says how events of equal time are put in order.
type Order uint8

// Orders of events of equal time.
const (
	// ByEntity orders by kind of event, then node and port.
	ByEntity Order = iota
	// BySchedule orders as the events were scheduled, as NS-3 does.
	BySchedule
)

// Engine runs a network, or the part of one that a [Group] has given it.
type Engine struct {
	Pool *core.Pool
	// Actions receives what the engine itself has no use for: flows done, packets dropped,
	// pauses. The action is valid during the call only. New sets one that does nothing.
	Actions func(node core.NodeID, a *core.Action)
	// Lost, if set, is called for every packet that a link loses, before it is freed, with the port that
	// has sent it.
	Lost func(port PortID, p *core.Packet)

	queue     *queue
	order     Order
	seq       *uint64 // what has been scheduled so far: in the run, or on the page
	key       uint64  // of the event now running
	turn      core.Turn
	base      []PortID // first port of each node; one more at the end
	ports     []port
	links     []link // by port
	processes []Process
	beat      beat
	watch     watch
	until     core.Time // to where Run may go
	calm      core.Time // up to here nothing needs checking between two events
	border    *border   // nil: the whole network is this engine's
	pages     [2]page
	page      *page // that is open; nil: none
	defers    bool  // draws wait until the pages are merged
	tells     bool  // set by Tell
	alone     bool  // set by RunAlone
	hops      int64
	events    int64
	halted    bool
	_         [64]byte // keeps what other parts write off the cache lines of the fields above
}

// PortID numbers all ports of the network: those of node 0 first.
type PortID int32

// Process is something other than a port that happens at given times, such as the start of
// a flow.
type Process interface{ Run(now core.Time) }

// ProcessID names a process of one engine.
type ProcessID int32

// port is one end of a link: one cache line.
type port struct {
	node   core.Node
	peer   PortID
	base   PortID // first port of the node
	local  int32
	faulty bool // the direction of the link that leads here is down or loses packets
	down   bool
	abroad uint8 // 1 + part of the peer, if that is another engine's; else 0

	free  core.Time // end of the transmission
	key   uint64    // of that end
	born  core.Time // its start
	delay core.Duration
}

// link is the part of a port that is rarely needed.
type link struct {
	id     core.NodeID
	loss   float64 // of the direction that leads here
	chance core.Random
	last   core.Time // end of the last transmission that took no time
	row    uint64    // how many such transmissions ended at that time, one after the other
}

// Each port owns two slots of the queue.
const (
	slotTxDone = iota
	slotWake
	slotsPerPort
)

// New returns an engine for nodes with the given numbers of ports.
func New(order Order, pool *core.Pool, portsOfNode []int) *Engine {
	e := &Engine{Pool: pool, order: order, seq: new(uint64), base: make([]PortID, len(portsOfNode)+1)}
	e.Actions = func(core.NodeID, *core.Action) {}
	for i, n := range portsOfNode {
		e.base[i+1] = e.base[i] + PortID(n)
		for k := range n {
			e.ports = append(e.ports, port{base: e.base[i], local: int32(k), peer: -1, free: -1})
			e.links = append(e.links, link{id: core.NodeID(i)})
		}
	}
	e.queue = newQueue(len(e.ports) * slotsPerPort)
	e.turn.Ended = e.ended
	e.beat.at, e.watch.at = core.Never, core.Never
	return e
}

// Attach gives a node its machine.
func (e *Engine) Attach(id core.NodeID, n core.Node) {
	for p := e.base[id]; p < e.base[id+1]; p++ {
		e.ports[p].node = n
	}
}

// Connect joins two ports by a link with the given propagation delay.
func (e *Engine) Connect(a, b PortID, delay core.Duration) {
	e.ports[a].peer, e.ports[b].peer = b, a
	e.ports[a].delay, e.ports[b].delay = delay, delay
}

// Lossy makes the link that leads away from a port, which is connected, lose packets with a
// probability.
func (e *Engine) Lossy(p PortID, loss float64, chance core.Random) {
	q := e.ports[p].peer
	e.links[q].loss, e.links[q].chance, e.ports[q].faulty = loss, chance, true
}

// Port returns the id of a node's port.
func (e *Engine) Port(node core.NodeID, local int) PortID { return e.base[node] + PortID(local) }

// Trace makes nodes record packet events; nil turns that off.
func (e *Engine) Trace(tr *core.Trace) { e.turn.Trace = tr }

// Now returns the current time.
func (e *Engine) Now() core.Time { return e.turn.Now }

// Hops returns the number of packets other than link-level frames that have crossed a link.
func (e *Engine) Hops() int64 { return e.hops }

// Events returns the number of events that have run.
func (e *Engine) Events() int64 { return e.events }

// Place returns the place of the event now running among those of its time.
func (e *Engine) Place() uint64 { return e.key }

// Idle reports whether nothing is left to happen.
func (e *Engine) Idle() bool { return e.Still() && e.beat.at == core.Never }

// Still reports whether nothing is left to happen but the beat.
func (e *Engine) Still() bool { return e.queue.len() == 0 }

// AddProcess registers a process; ScheduleProcess makes it run.
func (e *Engine) AddProcess(p Process) ProcessID {
	e.processes = append(e.processes, p)
	e.queue.grow(len(e.ports)*slotsPerPort + len(e.processes))
	return ProcessID(len(e.processes) - 1)
}

// ScheduleProcess makes a process run at a time not before now; it replaces its earlier time.
func (e *Engine) ScheduleProcess(id ProcessID, at core.Time) {
	e.ScheduleReserved(id, at, e.Reserve(), e.turn.Now)
}

// Reserve takes the next place in the order of scheduling, for an event that is put into the
// queue later by ScheduleReserved, or never.
func (e *Engine) Reserve() uint64 {
	*e.seq++
	return *e.seq
}

// ScheduleReserved is ScheduleProcess with a place that Reserve has given, at the time born.
func (e *Engine) ScheduleReserved(id ProcessID, at core.Time, place uint64, born core.Time) {
	if e.order == ByEntity {
		place, born = rankProcess<<60|uint64(id), core.Never
	}
	e.queue.set(int32(len(e.ports)*slotsPerPort)+int32(id), at, place, born)
}

// Run runs events up to and including the time until, at most n of them, and returns how many
// it ran. With fewer than n, unless Halt was called, all events up to until have run and Now is
// until.
func (e *Engine) Run(until core.Time, n int) int {
	e.halted = false
	ran := e.advance(until, n)
	if ran < n && !e.halted {
		e.catchUp(until, math.MaxUint64)
		if until != core.Never && until > e.turn.Now && !e.halted {
			e.turn.Now = until
		}
	}
	return ran
}

// advance runs events up to and including the time until, at most n of them, and returns how many.
// Now is the time of the last one.
func (e *Engine) advance(until core.Time, n int) int {
	e.until = until
	e.setCalm()
	q, ran := e.queue, 0
	for ; ran < n && q.ready(until); ran++ {
		ev := q.front()
		if ev.at > e.calm && !e.mayRun(ev) {
			break
		}
		q.pop()
		e.turn.Now, e.key = ev.at, ev.key
		if p := ev.packet; p != nil {
			e.arrive(p)
		} else {
			e.fire(ev.slot)
		}
		if e.page != nil {
			e.page.close(e.turn.Now, e.key)
		}
	}
	e.events += int64(ran)
	return ran
}

// fire runs the event of a slot: of a port or a process.
func (e *Engine) fire(s int32) {
	e.turn.Born = e.queue.fire(s)
	i := uint32(s) / slotsPerPort
	if i >= uint32(len(e.ports)) {
		e.processes[int(s)-len(e.ports)*slotsPerPort].Run(e.turn.Now)
		return
	}
	p := &e.ports[i]
	if uint32(s)%slotsPerPort == slotTxDone {
		p.node.TxDone(&e.turn, int(p.local))
	} else {
		p.node.Wake(&e.turn, int(p.local))
	}
	e.carryOut(p.base)
}

// Halt ends Run after the present event, or the present look.
func (e *Engine) Halt() {
	e.halted = true
	e.setCalm()
}

// arrive delivers a packet that was in flight.
func (e *Engine) arrive(packet *core.Packet) {
	e.turn.Born = packet.Flight.Born
	p := &e.ports[packet.Landing]
	if p.faulty && e.loses(p, &e.links[packet.Landing]) {
		if e.Lost != nil {
			e.Lost(p.peer, packet)
		}
		e.Pool.Free(packet)
		return
	}
	if packet.Kind != core.Pause && packet.Kind != core.Credit {
		e.hops++
	}
	p.node.Receive(&e.turn, int(p.local), packet)
	if a := e.turn.Actions; len(a) == 1 && a[0].Kind == core.Transmit {
		e.transmit(p.base+PortID(a[0].Port), &a[0])
		e.turn.Actions = e.turn.Actions[:0]
	} else if len(a) > 0 {
		e.carryOutFrom(p.base, 0)
	}
}

// loses decides whether a packet is lost that arrives on a link that is down or loses some.
func (e *Engine) loses(p *port, l *link) bool {
	return p.down || l.chance.Float64() < l.loss
}
