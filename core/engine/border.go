package engine

import "github.com/qbb-sim/qbb/core"

// border is where an engine of a group leaves packets for the others. What it sends in one window is
// taken in, by value, at the beginning of the next, and freed at the beginning of the one after
// that: so there are two lots, and nobody writes what another reads.
type border struct {
	lots  [2][][]*core.Packet // by part of the peer
	lot   int                 // that is being filled
	first core.Time           // arrival of the first packet in it
}

func newBorder(parts int) *border {
	b := &border{first: core.Never}
	for i := range b.lots {
		b.lots[i] = make([][]*core.Packet, parts)
	}
	return b
}

func (b *border) send(part uint8, p *core.Packet) {
	lot := b.lots[b.lot]
	lot[part] = append(lot[part], p)
	b.first = min(b.first, p.Flight.At)
}

// fill begins a lot, whose packets of earlier have been taken in.
func (b *border) fill(lot int, pool *core.Pool) {
	b.lot, b.first = lot, core.Never
	for part, list := range b.lots[lot] {
		for _, p := range list {
			pool.Free(p)
		}
		b.lots[lot][part] = list[:0]
	}
}

// takeIn puts copies of the packets that part me was sent in a lot into its queue.
func (e *Engine) takeIn(from *border, lot, me int) {
	for _, p := range from.lots[lot][me] {
		e.queue.Push(e.Pool.Copy(p))
	}
}
