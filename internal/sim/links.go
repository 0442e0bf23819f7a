package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/refrand"
)

// loss is how a link loses the packets that leave from a port.
type loss struct {
	probability float64
	chance      core.Random
}

// chooseLosses gives every direction of a link its losses and the generator that decides.
func (n *Network) chooseLosses() {
	n.base = make([]int, len(n.ports)+1)
	for id, ports := range n.ports {
		n.base[id+1] = n.base[id] + len(ports)
	}
	n.losses = make([]loss, n.base[len(n.ports)])
	for id, ports := range n.ports {
		for i, p := range ports {
			at, peer := &n.losses[n.base[id]+i], &n.losses[n.base[p.Peer]+p.PeerPort]
			n.chooseLoss(at, peer, n.base[id]+i, &n.Setup.Topology.Links[p.Link])
		}
	}
}

// chooseLoss decides on the link from a port, whose number among all ports is given, and in the
// reference's sequences on the way back too: there one generator serves both directions.
func (n *Network) chooseLoss(at, back *loss, number int, l *topo.Link) {
	switch s := n.Setup; {
	case n.common != nil && l.Loss > 0:
		*at = loss{l.Loss, refrand.NewStream(lossStream)}
		*back = *at
	case n.common != nil && s.LossPerLink > 0:
		*at = loss{s.LossPerLink, n.common.loss}
	case l.Loss > 0:
		*at = loss{l.Loss, core.NewStream(s.Seed, core.StreamLoss, uint64(number))}
	case s.LossPerLink > 0:
		*at = loss{s.LossPerLink, core.NewStream(s.Seed, core.StreamLoss, uint64(number))}
	}
}

// connect joins the ports of the engine by links, with their losses.
func (n *Network) connect() {
	e := n.Engine.Part(0)
	for id := range n.ports {
		for i, p := range n.ports[id] {
			l := &n.Setup.Topology.Links[p.Link]
			if l.A == core.NodeID(id) {
				n.Engine.Connect(e.Port(l.A, i), e.Port(p.Peer, p.PeerPort), n.Setup.Delay(l))
			}
		}
	}
	for at := range n.losses {
		if x := &n.losses[at]; x.chance != nil {
			e.Lossy(engine.PortID(at), x.probability, x.chance)
		}
	}
}

// Delay is the propagation delay of a link, as the clock counts it.
func (s *Setup) Delay(l *topo.Link) core.Duration { return s.Profile.Timing.Cut(l.Delay) }

func (n *Network) portOf(node core.NodeID, link int) engine.PortID {
	for i, p := range n.ports[node] {
		if p.Link == link {
			return n.Engine.Part(0).Port(node, i)
		}
	}
	panic("sim: link not at node")
}
