package inspect

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Packet follows the packet of a flow that holds the byte at an offset, from port to port, the NACKs that ask for it,
// and the first acknowledgement that covers it. Each line ends with the time since the line before.
func Packet(path string, flow, offset int64) (string, error) {
	var b strings.Builder
	var last core.Time
	seen := 0
	of := followed{flow: flow, offset: offset}
	err := Each(path, func(v *traces.Sighting) bool {
		if !of.has(v) {
			return true
		}
		if seen == 0 {
			last = v.At
		}
		fmt.Fprintf(&b, "%-100s +%s us\n", Line(v), micros(v.At-last))
		last = v.At
		seen++
		return true
	})
	if err != nil {
		return "", err
	}
	if seen == 0 {
		return "", fmt.Errorf("%s: no packet of flow %d holds byte %d", path, flow, offset)
	}
	return fmt.Sprintf("%-100s  since the line before\n", Head) + b.String(), nil
}

// followed is a byte of a flow, and what is known of the packets that tell of it.
type followed struct {
	flow, offset int64
	step         int64  // largest payload of the flow
	sent         bool   // a packet that holds the byte was seen
	acked        bool   // an answer that covers it was seen
	answer       uint64 // its PacketID
}

// has reports whether a packet holds the byte, asks for it, or is the first that says it has arrived: an ACK, or a NACK
// of what comes after it. These are cumulative: one may cover many packets.
func (f *followed) has(v *traces.Sighting) bool {
	p := &v.Packet
	switch {
	case v.Flow != f.flow:
		return false
	case p.Kind == core.Data:
		f.step = max(f.step, int64(p.Payload))
		ours := p.Seq <= f.offset && f.offset < p.Seq+int64(p.Payload)
		f.sent = f.sent || ours
		return ours
	case p.Kind == core.Nack && p.Seq <= f.offset:
		return f.offset < p.Seq+f.step
	case p.Kind != core.Ack && p.Kind != core.Nack || p.Seq <= f.offset || !f.sent:
		return false
	case !f.acked:
		f.acked, f.answer = true, v.PacketID()
	}
	return v.PacketID() == f.answer
}
