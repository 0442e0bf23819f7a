package engine

import "github.com/qbb-sim/qbb/core"

// border is where an engine of a group leaves packets for the others. They take in what it sends in one
// window at the beginning of the next, and it clears the lists at the beginning of the one after that:
// so there are two lots, and nobody writes what another reads.
type border struct {
	pool  *core.Pool
	lots  [2][][]*core.Packet // by part of the peer
	lot   int                 // that is being filled
	first core.Time           // arrival of the first packet in it
	debts []debt              // by part
}

// debt counts what a part has received from another and not given back. Packets go back and forth in about
// equal numbers; where they do not, unused ones are returned, so that no pool grows for ever.
type debt struct{ packets, stacks int }

// mostDebt is the number of packets, or of INT stacks, that need not be returned.
const mostDebt = 1024

func newBorder(pool *core.Pool, parts int) *border {
	b := &border{pool: pool, first: core.Never, debts: make([]debt, parts, (parts+3)&^3)} // whole cache lines
	for i := range b.lots {
		b.lots[i] = make([][]*core.Packet, parts, (parts+7)&^7)
	}
	return b
}

// send leaves a packet for another part.
func (b *border) send(part uint8, p *core.Packet) {
	lot := b.lots[b.lot]
	lot[part] = append(lot[part], p)
	b.first = min(b.first, p.Flight.At)
	b.give(int(part), p)
}

// give removes a packet that goes to another part from our accounts; adopt adds one that comes from there.
func (b *border) give(part int, p *core.Packet)  { b.count(part, p, -1) }
func (b *border) adopt(part int, p *core.Packet) { b.count(part, p, 1) }

func (b *border) count(part int, p *core.Packet, n int) {
	b.pool.Adopt(n)
	d := &b.debts[part]
	d.packets += n
	if p.INT != nil {
		d.stacks += n
	}
}

// fill begins a lot whose earlier packets have been taken in, and frees the packets returned for them.
func (b *border) fill(lot int) {
	b.lot, b.first = lot, core.Never
	for part, list := range b.lots[lot] {
		for _, p := range list {
			if p != nil {
				b.adopt(part, p)
				b.pool.Free(p)
			}
		}
		b.lots[lot][part] = list[:0]
	}
}

// takeIn puts the packets that another part has sent to part me in a lot into its queue.
func (e *Engine) takeIn(from *border, lot, me, part int) {
	list := from.lots[lot][me]
	for i, p := range list {
		e.border.adopt(part, p)
		list[i] = e.border.repay(part, p)
		e.queue.push(p)
	}
}

// resolve gives packets that have been sent to a part in a lot their final places.
func (e *Engine) resolve(lot, part int) {
	for _, p := range e.border.lots[lot][part] {
		p.Flight.Key = e.pages[lot].final(p.Flight.Key)
	}
}

// repay returns an unused packet for one that has arrived if we owe too many, otherwise nil.
func (b *border) repay(part int, came *core.Packet) *core.Packet {
	if d := &b.debts[part]; d.packets <= mostDebt && d.stacks <= mostDebt {
		return nil
	}
	p := b.pool.New()
	if came.INT != nil {
		b.pool.AddINT(p)
	}
	b.give(part, p)
	return p
}
