package switching

import "github.com/qbb-sim/qbb/core"

// markECN sets congestion experienced by random early detection on the bytes of the packet's
// queue: never up to KMin, always above KMax, between them with a probability that rises to
// PMax (DCQCN, Zhu et al., SIGCOMM 2015, figure 5).
func (s *Switch) markECN(t *core.Turn, o *port, p *core.Packet) {
	if q := o.queues[p.Prio&7].bytes; q > o.kmin {
		s.markAbove(t, o, p, q)
	}
}

// markAbove marks a packet whose queue, of q bytes, is above KMin.
func (s *Switch) markAbove(t *core.Turn, o *port, p *core.Packet, q core.Bytes) {
	if s.cfg.ECN.Off || p.Prio == 0 || p.Flags&core.ECT == 0 && !s.cfg.ECN.Any {
		return
	}
	if q <= o.kmax {
		chance := float64(o.pmax*float64(q-o.kmin)) / float64(o.kmax-o.kmin)
		t.Decide(core.Draw{Packet: p, Chance: chance, Marked: &o.count.Marked}, s.cfg.Mark)
		return
	}
	p.Flags |= core.CE
	o.count.Marked++
}
