package switching

import "github.com/qbb-sim/qbb/core"

// numQueues is the number of priorities of a port (802.1Q).
const numQueues = 8

// port is one port: its egress queues, and the PFC state of both directions. What every packet
// needs comes first, close together.
type port struct {
	ingress ingress
	_       [32]byte // to 128 bytes

	free    core.Time  // end of the transmission under way; -1 if there is none
	tx      core.Bytes // sent from queues 1 to 7
	packets int64      // sent
	depth   core.Bytes
	deepest core.Bytes
	waiting core.Time // since when packets wait for a pause to end
	kmin    core.Bytes
	active  uint8 // queues that hold something
	paused  uint8 // classes other than 0 that must not send: the neighbour has paused them, or they are in a storm
	strict  uint8 // classes that go before others
	last    uint8 // of the other data queues, the one served last
	kicked  bool  // TxDone has been asked for
	up      bool

	congested uint8 // ABM: queues that are
	storm     uint8 // classes of which the watchdog drops what comes

	sizes  core.TxCache
	meter  meter
	queues [numQueues]queue
	shares *shares // nil: classes are served in turn

	rate    core.Rate
	control core.Bytes // sent from queue 0
	kmax    core.Bytes
	pmax    float64

	count   core.Counters // but for what ingress and egress count
	pauses  core.Pauses
	refresh [numQueues]core.Time // when to repeat the pause that is in force upstream
	wake    core.Time            // deadline last asked for
	trimmed trimmed

	watchdog *watchdog // nil: there is none
}

// queue is the queue of one priority.
type queue struct {
	core.Queue
	bytes core.Bytes
}

func (o *port) init(cfg *Config, pc *PortConfig) {
	*o = port{
		ingress: ingress{Headroom: pc.Headroom, Shift: pc.Shift},
		free:    -1, up: true, rate: pc.Rate, strict: cfg.Strict, kmin: pc.KMin, kmax: pc.KMax, pmax: pc.PMax,
		sizes: core.NewTxCache(cfg.Timing, pc.Rate), wake: core.Never, waiting: core.Never,
		meter: newMeter(&cfg.Meter), shares: newShares(&cfg.Weights, cfg.MTU), watchdog: newWatchdog(&cfg.Watchdog),
	}
	for i := range o.refresh {
		o.refresh[i] = core.Never
	}
}

// enqueue puts p into the queue of its priority.
func (o *port) enqueue(t *core.Turn, cfg *Config, index int, p *core.Packet) {
	q := &o.queues[p.Prio]
	if t.Trace != nil {
		t.Trace.Add(t.Now, cfg.ID, index, p.Prio, core.EventEnqueue, q.bytes, p)
	}
	if p.Kind == core.Data && p.Flags&core.Trimmed != 0 {
		o.trimmed.Push(p)
	} else {
		q.Push(p)
	}
	o.active |= 1 << p.Prio
	q.bytes += core.Bytes(p.Size)
	if p.Prio != 0 {
		o.meter.change(t.Now, o.depth)
		o.depth += core.Bytes(p.Size)
		o.deepest = max(o.deepest, o.depth)
	}
}

// dequeue takes the first packet of queue i.
func (o *port) dequeue(now core.Time, i int) *core.Packet {
	q := &o.queues[i]
	p := o.pop(i)
	if q.Empty() && (i != 0 || o.trimmed.Empty()) {
		o.active &^= 1 << i
	}
	q.bytes -= core.Bytes(p.Size)
	if i != 0 {
		o.meter.change(now, o.depth)
		o.depth -= core.Bytes(p.Size)
	}
	return p
}

// pop takes the first packet of queue i, or nil: in queue 0, trimmed ones wait for the others.
func (o *port) pop(i int) *core.Packet {
	p := o.queues[i].Pop()
	if p == nil && i == 0 {
		p = o.trimmed.Pop()
	}
	return p
}

// ready returns the queues that hold something and may send. Queue 0 is never paused.
func (o *port) ready() uint8 { return o.active &^ o.paused }

