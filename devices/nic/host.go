package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Host is a host's interface; a core.Node.
type Host struct {
	cfg     Config
	pool    *core.Pool
	ports   []port
	tx      []*sender
	conns   []*connection // Flow.Connection is 1 + index
	rx      []receiver
	order   *core.HashOrder[*sender] // of the queue pairs that have not finished; nil without Config.KeepOrder
	slow    bool                     // data packets wait in the inbox
	signal  algorithms.Signal        // scratch
	arrival algorithms.Arrival       // scratch
}

var _ core.Node = (*Host)(nil)

// New returns an interface without flows.
func New(cfg Config) *Host {
	cfg.Pool.MustHold(&cfg.INT)
	h := &Host{cfg: cfg, pool: cfg.Pool, ports: make([]port, len(cfg.Ports)), slow: cfg.Delay > 0 || cfg.Service > 0}
	if cfg.KeepOrder {
		h.order = newOrder()
	}
	for i, rate := range cfg.Ports {
		h.ports[i].init(cfg.Timing, rate)
		h.ports[i].lookAtAll = cfg.WakeForAll // ports then count what cannot be sent
		if cfg.Credits != nil {
			h.ports[i].lanes = newLanes(&cfg, rate)
		}
		h.startReceivers(i)
	}
	return h
}

// SetRouter replaces the routes, after a link has failed or come back.
func (h *Host) SetRouter(r core.Router) { h.cfg.Router = r }

// Receive implements core.Node.
func (h *Host) Receive(t *core.Turn, in int, p *core.Packet) {
	h.ports[in].count.Received(p)
	if t.Trace != nil {
		t.Trace.Add(t.Now, h.cfg.ID, in, 0, core.EventRecv, 0, p)
	}
	if h.ports[in].lanes != nil && p.Prio != 0 {
		h.takeIn(t, in, p)
	}
	if p.Dst != h.cfg.ID && p.Kind != core.Pause && p.Kind != core.Credit {
		h.dropUnrouted(t, in, p)
		return
	}
	switch p.Kind {
	case core.Data:
		if h.slow {
			h.put(t, in, p)
			return
		}
		h.receiveData(t, in, p)
	case core.Ack, core.Nack:
		h.receiveAck(t, p)
	case core.Pause:
		h.receivePause(t, in, p)
	case core.Credit:
		h.receiveCredit(t, in, p)
	case core.CNP, core.CNM, core.Grant:
		h.receiveNotice(t, p)
	case core.Datagram:
		t.Deliver(in, p)
	default:
		panic("nic: host received a packet of kind " + p.Kind.String())
	}
}

// TxDone implements core.Node.
func (h *Host) TxDone(t *core.Turn, out int) {
	o := &h.ports[out]
	o.free, o.kicked = -1, false
	h.trySend(t, out)
}

// Wake implements core.Node.
func (h *Host) Wake(t *core.Turn, at int) {
	o := &h.ports[at]
	o.wake = core.Never
	if o.pace <= t.Now {
		o.pace = core.Never
	}
	o.pauses.Expire(t.Now)
	if o.lanes != nil {
		o.owed |= o.lanes.Refresh(t.Now)
	}
	h.take(t, at)
	h.fireTimers(t, at)
	h.wakeReceivers(t, at)
	h.trySend(t, at)
	h.arm(t, at)
}

// SetLink implements core.Node.
func (h *Host) SetLink(t *core.Turn, at int, up bool) {
	o := &h.ports[at]
	if up && o.up {
		return
	}
	o.up = up
	if up {
		if o.lanes != nil {
			o.restartLanes()
		}
		h.trySend(t, at)
		return
	}
	h.flushAnswers(t, at)
	if o.datagram != nil {
		h.flush(t, at, o.datagram, o.datagram.Prio, 0)
		o.datagram = nil
	}
	o.pauses.Clear(t.Now)
	o.waited(t.Now)
}

// flush drops a packet whose link has failed; left is what remains in its queue, bytes.
func (h *Host) flush(t *core.Turn, at int, p *core.Packet, queue uint8, left core.Bytes) {
	h.ports[at].count.Flushed++
	h.drop(t, at, p, queue, left)
}

// dropUnrouted drops a packet to a host to which no port leads: hosts do not forward.
func (h *Host) dropUnrouted(t *core.Turn, at int, p *core.Packet) {
	c := &h.ports[at].count
	c.Dropped(p)
	c.NoRoute++
	h.drop(t, at, p, p.Prio, 0)
}

func (h *Host) drop(t *core.Turn, at int, p *core.Packet, queue uint8, left core.Bytes) {
	if t.Trace != nil {
		t.Trace.AddFlushed(t.Now, h.cfg.ID, at, queue, left, p)
	}
	t.Drop(at, p)
}

// receivePause obeys a PFC frame.
func (h *Host) receivePause(t *core.Turn, in int, p *core.Packet) {
	o := &h.ports[in]
	w := core.PauseWord(p.Aux)
	t.PauseReceived(in, w)
	h.pool.Free(p)
	o.pauses.Apply(t.Now, w, o.rate)
	if w.Resume() {
		h.trySend(t, in)
	}
	if !w.Forever() {
		h.arm(t, in)
	}
}

// portTo chooses the port towards a host: by hash of the flow if there are several.
func (h *Host) portTo(p *core.Packet) (int, bool) {
	return core.ECMPPort(h.cfg.Router.Next(h.cfg.ID, p.Dst), p, h.cfg.ID, h.cfg.ECMPSeed)
}

// Counters returns the counters of a port at a time not before the last event.
func (h *Host) Counters(at int, now core.Time) core.Counters {
	o := &h.ports[at]
	c := o.count
	c.PausedFor, c.Waited = o.pauses.Total(now), o.waitedBy(now)
	return c
}
