package laws

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// queuePair names a connection: its messages have the same ends, ports, class and scheme.
type queuePair struct {
	src, dst         core.NodeID
	srcPort, dstPort uint16
	prio, scheme     uint8
}

// inTurn checks that a flow begins only when those before it on its connection have been sent or have ended, and that, where
// nothing is lost, the window holds what is in flight of all.
func (l *laws) inTurn(r *core.Record, id int64) {
	if l.s.Connections == 0 {
		return
	}
	f := &l.s.Flows[id]
	pair := queuePair{f.Src, f.Dst, l.n.Record(int(id)).SrcPort, f.DstPort, f.Prio, f.Scheme}
	l.begun[pair] = slices.DeleteFunc(l.begun[pair], func(other int64) bool { return l.flows[other].end <= r.At })
	if !slices.Contains(l.begun[pair], id) {
		for _, other := range l.begun[pair] {
			l.check(l.flows[other].top == l.s.Flows[other].Bytes, "%v: flow %d begins before flow %d has been sent, of the same queue pair", r.At, id, other)
		}
		l.begun[pair] = append(l.begun[pair], id)
	}
	_, c, running := l.n.Running(int(id))
	if !running || c.Window == core.Unlimited || r.Packet.Flags&core.Rtx != 0 || !l.ordered || !l.lossless(f.Prio) || l.s.AckEvery > 1 {
		return
	}
	inFlight := -int64(r.Packet.Payload) // windows hold back what comes after they are full
	for _, other := range l.begun[pair] {
		if acked, _, running := l.n.Running(int(other)); running {
			inFlight += l.flows[other].top - acked
		}
	}
	l.check(inFlight < int64(c.Window), "%v: flow %d sends with %d bytes in flight on its queue pair and a window of %d", r.At, id, inFlight, c.Window)
}
