package capture

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/traces"
)

// line is a network of two hosts and a switch: nodes 0, 1 and 2.
func line() *topo.Topology {
	return &topo.Topology{
		Kinds: []topo.Kind{topo.Host, topo.Host, topo.Switch},
		Links: []topo.Link{{A: 0, B: 2, Rate: 100 * core.Gbps}, {A: 1, B: 2, Rate: 100 * core.Gbps}},
	}
}

// message is the size of the flow in the tests: two full packets and 500 bytes.
const message = 2500

var options = Options{MTU: 1000, Application: "qbb test", Bytes: func(int64) int64 { return message }}

// example is one packet of each sort, in the order of time, as seen at a port of the switch.
func example() []traces.Sighting {
	var list []traces.Sighting
	add := func(flow int64, p core.Packet) {
		if p.Kind == core.Data {
			p.SrcPort, p.Prio = 10000, 3
		} else if p.Kind != core.Pause {
			p.DstPort, p.Prio = 10000, 3
		}
		if p.Kind != core.Pause {
			p.Src, p.Dst = 0, 1
		} else {
			p.Src = core.NodeID(2 - len(list)%2) // what is received comes from host 1
		}
		event := core.EventDequeue
		if len(list)%2 == 1 {
			event = core.EventRecv
		}
		list = append(list, traces.Sighting{Flow: flow, Record: core.Record{
			At: core.Time(1001 * (len(list) + 1)), Node: 2, Port: 1, Event: event, Packet: p,
		}})
	}
	add(5, core.Packet{Kind: core.Data, Size: 1062, Payload: 1000, Flags: core.ECT})
	add(5, core.Packet{Kind: core.Data, Seq: 1000, Size: 1062, Payload: 1000, Flags: core.CE | core.NoAckReq})
	add(5, core.Packet{Kind: core.Data, Seq: 2000, Size: 562, Payload: 500, Flags: core.ECT | core.Last})
	add(6, core.Packet{Kind: core.Data, Size: 163, Payload: 101, Flags: core.Last})
	add(5, core.Packet{Kind: core.Ack, Seq: 1000, Size: 66, Flags: core.ECE})
	add(5, core.Packet{Kind: core.Nack, Seq: 1000, Size: 66})
	add(5, core.Packet{Kind: core.Ack, Seq: 3000, Size: 66})
	add(5, core.Packet{Kind: core.CNP, Size: 78, Flags: core.ECE})
	add(5, core.Packet{Kind: core.Grant, Size: 78, Aux: 99})
	add(5, core.Packet{Kind: core.CNM, Size: 78, Seq: -7})
	add(traces.NoFlow, core.Packet{Kind: core.Pause, Size: 64, Aux: uint64(core.NewPause(3, 0xffff, false))})
	add(traces.NoFlow, core.Packet{Kind: core.Pause, Size: 64, Aux: uint64(core.NewPause(3, 0, false))})
	add(traces.NoFlow, core.Packet{Kind: core.Pause, Size: 64, Aux: uint64(core.NewPause(3, 0, true))})
	return list
}

// Packets of credit flow control do not exist on Ethernet, and what happens inside a device is not on a wire: a capture
// leaves both out.
func TestLeftOut(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, line(), options)
	if err != nil {
		t.Fatal(err)
	}
	head := b.Len()
	for _, event := range []core.Event{core.EventDequeue, core.EventRecv} {
		w.Add(&traces.Sighting{Flow: traces.NoFlow, Record: core.Record{
			Node: 2, Port: 1, Event: event, Packet: core.Packet{Kind: core.Credit, Size: core.CreditPacket, Src: 2},
		}})
	}
	for _, event := range []core.Event{core.EventEnqueue, core.EventDrop} {
		s := example()[0]
		s.Event = event
		w.Add(&s)
	}
	if b.Len() != head || w.Seen() != 0 {
		t.Errorf("%d bytes of %d packets captured", b.Len()-head, w.Seen())
	}
}

// written is a capture of packets.
func written(t testing.TB, o Options, list []traces.Sighting) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, line(), o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		w.Add(&list[i])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readAll(r *Reader) (list []traces.Sighting, err error) {
	for {
		s, err := r.Next()
		if err != nil {
			return list, err
		}
		list = append(list, s)
	}
}

