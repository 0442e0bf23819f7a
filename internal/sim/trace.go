package sim

import "github.com/qbb-sim/qbb/core"

// startTrace makes nodes record packet events, if these are wanted.
func (n *Network) startTrace() {
	s := n.Setup
	if s.Trace == nil && !s.Capture {
		return
	}
	n.trace = &core.Trace{QuietFlush: s.Profile.QuietFlush}
	if !s.Capture {
		n.trace.Nodes = make([]bool, len(n.ports))
		for _, id := range s.Trace {
			n.trace.Nodes[id] = true
		}
	}
}

// takeRecords hands the packet events to the observer.
func (n *Network) takeRecords() {
	if n.trace != nil && len(n.trace.Records) > 0 {
		n.observer.Records(n.trace.Records)
		n.trace.Records = n.trace.Records[:0]
	}
}

// FlowOf returns the flow that a packet belongs to, or -1 if it belongs to none.
func (n *Network) FlowOf(p *core.Packet) int64 {
	host, qp := p.Dst, p.DstQP
	switch p.Kind {
	case core.Data:
		host, qp = p.Src, p.SrcQP
	case core.Pause, core.Credit, core.Datagram:
		return -1
	}
	return n.hosts[host].FlowID(qp)
}
