package switching

import (
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// Sharing is how lossy classes share the pool: the most that one of their egress queues may hold of it. Lossless classes have
// dynamic thresholds on the ingress side in any case.
type Sharing uint8

// Ways to share the pool.
const (
	Dynamic  Sharing = iota // rest of the pool >> LossyShift (Choudhury and Hahne 1998)
	Complete                // all of the pool: complete sharing (Kamoun and Kleinrock 1980)
	ABM                     // active buffer management (Addanki et al., SIGCOMM 2022): see Switch.abmLimit
)

// congestedTenths is how much of its threshold a congested queue holds: the 0.9 of the paper.
const congestedTenths = 9

// limit is the most that the queue of a packet's class at a port may hold with the packet.
func (s *Switch) limit(o *port, p *core.Packet) core.Bytes {
	b := &s.buffer
	switch b.cfg.Sharing {
	case Complete:
		return core.Unlimited
	case ABM:
		if p.Kind == core.Data && p.Seq < int64(s.cfg.FirstBytes) && p.Flags&core.Rtx == 0 {
			return s.abmLimit(o, p.Prio&7, b.unused()*core.Bytes(b.cfg.FirstAlpha))
		}
		return s.abmLimit(o, p.Prio&7, b.unused()>>(b.cfg.LossyShift&63))
	}
	return b.unused() >> (b.cfg.LossyShift & 63)
}

// abmLimit is ABM's threshold of the queue of a class at a port, rounded down:
//
//	alpha (B - Q) mu/b / n
//
// B - Q is the rest of the pool. alpha is 1 / 2^LossyShift, and FirstAlpha for the packets of a flow's first round trip, the
// unscheduled ones: here, data before offset FirstBytes of its message that is not sent again. mu/b is the part of the port that
// its scheduler gives the queue among the classes that now wait and are not paused. n is how many queues of the class are
// congested in the switch, at least 1.
//
// Whether a queue is congested is found when a packet arrives for it or leaves it, with the n of before: it is if it holds at
// least 9/10 of its threshold for scheduled packets, together with the packet that has arrived, even if that is refused. That
// another queue moves its threshold meanwhile does not count. An empty queue is not congested.
func (s *Switch) abmLimit(o *port, class uint8, alphaRest core.Bytes) core.Bytes {
	weight, all := s.part(o, class)
	return alphaRest * weight / (all * core.Bytes(max(1, s.congested[class])))
}

// part is the part of a port that its scheduler gives a class while others wait too, as weight and sum of weights.
func (s *Switch) part(o *port, class uint8) (weight, all core.Bytes) {
	waiting := (o.active&^o.paused | 1<<class) &^ 1
	if o.shares == nil {
		return 1, core.Bytes(bits.OnesCount8(waiting))
	}
	for q := waiting; q != 0; q &= q - 1 {
		all += s.weight(uint8(bits.TrailingZeros8(q)))
	}
	return s.weight(class), all
}

func (s *Switch) weight(class uint8) core.Bytes { return core.Bytes(max(1, s.cfg.Weights[class])) }

// judge finds whether the queue of a class at a port, which now holds some bytes, is congested: with a packet that was
// refused, if any, it would hold would bytes.
func (s *Switch) judge(o *port, class uint8, holds, would core.Bytes) {
	threshold := s.abmLimit(o, class, s.buffer.unused()>>(s.buffer.cfg.LossyShift&63))
	s.setCongested(o, class, holds > 0 && 10*would >= congestedTenths*threshold)
}

// judgeAsIs finds whether the queue of a class at a port is congested, without a packet for which there may be no room.
func (s *Switch) judgeAsIs(o *port, class uint8) {
	if s.judged>>class&1 != 0 {
		s.judge(o, class, o.queues[class].bytes, o.queues[class].bytes)
	}
}

func (s *Switch) setCongested(o *port, class uint8, now bool) {
	switch bit := uint8(1) << class; {
	case now && o.congested&bit == 0:
		o.congested |= bit
		s.congested[class]++
	case !now && o.congested&bit != 0:
		o.congested &^= bit
		s.congested[class]--
	}
}

// admitLossy accounts a packet of a lossy class that goes to a port, or reports that there is no room.
func (s *Switch) admitLossy(in *ingress, o *port, p *core.Packet) bool {
	class, n := p.Prio&7, core.Bytes(p.Size)
	queue := o.queues[class].bytes
	ok := s.buffer.admitLossy(in, class, n, queue, s.limit(o, p))
	if s.judged != 0 {
		holds := queue
		if ok {
			holds += n
		}
		s.judge(o, class, holds, queue+n)
	}
	return ok
}
