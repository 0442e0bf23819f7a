package traces

import (
	"bytes"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// readEvents returns the header and records of a trace.
func readEvents(t *testing.T, name string, in io.Reader) (EventHeader, []core.Record) {
	t.Helper()
	e, err := NewEventReader(name, in)
	if err != nil {
		t.Fatal(err)
	}
	var records []core.Record
	for {
		r, err := e.Next()
		if err == io.EOF {
			return e.Header, records
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
}

// zeroPadding clears the bytes that the reference leaves undefined.
func zeroPadding(trace []byte, headerSize int) {
	for b := trace[headerSize:]; len(b) > 0; b = b[eventSize:] {
		clear(b[30:32])
		if b[26] == protoData {
			clear(b[52:56])
		} else {
			clear(b[44:48])
		}
	}
}

func TestEventsOfBaselines(t *testing.T) {
	for _, dir := range cases(t, "mix.tr.gz") {
		trace := contents(t, filepath.Join(dir, "mix.tr.gz"))
		net, _, err := LoadTopology(filepath.Join(dir, "topology.txt"), core.FixedPointNanos)
		if err != nil {
			t.Fatal(err)
		}
		header, records := readEvents(t, dir, bytes.NewReader(trace))

		var text []byte
		for i := range records {
			text = AppendEventText(text, &records[i])
		}
		if !bytes.Equal(text, contents(t, filepath.Join(dir, "events.txt.gz"))) {
			t.Errorf("%s: mix.tr does not decode to events.txt", dir)
		}

		e, err := NewEventEncoder(net, header.Window, true)
		if err != nil {
			t.Fatal(err)
		}
		out := e.AppendHeader(nil)
		zeroPadding(trace, len(out))
		for i := range records {
			out = e.Append(out, &records[i])
		}
		if !bytes.Equal(out, trace) {
			t.Errorf("%s: mix.tr is not written as it was read", dir)
		}
	}
}

// A switch's queue is shown as it was before an enqueue and as it is after a dequeue.
func TestEventDepth(t *testing.T) {
	for _, dir := range cases(t, "mix.tr.gz") {
		net, _, err := LoadTopology(filepath.Join(dir, "topology.txt"), core.FixedPointNanos)
		if err != nil {
			t.Fatal(err)
		}
		_, records := readEvents(t, dir, bytes.NewReader(contents(t, filepath.Join(dir, "mix.tr.gz"))))
		type queue struct {
			node core.NodeID
			port int32
			id   uint8
		}
		depth := make(map[queue]core.Bytes)
		for _, r := range records {
			q := queue{r.Node, r.Port, r.Queue}
			if net.Kinds[r.Node] == topo.Host || r.Event == core.EventRecv {
				continue
			}
			if r.Event == core.EventDequeue {
				depth[q] -= core.Bytes(r.Packet.Size)
			}
			if r.Depth != depth[q] {
				t.Fatalf("%s: queue %+v has %d bytes in %s", dir, q, depth[q], AppendEventText(nil, &r))
			}
			if r.Event == core.EventEnqueue {
				depth[q] += core.Bytes(r.Packet.Size)
			}
		}
	}
}

// Kinds and marks that no baseline shows must at least read back as written.
func TestEventRoundTrip(t *testing.T) {
	net := &topo.Topology{Kinds: make([]topo.Kind, 3), Links: []topo.Link{{A: 0, B: 2, Rate: core.Gbps}, {A: 1, B: 2, Rate: 2 * core.Gbps}}}
	net.Kinds[2] = topo.Switch
	encoder, err := NewEventEncoder(net, 7, true)
	if err != nil {
		t.Fatal(err)
	}
	var want []core.Record
	out := encoder.AppendHeader(nil)
	for kind := core.Data; kind <= core.ConWeave; kind++ {
		r := core.Record{At: core.AtNanos(5), Node: 2, Port: 1, Queue: 3, Event: core.EventDrop, Depth: 1 << 20, Packet: core.Packet{
			Kind: kind, Src: 0, Dst: 1, SrcPort: 10000, DstPort: 100, Size: 60, Prio: 3, Flags: core.CE, Seq: 1 << 30, Sent: core.AtNanos(4)}}
		switch kind {
		case core.Data:
			r.Packet.Payload = 12
		case core.Pause:
			r.Packet.Sent, r.Packet.Aux = 0, uint64(core.NewPause(3, 0xffff, true))
		default:
			r.Packet.Flags |= core.ECE
		}
		want = append(want, r)
		out = encoder.Append(out, &r)
	}
	header, got := readEvents(t, "x", bytes.NewReader(out))
	for port, want := range map[EventPort]core.Rate{{Node: 2, Port: 0}: core.Gbps, {Node: 2, Port: 1}: 2 * core.Gbps, {Node: 1, Port: 0}: 2 * core.Gbps, {Node: 1, Port: 1}: 0} {
		if rate := header.Rate(port.Node, port.Port); rate != want {
			t.Errorf("port %d of node %d has %v, want %v", port.Port, port.Node, rate, want)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	var text strings.Builder
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("record %d\n got %+v\nwant %+v", i, got[i], want[i])
		}
		text.Write(AppendEventText(nil, &got[i]))
	}
	const head, from = "5 n:2 2:3 1048576 Drop ecn:3 0b000001 0b000101 10000 100 ", " 0x01 3 1073741824 4 60\n"
	wantText := head + "U 1073741824 4 3 60(12)\n" + head + "A" + from + head + "N" + from + head + "P 0x1ffff08 60\n" +
		head + "C" + from + head + "M" + from + head + "G" + from + head + "R" + from + head + "O" + from + head + "W" + from
	if text.String() != wantText {
		t.Errorf("text\n%s\nwant\n%s", text.String(), wantText)
	}
	read := eventText([]byte(wantText))
	for i := range want {
		if want[i].Packet.Kind == core.Pause { // whose line has neither class nor offset
			want[i].Packet.Prio, want[i].Packet.Seq = 0, 0
		}
		if r, err := read.Next(); err != nil || !reflect.DeepEqual(r, want[i]) {
			t.Errorf("record %d of the text: %v\n got %+v\nwant %+v", i, err, r, want[i])
		}
	}
	plain := EventEncoder{kinds: net.Kinds}
	if r, _ := decodeEvent((*[eventSize]byte)(plain.Append(nil, &want[0]))); r.Packet.Sent != 0 {
		t.Error("a trace without time stamps has one")
	}
}

// endless is blanks without end, which a compressed file of a few megabytes may hold.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += int64(len(p))
	return len(p), nil
}

// A header that announces more ports than can be numbered is not read to its end.
func TestEventHeaderIsBounded(t *testing.T) {
	var text endless
	_, err := NewEventReader("x", &text)
	checkError(t, err, "x: not an event trace: its header has more ports than there are numbers for")
	if most := int64(11*255<<16 + 1<<20); text.read > most {
		t.Errorf("%d bytes were read, more than %d", text.read, most)
	}
}

func TestEventErrors(t *testing.T) {
	header := "\x01\x00\x00\x00" + "\x00\x00" + "\x01" + "\xff\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00"
	record := string(make([]byte, eventSize))
	with := func(at int, b byte) string {
		encoder := EventEncoder{kinds: []topo.Kind{topo.Host}}
		r := encoder.Append(nil, &core.Record{})
		r[at] = b
		return header + string(r)
	}
	for _, test := range []struct{ text, want string }{
		{"", `x: the file ends inside its header: is it an event trace, and complete?`},
		{"\xff\xff\xff\xff", `x: the file ends inside its header: is it an event trace, and complete?`},
		{strings.Repeat("\x01\x00\x00\x00", 8), `x: not an event trace: its header has a port without number or rate`},
		{strings.Replace(header, "\xff", "\x00", 1), `x: not an event trace: its header has a port without number or rate`},
		{header[:14] + "\x80" + header[15:], `x: not an event trace: its header has a port without number or rate`},
		{header[:6] + "\x00" + header[7:], `x: not an event trace: its header has a port without number or rate`},
		{header + record[:9], `x: the file ends inside its record 0: is it an event trace, and complete?`},
		{with(26, 0x42), `x: record 0 has the unknown protocol 0x42: is this an event trace?`},
		{with(27, 9), `x: record 0 has the unknown event 9: is this an event trace?`},
		{with(16, 9), `x: record 0 has an address of no node: is this an event trace?`},
		{with(10, 0), `x: record 0 has no port: is this an event trace?`},
		{with(7, 0xff), `x: record 0 has a time out of range: is this an event trace?`},
		{with(47, 0xff), `x: record 0 has a time stamp out of range: is this an event trace?`},
	} {
		e, err := NewEventReader("x", strings.NewReader(test.text))
		if err == nil {
			_, err = e.Next()
		}
		checkError(t, err, test.want)
	}
}

func TestEventEncoderLimits(t *testing.T) {
	_, err := NewEventEncoder(&topo.Topology{Name: "t", Kinds: make([]topo.Kind, 65537)}, 0, false)
	checkError(t, err, "t: 65537 nodes: the event trace has room for 65536: turn it off")
	star := &topo.Topology{Name: "t", Kinds: make([]topo.Kind, 257)}
	for i := range 256 {
		star.Links = append(star.Links, topo.Link{A: core.NodeID(i), B: 256})
	}
	_, err = NewEventEncoder(star, 0, false)
	checkError(t, err, "t: node 256 has 256 ports: the event trace has room for 255: turn it off")
	star.Links = star.Links[1:]
	for _, full := range []*topo.Topology{star, {Kinds: make([]topo.Kind, 65536)}} {
		if _, err := NewEventEncoder(full, 0, false); err != nil {
			t.Error(err)
		}
	}
}

func FuzzEvents(f *testing.F) {
	encoder := EventEncoder{header: EventHeader{Ports: []EventPort{{Rate: 1}}}, kinds: []topo.Kind{topo.Host}}
	trace := encoder.AppendHeader(nil)
	for kind := core.Data; kind <= core.ConWeave; kind++ {
		trace = encoder.Append(trace, &core.Record{Packet: core.Packet{Kind: kind}})
	}
	f.Add(trace)
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := NewEventReader("x", bytes.NewReader(b))
		checkOneLine(t, err, "x")
		for err == nil {
			var r core.Record
			if r, err = e.Next(); err == nil {
				AppendEventText(nil, &r)
			} else if err != io.EOF {
				checkOneLine(t, err, "x")
			}
		}
	})
}
