package capture

import (
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Check cases 18.1 and 18.2: the ICRC of a packet that a public driver's documentation shows, and of
// a CNP from 10.0.0.1 to 10.0.0.2 for queue pair 0xD2.
func TestICRCOfKnownPackets(t *testing.T) {
	for packet, want := range map[string]string{
		"4500004c000100004011f54cc0a80201c0a80202" + "01f412b70038ffa6" + "0a00ffff0000000200000000" +
			"00000000000012300000000000000010" + "000102030405060708090a0b0c0d0e0f": "ca47470e",
		knownCNP: "28bf8b9b",
	} {
		b, err := hex.DecodeString(packet)
		if err != nil {
			t.Fatal(err)
		}
		var f framer
		got := binary.LittleEndian.AppendUint32(nil, f.icrc(append(make([]byte, ethLen), b...)))
		if hex.EncodeToString(got) != want {
			t.Errorf("ICRC %x, want %s", got, want)
		}
	}
}

const knownCNP = "45c0003c00004000401125ef0a0000010a000002" + "c00012b700280000" + "8100ffff400000d200000000" +
	"00000000000000000000000000000000"

// frameOf is the frame of a packet of a flow of 1024 or more bytes, its FCS left out.
func frameOf(f framer, flow int64, p core.Packet) []byte {
	f.mtu, f.bytes = 1024, func(int64) int64 { return 1<<20 + 7 }
	s := traces.Sighting{Flow: flow, Record: core.Record{Packet: p}}
	b, _ := f.appendFrame(nil, &s, mac{}, mac{}, maxFrame)
	return b[:len(b)-fcsLen]
}

// Check case 18.2: a CNP as in a capture, except for its addresses, which never are those.
func TestCNPBytes(t *testing.T) {
	b := frameOf(framer{}, 0xd2-firstQP, core.Packet{Kind: core.CNP, Prio: 6, DstPort: 49152})[ethLen:]
	copy(b[12:], []byte{10, 0, 0, 1, 10, 0, 0, 2})
	copy(b[10:], []byte{0, 0})
	binary.BigEndian.PutUint16(b[10:], checksum(b[:ipLen]))
	if got := hex.EncodeToString(b[:len(b)-icrcLen]); got != knownCNP {
		t.Errorf("got %s, want %s", got, knownCNP)
	}
}

// Check cases 18.3 and 18 sizes: frames without FCS, and the lengths in IP and UDP. A WRITE of one packet of 1024 B has
// a RETH, also where its 16 bytes were not simulated: then they are part of the message, unless that is shorter.
func TestSizes(t *testing.T) {
	const header = dataLen
	for _, c := range []struct {
		name           string
		write          bool
		packet         core.Packet
		frame, ip, udp int
	}{
		{"CNP", false, core.Packet{Kind: core.CNP}, 74, 60, 40},
		{"ACK", false, core.Packet{Kind: core.Ack, Size: 64}, 62, 48, 28},
		{"SEND only 1024", false, core.Packet{Kind: core.Data, Size: header + 1024, Flags: core.Last}, 1082, 1068, 1048},
		{"WRITE only 1024", true, core.Packet{Kind: core.Data, Size: header + rethLen + 1024, Flags: core.Last}, 1098, 1084, 1064},
		{"WRITE first", true, core.Packet{Kind: core.Data, Size: header + 1024}, 1082, 1068, 1048},
		{"WRITE middle 1024", true, core.Packet{Kind: core.Data, Size: header + 1024, Seq: 1024}, 1082, 1068, 1048},
		{"SEND of a byte, small headers", false, core.Packet{Kind: core.Data, Size: 21, Flags: core.Last}, 58, 44, 24},
		{"WRITE last of a byte, small headers", true, core.Packet{Kind: core.Data, Size: 21, Seq: 1024, Flags: core.Last}, 58, 44, 24},
		{"WRITE of a byte", true, core.Packet{Kind: core.Data, Size: 64, Flags: core.Last}, 74, 60, 40},
	} {
		b := frameOf(framer{write: c.write}, 1, c.packet)
		ip, udp := binary.BigEndian.Uint16(b[ethLen+2:]), binary.BigEndian.Uint16(b[ethLen+ipLen+4:])
		if len(b) != c.frame || int(ip) != c.ip || int(udp) != c.udp {
			t.Errorf("%s: %d bytes, IP %d, UDP %d; want %d, %d, %d", c.name, len(b), ip, udp, c.frame, c.ip, c.udp)
		}
	}
	if b := frameOf(framer{}, traces.NoFlow, core.Packet{Kind: core.Pause, Size: 64}); len(b) != 60 {
		t.Errorf("PFC: %d bytes, want 60", len(b))
	}
}

// The packets of a WRITE, and the RETH of the first: no address, no key, the length of the message.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		packet core.Packet
		opcode byte
		reth   string
	}{
		{core.Packet{}, 0x06, "000000000000000000000000" + "00100007"},
		{core.Packet{Seq: 1024}, 0x07, "00000000000000000000000000000000"},
		{core.Packet{Seq: 2048, Flags: core.Last}, 0x08, "00000000000000000000000000000000"},
		{core.Packet{Flags: core.Last}, 0x0a, "000000000000000000000000" + "00100007"},
	} {
		c.packet.Kind, c.packet.Size = core.Data, dataLen+1024
		b := frameOf(framer{write: true}, 1, c.packet)[bthAt:]
		if got := hex.EncodeToString(b[bthLen:][:rethLen]); b[0] != c.opcode || got != c.reth {
			t.Errorf("%+v: opcode %#x, then %s; want %#x, %s", c.packet, b[0], got, c.opcode, c.reth)
		}
	}
}

