package capture

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Magic is how a capture begins.
const Magic = "\n\r\r\n"

// Reader reads captures that a [Writer] has written.
type Reader struct {
	name       string
	in         *bufio.Reader
	mtu        int64
	interfaces []place
	body       []byte
	packet     int64 // packets read
}

// place is a port of a node.
type place struct {
	node core.NodeID
	port int32
	unit core.Time // of time stamps
	rate core.Rate // of the link; 0: the file does not say
}

// NewReader reads the head of a capture. Errors call it name.
func NewReader(name string, r io.Reader) (*Reader, error) {
	c := &Reader{name: name, in: bufio.NewReaderSize(r, 64<<10)}
	kind, err := c.block()
	if err == io.EOF {
		return nil, c.wrong("not a capture of qbb: it is empty")
	}
	if err != nil {
		return nil, err
	}
	if kind != sectionHeader || len(c.body) < 16 || binary.LittleEndian.Uint32(c.body) != byteOrderMagic {
		return nil, c.wrong("not a capture of qbb: it does not begin with a little-endian section header")
	}
	comment := findOption(c.body[16:], optComment)
	text, ok := strings.CutPrefix(string(comment), mtuMark)
	if c.mtu, err = strconv.ParseInt(text, 10, 64); !ok || err != nil || c.mtu < 1 || c.mtu > 1<<20 {
		return nil, c.wrong("not a capture of qbb: its comment does not say how many bytes a full packet holds")
	}
	return c, nil
}

// Period is where the offsets of packets wrap to 0: sequence numbers have 24 bits.
func (c *Reader) Period() int64 { return c.mtu << 24 }

func (c *Reader) wrong(what string, args ...any) error {
	return &traces.SyntaxError{File: c.name, What: fmt.Sprintf(what, args...)}
}

// maxBlock is the most bytes of a block: a frame and its options.
const maxBlock = maxFrame + 1<<16

// block reads a block into c.body and returns its type; io.EOF at the end.
func (c *Reader) block() (uint32, error) {
	var head [8]byte
	if _, err := io.ReadFull(c.in, head[:]); err == io.EOF {
		return 0, io.EOF
	} else if err != nil {
		return 0, c.cut(err)
	}
	n := binary.LittleEndian.Uint32(head[4:])
	if n < 12 || n > maxBlock || n%4 != 0 {
		return 0, c.wrong("not a capture of qbb: a block has %d bytes", n)
	}
	if uint32(cap(c.body)) < n-8 {
		c.body = make([]byte, n-8)
	}
	c.body = c.body[:n-8]
	if _, err := io.ReadFull(c.in, c.body); err != nil {
		return 0, c.cut(err)
	}
	c.body = c.body[:n-12]
	return binary.LittleEndian.Uint32(head[:]), nil
}

// cut describes a file that ends, or cannot be read, inside a block.
func (c *Reader) cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return c.wrong("the file ends inside a block: is it complete?")
	}
	part := "the head"
	if c.mtu > 0 {
		part = fmt.Sprintf("packet %d", c.packet)
	}
	return fmt.Errorf("%s: cannot read %s: %w", c.name, part, err)
}

// findOption returns the value of the first option of a code; nil if there is none.
func findOption(b []byte, code uint16) []byte {
	for len(b) >= 4 {
		this, n := binary.LittleEndian.Uint16(b), int(binary.LittleEndian.Uint16(b[2:]))
		if this == 0 || len(b) < 4+n {
			break
		}
		if this == code {
			return b[4 : 4+n]
		}
		b = b[4+n+-n&3:] // blocks, and so lists of options, have multiples of 4 bytes
	}
	return nil
}

// Next returns the next packet; io.EOF at the end.
func (c *Reader) Next() (traces.Sighting, error) {
	for {
		kind, err := c.block()
		if err != nil {
			return traces.Sighting{}, err
		}
		switch kind {
		case sectionHeader: // its interfaces are numbered from 0 again
			return traces.Sighting{}, c.wrong("holds several captures, the second from packet %d on: look at each by itself", c.packet)
		case interfaceBlock:
			if err := c.addInterface(); err != nil {
				return traces.Sighting{}, err
			}
		case enhancedPacket:
			return c.sighting()
		}
	}
}

