package qcn

import "github.com/qbb-sim/qbb/core"

// shares counts the bytes of each flow that passes a port.
type shares struct {
	flows []share
	slots []int32 // hash table: 1 + index into flows, 0 for empty; length a power of two
	total core.Bytes
	seen  core.Bytes // since the last halving
}

type share struct {
	node  core.NodeID
	qp    int32
	bytes core.Bytes
}

// reset forgets all flows and keeps the memory.
func (s *shares) reset() {
	clear(s.slots)
	s.flows, s.total, s.seen = s.flows[:0], 0, 0
}

// add counts n bytes of a flow.
func (s *shares) add(node core.NodeID, qp int32, n core.Bytes) {
	s.total += n
	s.seen += n
	f := s.at(node, qp)
	f.bytes += n
}

// at returns the entry of a flow, a new one if it has none.
func (s *shares) at(node core.NodeID, qp int32) *share {
	if 2*len(s.flows) >= len(s.slots) {
		s.grow()
	}
	slot := s.find(node, qp)
	if s.slots[slot] == 0 {
		s.flows = append(s.flows, share{node: node, qp: qp})
		s.slots[slot] = int32(len(s.flows))
	}
	return &s.flows[s.slots[slot]-1]
}

// find returns the slot of a flow, or the empty one where it belongs.
func (s *shares) find(node core.NodeID, qp int32) uint32 {
	// Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
	const golden = 0x9e3779b97f4a7c15
	mask := uint32(len(s.slots) - 1)
	slot := uint32((uint64(uint32(node))<<32|uint64(uint32(qp)))*golden>>32) & mask
	for ; s.slots[slot] != 0; slot = (slot + 1) & mask {
		if f := &s.flows[s.slots[slot]-1]; f.node == node && f.qp == qp {
			break
		}
	}
	return slot
}

func (s *shares) grow() {
	s.slots = make([]int32, max(16, 2*len(s.slots)))
	s.index()
}

// index fills the empty hash table.
func (s *shares) index() {
	for i, f := range s.flows {
		s.slots[s.find(f.node, f.qp)] = int32(i + 1)
	}
}

// halve halves all counts and forgets the flows of which nothing remains.
func (s *shares) halve() {
	kept := s.flows[:0]
	s.total, s.seen = 0, 0
	for _, f := range s.flows {
		if f.bytes /= 2; f.bytes > 0 {
			kept = append(kept, f)
			s.total += f.bytes
		}
	}
	s.flows = kept
	clear(s.slots)
	s.index()
}
