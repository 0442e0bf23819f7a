package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// pairs is a scheme whose notification points keep which queue pair they see for the one that a packet goes to.
type pairs struct {
	algorithms.Scheme
	seen map[arrived]int32
}

type arrived struct {
	node core.NodeID
	qp   int32
}

func (p pairs) NewReceiver() algorithms.Receiver { return &pairsReceiver{seen: p.seen} }

type pairsReceiver struct {
	node core.NodeID
	seen map[arrived]int32
}

func (r *pairsReceiver) Start(_ core.Time, p *algorithms.Port, reply *algorithms.Reply) {
	r.node, reply.Wake = p.Node, core.Never
}

func (r *pairsReceiver) Step(a *algorithms.Arrival, _ *algorithms.Reply) {
	r.seen[arrived{r.node, a.Packet.DstQP}] = a.QP
}

// Messages share a connection if their addresses, ports, classes and schemes are the same, and only then. A source counts its
// connections, and the notification point takes each for the queue pair of its first message. Source ports that are not given
// go round.
func TestConnections(t *testing.T) {
	network, err := topo.Parse("star:n=3")
	if err != nil {
		t.Fatal(err)
	}
	messages := []struct {
		flow    Flow
		srcPort uint16
		number  int32
		first   int32 // message of the connection
	}{
		{Flow{Src: 0, Dst: 1}, 10_000, 1, 0},
		{Flow{Src: 0, Dst: 1}, 10_001, 2, 1},
		{Flow{Src: 0, Dst: 1}, 10_002, 3, 2},
		{Flow{Src: 0, Dst: 1}, 10_000, 1, 0},
		{Flow{Src: 0, Dst: 2}, 10_000, 4, 4},
		{Flow{Src: 2, Dst: 1}, 10_000, 1, 5},
		{Flow{Src: 1, Dst: 0}, 10_000, 1, 6},
		{Flow{Src: 0, Dst: 1, Prio: 4}, 10_001, 5, 7},
		{Flow{Src: 0, Dst: 1, Scheme: 1}, 10_002, 6, 8},
		{Flow{Src: 0, Dst: 1, DstPort: 101}, 10_000, 7, 9},
		{Flow{Src: 0, Dst: 1}, 10_001, 2, 1},
		{Flow{Src: 0, Dst: 1, SrcPort: 10_001}, 10_001, 2, 1},
		{Flow{Src: 0, Dst: 1, SrcPort: 7}, 7, 8, 12},
		{Flow{Src: 0, Dst: 1}, 10_002, 3, 2},
	}
	var flows []Flow
	for _, m := range messages {
		f := m.flow
		f.Bytes, f.Prio, f.DstPort = 1000, max(f.Prio, 3), max(f.DstPort, 100)
		flows = append(flows, f)
	}
	for _, connections := range []int{3, 0} {
		s := endless(network, 1, 0, flows)
		seen := make(map[arrived]int32)
		s.Connections, s.Schemes = connections, []algorithms.Scheme{pairs{s.Schemes[0], seen}, pairs{s.Schemes[0], seen}}
		n, err := Build(s, deaf{})
		if err != nil {
			t.Fatal(err)
		}
		n.Step(core.Never, 1<<30)
		port := make(map[[2]core.NodeID]uint16) // the next one
		for i, m := range messages {
			if connections == 0 {
				pair := [2]core.NodeID{m.flow.Src, m.flow.Dst}
				if m.srcPort, m.number, m.first = m.flow.SrcPort, 0, int32(i); m.srcPort == 0 {
					m.srcPort = 10_000 + port[pair]
					port[pair]++
				}
			}
			st, first := &n.flows[i], n.flows[m.first].dstQP
			if got := seen[arrived{m.flow.Dst, st.dstQP}]; st.srcPort != m.srcPort || st.connection != m.number || got != first || st.state != finished {
				t.Errorf("%d connections, message %d: port %d, connection %d, seen as %d; want %d, %d, %d", connections, i, st.srcPort, st.connection, got, m.srcPort, m.number, first)
			}
		}
	}
}
