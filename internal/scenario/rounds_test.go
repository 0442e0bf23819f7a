package scenario

import (
	"fmt"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// One pair that exchanges messages and answers is alone in the network: a flow begins when its source has the last byte
// of the one before, and follows that flow's last ACK over two links.
func TestRoundsOfOnePair(t *testing.T) {
	s, err := of(t, "topology", "star:n=2", "patterns", "one-one:100KB-400KB,3", "cc", "none").Setup()
	if err != nil {
		t.Fatal(err)
	}
	_, q := play(t, s)
	link := s.Topology.Links[0]
	ack := s.Profile.Timing.TxTime(max(s.MinPacket, s.AckHeader), link.Rate)
	at, behind, wire := core.Time(0), core.Duration(0), 0
	for i := range q.ends {
		r := &q.ends[i]
		first := s.Profile.Timing.TxTime(min(core.Bytes(r.Flow.Bytes), s.MTU)+s.Header, link.Rate)
		want := r.Ideal + behind + max(0, behind-first) // a shorter packet catches up with the ACK at the switch
		if r.ID != i || r.FCT != want || r.Start != at {
			t.Errorf("flow %d (%s): starts at %v, want %v; takes %v, want %v", r.ID, r.Flow.Tag, r.Start, at, r.FCT, want)
		}
		at, behind = r.Start.Add(r.FCT-2*(ack+link.Delay)), ack
		wire += int(r.Acked)
	}
	if want := 3 * (100_000 + 200_000 + 400_000 + 3); wire != want || len(q.ends) != 18 {
		t.Errorf("%d flows of %d bytes, want 18 of %d", len(q.ends), wire, want)
	}
}

// n clients of one server share its link: n messages take n times as long as one, less the round
// trips that overlap; and every client goes through all rounds.
func TestRoundsOfManyClients(t *testing.T) {
	const clients, rounds, size = 8, 5, 1_000_000
	s, err := of(t, "topology", "star:n=9", "patterns", "one-many:1MB,5", "cc", "dctcp", "seed", "4").Setup()
	if err != nil {
		t.Fatal(err)
	}
	n, q := play(t, s)
	messages := make(map[core.NodeID]int)
	for i := range q.ends {
		if r := &q.ends[i]; r.Flow.Tag == "one-many" && r.Finished {
			messages[r.Flow.Src]++
		}
	}
	if len(messages) != clients || len(q.ends) != 2*clients*rounds || n.Dropped() != 0 {
		t.Errorf("%d clients, %d flows, %d packets dropped", len(messages), len(q.ends), n.Dropped())
	}
	for c, k := range messages {
		if k != rounds {
			t.Errorf("client %d has sent %d messages, want %d", c, k, rounds)
		}
	}
	least := core.Exact.TxTime(clients*rounds*size*1062/1000, 100*core.Gbps)
	if took := core.Duration(n.Engine.Now()); took < least || took > least*12/10 {
		t.Errorf("took %v; the server's link carries the packets in %v", took, least)
	}
}

// The ring of an all-reduce keeps all links of a star full: a step takes the time that a host's link needs for its
// piece, for an ACK for each packet of the piece that it receives, and for the last packet's way to the next host.
func TestRingAllReduce(t *testing.T) {
	for _, hosts := range []int{2, 5, 8} {
		const piece = 1_000_000
		s, err := of(t, "topology", fmt.Sprintf("star:n=%d", hosts), "patterns", fmt.Sprintf("ring-all-reduce:%dB,2", hosts*piece), "cc", "none").Setup()
		if err != nil {
			t.Fatal(err)
		}
		n, q := play(t, s)
		link, tx := s.Topology.Links[0], s.Profile.Timing.TxTime
		packets := core.Bytes(piece) / s.MTU
		step := tx(packets*(s.MTU+s.Header+max(s.MinPacket, s.AckHeader)), link.Rate) + tx(s.MTU+s.Header, link.Rate) + 2*link.Delay
		steps := core.Duration(4 * (hosts - 1))
		want := steps*step + 2*link.Delay                                                // for the last ACK
		if took := core.Duration(n.Engine.Now()); max(took-want, want-took) > want/500 { // ACKs find the link idle once the piece has been sent
			t.Errorf("%d hosts: took %v, want about %v", hosts, took, want)
		}
		if len(q.ends) != int(steps)*hosts || n.Dropped() != 0 || q.pauses != 0 {
			t.Errorf("%d hosts: %d flows, %d packets dropped, %d pauses", hosts, len(q.ends), n.Dropped(), q.pauses)
		}
	}
}
