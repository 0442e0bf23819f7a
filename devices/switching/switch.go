package switching

import (
	"math/bits"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Switch is a switch; a core.Node.
type Switch struct {
	cfg                    Config
	pool                   *core.Pool
	buffer                 buffer
	ports                  []port
	lanes                  []lanes               // by port; nil without credit flow control
	markers                [][]algorithms.Marker // by scheme and port
	atArrival, atDeparture []int                 // schemes whose congestion points see packets then
	watched                bool                  // congestion points see arrivals, or there are credits
	lossless               uint8                 // classes that are paused before they are dropped
	storming               int32                 // classes of ports that are in a storm
	judged                 uint8                 // classes whose congested queues ABM counts
	sight                  algorithms.Sight
	mark                   algorithms.Mark
	paths                  paths
	balancer               balancer
	weaver                 *weaver          // nil: load is not balanced by ConWeave
	conga                  *conga           // nil: not CONGA
	departs                bool             // CONGA or congestion points see departures
	congested              [numQueues]int32 // ABM: how many queues of a class are congested
	watchdogs              WatchdogCounters
}

var _ core.Node = (*Switch)(nil)

// New returns a switch with empty queues. It panics if the configuration is inconsistent.
func New(cfg Config) *Switch {
	cfg.Pool.MustHold(&cfg.INT)
	s := &Switch{cfg: cfg, pool: cfg.Pool, ports: make([]port, len(cfg.Ports)), weaver: newWeaver(&cfg)}
	ingress := make([]*ingress, len(s.ports))
	for i := range cfg.Ports {
		s.ports[i].init(&s.cfg, &cfg.Ports[i])
		ingress[i] = &s.ports[i].ingress
	}
	s.buffer = newBuffer(cfg.Buffer, ingress...)
	for _, scheme := range cfg.Markers {
		s.addMarkers(scheme)
	}
	if cfg.Credits != nil {
		s.addLanes(cfg.Credits)
	}
	if cfg.Balance.Way == CONGA {
		s.conga = newConga(&s.cfg)
	}
	s.departs = len(s.atDeparture) > 0 || s.conga != nil
	s.watched = len(s.atArrival) > 0 || s.lanes != nil
	if !cfg.Pause.Off {
		s.lossless = ^cfg.Buffer.Lossy
	}
	if cfg.Buffer.Sharing == ABM && s.lanes == nil {
		s.judged = cfg.Buffer.Lossy
	}
	return s
}

func (s *Switch) addMarkers(scheme algorithms.Scheme) {
	i := len(s.markers)
	s.markers = append(s.markers, s.startMarkers(scheme))
	sees := scheme.Traits().Sees
	if sees == 0 || sees&algorithms.Arrivals != 0 {
		s.atArrival = append(s.atArrival, i)
	}
	if sees == 0 || sees&algorithms.Departures != 0 {
		s.atDeparture = append(s.atDeparture, i)
	}
}

func (s *Switch) startMarkers(scheme algorithms.Scheme) []algorithms.Marker {
	list := make([]algorithms.Marker, len(s.ports))
	for i, pc := range s.cfg.Ports {
		m := scheme.NewMarker()
		shared := s.cfg.Shared
		if shared == nil {
			shared = pc.Random
		}
		m.Start(0, &algorithms.Port{
			Node: s.cfg.ID, Port: i, Line: pc.Rate, MaxRTT: s.cfg.MaxRTT, MTU: s.cfg.MTU, ToHost: pc.ToHost, Lane: s.laneSize(),
			Timing: s.cfg.Timing, Random: pc.Random, Shared: shared,
		})
		list[i] = m
	}
	return list
}

// Receive implements core.Node.
func (s *Switch) Receive(t *core.Turn, in int, p *core.Packet) {
	from := &s.ports[in].ingress
	from.packets++
	from.bytes += int64(p.Size)
	if t.Trace != nil {
		t.Trace.Add(t.Now, s.cfg.ID, in, 0, core.EventRecv, 0, p)
	}
	if p.Kind == core.Pause {
		s.receivePause(t, in, p)
		return
	}
	if p.Kind == core.Credit {
		s.receiveCredit(t, in, p)
		return
	}
	if s.weaver != nil && s.weave(t, in, p) {
		return
	}
	out, ok := s.route(t, p)
	if !ok {
		if s.lanes != nil {
			s.passBy(t, in, p)
		}
		s.ports[in].count.NoRoute++
		s.drop(t, in, p)
		return
	}
	o := &s.ports[out]
	if o.active == 0 && o.free < t.Now && o.up && o.paused>>(p.Prio&7)&1 == 0 && !s.watched && t.Trace == nil &&
		s.buffer.untouched(from, p.Prio, core.Bytes(p.Size)) {
		s.cutThrough(t, o, out, p)
		return
	}
	s.forward(t, in, out, p)
}

// cutThrough sends a packet that finds its port idle and its ingress within its reserve. It does
// what forward would, without the steps that cancel out. With an empty queue there is nothing to mark.
func (s *Switch) cutThrough(t *core.Turn, o *port, out int, p *core.Packet) {
	o.free, o.kicked = t.Now+core.Time(o.sizes.TxTime(p.Size)), true // showLeaving may queue a frame on this port
	if p.Prio != 0 {
		o.served(p.Prio)
		if p.Kind == core.Data && p.INT != nil {
			s.stampINT(t, o, p)
		}
		if s.departs {
			s.showLeaving(t, o, out, p)
		}
		o.tx += core.Bytes(p.Size)
		o.deepest = max(o.deepest, core.Bytes(p.Size))
	} else {
		s.leaveControl(t.Now, o, out, p)
	}
	o.packets++
	o.kicked = o.active != 0
	t.Transmit(out, p, o.free, o.kicked)
}

// forward admits a packet that arrived on port in, queues it at port out, and sends.
func (s *Switch) forward(t *core.Turn, in, out int, p *core.Packet) {
	if s.takes(t, in, out, p, nil) {
		s.join(t, out, p)
	}
}

// takes admits a packet that arrived on port in and goes to port out, without its payload perhaps, or drops it. If it is first to be
// held, e is its connection, else nil.
func (s *Switch) takes(t *core.Turn, in, out int, p *core.Packet, e *sink) bool {
	p.InPort = uint16(in)
	if p.Prio != 0 {
		switch {
		case s.storming != 0 && s.ports[out].storm>>(p.Prio&7)&1 != 0:
			s.watchdogs.Refused++
			s.drop(t, in, p)
			return false
		case !s.admit(t, in, out, p, e):
			if !s.trim(in, p) {
				s.drop(t, in, p)
				return false
			}
		case s.lossless>>(p.Prio&7)&1 != 0 && s.buffer.mustPause(&s.ports[in].ingress, p.Prio):
			s.sendPause(t, in, p.Prio)
		}
	}
	return true
}

// join queues an admitted packet at port out, and sends.
func (s *Switch) join(t *core.Turn, out int, p *core.Packet) {
	o := &s.ports[out]
	if s.lanes != nil && o.active>>(p.Prio&7)&1 == 0 {
		s.gate(out, p)
	}
	if s.cfg.ECN.AtEnqueue {
		s.markECN(t, o, p)
	}
	if p.Prio != 0 {
		for _, i := range s.atArrival {
			s.show(t, o, out, i, p, true)
		}
	}
	o.enqueue(t, &s.cfg, out, p)
	s.trySend(t, out)
}

// admit accounts a packet that goes to port out, or reports that there is no room.
func (s *Switch) admit(t *core.Turn, in, out int, p *core.Packet, e *sink) bool {
	if s.lanes != nil {
		return s.takeIn(t, in, p)
	}
	from, n := &s.ports[in].ingress, core.Bytes(p.Size)
	if s.cfg.Buffer.Lossy>>(p.Prio&7)&1 == 0 {
		return s.buffer.admit(from, p.Prio, n)
	}
	o := &s.ports[out]
	if e != nil {
		return s.buffer.admitLossy(from, p.Prio, n, e.bytes, s.limit(o, p))
	}
	return s.admitLossy(from, o, p)
}

func (s *Switch) drop(t *core.Turn, in int, p *core.Packet) {
	s.ports[in].count.Dropped(p)
	if t.Trace != nil {
		t.Trace.Add(t.Now, s.cfg.ID, in, p.Prio, core.EventDrop, 0, p)
	}
	t.Drop(in, p)
}

// TxDone implements core.Node.
func (s *Switch) TxDone(t *core.Turn, out int) {
	o := &s.ports[out]
	o.free, o.kicked = -1, false
	s.trySend(t, out)
}

// SetLink implements core.Node: both directions of the port are emptied. What the dropped
// packets held of the buffer is released only if the profile says so. The neighbour forgets its
// pauses meanwhile.
func (s *Switch) SetLink(t *core.Turn, at int, up bool) {
	o := &s.ports[at]
	if up && o.up {
		return
	}
	o.up = up
	if up {
		o.meter.change(t.Now, o.depth)
		o.meter.kept = 0
		for m := o.ingress.paused; m != 0; m &= m - 1 {
			s.sendPause(t, at, uint8(bits.TrailingZeros8(m)))
		}
		if s.lanes != nil {
			s.restartLanes(t, at)
		}
		s.trySend(t, at)
		return
	}
	for q := range o.queues {
		for p := o.pop(q); p != nil; p = o.pop(q) {
			s.flush(t, at, q, p, s.lanes != nil || !s.cfg.Buffer.KeepOnFlush)
		}
	}
	for q := range o.queues {
		s.setCongested(o, uint8(q), false)
	}
	o.flush(t, &s.cfg)
	if o.watchdog != nil {
		s.restPort(o)
	}
	if s.weaver != nil {
		s.flushHeld(t, at)
	}
	if s.lanes != nil {
		s.lanes[at].starved = 0
	}
	s.clearMarkers(t.Now, at)
}

// flush drops a packet that has left a queue of a port because the port's link failed, or pauses did not end; what it held of
// the buffer is given back, or kept.
func (s *Switch) flush(t *core.Turn, at, q int, p *core.Packet, back bool) {
	o := &s.ports[at]
	o.queues[q].bytes -= core.Bytes(p.Size)
	if t.Trace != nil {
		t.Trace.AddFlushed(t.Now, s.cfg.ID, at, uint8(q), o.queues[q].bytes, p)
	}
	if q != 0 && back {
		s.release(t, p)
	}
	o.count.Flushed++
	t.Drop(at, p)
}

// release gives back the buffer of a packet that is dropped. The neighbour that sent it may be
// paused only because of that packet.
func (s *Switch) release(t *core.Turn, p *core.Packet) {
	if s.lanes != nil {
		s.giveBack(t, p)
		return
	}
	in := &s.ports[p.InPort].ingress
	s.buffer.release(in, p.Prio, core.Bytes(p.Size))
	if s.lossless != 0 && s.buffer.mayResume(in, p.Prio) {
		s.sendResume(t, int(p.InPort), p.Prio)
	}
}
