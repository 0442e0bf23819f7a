package traces

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// EventPeriod is where offsets in mix.tr wrap to 0: they have 32 bits.
const EventPeriod = 1 << 32

// eventSize is the length of a record of mix.tr. eventSchema has its layout.
const eventSize = 56

// Protocol numbers of a record. Those of data and ACK are the reference's; no trace at hand
// shows the others, so they are ours, from the unassigned end of the range.
const (
	protoWeave  = 0xf7
	protoOther  = 0xf8
	protoCredit = 0xf9
	protoGrant  = 0xfa
	protoCNM    = 0xfb
	protoAck    = 0xfc
	protoNack   = 0xfd
	protoPause  = 0xfe
	protoCNP    = 0xff
	protoData   = 0x11 // UDP
)

var protoOf = [...]uint8{
	core.Data: protoData, core.Ack: protoAck, core.Nack: protoNack, core.Pause: protoPause,
	core.CNP: protoCNP, core.CNM: protoCNM, core.Grant: protoGrant, core.Credit: protoCredit,
	core.Datagram: protoOther, core.ConWeave: protoWeave,
}

const (
	ecnCE   = 3 // IP codepoint, RFC 3168 section 5
	ackEcho = 1 // ACK flag: congestion was seen
)

// EventPort is a port in the header of mix.tr.
type EventPort struct {
	Node core.NodeID
	Port int32 // from 0
	Rate core.Rate
}

// EventHeader is the header of mix.tr.
type EventHeader struct {
	Ports  []EventPort
	Window uint32 // the largest bandwidth-delay product of a host pair, bytes
}

// Rate returns the rate of the link at a port; 0 if the header has no such port.
func (h *EventHeader) Rate(node core.NodeID, port int32) core.Rate {
	for _, p := range h.Ports {
		if p.Node == node && p.Port == port {
			return p.Rate
		}
	}
	return 0
}

// EventEncoder writes the binary event trace mix.tr.
type EventEncoder struct {
	header     EventHeader
	kinds      []topo.Kind
	timestamps bool
}

// NewEventEncoder returns an encoder for a run on the topology, or an error if the format
// cannot number its nodes and ports. With timestamps, records hold the packets' sending
// times, as they do in the reference if its INT header is a time stamp (TIMELY).
func NewEventEncoder(t *topo.Topology, window uint32, timestamps bool) (*EventEncoder, error) {
	if len(t.Kinds) > math.MaxUint16+1 {
		return nil, fmt.Errorf("%s: %d nodes: the event trace has room for %d: turn it off", t.Name, len(t.Kinds), math.MaxUint16+1)
	}
	for id, ports := range t.Ports() {
		if len(ports) > math.MaxUint8 {
			return nil, fmt.Errorf("%s: node %d has %d ports: the event trace has room for %d: turn it off", t.Name, id, len(ports), math.MaxUint8)
		}
	}
	return &EventEncoder{
		header:     EventHeader{Ports: eventPorts(t), Window: window},
		kinds:      t.Kinds,
		timestamps: timestamps,
	}, nil
}

// AppendHeader appends the header of the file.
func (e *EventEncoder) AppendHeader(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(e.header.Ports)))
	for _, p := range e.header.Ports {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(p.Node))
		dst = append(dst, uint8(p.Port)+1)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(p.Rate))
	}
	return binary.LittleEndian.AppendUint32(dst, e.header.Window)
}

// Append appends one record. Counters wrap as the format's widths say: 32 bits for
// sequence numbers and queue lengths, 16 for sizes.
func (e *EventEncoder) Append(dst []byte, r *core.Record) []byte {
	var b [eventSize]byte
	le := binary.LittleEndian
	p := &r.Packet
	le.PutUint64(b[0:], uint64(r.At.Nanos()))
	le.PutUint16(b[8:], uint16(r.Node))
	b[10] = uint8(r.Port) + 1
	b[11] = r.Queue
	le.PutUint32(b[12:], uint32(r.Depth))
	le.PutUint32(b[16:], core.Address(p.Src))
	le.PutUint32(b[20:], core.Address(p.Dst))
	le.PutUint16(b[24:], uint16(p.Size))
	b[26] = protoOf[p.Kind]
	b[27] = uint8(r.Event)
	if p.Flags&core.CE != 0 {
		b[28] = ecnCE
	}
	b[29] = uint8(e.kinds[r.Node])
	le.PutUint16(b[32:], p.SrcPort)
	le.PutUint16(b[34:], p.DstPort)
	sent := int64(0)
	if e.timestamps {
		sent = p.Sent.Nanos()
	}
	if p.Kind == core.Data {
		le.PutUint32(b[36:], uint32(p.Seq))
		le.PutUint64(b[40:], uint64(sent))
		le.PutUint16(b[48:], uint16(p.Prio))
		le.PutUint16(b[50:], uint16(p.Payload))
		return append(dst, b[:]...)
	}
	if p.Flags&core.ECE != 0 {
		le.PutUint16(b[36:], ackEcho)
	}
	le.PutUint16(b[38:], uint16(p.Prio))
	le.PutUint32(b[40:], uint32(p.Seq))
	le.PutUint64(b[48:], uint64(sent))
	if p.Kind == core.Pause {
		le.PutUint64(b[48:], p.Aux)
	}
	return append(dst, b[:]...)
}
