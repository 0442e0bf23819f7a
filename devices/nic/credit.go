package nic

import (
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// lanes is the state of a port under credit flow control; a class is a virtual lane. What
// arrives leaves the port's buffers at once.
type lanes struct {
	*core.Credits
	full int32 // bytes of the largest packet that the port's flows send
}

func newLanes(cfg *Config, rate core.Rate) *lanes {
	return &lanes{Credits: core.NewCredits(cfg.Credits, rate), full: int32(cfg.MTU) + cfg.Header}
}

// stopped returns the classes whose data may not be sent. With credits, a class may be sent
// while it has enough for a full packet.
func (o *port) stopped() uint8 { return o.pauses.Mask() | o.dry }

// demand requires credits for packets of n bytes before data is sent.
func (o *port) demand(n int32) {
	if n <= o.lanes.full {
		return
	}
	o.lanes.full = n
	for lane := uint8(1); lane < 8; lane++ {
		o.gate(lane)
	}
}

// gate stops or opens a lane by its credits.
func (o *port) gate(lane uint8) {
	if o.lanes.May(lane, o.lanes.full) {
		o.dry &^= 1 << lane
	} else {
		o.dry |= 1 << lane
	}
}

// takeIn accounts a packet that has arrived.
func (h *Host) takeIn(t *core.Turn, in int, p *core.Packet) {
	o := &h.ports[in]
	o.lanes.Accept(p.Prio, p.Size)
	tell := o.lanes.Release(p.Prio, p.Size)
	if o.lanes.StartRefresh(t.Now) {
		h.arm(t, in)
	}
	if tell {
		o.owed |= 1 << p.Prio
		h.trySend(t, in)
	}
}

// giveOut accounts a packet that is sent.
func (h *Host) giveOut(t *core.Turn, o *port, out int, p *core.Packet) {
	o.lanes.Spend(p.Prio, p.Size)
	o.gate(p.Prio)
	if o.lanes.StartRefresh(t.Now) {
		h.arm(t, out)
	}
}

// sendCredit tells the neighbour what it may send on the first lane that is owed an answer.
func (h *Host) sendCredit(t *core.Turn, o *port, out int) {
	lane := uint8(bits.TrailingZeros8(o.owed))
	o.owed &^= 1 << lane
	p := h.pool.New()
	p.Kind, p.Size, p.Src, p.Aux = core.Credit, core.CreditPacket, h.cfg.ID, uint64(o.lanes.Word(lane))
	if t.Trace != nil {
		t.Trace.Add(t.Now, h.cfg.ID, out, 0, core.EventDequeue, 0, p)
	}
	h.send(t, o, out, p)
}

// receiveCredit obeys a flow-control packet.
func (h *Host) receiveCredit(t *core.Turn, in int, p *core.Packet) {
	w := core.CreditWord(p.Aux)
	h.pool.Free(p)
	o := &h.ports[in]
	if o.lanes.Obey(w) {
		o.owed |= 1 << w.Lane()
	}
	o.gate(w.Lane() & 7)
	h.trySend(t, in)
}

// restartLanes resets the lanes when the link has come back.
func (o *port) restartLanes() {
	o.lanes.Restart()
	o.dry, o.owed = ^uint8(1), ^uint8(1)
}
