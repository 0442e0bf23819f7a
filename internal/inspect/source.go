package inspect

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/capture"
)

// source is a file of packets. It marks a packet that it sees a second time as sent again,
// continues offsets where the file's wrap, and numbers the flows of an event trace, which has no
// flow numbers, in the order of their first packet. An event trace does not record the flow of a
// CNM or a datagram.
type source struct {
	file   io.Closer
	next   func() (traces.Sighting, error)
	rate   func(node core.NodeID, port int32) core.Rate // of the link at a port; 0: not known
	number bool
	flows  map[flowKey]int64
	top    map[placeKey]int64 // highest byte seen
	period int64              // after which offsets in the file start again; 0: never
	last   map[int64]int64    // by flow: the offset seen last
}

// flowKey is an event trace's description of a flow.
type flowKey struct {
	src, dst     core.NodeID
	sport, dport uint16
}

// placeKey is a flow at a port.
type placeKey struct {
	flow  int64
	node  core.NodeID
	port  int32
	event core.Event
}

// open opens a capture, or an event trace as mix.tr or as text, recognised by content.
func open(path string) (*source, error) {
	f, err := traces.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := newSource(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.file = f
	return s, nil
}

// newSource recognises the forms: a capture by its first bytes, text by what its first line says of the node.
func newSource(name string, r io.Reader) (*source, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(256)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: cannot read: %w", name, err)
	}
	s := &source{flows: make(map[flowKey]int64), top: make(map[placeKey]int64), last: make(map[int64]int64)}
	switch {
	case bytes.HasPrefix(head, []byte(capture.Magic)):
		c, err := capture.NewReader(name, in)
		if err != nil {
			return nil, err
		}
		s.next, s.period, s.rate = c.Next, c.Period(), c.Rate
	case bytes.HasPrefix(head, []byte(traces.ParquetMagic)):
		return nil, &traces.SyntaxError{File: name, What: "a table in Parquet", Fix: "packets are in what qbb run --pcap and --trace write; qbb csv prints tables"}
	case len(head) == 0 || isText(head): // a trace without records is empty as text
		s.number, s.next = true, unnumbered(traces.NewEventTextReader(name, in).Next)
		s.rate = func(core.NodeID, int32) core.Rate { return 0 }
	default:
		e, err := traces.NewEventReader(name, in)
		if err != nil {
			return nil, err
		}
		s.number, s.next, s.period, s.rate = true, unnumbered(e.Next), traces.EventPeriod, e.Header.Rate
	}
	return s, nil
}

// isText reports whether a file begins with a line of an event trace. The header of a binary one, whose numbers may look
// like a part of such a line, has zeros in its first number: there are no more than 255 << 16 ports.
func isText(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.Contains(line, []byte(" n:")) && !bytes.ContainsRune(line, 0)
}

func unnumbered(next func() (core.Record, error)) func() (traces.Sighting, error) {
	return func() (traces.Sighting, error) {
		r, err := next()
		return traces.Sighting{Record: r, Flow: traces.NoFlow}, err
	}
}

// close closes the file.
func (s *source) close() error { return s.file.Close() }

// read returns the next sighting; io.EOF at the end.
func (s *source) read() (traces.Sighting, error) {
	v, err := s.next()
	if err != nil {
		return v, err
	}
	if s.number {
		v.Flow = s.flowOf(&v.Packet)
	}
	switch v.Packet.Kind {
	case core.Data:
		s.unwrap(&v)
		s.markAgain(&v)
	case core.Ack, core.Nack:
		s.unwrap(&v)
	}
	return v, nil
}

// unwrap moves the offset of a packet by whole periods, as close as possible to the previous offset
// of its flow.
func (s *source) unwrap(v *traces.Sighting) {
	if s.period == 0 {
		return
	}
	p := &v.Packet
	if turns := (s.last[v.Flow] - p.Seq + s.period/2) / s.period; turns > 0 {
		p.Seq += turns * s.period
	}
	s.last[v.Flow] = p.Seq
}

// flowOf numbers the flow of a packet. A packet on the way back to the source has its ends
// exchanged.
func (s *source) flowOf(p *core.Packet) int64 {
	k := flowKey{p.Src, p.Dst, p.SrcPort, p.DstPort}
	switch p.Kind {
	case core.Pause, core.Credit, core.CNM, core.Datagram, core.ConWeave:
		return traces.NoFlow
	case core.Data:
	default:
		k = flowKey{p.Dst, p.Src, p.DstPort, p.SrcPort}
	}
	n, ok := s.flows[k]
	if !ok {
		n = int64(len(s.flows))
		s.flows[k] = n
	}
	return n
}

// trimmed reports whether a packet is what a switch has left of one: it has no bytes of the message. Event traces have no flag
// for it.
func trimmed(p *core.Packet) bool { return p.Kind == core.Data && p.Payload == 0 }

// markAgain sets Rtx on a data packet if it, or a later one, was seen at its place before. Trimmed packets have no bytes.
func (s *source) markAgain(v *traces.Sighting) {
	if v.Packet.Payload == 0 {
		return
	}
	k := placeKey{v.Flow, v.Node, v.Port, v.Event}
	end := v.Packet.Seq + int64(v.Packet.Payload)
	if v.Packet.Seq < s.top[k] {
		v.Packet.Flags |= core.Rtx
	}
	s.top[k] = max(s.top[k], end)
}

// Each passes all sightings of a file to do until it returns false.
func Each(path string, do func(v *traces.Sighting) bool) error {
	s, err := open(path)
	if err != nil {
		return err
	}
	defer s.close()
	return s.each(do)
}

func (s *source) each(do func(v *traces.Sighting) bool) error {
	for {
		v, err := s.read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !do(&v) {
			return nil
		}
	}
}
