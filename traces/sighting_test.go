package traces

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// A packet has the same number wherever it is seen; its neighbours, its retransmission and its ACK have others.
func TestPacketID(t *testing.T) {
	packet := Sighting{Flow: 7, Record: core.Record{Packet: core.Packet{Kind: core.Data, Src: 1, Seq: 1000, Sent: core.AtNanos(5)}}}
	elsewhere := packet
	elsewhere.At, elsewhere.Node, elsewhere.Packet.Flags = core.AtNanos(9), 3, core.CE
	if packet.PacketID() != elsewhere.PacketID() {
		t.Error("a packet has two numbers")
	}
	seen := map[uint64]string{packet.PacketID(): "itself"}
	for what, change := range map[string]func(s *Sighting){
		"flow": func(s *Sighting) { s.Flow = 8 }, "kind": func(s *Sighting) { s.Packet.Kind = core.Ack }, "offset": func(s *Sighting) { s.Packet.Seq = 2000 },
		"time": func(s *Sighting) { s.Packet.Sent = core.AtNanos(6) }, "host": func(s *Sighting) { s.Packet.Src = 2 }, "no flow": func(s *Sighting) { s.Flow = NoFlow },
	} {
		other := packet
		change(&other)
		if same, ok := seen[other.PacketID()]; ok {
			t.Errorf("that of another %s has the number of %s", what, same)
		}
		seen[other.PacketID()] = what
	}
}
