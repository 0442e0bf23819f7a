package driver

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/capture"
	"github.com/qbb-sim/qbb/traces/filter"
)

// readCapture returns the packets of a capture.
func readCapture(t *testing.T, text string) (list []traces.Sighting) {
	t.Helper()
	r, err := capture.NewReader("p", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for {
		s, err := r.Next()
		if err == io.EOF {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
}

// A capture has every packet that a port has sent and received, with its bytes, and changes no
// other file.
func TestCaptureAgreesWithCounters(t *testing.T) {
	off, on := t.TempDir(), t.TempDir()
	runInto(t, busy(t, "trace", "0,9"), Options{Dir: off})
	runInto(t, busy(t, "trace", "0,9", "pcap.file", "p.pcapng"), Options{Dir: on})
	with, without := contents(t, on), contents(t, off)
	if with["mix.tr"] != without["mix.tr"] || with["mix.tr"] == "" {
		t.Error("the capture changes mix.tr")
	}
	type count struct{ txPackets, txBytes, rxPackets, rxBytes int64 }
	got := make(map[string]count)
	key := func(node core.NodeID, port int32) string { return fmt.Sprintf("%d:%d", node, port) }
	last := core.Time(0)
	for _, s := range readCapture(t, with["p.pcapng"]) {
		c := got[key(s.Node, s.Port)]
		if s.Event == core.EventRecv {
			c.rxPackets++
			c.rxBytes += int64(s.Packet.Size)
		} else {
			c.txPackets++
			c.txBytes += int64(s.Packet.Size)
		}
		got[key(s.Node, s.Port)] = c
		if s.At < last {
			t.Fatalf("%v comes after %v", s.At, last)
		}
		last = s.At
	}
	a, b := loadPorts(t, on), loadPorts(t, off)
	for i, p := range a {
		if p != b[i] {
			t.Errorf("the capture changes port %+v", p)
		}
		c := got[key(p.Node, p.Port)]
		if c.txPackets != p.TxPackets || c.rxPackets != p.RxPackets || c.rxBytes < p.RxBytes || c.txBytes < p.TxBytes {
			t.Errorf("port %d:%d: captured %+v, counted %+v", p.Node, p.Port, c, p)
		}
	}
}

// A filter passes exactly what it selects; a ring keeps the last part of it.
func TestCaptureFilter(t *testing.T) {
	dir := t.TempDir()
	runInto(t, busy(t, "pcap.file", "p.pcapng"), Options{Dir: dir})
	all := readCapture(t, contents(t, dir)["p.pcapng"])
	var want []traces.Sighting
	for _, s := range all {
		if s.Flow == 3 && s.At > core.Time(5*core.Microsecond) && s.Packet.Kind == core.Ack {
			want = append(want, s)
		}
	}
	if len(want) < 10 {
		t.Fatalf("%d acknowledgements of flow 3", len(want))
	}
	for _, ring := range []string{"", "5"} {
		sub := t.TempDir()
		runInto(t, busy(t, "pcap.file", "p.pcapng", "pcap.filter", "flow==3 && time>5us && kind==ack", "pcap.ring", ring), Options{Dir: sub})
		got := readCapture(t, contents(t, sub)["p.pcapng"])
		if ring != "" {
			want = want[len(want)-5:]
		}
		if len(got) != len(want) || got[0].At != want[0].At || got[len(got)-1].At != want[len(want)-1].At {
			t.Errorf("ring %q: %d packets, want %d", ring, len(got), len(want))
		}
	}
}

// Messages shown as WRITEs are otherwise the same packets.
func TestCaptureOfWrites(t *testing.T) {
	send, write := t.TempDir(), t.TempDir()
	runInto(t, busy(t, "pcap.file", "p.pcapng", "pcap.filter", "kind==data"), Options{Dir: send})
	runInto(t, busy(t, "pcap.file", "p.pcapng", "pcap.filter", "kind==data", "pcap.write", "true"), Options{Dir: write})
	a, b := contents(t, send)["p.pcapng"], contents(t, write)["p.pcapng"]
	if a == b || !reflect.DeepEqual(readCapture(t, a), readCapture(t, b)) {
		t.Error("as WRITEs other packets are captured, or the same frames")
	}
}

// The event trace as text has the records of mix.tr, with the times at which packets were made.
func TestEventText(t *testing.T) {
	dir := t.TempDir()
	runInto(t, busy(t, "files.events", "e.tr", "files.events_text", "e.txt"), Options{Dir: dir})
	files := contents(t, dir)
	r, err := traces.NewEventReader("e.tr", bytes.NewReader([]byte(files["e.tr"])))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(files["e.txt"], "\n")
	for i := 0; ; i++ {
		record, err := r.Next()
		if err == io.EOF {
			if i != len(lines)-1 || i == 0 {
				t.Errorf("%d records, %d lines", i, len(lines)-1)
			}
			return
		}
		if text := string(traces.AppendEventText(nil, &record)); err != nil || lines[i] != text {
			t.Fatalf("record %d: %v, %q is %q", i, err, text, lines[i])
		}
	}
}

// The event trace has every packet that the counters call dropped or flushed, at the same port, or without the flushed
// ones.
func TestEventTraceHasDrops(t *testing.T) {
	for _, quiet := range []string{"false", "true"} {
		dir := t.TempDir()
		runInto(t, busy(t, "files.events", "e.tr", "topology", "leaf-spine:leaves=2,spines=2,hosts=4,fabric=10Gbps", "options.quiet_flush", quiet), Options{Dir: dir})
		r, err := traces.NewEventReader("e.tr", strings.NewReader(contents(t, dir)["e.tr"]))
		if err != nil {
			t.Fatal(err)
		}
		type place struct {
			node core.NodeID
			port int32
		}
		got, flushed := make(map[place]int64), int64(0)
		for record, err := r.Next(); err != io.EOF; record, err = r.Next() {
			if err != nil {
				t.Fatal(err)
			}
			if record.Event == core.EventDrop {
				got[place{record.Node, record.Port}]++
			}
		}
		for _, p := range loadPorts(t, dir) {
			want := p.DroppedPackets + p.FlushedPackets
			if quiet == "true" {
				want = p.DroppedPackets
			}
			if got[place{p.Node, p.Port}] != want {
				t.Errorf("quiet_flush %s: port %d:%d: %d drops, want %d", quiet, p.Node, p.Port, got[place{p.Node, p.Port}], want)
			}
			flushed += p.FlushedPackets
		}
		if flushed == 0 {
			t.Error("nothing was flushed")
		}
	}
}

// A note reports a capture or a trace in which nothing happened.
func TestPacketNotes(t *testing.T) {
	sum := runInto(t, of(t, "topology", "star:n=4", "workload", "none", "patterns", "permutation:10KB",
		"pcap.file", "p.pcapng", "pcap.filter", "kind==cnp", "topology", "dumbbell:n=2", "patterns", "permutation:1KB"), Options{Dir: t.TempDir()})
	if want := `p.pcapng is empty: no packet matched "kind==cnp"`; !strings.Contains(strings.Join(sum.Notes, "\n"), want) {
		t.Errorf("notes %q lack %q", sum.Notes, want)
	}
}

// Capturing a packet that the filter passes allocates nothing.
func TestCaptureAllocates(t *testing.T) {
	n := built(t, of(t, "topology", "star:n=2", "workload", "none", "patterns", "permutation:1KB"))
	p := packets{n: n}
	var err error
	if p.capture, err = capture.NewWriter(io.Discard, n.Setup.Topology, capture.Options{MTU: n.Setup.MTU}); err != nil {
		t.Fatal(err)
	}
	if p.filter, err = filter.Parse("kind==pfc"); err != nil {
		t.Fatal(err)
	}
	records := []core.Record{{Event: core.EventRecv, Packet: core.Packet{Kind: core.Pause}}}
	if each := testing.AllocsPerRun(100, func() { p.add(records) }); each != 0 || p.capture.Seen() != 101 {
		t.Errorf("%v allocations for each of %d packets", each, p.capture.Seen())
	}
}

// What the manual says of packets: hops leave out frames of flow control, lost counts them.
func TestLostFramesCount(t *testing.T) {
	dir := t.TempDir()
	sum := runInto(t, busy(t, "loss", "0.05"), Options{Dir: dir})
	sent, received, frames, framesSent := int64(0), int64(0), int64(0), int64(0)
	for _, p := range loadPorts(t, dir) {
		sent, received = sent+p.TxPackets, received+p.RxPackets
		frames, framesSent = frames+p.PausesReceived+p.ResumesReceived, framesSent+p.PausesSent+p.ResumesSent
	}
	if got := sum.Packets.Hops; got != received-frames || frames == 0 {
		t.Errorf("%d hops; ports received %d packets, %d of them frames", got, received, frames)
	}
	if got := sum.Packets.Lost; got != sent-received || framesSent == frames {
		t.Errorf("%d packets lost; ports sent %d, %d of them frames, and received %d, %d of them frames", got, sent, framesSent, received, frames)
	}
	for _, want := range []string{"lost", "hops"} {
		f, _ := reflect.TypeFor[PacketTotals]().FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, want) })
		if !strings.Contains(f.Tag.Get("doc"), "flow control") {
			t.Errorf("%s is %q", want, f.Tag.Get("doc"))
		}
	}
}
