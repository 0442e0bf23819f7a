package engine

import "github.com/qbb-sim/qbb/core"

// plain is the engine without a shortcut: every arrival, every end of a transmission and every
// timer is an event of its own in an unsorted list, and the next one is found by looking.
type plain struct {
	order     Order
	seq       uint64
	turn      core.Turn
	events    []plainEvent
	ports     []plainPort
	first     []PortID
	nodes     []core.Node
	processes []Process
	drop      func(*core.Packet)
	dropped   func(node core.NodeID, a *core.Action)
}

type plainEvent struct {
	at, born core.Time
	key      uint64
	kind     uint64 // a rank
	port     PortID
	process  int
	packet   *core.Packet
}

type plainPort struct {
	owner      core.NodeID
	peer       PortID
	delay      core.Duration
	busy, down bool
	loss       float64
	chance     core.Random
}

func (e *plain) schedule(ev plainEvent) {
	if e.order == ByEntity {
		ev.key, ev.born = ev.kind<<60|uint64(ev.port)|uint64(ev.process), core.Never
	} else {
		e.seq++
		ev.key, ev.born = e.seq, e.turn.Now
		if ev.kind == rankArrive {
			ev.born = e.turn.Schedules(ev.at)
		}
	}
	e.events = append(e.events, ev)
}

func (e *plain) cancel(kind uint64, port PortID, process int) {
	for i, ev := range e.events {
		if ev.kind == kind && ev.port == port && ev.process == process {
			e.events = append(e.events[:i], e.events[i+1:]...)
			return
		}
	}
}

// step runs the next event if there is one.
func (e *plain) step() bool {
	best := -1
	for i, ev := range e.events {
		if best < 0 || ev.at < e.events[best].at || ev.at == e.events[best].at && ev.key < e.events[best].key {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	ev := e.events[best]
	e.events = append(e.events[:best], e.events[best+1:]...)
	e.turn.Now, e.turn.Born = ev.at, ev.born
	p := &e.ports[ev.port]
	switch ev.kind {
	case rankProcess:
		e.processes[ev.process].Run(ev.at)
		return true
	case rankTxDone:
		p.busy = false
		e.nodes[p.owner].TxDone(&e.turn, e.local(ev.port))
	case rankWake:
		e.nodes[p.owner].Wake(&e.turn, e.local(ev.port))
	case rankArrive:
		if p.down || p.loss > 0 && p.chance.Float64() < p.loss {
			e.drop(ev.packet)
			return true
		}
		p = &e.ports[p.peer]
		e.nodes[p.owner].Receive(&e.turn, e.local(e.ports[ev.port].peer), ev.packet)
	}
	e.CarryOut(p.owner)
	return true
}

func (e *plain) local(id PortID) int { return int(id - e.first[e.ports[id].owner]) }

// CarryOut carries out a node's actions at once: the results of a Kick come in its place.
func (e *plain) CarryOut(node core.NodeID) {
	actions := e.turn.Actions
	e.turn.Actions = nil
	for _, a := range actions {
		id := e.first[node] + PortID(a.Port)
		switch a.Kind {
		case core.Transmit:
			e.ports[id].busy = true
			e.schedule(plainEvent{at: a.At, kind: rankTxDone, port: id})
			e.schedule(plainEvent{at: a.At.Add(e.ports[id].delay), kind: rankArrive, port: id, packet: a.Packet})
		case core.Kick:
			if !e.ports[id].busy {
				e.nodes[node].TxDone(&e.turn, int(a.Port))
				e.CarryOut(node)
			}
		case core.SetWake:
			e.cancel(rankWake, id, 0)
			if a.At != core.Never {
				e.schedule(plainEvent{at: a.At, kind: rankWake, port: id})
			}
		case core.Dropped:
			e.dropped(node, &a)
			e.drop(a.Packet)
		}
	}
}

// Turn, AddProcess, ScheduleProcess and SetLink are those of Engine.
func (e *plain) Turn() *core.Turn { return &e.turn }

func (e *plain) AddProcess(p Process) ProcessID {
	e.processes = append(e.processes, p)
	return ProcessID(len(e.processes) - 1)
}

func (e *plain) ScheduleProcess(id ProcessID, at core.Time) {
	e.cancel(rankProcess, 0, int(id))
	e.schedule(plainEvent{at: at, kind: rankProcess, process: int(id)})
}

func (e *plain) SetLink(a PortID, up bool) {
	ends := [2]PortID{a, e.ports[a].peer}
	for _, id := range ends {
		e.ports[id].down = !up
	}
	for _, id := range ends {
		e.nodes[e.ports[id].owner].SetLink(&e.turn, e.local(id), up)
		e.CarryOut(e.ports[id].owner)
	}
}
