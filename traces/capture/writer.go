package capture

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/traces"
)

// Options say how a capture is written.
type Options struct {
	Snap        core.Bytes             // most bytes kept of a frame; 0: all
	Nanoseconds bool                   // time stamps are cut to nanoseconds
	Write       bool                   // messages are RDMA WRITEs, not SENDs
	Ring        Ring                   // what is kept of a long run
	Application string                 // name and version of the program
	MTU         core.Bytes             // message bytes of a full packet
	Bytes       func(flow int64) int64 // size of a flow's message
}

// maxFrame is the most bytes of a frame that are kept.
const maxFrame = 1 << 18

// Writer writes a capture. Errors of writing are the file's to keep ([traces.File]).
type Writer struct {
	w      io.Writer
	framer framer
	snap   int
	unit   core.Time // of time stamps
	first  []uint32  // by node: number of its first interface
	ports  [][]topo.Port
	ring   *ring // nil: packets are written as they come
	line   []byte
	seen   int64
}

// NewWriter writes the head of a capture of a network.
func NewWriter(w io.Writer, t *topo.Topology, o Options) (*Writer, error) {
	c := &Writer{w: w, framer: framer{mtu: int64(o.MTU), bytes: o.Bytes, write: o.Write}, snap: maxFrame, unit: 1, ports: t.Ports()}
	if o.Snap > 0 {
		c.snap = int(min(o.Snap, maxFrame))
	}
	resolution := byte(picoseconds)
	if o.Nanoseconds {
		resolution, c.unit = nanoseconds, core.Time(core.Nanosecond)
	}
	if o.Ring != (Ring{}) {
		c.ring = &ring{limit: o.Ring}
	}
	c.line = appendSection(c.line, fmt.Sprintf("%s%d", mtuMark, o.MTU), o.Application)
	next := uint32(0)
	for id, ports := range c.ports {
		c.first = append(c.first, next)
		for i, p := range ports {
			peer := portName(t.Kinds[p.Peer], p.Peer, p.PeerPort)
			rate := t.Links[p.Link].Rate
			c.line = appendInterface(c.line, portName(t.Kinds[id], core.NodeID(id), i), "link to "+peer, uint64(rate), uint32(c.snap), resolution)
			next++
		}
	}
	_, err := w.Write(c.line)
	return c, err
}

// mtuMark begins the comment of a capture, which says what its sequence numbers count.
const mtuMark = "message bytes of a full packet: "

// portName is the name of an interface.
func portName(k topo.Kind, node core.NodeID, port int) string {
	return fmt.Sprintf("%s%d:%d", traces.KindName(k), node, port)
}

// Seen returns the number of packets captured, those that a ring has dropped included.
func (c *Writer) Seen() int64 { return c.seen }

// Add captures a packet that is received or sent; other records are not seen on a wire. Packets of
// credit flow control are left out: InfiniBand's have no form on Ethernet.
func (c *Writer) Add(s *traces.Sighting) {
	if s.Packet.Kind == core.Credit {
		return
	}
	here := macOf(s.Node, int(s.Port))
	link := &c.ports[s.Node][s.Port]
	there := macOf(link.Peer, link.PeerPort)
	switch s.Event {
	case core.EventRecv:
		c.line = c.appendPacket(c.line[:0], s, there, here, inbound)
	case core.EventDequeue:
		c.line = c.appendPacket(c.line[:0], s, here, there, outbound)
	default:
		return
	}
	c.seen++
	if c.ring != nil {
		c.ring.push(c.line)
		return
	}
	c.w.Write(c.line)
}

// appendPacket appends an enhanced packet block.
func (c *Writer) appendPacket(dst []byte, s *traces.Sighting, from, to mac, way uint32) []byte {
	le := binary.LittleEndian
	p := &s.Packet
	start := len(dst)
	dst = beginBlock(dst, enhancedPacket)
	dst = le.AppendUint32(dst, c.first[s.Node]+uint32(s.Port))
	dst = le.AppendUint32(dst, uint32(s.At/c.unit>>32))
	dst = le.AppendUint32(dst, uint32(s.At/c.unit))
	lengths := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	dst, whole := c.framer.appendFrame(dst, s, from, to, c.snap)
	captured := len(dst) - lengths - 8
	le.PutUint32(dst[lengths:], uint32(captured))
	le.PutUint32(dst[lengths+4:], uint32(whole))
	dst = pad(dst, captured)
	dst = append(dst, optFlags, 0, 4, 0)
	dst = le.AppendUint32(dst, way|withFCS)
	switch {
	case p.Kind != core.Pause:
		dst = append(dst, optPacketID, 0, 8, 0)
		dst = le.AppendUint64(dst, s.PacketID())
	case core.PauseWord(p.Aux).Forever():
		dst = option(dst, optComment, foreverMark)
	}
	if p.Kind == core.Data && p.Payload != usualPayload(p, int32(whole), c.framer.mtu) {
		var comment [len(payloadMark) + 20]byte
		dst = option(dst, optComment, strconv.AppendInt(append(comment[:0], payloadMark...), int64(p.Payload), 10))
	}
	return endBlock(endOptions(dst), start)
}

// foreverMark is the comment of a PFC frame whose pause does not expire, which no number of quanta expresses.
const foreverMark = "until resumed"

// payloadMark begins the comment of a data packet that says how many message bytes it has.
const payloadMark = "message bytes: "

// Misread reports whether tshark and Wireshark misread the time stamp at: as of version 4.0 they
// multiply the fraction of a second, in units of the file, by 10^9 in 64 bits.
func Misread(at core.Time) bool {
	return uint64(at)%uint64(core.Second) > math.MaxUint64/1_000_000_000
}

// Close writes what a ring has kept. It does not close the file.
func (c *Writer) Close() error {
	if c.ring == nil {
		return nil
	}
	first, rest := c.ring.kept()
	if _, err := c.w.Write(first); err != nil {
		return err
	}
	_, err := c.w.Write(rest)
	return err
}
