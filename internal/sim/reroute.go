package sim

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// linksChanged carries out changes of links: it tells the ports, computes the routes again, and
// has every host bind its flows again, in the order of nodes.
func (n *Network) linksChanged(events []LinkEvent) {
	for _, ev := range events {
		l := &n.Setup.Topology.Links[ev.Link]
		n.Engine.SetLink(n.portOf(l.A, ev.Link), ev.Up)
	}
	n.reroute()
	for id, h := range n.hosts {
		if h != nil {
			e := n.Engine.Join(core.NodeID(id))
			h.Reroute(e.Turn())
			e.CarryOut(core.NodeID(id))
		}
	}
}

// reroute computes routes for the links that are up and tells all devices.
func (n *Network) reroute() {
	before := n.routes
	n.route()
	n.noteMoved(before)
	for id := range n.ports {
		if n.hosts[id] != nil {
			n.hosts[id].SetRouter(n.routes)
		} else {
			n.switches[id].SetRouter(n.routes)
		}
	}
}

// noteMoved tells hosts which of their flows take another path than before, if they listen. Complete
// telemetry shows the path, as HPCC's header does (Li et al., SIGCOMM 2019); short records, as the
// reference's, do not. With more than one path at a time there is none to move from.
func (n *Network) noteMoved(before *topo.Routes) {
	if n.Setup.Profile.ShortINT || !n.Setup.OnePath() {
		return
	}
	for i := range n.flows {
		f, st := &n.Setup.Flows[i], &n.flows[i]
		if st.state == running && n.traits[f.Scheme].Hears.Has(algorithms.Path) && n.moved(f, st.srcPort, before) {
			n.hosts[f.Src].PathChanged(st.qp)
		}
	}
}

// moved reports whether packets of a flow take another path than before.
func (n *Network) moved(f *Flow, srcPort uint16, before *topo.Routes) bool {
	p := core.Packet{Src: f.Src, Dst: f.Dst, SrcPort: srcPort, DstPort: f.DstPort}
	seed := n.Setup.ecmpSeed()
	for node := f.Src; node != f.Dst; {
		port, ok := core.ECMPPort(n.routes.Next(node, p.Dst), &p, node, seed)
		if was, had := core.ECMPPort(before.Next(node, p.Dst), &p, node, seed); was != port || had != ok {
			return true
		}
		if !ok {
			return false
		}
		node = n.ports[node][port].Peer
	}
	return false
}
