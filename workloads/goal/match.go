package goal

import (
	"cmp"
	"slices"
)

// match finds the recv of every send: of those with the same two ranks and tag the one that has the same place in the order of
// the file.
func (p *parser) match() {
	// Of a recv, the peer is the sender.
	slices.SortStableFunc(p.sends, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.peer, b.peer), cmp.Compare(a.tag, b.tag))
	})
	slices.SortStableFunc(p.recvs, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.peer, b.peer), cmp.Compare(a.rank, b.rank), cmp.Compare(a.tag, b.tag))
	})
	for i := range max(len(p.sends), len(p.recvs)) {
		var s, r *end
		order := 0
		switch {
		case i >= len(p.sends):
			r, order = &p.recvs[i], 1
		case i >= len(p.recvs):
			s, order = &p.sends[i], -1
		default:
			s, r = &p.sends[i], &p.recvs[i]
			order = cmp.Or(cmp.Compare(s.rank, r.peer), cmp.Compare(s.peer, r.rank), cmp.Compare(s.tag, r.tag))
		}
		switch {
		case order < 0:
			p.fail(p.lineOf(s), "rank %d has too few recv from %d with tag %d: none is left for this send", s.peer, s.rank, s.tag)
			return
		case order > 0:
			p.fail(p.lineOf(r), "rank %d has too few send to %d with tag %d: none is left for this recv", r.peer, r.rank, r.tag)
			return
		}
		p.pair(s, r)
	}
	slices.SortFunc(p.Messages, func(a, b Message) int { return cmp.Or(cmp.Compare(a.Src, b.Src), cmp.Compare(a.send, b.send)) })
	for i := range p.Messages {
		m := &p.Messages[i]
		p.ranks[m.Src].ops[m.send].of = int32(i)
	}
}

// pair makes a message of its two ends.
func (p *parser) pair(s, r *end) {
	if s.rank == s.peer {
		p.ranks[s.rank].ops[s.op].of = ^r.op
		return
	}
	p.Messages = append(p.Messages, Message{Src: s.rank, Dst: s.peer, Bytes: s.bytes, send: s.op, recv: r.op})
}

func (p *parser) lineOf(e *end) int { return int(p.ranks[e.rank].ops[e.op].line) }
