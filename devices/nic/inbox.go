package nic

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// inbox holds the data packets of a port that have arrived and that the host has not processed yet:
// it takes Config.Service for one after another, and Config.Delay after that.
type inbox struct {
	packets core.Ring[arrived]
	free    core.Time // when the last one has been served
}

type arrived struct {
	packet *core.Packet
	ready  core.Time
	after  core.Duration // its arrival
}

// put keeps a packet until the host has processed it.
func (h *Host) put(t *core.Turn, in int, p *core.Packet) {
	b := &h.ports[in].inbox
	b.free = max(t.Now, b.free).Add(h.cfg.Service)
	ready := b.free.Add(h.cfg.Delay)
	b.packets.Push(arrived{p, ready, ready.Sub(t.Now)})
	h.arm(t, in)
}

// take deals with the packets that are due. Their acknowledgements say how long the host took.
func (h *Host) take(t *core.Turn, in int) {
	b := &h.ports[in].inbox
	for b.packets.Len() > 0 && b.packets.Front().ready <= t.Now {
		a := b.packets.Pop()
		a.packet.HostNanos = uint32(min(a.after/core.Nanosecond, math.MaxUint32))
		h.receiveData(t, in, a.packet)
	}
}

// next is when the first packet is due, or core.Never.
func (b *inbox) next() core.Time {
	if b.packets.Len() == 0 {
		return core.Never
	}
	return b.packets.Front().ready
}
