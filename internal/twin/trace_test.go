package twin

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// note writes an event of a packet as in the text of mix.tr. The content of a PFC frame is left out: no trace of the
// reference shows one.
func (o *port) note(event string, queue int, depth uint32, p *packet) {
	w := o.node.w
	if w.traced == nil || !w.traced[o.node.id] {
		return
	}
	fmt.Fprintf(&w.events, "%d n:%d %d:%d %d %s", w.now, o.node.id, o.index+1, queue, depth, event)
	if p.kind == pause {
		fmt.Fprintln(&w.events, " P")
		return
	}
	ecn, echo, sent := 0, "0x00", int64(0)
	if p.ce {
		ecn = 3
	}
	if p.marked {
		echo = "0x01"
	}
	if w.c.CCMode == 7 {
		sent = p.sent
	}
	fmt.Fprintf(&w.events, " ecn:%d %08x %08x %d %d", ecn, core.Address(core.NodeID(p.src)), core.Address(core.NodeID(p.dst)), p.srcPort, p.dstPort)
	if p.kind == data {
		fmt.Fprintf(&w.events, " U %d %d %d %d(%d)\n", p.seq, sent, p.class, p.size, p.payload)
		return
	}
	fmt.Fprintf(&w.events, " %c %s %d %d %d %d\n", "UAN"[p.kind], echo, p.class, p.seq, sent, p.size)
}

// decode reads a mix.tr in the form that note writes, and the window of its header.
func decode(t *testing.T, name string) (text []byte, window uint32) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reader, err := traces.NewEventReader(name, f)
	if err != nil {
		t.Fatal(err)
	}
	for {
		r, err := reader.Next()
		if err == io.EOF {
			return text, reader.Header.Window
		}
		if err != nil {
			t.Fatal(err)
		}
		line := traces.AppendEventText(nil, &r)
		if r.Packet.Kind == core.Pause {
			line = append(line[:bytes.Index(line, []byte(" ecn:"))], " P\n"...)
		}
		text = append(text, line...)
	}
}
