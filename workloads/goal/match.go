package goal

import (
	"cmp"
	"fmt"
	"slices"
)

// match finds the recv of every send: of those with the same two ranks and tag the one that has the same place in the order of
// adding.
func (b *Builder) match() error {
	// Of a recv, the peer is the sender.
	slices.SortStableFunc(b.sends, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.peer, b.peer), cmp.Compare(a.tag, b.tag))
	})
	slices.SortStableFunc(b.recvs, func(a, b end) int {
		return cmp.Or(cmp.Compare(a.peer, b.peer), cmp.Compare(a.rank, b.rank), cmp.Compare(a.tag, b.tag))
	})
	for i := range max(len(b.sends), len(b.recvs)) {
		var s, r *end
		order := 0
		switch {
		case i >= len(b.sends):
			r, order = &b.recvs[i], 1
		case i >= len(b.recvs):
			s, order = &b.sends[i], -1
		default:
			s, r = &b.sends[i], &b.recvs[i]
			order = cmp.Or(cmp.Compare(s.rank, r.peer), cmp.Compare(s.peer, r.rank), cmp.Compare(s.tag, r.tag))
		}
		switch {
		case order < 0:
			return fmt.Errorf("%s: rank %d has too few recv from %d with tag %d: none is left for this send", b.startOf(s), s.peer, s.rank, s.tag)
		case order > 0:
			return fmt.Errorf("%s: rank %d has too few send to %d with tag %d: none is left for this recv", b.startOf(r), r.peer, r.rank, r.tag)
		}
		b.pair(s, r)
	}
	slices.SortFunc(b.schedule.Messages, func(a, b Message) int { return cmp.Or(cmp.Compare(a.Src, b.Src), cmp.Compare(a.send, b.send)) })
	for i := range b.schedule.Messages {
		m := &b.schedule.Messages[i]
		b.schedule.ranks[m.Src].ops[m.send].of = int32(i)
		b.schedule.ranks[m.Dst].ops[m.recv].of = int32(i)
	}
	return nil
}

// pair makes a message of its two ends.
func (b *Builder) pair(s, r *end) {
	if s.rank == s.peer {
		ops := b.schedule.ranks[s.rank].ops
		ops[s.op].of, ops[r.op].of = ^r.op, ^s.op
		return
	}
	b.schedule.Messages = append(b.schedule.Messages, Message{Src: s.rank, Dst: s.peer, Bytes: s.bytes, send: s.op, recv: r.op})
}

func (b *Builder) startOf(e *end) string {
	return b.schedule.where.At(e.rank, b.schedule.ranks[e.rank].ops[e.op].origin.Place)
}
