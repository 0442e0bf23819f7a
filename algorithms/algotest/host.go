package algotest

import (
	"fmt"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// host is one sender of a net: NIC, pacing, window, and the scheme's reaction point.
type host struct {
	*net
	id     int
	rig    *rig
	open   bool
	next   int64 // next byte to be sent
	una    int64 // first byte not acknowledged
	before int64 // una when progress was last looked for
	sentAt core.Time
	may    core.Time // when the gap after the last packet ends
	paceAt core.Time // of the pending evPace
	wakeAt core.Time // of the pending evTimer
	signal algorithms.Signal
	hops   [1]core.Hop
}

func newHost(n *net, id int, sender algorithms.Sender) *host {
	return &host{net: n, id: id, rig: &rig{sender: sender, granted: n.traits.Hears.Has(algorithms.Grant)}, paceAt: core.Never, wakeAt: core.Never}
}

func (h *host) flow() *algorithms.Flow {
	f := NewFlow(int32(h.id))
	f.Line, f.BaseRTT, f.MTU, f.Packet, f.INT, f.Hops = h.Line, h.BaseRTT, h.MTU, h.wire(), h.INT, 2
	f.Window = h.bdp()
	return f
}

func (h *host) handle(e *event) {
	switch e.kind {
	case evOpen:
		h.open, h.may = true, h.now
		h.rig.start(h.flow(), h.now)
		h.retry()
	case evRetry:
		h.retry()
	case evPace:
		if e.at != h.paceAt {
			return // replaced by an earlier one
		}
		h.paceAt = core.Never
	case evTimer:
		if e.at != h.wakeAt {
			return
		}
		h.wakeAt = core.Never
		h.rig.timers(h.now)
		h.repace()
	case evAck:
		h.onAck(&e.packet)
	case evNotify:
		kind := algorithms.Notify
		if e.packet.kind == core.Grant {
			kind = algorithms.Grant
		}
		h.tell(algorithms.Signal{Kind: kind, Aux: e.packet.aux})
	case evSwitch:
		h.tell(algorithms.Signal{Kind: algorithms.Switch, Feedback: e.packet.value, SentAt: e.packet.sent})
	}
	h.pump()
}

// retry goes back to the first byte not acknowledged if there has been no progress since the
// last time.
func (h *host) retry() {
	const patience = core.Millisecond
	if h.Buffer == 0 {
		return
	}
	if h.next > h.una && h.una == h.before {
		h.next = h.una
		h.tell(algorithms.Signal{Kind: algorithms.Loss, Flags: algorithms.Timeout})
	}
	h.before = h.una
	h.at(h.now.Add(max(patience, h.rig.answer.Timeout)), event{kind: evRetry, flow: h.id})
}

func (h *host) onAck(p *packet) {
	bytes := max(0, core.Bytes(p.seq-h.una))
	h.una += int64(bytes)
	h.next = max(h.next, h.una)
	h.result.noteDelivery(h.now, h.id, p.wire*bytes/h.MTU)
	if p.ce && h.traits.NotifyIsEcho {
		h.tell(algorithms.Signal{Kind: algorithms.Notify})
	}
	s := algorithms.Signal{
		Kind: algorithms.Ack, Bytes: bytes, Acked: p.seq,
		SentAt: p.sent, RTT: h.now.Sub(p.sent), Aux: p.aux,
	}
	if p.ce {
		s.Flags, s.Marked = algorithms.ECE, bytes
	}
	if p.kind == core.Nack {
		s.Flags |= algorithms.IsNack
		h.next = h.una
	}
	if h.traits.Needs&algorithms.INT != 0 {
		h.hops[0] = p.hop
		s.Hops = h.hops[:]
	}
	h.tell(s)
}

// tell sends a signal that the scheme hears, with the fields that all kinds have.
func (h *host) tell(s algorithms.Signal) {
	if !h.traits.Hears.Has(s.Kind) {
		return
	}
	s.Instant = core.Instant{Now: h.now, Born: core.Never}
	s.Next, s.InFlight = h.next, core.Bytes(h.next-h.una)
	if s.Acked == 0 {
		s.Acked = h.una
	}
	h.signal = s
	h.rig.feed(&h.signal)
	h.repace()
}

// repace obeys the order of that name.
func (h *host) repace() {
	if h.rig.orders&algorithms.Repace != 0 && h.next > 0 {
		h.may = h.sentAt.Add(h.gap())
	}
}

// gap is the time from one packet to the next: the rule that both hosts of a scheme obey.
func (h *host) gap() core.Duration {
	return core.Exact.TxTime(h.wire(), h.rig.answer.Rate) + h.rig.answer.Gap
}

// pump sends what may be sent and arms the events that will go on.
func (h *host) pump() {
	if h.rig.err != nil {
		panic(fmt.Sprintf("algotest: flow %d of %s: %v", h.id, h.traits.Name, h.rig.err))
	}
	if h.open && h.now >= h.Flows[h.id].To {
		h.open = false
	}
	for h.open && h.may <= h.now {
		h.rig.timers(h.now)
		probe := h.rig.orders&algorithms.Probe != 0
		if core.Bytes(h.next-h.una) >= h.rig.answer.Window && !probe {
			break
		}
		h.send()
	}
	if h.open && h.may > h.now && h.may < h.paceAt {
		h.paceAt = h.may
		h.at(h.may, event{kind: evPace, flow: h.id})
	}
	if wake := h.rig.answer.Wake; h.open && !h.traits.LazyTimers && wake < h.wakeAt {
		h.wakeAt = wake
		h.at(max(wake, h.now), event{kind: evTimer, flow: h.id})
	}
}

func (h *host) send() {
	p := packet{flow: h.id, seq: h.next, wire: h.wire(), sent: h.now, aux: h.rig.answer.Stamp}
	h.next += int64(h.MTU)
	h.sentAt, h.may = h.now, h.now.Add(h.gap())
	arrive := h.now.Add(core.Exact.TxTime(p.wire, h.Line) + h.hop)
	h.at(arrive, event{kind: evQueue, packet: p})
	h.rig.orders &^= algorithms.Probe
	h.tell(algorithms.Signal{Kind: algorithms.Sent, Bytes: p.wire})
}
