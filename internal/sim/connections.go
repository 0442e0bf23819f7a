package sim

import "github.com/qbb-sim/qbb/core"

// queuePairs are the connections, which carry several messages: those of the same addresses, ports, class and scheme.
type queuePairs struct {
	known  map[queuePair]connection
	opened map[core.NodeID]int32 // by a source
}

type queuePair struct {
	src, dst         core.NodeID
	srcPort, dstPort uint16
	prio, scheme     uint8
}

type connection struct {
	number  int32 // as nic.Flow.Connection has it
	firstQP int32 // at the destination, of its first message in the list of flows
}

// joinConnection tells both ends of a numbered flow's connection, if there are any.
func (n *Network) joinConnection(i int) {
	if n.Setup.Connections == 0 {
		return
	}
	f, st, c := &n.Setup.Flows[i], &n.flows[i], &n.connections
	if c.known == nil {
		c.known, c.opened = make(map[queuePair]connection), make(map[core.NodeID]int32)
	}
	key := queuePair{f.Src, f.Dst, st.srcPort, f.DstPort, f.Prio, f.Scheme}
	own, known := c.known[key]
	if !known {
		c.opened[f.Src]++
		own = connection{c.opened[f.Src], st.dstQP}
		c.known[key] = own
	}
	st.connection = own.number
	n.hosts[f.Dst].Connect(st.dstQP, own.firstQP)
}
