package switching

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// sink is a connection at its destination ToR. REROUTED packets that come before the TAIL of their epoch are held, and so is
// what follows them, until TAIL has passed or is given up. The paper holds them in a paused queue of the port to
// the host; here there is one for each connection that needs it. They take part in the accounts of the buffer, and in PFC, as if
// they had been queued, but are in no queue of a class: neither do they count for ECN, nor as depth. In lossy classes a connection
// may hold as much as a queue of the class at its port; what it lets go joins that queue, whatever that holds.
type sink struct {
	key   connection
	ports [2]uint16 // source and destination, of the last packet
	out   int       // port to the host
	epoch uint32
	known bool // there is an epoch
	clear bool // TAIL of the epoch has passed, or is given up
	held  core.Queue
	bytes core.Bytes // held
	until core.Time  // what is held is held
	tail  uint32     // time stamp of the TAIL that is missing
	// The last packet of the old path: its time stamp, and when it came.
	measured bool
	left     uint32
	came     core.Time
	last     core.Time // packet
}

// unweave takes a label off a packet and lets it through to its host at port out, or holds it. It returns false if the packet
// has lost its payload: such a one has overtaken others, and goes on as it is; if it was TAIL, that is given up.
func (s *Switch) unweave(t *core.Turn, in, out int, p *core.Packet) bool {
	l, stamp := label(p.Sack), p.HostNanos
	if p.Flags&core.Trimmed != 0 {
		p.Sack, p.HostNanos = 0, 0
		return false
	}
	e := s.weaver.sink(t.Now, connection{p.Src, p.SrcQP})
	e.ports, e.out = [2]uint16{p.SrcPort, p.DstPort}, out
	if l&request != 0 {
		s.answer(t, rttReply, e.key, l.path(), l.epoch(), e.ports)
	}
	if p.Flags&core.CE != 0 {
		s.answer(t, pathBusy, e.key, l.path(), l.epoch(), e.ports)
	}
	if e.holds(l) {
		s.holdNew(t, in, e, p)
		return true
	}
	p.Sack, p.HostNanos = 0, 0
	if l&rerouted == 0 && l.epoch() == e.epoch {
		e.measured, e.left, e.came = true, stamp, t.Now
		if !e.held.Empty() {
			s.wait(t, e)
		}
	}
	s.forward(t, in, out, p)
	s.passed(t, e, l)
	return true
}

// sink returns the state of a connection of which a packet has come. What it knows of one without packets for long is forgotten:
// the numbers of epochs may have wrapped.
func (w *weaver) sink(now core.Time, c connection) *sink {
	over := func(e *sink) bool { return e.held.Empty() && now.Sub(e.last)/memory > w.Inactive }
	e := w.sinks[c]
	switch {
	case e == nil:
		sweep(w.sinks, &w.manySinks, over)
		e = &sink{key: c}
		w.sinks[c] = e
	case over(e):
		*e = sink{key: c}
	}
	e.last = now
	return e
}

// holds reports whether a packet must wait. A later epoch begins unless something of the one before is held. What is late itself,
// since TAIL was given up, does not wait.
func (e *sink) holds(l label) bool {
	if !e.known || laterEpoch(l.epoch(), e.epoch) {
		if !e.held.Empty() {
			return true
		}
		if e.clear { // the path is another
			e.measured = false
		}
		e.epoch, e.known, e.clear = l.epoch(), true, false
	}
	return l&rerouted != 0 && l.epoch() == e.epoch && !e.clear
}

// passed notes that a packet has been let through. After TAIL goes what is held, and the source may begin an epoch: CLEAR.
func (s *Switch) passed(t *core.Turn, e *sink, l label) {
	if l&tail != 0 && l.epoch() == e.epoch && !e.clear {
		s.resume(t, e, l.path())
	}
}

