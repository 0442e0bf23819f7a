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
	events []noted     // those that claimed or drew something, in their order
	keys   []uint64    // their places
	before []uint32    // by event: claims of all parts before it, once the pages are merged
	base   uint64      // the place before those of the window, then
	claims []claim     // in their order
	beats  []int32     // events that are the beat
	draws  []core.Draw // decisions that wait
	drawn  []int32     // by draw: its event
}

// noted is an event of a page.
type noted struct {
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
	p.begin = begin
	e.page, e.seq, e.tells = p, &p.seq, false
	if e.defers {
		e.turn.Draws = &p.draws
	}
	ran = e.advance(end, math.MaxInt)
	e.beat.runTo(e, end, math.MaxUint64)
	e.page, e.seq, e.turn.Draws = nil, whole, nil
	p.before = slices.Grow(p.before[:0], len(p.events))[:len(p.events)]
	return ran
}

// clear begins a page.
func (p *page) clear() {
	p.seq = provisional
	p.events, p.keys, p.claims, p.beats = p.events[:0], p.keys[:0], p.claims[:0], p.beats[:0]
	p.draws, p.drawn = p.draws[:0], p.drawn[:0]
}

// claim notes the places taken last by the event now running.
func (p *page) claim(packet *core.Packet, slot int32) {
	p.claims = append(p.claims, claim{packet, slot, int32(len(p.events))})
	p.seq = provisional + 2*uint64(len(p.claims))
}

// claimTransmission notes the places of a transmission's end and of the packet's arrival.
func (e *Engine) claimTransmission(id PortID, packet *core.Packet) {
	if e.ports[id].abroad != 0 {
		packet = nil
	}
	e.page.claim(packet, int32(id)*slotsPerPort+slotTxDone)
}

// close ends the event at a time and place.
func (p *page) close(at core.Time, key uint64) {
	event, claims := len(p.events), uint32(len(p.claims))
	if p.claimsBefore(event) == claims && len(p.drawn) == len(p.draws) {
		return
	}
	for len(p.drawn) < len(p.draws) {
		p.drawn = append(p.drawn, int32(event))
	}
	p.events = append(p.events, noted{uint32(max(0, at-p.begin+1)), claims})
	p.keys = append(p.keys, key)
}

// closeBeat is close for the beat, which all parts note.
func (p *page) closeBeat(at core.Time, key uint64) {
	p.beats = append(p.beats, int32(len(p.events)))
	p.close(at, key)
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
	event := p.cause(place)
	return p.first(event) + (place - provisional - 1 - 2*uint64(p.claimsBefore(event)))
}

// first returns the first place of an event's claims, once the page is merged.
func (p *page) first(event int) uint64 { return p.base + 1 + 2*uint64(p.before[event]) }

// settle gives what the engine has put in its queue in a window its final places. The order among them does
// not change.
func (e *Engine) settle(lot int) {
	p := &e.pages[lot]
	i := uint32(0)
	for event := range p.events {
		place := p.first(event)
		for ; i < p.events[event].claims; i++ {
			e.place(&p.claims[i], place)
			place += 2
		}
	}
	for i := e.queue.position; i < len(e.queue.current); i++ {
		e.queue.refresh(&e.queue.current[i])
	}
}

// place gives a claim its first place. The latest claim of a slot is the one that counts.
func (e *Engine) place(c *claim, place uint64) {
	if c.slot == beatSlot {
		e.beat.key = place
		return
	}
	if c.slot%slotsPerPort == slotTxDone {
		e.ports[c.slot/slotsPerPort].key = place
		if c.packet != nil {
			c.packet.Flight.Key = place + 1
		}
	}
	if e.queue.pending(c.slot) {
		e.queue.slots[c.slot].key = place
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

// Tell makes Group.Merged's function be called after the present window.
func (e *Engine) Tell() { e.tells = true }

// RunAlone makes the events of all parts run one by one from the end of the present window on.
func (e *Engine) RunAlone() { e.alone = true }