// trySend starts the next transmission if the port is free and something may be sent.
func (s *Switch) trySend(t *core.Turn, out int) {
	o := &s.ports[out]
	ready := o.ready()
	switch {
	case !o.up || o.active == 0:
		return
	case ready == 0:
		o.wait(t.Now)
		return
	case t.Busy(s.cfg.ID, out, o.free):
		if !o.kicked {
			o.kicked = true
			t.Kick(out)
		}
		return
	}
	s.start(t, o, out, o.dequeue(t.Now, o.next(ready)))
}

// start puts a packet that has left its queue on the wire.
func (s *Switch) start(t *core.Turn, o *port, out int, p *core.Packet) {
	if o.waiting != core.Never {
		o.waited(t.Now)
	}
	o.free, o.kicked = t.Now+core.Time(o.sizes.TxTime(p.Size)), true // leave may queue a frame on this port
	if p.Prio != 0 {
		o.served(p.Prio)
		s.leave(t, o, out, p)
	}
	if t.Trace != nil {
		t.Trace.Add(t.Now, s.cfg.ID, out, p.Prio, core.EventDequeue, o.queues[p.Prio].bytes, p)
	}
	o.packets++
	if p.Prio == 0 {
		s.leaveControl(t.Now, o, out, p)
	}
	o.kicked = o.ready() != 0
	if o.active != 0 && !o.kicked {
		o.wait(o.free)
	}
	t.Transmit(out, p, o.free, o.kicked)
}

// leaveControl does what a packet of queue 0 undergoes between its queue and the wire.
func (s *Switch) leaveControl(now core.Time, o *port, out int, p *core.Packet) {
	o.control += core.Bytes(p.Size)
	if p.Kind == core.Pause || p.Kind == core.Credit {
		o.count.SentByLink(p)
	}
	if s.conga != nil {
		s.conga.leave(now, out, p)
	}
}

// wait notes that from now on packets wait for a pause to end.
func (o *port) wait(from core.Time) {
	if o.waiting == core.Never {
		o.waiting = max(from, o.free)
	}
}

// waited ends a wait and counts it.
func (o *port) waited(now core.Time) { o.count.Waited, o.waiting = o.waitedBy(now), core.Never }

// waitedBy returns the time of all waits up to now.
func (o *port) waitedBy(now core.Time) core.Duration {
	if o.waiting == core.Never {
		return o.count.Waited
	}
	return o.count.Waited + max(0, now.Sub(o.waiting))
}

// leave does what a packet of a data queue undergoes between its queue and the wire.
func (s *Switch) leave(t *core.Turn, o *port, out int, p *core.Packet) {
	in := &s.ports[p.InPort].ingress
	if s.lanes != nil {
		s.giveOut(t, o, out, p)
	} else {
		s.buffer.release(in, p.Prio, core.Bytes(p.Size))
	}
	s.judgeAsIs(o, p.Prio&7)
	if !s.cfg.ECN.AtEnqueue {
		s.markECN(t, o, p)
	}
	if s.lossless != 0 && s.buffer.mayResume(in, p.Prio) {
		s.sendResume(t, int(p.InPort), p.Prio)
	}
	if p.Kind == core.Data && p.INT != nil {
		s.stampINT(t, o, p)
	}
	if s.departs {
		s.showLeaving(t, o, out, p)
	}
	o.tx += core.Bytes(p.Size)
}

// flush empties the state of a port whose link has failed.
func (o *port) flush(t *core.Turn, cfg *Config) {
	o.meter.change(t.Now, o.depth)
	if cfg.Buffer.KeepOnFlush {
		o.meter.kept += o.depth
	}
	o.depth, o.active = 0, 0
	if o.shares != nil {
		o.shares.deficit = [numQueues]int64{}
	}
	o.pauses.Clear(t.Now)
	o.paused = 0
	if o.waiting != core.Never {
		o.waited(t.Now)
	}
}
