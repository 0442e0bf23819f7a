package nic

import "github.com/qbb-sim/qbb/core"

// Entropy is how a sender chooses the source port of a packet, by which switches choose among equal-cost paths (the
// entropy value of Ultra Ethernet). All but OfFlow may reorder the packets of a flow.
type Entropy uint8

// Ways to choose.
const (
	OfFlow     Entropy = iota // that of the flow: one path
	Sprayed                   // for every packet at random: oblivious packet spraying
	Recycled                  // REPS: those whose packets have just come through without a mark
	Protective                // PLB: one, until its path has been congested for long
)

// entropies are what a flow with Recycled knows of its paths (REPS, Bonato et al., 2024): the entropy values of the last
// packets that were acknowledged without the echo of a mark. Each is used once more, the oldest first; if there is none,
// and for the packets of the first round trip, values are random. The paper's freezing after failures is left out:
// routes are mended at once here.
type entropies struct {
	cache   [8]uint16 // the paper's size
	head    uint8     // where the next one goes
	fresh   uint8     // those before head that have not been used
	explore int64     // packets to come with random values whatever the cache holds

	protection protection // with Protective, the only one in use
}

// spread prepares a flow for paths of its own choice; what it may have in flight in a round trip counts as the first.
func (h *Host) spread(s *sender, f *Flow) *entropies {
	if h.cfg.Entropy == OfFlow {
		return nil
	}
	return &entropies{
		explore:    int64(s.line.BytesIn(f.BaseRTT) / h.cfg.MTU),
		protection: protection{port: f.SrcPort},
	}
}

// draw returns a random source port.
func (h *Host) draw() uint16 { return uint16(h.cfg.Chance.Uint32() >> 16) }

// sourcePort is the source port of a flow's next packet.
func (h *Host) sourcePort(s *sender) uint16 {
	e := s.paths
	if e == nil {
		return s.srcPort
	}
	if h.cfg.Entropy == Protective {
		return e.protection.port
	}
	if h.cfg.Entropy == Sprayed || e.explore > 0 || e.fresh == 0 {
		e.explore = max(0, e.explore-1)
		return h.draw()
	}
	port := e.cache[(e.head-e.fresh)%uint8(len(e.cache))]
	e.fresh--
	return port
}

// learn hears of a packet that has come through, or was trimmed.
func (h *Host) learn(s *sender, ack *core.Packet) {
	switch h.cfg.Entropy {
	case Recycled:
		s.paths.recycle(ack)
	case Protective:
		h.judge(s, ack)
	}
}

// recycle keeps the source port of a packet that has come through, as its acknowledgement tells.
func (e *entropies) recycle(ack *core.Packet) {
	if ack.Flags&(core.ECE|core.Trimmed) != 0 {
		return
	}
	e.cache[e.head] = ack.DstPort
	e.head = (e.head + 1) % uint8(len(e.cache))
	e.fresh = min(e.fresh+1, uint8(len(e.cache)))
}