// Check case 18.4: a pause of priority 3 for 0xffff quanta from port 1 of node 5, to the group of all bridges.
func TestPFCBytes(t *testing.T) {
	const want = "0180c2000001" + "020000050001" + "8808" + "0101" + "0008" + "000000000000" + "ffff" + "0000000000000000" +
		"0000000000000000000000000000000000000000000000000000" // up to 60 bytes
	s := traces.Sighting{Flow: traces.NoFlow, Record: core.Record{
		Packet: core.Packet{Kind: core.Pause, Size: 64, Aux: uint64(core.NewPause(3, 0xffff, false))},
	}}
	var f framer
	got, whole := f.appendFrame(nil, &s, macOf(5, 1), macOf(6, 2), maxFrame)
	if whole != 64 || len(got) != 64 || hex.EncodeToString(got[:60]) != want {
		t.Errorf("%d bytes: %x, want %s and the FCS", whole, got, want)
	}
}

// A PFC frame is read only if it has all eight times.
func TestPFCLength(t *testing.T) {
	head := make([]byte, ethLen-2)
	head[9] = 5 // of the source's address
	whole := appendPFC(head, core.NewPause(7, 9, false))
	if p, _, problem := decodeFrame(whole, 64, 1000); problem != "" || p.Kind != core.Pause || p.Src != 5 || core.PauseWord(p.Aux) != core.NewPause(7, 9, false) {
		t.Errorf("the frame is read as %+v, %q", p, problem)
	}
	const both = core.PauseWord(1<<7 | 1<<2 | 9<<8) // classes 2 and 7
	if p, _, _ := decodeFrame(appendPFC(head, both), 64, 1000); core.PauseWord(p.Aux) != both {
		t.Errorf("a pause of two classes is read as %+v", p)
	}
	if _, _, problem := decodeFrame(whole[:len(whole)-1], 64, 1000); problem != "is no PFC frame" {
		t.Errorf("a frame that is cut: %q", problem)
	}
	whole[ethLen+1]++
	if _, _, problem := decodeFrame(whole, 64, 1000); problem != "is no PFC frame" {
		t.Errorf("another opcode: %q", problem)
	}
}

// The example of RFC 1071, section 3, whose sum has carries, a single carry, and a carry that causes another.
func TestChecksumCarries(t *testing.T) {
	for words, want := range map[string]uint16{"\x00\x01\xf2\x03\xf4\xf5\xf6\xf7": 0xddf2, "\xff\xff\x00\x01": 1, "\xff\xff\xff\xff\x00\x01": 1} {
		if got := checksum([]byte(words)); got != ^want {
			t.Errorf("% x: got %#x, want %#x", words, got, ^want)
		}
	}
}

// An ACK has the number of the packet that holds the last byte received, and says whether the message is complete; a
// NACK has the number of the missing packet.
func TestAcknowledgements(t *testing.T) {
	for _, c := range []struct {
		kind core.Kind
		seq  int64
		want string // PSN and AETH
	}{
		{core.Ack, 1, "00000000" + "1f000000"},
		{core.Ack, 1024, "00000000" + "1f000000"},
		{core.Ack, 1025, "00000001" + "1f000000"},
		{core.Ack, 1<<20 + 6, "00000400" + "1f000000"},
		{core.Ack, 1<<20 + 7, "00000400" + "1f000001"},
		{core.Nack, 0, "00000000" + "60000000"},
		{core.Nack, 2048, "00000002" + "60000000"},
	} {
		b := frameOf(framer{}, 1, core.Packet{Kind: c.kind, Seq: c.seq})
		if got := hex.EncodeToString(b[bthAt+8:][:8]); got != c.want {
			t.Errorf("%v of %d: %s, want %s", c.kind, c.seq, got, c.want)
		}
	}
}

