package traces

import "github.com/qbb-sim/qbb/core"

// NoFlow is the flow of a packet that belongs to none, such as a PFC frame, or whose flow is not
// known.
const NoFlow = -1

// Sighting is a record of the event trace or a packet of a capture, with the flow that the packet
// belongs to.
type Sighting struct {
	core.Record
	Flow int64 // as in fct.parquet; NoFlow
}

// PacketID numbers a packet: it is the same wherever the packet is seen, and equal for different
// packets with a probability of 2^-64.
func (s *Sighting) PacketID() uint64 {
	p := &s.Packet
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range [...]uint64{uint64(s.Flow), uint64(p.Kind), uint64(p.Seq), uint64(p.Sent), uint64(p.Src)} {
		h = core.Mix64(h ^ v)
	}
	return h
}