// The head of a file, byte for byte: the section and the first two interfaces, with the lengths, codes of options and padding of
// draft-ietf-opsawg-pcapng, at 10^11 bit/s.
func TestHead(t *testing.T) {
	o := options
	o.Snap = 96
	const zero = "\x00\x00"
	const want = "\n\r\r\n" + "\x54\x00" + zero + "\x4d\x3c\x2b\x1a" + "\x01\x00" + zero + "\xff\xff\xff\xff\xff\xff\xff\xff" + // version 1.0
		"\x01\x00\x24\x00message bytes of a full packet: 1000" + "\x04\x00\x08\x00qbb test" + zero + zero + "\x54\x00" + zero +
		"\x01\x00" + zero + "\x58\x00" + zero + "\x01\x00" + zero + "\x60\x00" + zero + // Ethernet, 96 bytes of a frame
		"\x02\x00\x07\x00host0:0\x00" + "\x03\x00\x11\x00link to switch2:0\x00" + zero +
		"\x08\x00\x08\x00\x00\xe8\x76\x48\x17\x00" + zero + "\x09\x00\x01\x00\x0c\x00" + zero + "\x0d\x00\x01\x00\x04\x00" + zero +
		zero + zero + "\x58\x00" + zero +
		"\x01\x00" + zero + "\x58\x00" + zero + "\x01\x00" + zero + "\x60\x00" + zero +
		"\x02\x00\x07\x00host1:0\x00" + "\x03\x00\x11\x00link to switch2:1\x00" + zero
	if got := string(written(t, o, nil)[:len(want)]); got != want {
		t.Errorf("got\n%swant\n%s", hex.Dump([]byte(got)), hex.Dump([]byte(want)))
	}
	if o.Snap = 1 << 33; !bytes.Equal(written(t, o, nil), written(t, options, nil)) {
		t.Error("a snapshot length beyond the longest frame changes the file")
	}
}

// The options after a packet's frame, byte for byte: its direction and the length of its FCS (epb_flags), its id if it
// has one, and the length of the block.
func TestPacketOptions(t *testing.T) {
	list := example()
	for i, want := range map[int]string{
		10: "02000400" + "82000000" + "00000000" + "6c000000", // a pause that was sent
		11: "02000400" + "81000000" + "00000000" + "6c000000", // the end of a pause that was received
		12: "02000400" + "82000000" + "01000d00" + hex.EncodeToString([]byte(foreverMark)) + "000000" + "00000000" + "80000000",
	} {
		b := written(t, options, list[i:i+1])
		if got := hex.EncodeToString(b[len(b)-len(want)/2:]); got != want {
			t.Errorf("packet %d ends with %s, want %s", i, got, want)
		}
	}
}

// A written capture reads back the same, whole or cut to the headers, as SENDs or as WRITEs.
func TestRoundTrip(t *testing.T) {
	for i, snap := range []core.Bytes{0, 96, LeastSnap, 0, 96, LeastSnap} {
		o := options
		o.Snap, o.Write = snap, i >= 3
		r, err := NewReader("x", bytes.NewReader(written(t, o, example())))
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(r)
		want := example()
		if err != io.EOF || len(got) != len(want) {
			t.Fatalf("%d packets of %d: %v", len(got), len(want), err)
		}
		for i := range want {
			g, w := got[i], want[i]
			if g.At != w.At || g.Node != w.Node || g.Port != w.Port || g.Event != w.Event || g.Flow != w.Flow ||
				g.Packet.Kind != w.Packet.Kind || g.Packet.Seq != w.Packet.Seq || g.Packet.Size != w.Packet.Size ||
				g.Packet.Payload != w.Packet.Payload || g.Packet.Flags != w.Packet.Flags || g.Packet.Prio != w.Packet.Prio ||
				g.Packet.Src != w.Packet.Src || g.Packet.Dst != w.Packet.Dst || g.Packet.Aux != w.Packet.Aux ||
				g.Packet.SrcPort != w.Packet.SrcPort || g.Packet.DstPort != w.Packet.DstPort {
				t.Errorf("snap %v: packet %d\n got %+v\nwant %+v", snap, i, g, w)
			}
		}
	}
}

