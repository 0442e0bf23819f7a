package engine

import (
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// page is what a part notes of a window in the order of scheduling. Within the window it counts for itself: what it schedules
// gets provisional places, which lie behind all places given before and are in the right order among
// themselves. When the parts have met, the pages are merged (see merger), which tells every claim its number
// in the counting of the whole run. What other threads read is kept short.
type page struct {
	seq    uint64      // the part's own count
	begin  core.Time   // of the window
	end    core.Time   // up to which all has run
	events []noted     // those that claimed or drew something, in their order
	others []uint32    // by event: claims of other parts before it, once the pages are merged
	base   uint64      // the place before those of the window, then
	claims []claim     // in their order
	noted  uint32      // number of claims of the events so far
	draws  []core.Draw // decisions that wait
	drawn  []int32     // by draw: its event
}

// noted is an event of a page.
type noted struct {
	key    uint64 // its place
	at     uint32 // since a picosecond before the window; 0: a beat that is earlier
	claims uint32 // of it and the events before it in the part
}

// claim is two places that were taken: for the end of a transmission and the packet's arrival, or one of them for a
// deadline or the beat.
type claim struct {
	packet *core.Packet // that stays in the part; nil: none
	slot   int32        // beatSlot for the beat
	event  int32        // that took them, in the page
}

const beatSlot = -1

// provisional is the bit of provisional places; the others number them from 1.
const provisional = 1 << 63

// longestWindow is the longest one that a page can hold.
const longestWindow core.Duration = 1<<32 - 2

// advanceApart runs all events of a window while other parts do, and notes them on a page.
func (e *Engine) advanceApart(begin, end core.Time, lot int) (ran int) {
	p, whole := &e.pages[lot], e.seq
	p.clear()
	p.begin, p.end = begin, end
	e.page, e.seq, e.tells = p, &p.seq, false
	if e.defers {
		e.turn.Draws = &p.draws
	}
	ran = e.advance(end, math.MaxInt)
	e.beat.runTo(e, end, math.MaxUint64)
	e.page, e.seq, e.turn.Draws = nil, whole, nil
	p.others = slices.Grow(p.others[:0], len(p.events))[:len(p.events)]
	return ran
}

// clear begins a page.
func (p *page) clear() {
	p.seq, p.noted = provisional, 0
	p.events, p.claims = p.events[:0], p.claims[:0]
	p.draws, p.drawn = p.draws[:0], p.drawn[:0]
}

// claim notes a place taken last by the event now running, and takes the one behind it as well.
func (p *page) claim(slot int32) {
	p.claims = append(p.claims, claim{nil, slot, int32(len(p.events))})
	p.seq = provisional + 2*uint64(len(p.claims))
}

// claimTransmission notes the places of a transmission's end and of the packet's arrival.
func (e *Engine) claimTransmission(id PortID, packet *core.Packet) {
	if e.ports[id].abroad != 0 {
		packet = nil
	}
	p := e.page
	p.claims = append(p.claims, claim{packet, int32(id)*slotsPerPort + slotTxDone, int32(len(p.events))})
}

// close ends the event at a time and place.
func (p *page) close(at core.Time, key uint64) {
	claims := uint32(len(p.claims))
	if claims == p.noted && len(p.drawn) == len(p.draws) {
		return
	}
	for len(p.drawn) < len(p.draws) {
		p.drawn = append(p.drawn, int32(len(p.events)))
	}
	p.events = append(p.events, noted{key, uint32(max(0, at-p.begin+1)), claims})
	p.noted = claims
}

// claimsBefore returns the part's number of claims before an event.
func (p *page) claimsBefore(event int) uint32 {
	if event == 0 {
		return 0
	}
	return p.events[event-1].claims
}

// cause returns the event that took a provisional place.
func (p *page) cause(place uint64) int { return int(p.claims[(place-provisional-1)/2].event) }

// final returns the place for one that may be provisional, once the page is merged.
func (p *page) final(place uint64) uint64 {
	if place < provisional {
		return place
	}
	return p.base + 2*uint64(p.others[p.cause(place)]) + (place - provisional)
}

// settle gives what the engine has put in its queue in a window its final places. The order among them does
// not change.
func (e *Engine) settle(lot int) {
	p := &e.pages[lot]
	claims, others, first := p.claims, p.others, p.base+1
	for i := range claims {
		c := &claims[i]
		place := first + 2*uint64(others[c.event]+uint32(i))
		if c.packet != nil {
			c.packet.Flight.Key = place + 1
		}
		e.place(c.slot, place, p.end)
	}
	for i := e.queue.position; i < len(e.queue.current); i++ {
		e.queue.refresh(&e.queue.current[i])
	}
}

// place gives a slot its place at the end of a window. The latest claim of a slot is the one that counts; a transmission that
// has ended needs none.
func (e *Engine) place(slot int32, place uint64, end core.Time) {
	if slot == beatSlot {
		e.beat.key = place
		return
	}
	if s := uint32(slot); s%slotsPerPort == slotTxDone {
		p := &e.ports[s/slotsPerPort]
		if p.free < end {
			return
		}
		p.key = place
	}
	if e.queue.pending(slot) {
		e.queue.slots[slot].key = place
	}
}

// refresh copies the place of an event into the bucket being worked off.
func (q *queue) refresh(e *entry) {
	if e.packet != nil {
		e.key = e.packet.Flight.Key
	} else {
		e.key = q.slots[e.slot].key
	}
}

// Apart reports whether other parts run at the same time in the order of scheduling, so that what the present event does
// must not act on them, nor count on the number of its place.
func (e *Engine) Apart() bool { return e.page != nil }

// Tell makes told of Group.InOrder be called after the present window.
func (e *Engine) Tell() { e.tells = true }

// RunAlone makes the events of all parts run one by one from the end of the present window on.
func (e *Engine) RunAlone() { e.alone = true }
