package switching

import "github.com/qbb-sim/qbb/core"

// Packets of lossy priorities that find no room may be trimmed instead of dropped (Cheng et al., NSDI 2014; NDP, Handley
// et al., SIGCOMM 2017; Ultra Ethernet 1.0): their headers go on in class 0, ahead of what waits, and take no buffer, so
// that their receiver knows of the loss at once.

// trimmed are the trimmed packets that wait at a port. Other packets of class 0 go before them.
type trimmed struct {
	core.Queue
	row uint8 // that have gone in a row while other classes waited
}

// mostTrimmed is how many trimmed packets go for one of other classes that wait: NDP's weight, section 3.1. If they always
// went first, the headers of many senders would fill the link.
const mostTrimmed = 10

// trim cuts the payload of a packet for which there is no room, if that is to be done.
func (s *Switch) trim(in int, p *core.Packet) bool {
	b := &s.cfg.Buffer
	if !b.Trim || p.Kind != core.Data || b.Lossy>>(p.Prio&7)&1 == 0 {
		return false
	}
	p.Size -= p.Payload
	p.Payload, p.Prio, p.Flags = 0, 0, p.Flags|core.Trimmed
	s.ports[in].count.Trimmed++
	return true
}

// yields reports whether queue 0, which is ready, has only trimmed packets, and one of another class goes before them.
func (o *port) yields(ready uint8) bool {
	if ready == 1 || !o.queues[0].Empty() {
		return false
	}
	if o.trimmed.row++; o.trimmed.row <= mostTrimmed {
		return false
	}
	o.trimmed.row = 0
	return true
}
