package traces

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// EventReader reads a binary event trace mix.tr.
type EventReader struct {
	Header EventHeader
	name   string
	in     *bufio.Reader
	record int64 // records read
}

// NewEventReader reads the header of a trace from r, such as of [Open], which expands it. Errors call it name.
func NewEventReader(name string, r io.Reader) (*EventReader, error) {
	e := &EventReader{name: name, in: bufio.NewReaderSize(r, 64<<10)}
	if err := e.readHeader(); err != nil {
		return nil, err
	}
	return e, nil
}

// mostEventPorts is how many ports the format has numbers for: 255 of each node, with 16 bits. It bounds what a file that is
// something else takes.
const mostEventPorts = 255 << 16

func (e *EventReader) readHeader() error {
	var b [11]byte
	if _, err := io.ReadFull(e.in, b[:4]); err != nil {
		return e.cut("header", err)
	}
	for n := binary.LittleEndian.Uint32(b[:]); n > 0; n-- {
		if _, err := io.ReadFull(e.in, b[:]); err != nil {
			return e.cut("header", err)
		}
		rate := binary.LittleEndian.Uint64(b[3:])
		if b[2] == 0 || int64(rate) <= 0 {
			return &SyntaxError{File: e.name, What: "not an event trace: its header has a port without number or rate"}
		}
		if len(e.Header.Ports) == mostEventPorts {
			return &SyntaxError{File: e.name, What: "not an event trace: its header has more ports than there are numbers for"}
		}
		e.Header.Ports = append(e.Header.Ports, EventPort{
			Node: core.NodeID(binary.LittleEndian.Uint16(b[:])),
			Port: int32(b[2]) - 1,
			Rate: core.Rate(rate),
		})
	}
	if _, err := io.ReadFull(e.in, b[:4]); err != nil {
		return e.cut("header", err)
	}
	e.Header.Window = binary.LittleEndian.Uint32(b[:])
	return nil
}

// cut describes a file that ends, or cannot be read, inside part.
func (e *EventReader) cut(part string, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return &SyntaxError{File: e.name, What: "the file ends inside its " + part, Fix: "is it an event trace, and complete?"}
	}
	return fmt.Errorf("%s: cannot read its %s: %w", e.name, part, err)
}

// Next returns the next record; io.EOF at the end. The packet has what the format holds. Sent
// is zero unless the trace has time stamps.
func (e *EventReader) Next() (core.Record, error) {
	var b [eventSize]byte
	if _, err := io.ReadFull(e.in, b[:]); err == io.EOF {
		return core.Record{}, io.EOF
	} else if err != nil {
		return core.Record{}, e.cut(fmt.Sprintf("record %d", e.record), err)
	}
	r, problem := decodeEvent(&b)
	if problem != "" {
		return core.Record{}, &SyntaxError{File: e.name, What: fmt.Sprintf("record %d has %s", e.record, problem), Fix: "is this an event trace?"}
	}
	e.record++
	return r, nil
}

// decodeEvent reads one record, and reports a value that no trace holds.
func decodeEvent(b *[eventSize]byte) (r core.Record, problem string) {
	le := binary.LittleEndian
	kind := slices.Index(protoOf[:], b[26])
	src, okSrc := NodeAt(le.Uint32(b[16:]))
	dst, okDst := NodeAt(le.Uint32(b[20:]))
	at := le.Uint64(b[0:])
	switch {
	case kind < 0:
		return r, fmt.Sprintf("the unknown protocol %#02x", b[26])
	case b[27] > uint8(core.EventDrop):
		return r, fmt.Sprintf("the unknown event %d", b[27])
	case !okSrc || !okDst:
		return r, "an address of no node"
	case at > maxSeconds*1e9:
		return r, "a time out of range"
	case b[10] == 0:
		return r, "no port"
	}
	p := core.Packet{
		Kind: core.Kind(kind), Src: src, Dst: dst, Size: int32(le.Uint16(b[24:])),
		SrcPort: le.Uint16(b[32:]), DstPort: le.Uint16(b[34:]),
	}
	if b[28] == ecnCE {
		p.Flags |= core.CE
	}
	var sent uint64
	if p.Kind == core.Data {
		p.Seq, sent = int64(le.Uint32(b[36:])), le.Uint64(b[40:])
		p.Prio, p.Payload = uint8(le.Uint16(b[48:])), int32(le.Uint16(b[50:]))
	} else {
		p.Prio, p.Seq = uint8(le.Uint16(b[38:])), int64(le.Uint32(b[40:]))
		sent = le.Uint64(b[48:])
		if le.Uint16(b[36:])&ackEcho != 0 {
			p.Flags |= core.ECE
		}
	}
	if p.Kind == core.Pause {
		p.Aux, sent = sent, 0
	}
	if sent > maxSeconds*1e9 {
		return r, "a time stamp out of range"
	}
	p.Sent = core.AtNanos(int64(sent))
	return core.Record{
		At: core.AtNanos(int64(at)), Node: core.NodeID(le.Uint16(b[8:])), Port: int32(b[10]) - 1,
		Queue: b[11], Depth: core.Bytes(le.Uint32(b[12:])), Event: core.Event(b[27]), Packet: p,
	}, ""
}
