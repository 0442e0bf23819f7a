package switching

import "github.com/qbb-sim/qbb/core"

// Held describes an egress queue: what it holds, and since when the neighbour has paused it.
type Held struct {
	Bytes core.Bytes
	First int32     // bytes of the packet at its head; 0: it is empty
	Since core.Time // core.Never: it is not paused
}

// Held returns the state of the queue of a class at a port, to find out what a stalled network
// waits for.
func (s *Switch) Held(at int, class uint8) Held {
	o := &s.ports[at]
	h := Held{Bytes: o.queues[class&7].bytes, Since: core.Never}
	if head := o.queues[class&7].Front(); head != nil {
		h.First = head.Size
	}
	if o.paused>>(class&7)&1 != 0 {
		h.Since = o.pauses.Since(int(class & 7))
	}
	return h
}

// Pauses reports whether a class is paused at the neighbour on a port, as far as it is to the switch: the frames that say
// so may be under way.
func (s *Switch) Pauses(in int, class uint8) bool {
	return s.ports[in].ingress.paused>>(class&7)&1 != 0
}

// Credits returns the credits of a port, or nil if flow control is another.
func (s *Switch) Credits(at int) *core.Credits {
	if s.lanes == nil {
		return nil
	}
	return s.lanes[at].Credits
}

// Packets visits the packets in the queue of a class at a port, and those that are held for it to be put in order, each with the
// port on which it came in.
func (s *Switch) Packets(at int, class uint8, visit func(in int, p *core.Packet)) {
	s.ports[at].queues[class&7].All(func(p *core.Packet) { visit(int(p.InPort), p) })
	if s.weaver == nil {
		return
	}
	for _, e := range s.weaver.holding[at] {
		e.held.All(func(p *core.Packet) {
			if p.Prio == class {
				visit(int(p.InPort), p)
			}
		})
	}
}