// holdNew holds a packet that has just arrived, if there is room.
func (s *Switch) holdNew(t *core.Turn, in int, e *sink, p *core.Packet) {
	if !s.takes(t, in, e.out, p, e) {
		return
	}
	if p.Flags&core.Trimmed != 0 {
		p.Sack, p.HostNanos = 0, 0
		s.join(t, e.out, p)
		return
	}
	s.hold(t, e, p)
}

// hold puts a packet of which the buffer is taken behind what is held.
func (s *Switch) hold(t *core.Turn, e *sink, p *core.Packet) {
	first := e.held.Empty()
	e.held.Push(p)
	e.bytes += core.Bytes(p.Size)
	if first {
		s.weaver.holding[e.out] = append(s.weaver.holding[e.out], e)
		e.tail = p.HostNanos
		s.wait(t, e)
	}
}

// wait estimates how long what is held must be held: TAIL takes as long on its way as the last packet on the old path did, by
// the clock of the source, and theta_resume more. As long as nothing of the old path has come, the clock
// begins with the first packet held. Time stamps wrap: of the times that TAIL's may mean, it is the one for which TAIL would come
// about now.
func (s *Switch) wait(t *core.Turn, e *sink) {
	from := t.Now
	if e.measured {
		since := int64(t.Now.Sub(e.came) / core.Nanosecond)
		from = e.came.Add(core.Duration(since+int64(int32(e.tail-e.left-uint32(since)))) * core.Nanosecond)
	}
	e.until = max(t.Now, from.Add(s.weaver.Resume))
	if e.until < s.ports[e.out].wake { // to look at all that is held whenever one waits for longer would take long
		s.arm(t, e.out)
	}
}

// resume lets go what is held, all in the order in which it has come, but for what must wait for the TAIL of a later epoch.
func (s *Switch) resume(t *core.Turn, e *sink, path uint16) {
	e.clear = true
	s.answer(t, allClear, e.key, path, e.epoch, e.ports)
	held := s.letGo(t, e)
	for p := held.Pop(); p != nil; p = held.Pop() {
		l := label(p.Sack)
		if e.holds(l) {
			s.hold(t, e, p)
			continue
		}
		p.Sack, p.HostNanos = 0, 0
		class := p.Prio & 7
		s.join(t, e.out, p)
		s.judgeAsIs(&s.ports[e.out], class)
		s.passed(t, e, l)
	}
}

// letGo takes all that is held.
func (s *Switch) letGo(t *core.Turn, e *sink) core.Queue {
	held, list := e.held, &s.weaver.holding[e.out]
	if !held.Empty() {
		i := slices.Index(*list, e)
		*list = slices.Delete(*list, i, i+1)
		s.arm(t, e.out)
	}
	e.held, e.bytes = core.Queue{}, 0
	return held
}

// giveUp lets go what has been held at a port for long enough.
func (s *Switch) giveUp(t *core.Turn, at int) {
	for {
		i := slices.IndexFunc(s.weaver.holding[at], func(e *sink) bool { return e.until <= t.Now })
		if i < 0 {
			return
		}
		e := s.weaver.holding[at][i]
		s.weaver.count.GivenUp++
		s.resume(t, e, label(e.held.Front().Sack).path())
	}
}

// next is when something held at a port is given up first.
func (w *weaver) next(at int) core.Time {
	next := core.Never
	for _, e := range w.holding[at] {
		next = min(next, e.until)
	}
	return next
}

// flushHeld drops what is held for a port whose link has failed.
func (s *Switch) flushHeld(t *core.Turn, at int) {
	for list := s.weaver.holding[at]; len(list) > 0; list = s.weaver.holding[at] {
		e := list[0]
		held := s.letGo(t, e)
		e.clear = true
		for p := held.Pop(); p != nil; p = held.Pop() {
			o := &s.ports[at]
			if t.Trace != nil {
				t.Trace.AddFlushed(t.Now, s.cfg.ID, at, p.Prio, o.queues[p.Prio&7].bytes, p)
			}
			s.release(t, p)
			o.count.Flushed++
			t.Drop(at, p)
		}
	}
}