// The BTH, byte for byte: data may ask for an acknowledgement, and has a number of its own, in 24 bits; a CNP has neither,
// and signals congestion. The queue pair, in 24 bits too, is two beyond the flow.
func TestBTH(t *testing.T) {
	for _, c := range []struct {
		kind  core.Kind
		flags core.Flags
		want  string
	}{
		{core.Data, 0, "0100ffff" + "00000003" + "80000005"},
		{core.Data, core.NoAckReq, "0100ffff" + "00000003" + "00000005"},
		{core.Data, core.CE | core.Last, "0200ffff" + "00000003" + "80000005"},
		{core.Ack, 0, "1100ffff" + "00000003" + "00000004"},
		{core.Ack, core.ECE, "1100ffff" + "40000003" + "00000004"},
		{core.Nack, 0, "1100ffff" + "00000003" + "00000005"},
		{core.CNP, 0, "8100ffff" + "40000003" + "00000000"},
		{core.Grant, 0, "c000ffff" + "00000003" + "00000000"},
		{core.CNM, 0, "c100ffff" + "00000003" + "00000000"},
		{core.ConWeave, 0, "c200ffff" + "00000003" + "00000000"},
	} {
		b := frameOf(framer{}, 1, core.Packet{Kind: c.kind, Flags: c.flags, Seq: 5 * 1024, Size: 200})
		if got := hex.EncodeToString(b[bthAt:][:bthLen]); got != c.want {
			t.Errorf("%v, flags %v: %s, want %s", c.kind, c.flags, got, c.want)
		}
	}
	b := frameOf(framer{}, 1, core.Packet{Kind: core.Data, Seq: (3<<24 + 9) * 1024, Size: 200})
	if got := hex.EncodeToString(b[bthAt+8:][:4]); got != "80000009" {
		t.Errorf("a long flow: %s, want 80000009", got)
	}
	b = frameOf(framer{}, 0x12345678-firstQP, core.Packet{Kind: core.Data, Size: 200})
	if got := hex.EncodeToString(b[bthAt+5:][:3]); got != "345678" {
		t.Errorf("one of many flows: queue pair %s, want 345678", got)
	}
}

// A frame that ends within the part that is read, wherever that is, is an error.
func TestCutFrames(t *testing.T) {
	for kind, least := range map[core.Kind]int{
		core.Data: bthAt + bthLen, core.Ack: bthAt + bthLen + aethLen, core.CNP: bthAt + bthLen, core.Grant: bthAt + bthLen + bodyLen, core.CNM: bthAt + bthLen + bodyLen,
		core.ConWeave: bthAt + bthLen + bodyLen,
	} {
		whole := frameOf(framer{}, 1, core.Packet{Kind: kind, Size: 200, Aux: 1 << 63})
		for n := range least + 1 {
			_, _, problem := decodeFrame(whole[:n], 200, 1024)
			if (problem == "") != (n == least) || (problem == "is cut within its first header") != (n < ethLen+2) {
				t.Errorf("%d bytes of %v: %q", n, kind, problem)
			}
		}
	}
}

// Addresses hold 24 bits of a node's number.
func TestAddresses(t *testing.T) {
	for _, node := range []core.NodeID{0, 1, 0x1234, 0xabcdef} {
		if m := macOf(node, 0x0102); nodeAt(m[:]) != node || m[0] != 2 || m[4] != 1 || m[5] != 2 {
			t.Errorf("node %d: %x", node, m)
		}
	}
}

// Each packet has its own id, the same wherever it is seen; PFC frames have none.
func TestPacketIDs(t *testing.T) {
	list := example()
	again := list[0]
	again.At, again.Node, again.Port, again.Event = list[len(list)-1].At, 0, 0, core.EventDequeue
	list = append(list, again)
	le := binary.LittleEndian
	seen, at := make(map[uint64]int), 0
	for b := written(t, options, list); len(b) > 0; b = b[le.Uint32(b[4:]):] {
		if le.Uint32(b) != enhancedPacket {
			continue
		}
		p := &list[at]
		captured := le.Uint32(b[20:])
		var id []byte
		for o := b[28+(captured+3)&^3:]; le.Uint16(o) != 0; o = o[4+(le.Uint16(o[2:])+3)&^3:] {
			if le.Uint16(o) == optPacketID {
				id = o[4:12]
			}
		}
		switch {
		case (p.Packet.Kind == core.Pause) != (id == nil):
			t.Errorf("%v: id % x", p.Packet.Kind, id)
		case id != nil:
			if first, ok := seen[le.Uint64(id)]; ok && (first != 0 || at != len(list)-1) {
				t.Errorf("packets %d and %d have one id", first, at)
			}
			seen[le.Uint64(id)] = at
		}
		at++
	}
	if at != len(list) || len(seen) != len(list)-4 {
		t.Errorf("%d packets, %d ids", at, len(seen))
	}
}