func (c *Reader) addInterface() error {
	if len(c.body) < 8 {
		return c.wrong("not a capture of qbb: a short description of an interface")
	}
	name := findOption(c.body[8:], optName)
	resolution := findOption(c.body[8:], optResolution)
	speed := findOption(c.body[8:], optSpeed)
	at, ok := parsePort(string(name))
	switch {
	case ok && string(resolution) == string([]byte{picoseconds}):
		at.unit = 1
	case ok && string(resolution) == string([]byte{nanoseconds}):
		at.unit = core.Time(core.Nanosecond)
	default:
		return c.wrong("not a capture of qbb: interface %.40q does not name a port, or counts neither picoseconds nor nanoseconds", name)
	}
	if len(speed) == 8 {
		at.rate = core.Rate(max(0, int64(binary.LittleEndian.Uint64(speed))))
	}
	c.interfaces = append(c.interfaces, at)
	return nil
}

// Rate returns the rate of the link at a port that packets have been read of; 0 if it is not known.
func (c *Reader) Rate(node core.NodeID, port int32) core.Rate {
	for _, p := range c.interfaces {
		if p.node == node && p.port == port {
			return p.rate
		}
	}
	return 0
}

// parsePort reads the name of an interface.
func parsePort(name string) (place, bool) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, traces.KindHost), traces.KindSwitch)
	node, port, _ := strings.Cut(name, ":")
	n, err1 := strconv.ParseUint(node, 10, 24)
	p, err2 := strconv.ParseUint(port, 10, 16)
	return place{node: core.NodeID(n), port: int32(p)}, err1 == nil && err2 == nil
}

// sighting reads the packet in c.body.
func (c *Reader) sighting() (s traces.Sighting, err error) {
	le := binary.LittleEndian
	const head = 20
	if len(c.body) < head {
		return s, c.wrong("packet %d has no head", c.packet)
	}
	id, captured, whole := le.Uint32(c.body), le.Uint32(c.body[12:]), le.Uint32(c.body[16:])
	at := uint64(le.Uint32(c.body[4:]))<<32 | uint64(le.Uint32(c.body[8:]))
	switch {
	case int64(id) >= int64(len(c.interfaces)):
		return s, c.wrong("packet %d was seen at an unknown interface", c.packet)
	case int64(captured) > int64(len(c.body)-head) || captured > whole || whole > maxFrame:
		return s, c.wrong("packet %d is longer than its block", c.packet)
	case at >= uint64(core.Never/c.interfaces[id].unit):
		return s, c.wrong("packet %d has a time out of range", c.packet)
	}
	frame := c.body[head : head+captured]
	options := c.body[head+(captured+3)&^3:]
	flags := findOption(options, optFlags)
	where := &c.interfaces[id]
	s.At, s.Node, s.Port = core.Time(at)*where.unit, where.node, where.port
	s.Event = core.EventDequeue
	if len(flags) == 4 && le.Uint32(flags)&direction == inbound {
		s.Event = core.EventRecv
	}
	var problem string
	if s.Packet, s.Flow, problem = decodeFrame(frame, int32(whole), c.mtu); problem != "" {
		return s, c.wrong("packet %d %s: was it captured by qbb?", c.packet, problem)
	}
	comment := string(findOption(options, optComment))
	if s.Packet.Kind == core.Pause && comment == foreverMark {
		s.Packet.Aux = uint64(core.PauseWord(s.Packet.Aux).UntilResumed())
	}
	if text, ok := strings.CutPrefix(comment, payloadMark); ok && s.Packet.Kind == core.Data {
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil || n > uint64(whole) {
			return s, c.wrong("packet %d has a wrong number of message bytes", c.packet)
		}
		s.Packet.Payload = int32(n)
	}
	c.packet++
	return s, nil
}