// Bytes that a scheme adds to packets do not count as message bytes, whatever the length of the last packet.
func TestSchemeBytes(t *testing.T) {
	list := example()[:4]
	for i := range list {
		list[i].Packet.Size += 18
	}
	for _, payload := range []int32{7, 42, 999} {
		short := list[2]
		short.Packet.Payload, short.Packet.Size = payload, payload+80
		list = append(list, short)
	}
	for _, write := range []bool{false, true} {
		o := options
		o.Write = write
		r, err := NewReader("x", bytes.NewReader(written(t, o, list)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(r)
		if err != io.EOF || len(got) != len(list) {
			t.Fatalf("%d packets: %v", len(got), err)
		}
		for i := range list {
			if g, w := &got[i].Packet, &list[i].Packet; g.Payload != w.Payload || g.Size != w.Size {
				t.Errorf("packet %d: %d bytes of %d, want %d of %d", i, g.Payload, g.Size, w.Payload, w.Size)
			}
		}
	}
}

// A packet has a comment with its message bytes only if its length does not imply them: packets before the last are
// full, and the last one holds what the usual headers leave.
func TestPayloadComments(t *testing.T) {
	list := example()[:4]
	if n := bytes.Count(written(t, options, list), []byte(payloadMark)); n != 0 {
		t.Errorf("%d comments on plain packets", n)
	}
	for i := range list {
		list[i].Packet.Size += 18
	}
	if n := bytes.Count(written(t, options, list), []byte(payloadMark)); n != 2 {
		t.Errorf("%d comments, not one for each last packet", n)
	}
}

// frames returns the bytes of the frames of a capture.
func frames(t *testing.T, capture []byte) (list [][]byte) {
	t.Helper()
	for len(capture) > 0 {
		n := binary.LittleEndian.Uint32(capture[4:])
		if binary.LittleEndian.Uint32(capture) == enhancedPacket {
			end := 28 + binary.LittleEndian.Uint32(capture[20:])
			list = append(list, capture[28:end])
			if pad := capture[end:][:-end&3]; !bytes.Equal(pad, make([]byte, len(pad))) {
				t.Fatalf("a packet is filled up with %x", pad)
			}
		}
		if trailer := binary.LittleEndian.Uint32(capture[n-4:]); trailer != n {
			t.Fatalf("a block of %d bytes ends with %d", n, trailer)
		}
		capture = capture[n:]
	}
	return list
}

// bitwiseCRC is CRC-32 as IEEE 802.3 clause 3.2.9 states it, a bit at a time.
func bitwiseCRC(b []byte) uint32 {
	crc := ^uint32(0)
	for _, c := range b {
		crc ^= uint32(c)
		for range 8 {
			if crc&1 != 0 {
				crc = crc>>1 ^ 0xedb88320
			} else {
				crc >>= 1
			}
		}
	}
	return ^crc
}

// Checksums of whole frames are right: those of IP, of RoCEv2 with the fields that routers change
// masked, and of Ethernet.
func TestChecksums(t *testing.T) {
	for i, f := range frames(t, written(t, options, example())) {
		if want := example()[i].Packet.Size; len(f) != int(want) {
			t.Errorf("frame %d has %d bytes, want %d", i, len(f), want)
		}
		end := len(f) - fcsLen
		if got, want := binary.LittleEndian.Uint32(f[end:]), bitwiseCRC(f[:end]); got != want {
			t.Errorf("frame %d: FCS %08x, want %08x", i, got, want)
		}
		if binary.BigEndian.Uint16(f[ethLen-2:]) != etherIPv4 {
			continue
		}
		if sum := checksum(f[ethLen : ethLen+ipLen]); sum != 0 {
			t.Errorf("frame %d: the IP checksum leaves %04x", i, sum)
		}
		if n := binary.BigEndian.Uint16(f[ethLen+2:]); int(n) != end-ethLen {
			t.Errorf("frame %d: the IP length is %d of %d", i, n, end-ethLen)
		}
		end -= icrcLen
		masked := append(bytes.Repeat([]byte{0xff}, 8), f[ethLen:end]...)
		for _, at := range []int{8 + 1, 8 + 8, 8 + 10, 8 + 11, 28 + 6, 28 + 7, 36 + 4} {
			masked[at] = 0xff
		}
		if got, want := binary.LittleEndian.Uint32(f[end:]), bitwiseCRC(masked); got != want {
			t.Errorf("frame %d: ICRC %08x, want %08x", i, got, want)
		}
	}
}

// Adding a packet allocates nothing.
func TestAddAllocates(t *testing.T) {
	w, err := NewWriter(io.Discard, line(), options)
	if err != nil {
		t.Fatal(err)
	}
	list := example()
	if n := testing.AllocsPerRun(100, func() {
		for i := range list {
			w.Add(&list[i])
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Flows are of classes 1 to 7, so that data of class 0 are what remains of a trimmed packet, and its NACK is of class 0 too.
func TestTrimmed(t *testing.T) {
	list := []traces.Sighting{
		{Flow: 5, Record: core.Record{Node: 2, Port: 1, Event: core.EventDequeue, Packet: core.Packet{
			Kind: core.Data, Dst: 1, SrcPort: 10000, Seq: 3000, Size: 62, Flags: core.ECT | core.Trimmed}}},
		{Flow: 5, Record: core.Record{Node: 2, Port: 1, Event: core.EventRecv, Packet: core.Packet{
			Kind: core.Nack, Dst: 1, DstPort: 10000, Seq: 2000, Size: 66, Flags: core.Trimmed}}},
	}
	r, err := NewReader("x", bytes.NewReader(written(t, options, list)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		got, want := &traces.Sighting{}, &list[i].Packet
		if *got, err = r.Next(); err != nil || got.Packet.Flags != want.Flags || got.Packet.Size != want.Size || got.Packet.Payload != 0 {
			t.Errorf("got %+v, %v, want %+v", got.Packet, err, want)
		}
	}
}
