package algotest

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// inbound is what the receiving NIC knows of one flow.
type inbound struct {
	expected int64  // next byte
	nacked   int64  // the gap last complained of
	held     packet // whose ACK is held back
	holds    bool
}

// onDeliver turns a data packet into its ACK, after the scheme's receiver has seen it.
func (n *net) onDeliver(p packet) {
	in := &n.inbound[p.flow]
	if p.seq != in.expected {
		n.refuse(in, p)
		return
	}
	in.expected += int64(n.MTU)
	hold := false
	if n.receiver != nil {
		hold = n.arrive(&algorithms.Arrival{
			QP: int32(p.flow), CE: p.ce, Bytes: n.MTU, Flows: n.open(), Missing: -1,
			Packet: core.Packet{
				Kind: core.Data, Size: int32(p.wire), Payload: int32(n.MTU), Src: core.NodeID(p.flow),
				SrcQP: int32(p.flow), Seq: p.seq, Sent: p.sent, Aux: p.aux,
			},
		})
	}
	p.seq = in.expected
	in.held, in.holds = p, hold
	if !hold {
		n.acknowledge(p)
	}
}

// refuse answers a packet beyond a gap with a NACK, once, and a duplicate with an ACK.
func (n *net) refuse(in *inbound, p packet) {
	if p.seq > in.expected {
		if in.nacked == in.expected {
			return
		}
		in.nacked, p.kind = in.expected, core.Nack
	}
	in.holds = false
	p.seq = in.expected
	n.acknowledge(p)
}

func (n *net) acknowledge(p packet) {
	n.at(n.now.Add(2*n.hop), event{kind: evAck, flow: p.flow, packet: p})
}

func (n *net) onReply() {
	if n.now != n.replyAt {
		return // replaced by an earlier one
	}
	n.replyAt = core.Never
	if n.reply.Wake <= n.now {
		n.arrive(&algorithms.Arrival{Timer: true, Flows: n.open()})
	}
	n.armReply()
}

// arrive shows a packet or a Timer to the scheme's receiver and carries out its reply; hold says
// that the packet's own ACK is to wait.
func (n *net) arrive(a *algorithms.Arrival) (hold bool) {
	a.Instant = core.Instant{Now: n.now, Born: core.Never}
	r := &n.reply
	r.Send, r.Hold, r.Release = false, false, false
	n.receiver.Step(a, r)
	if r.Release && n.inbound[r.QP].holds {
		n.inbound[r.QP].holds = false
		n.acknowledge(n.inbound[r.QP].held)
	}
	if r.Send {
		n.at(n.now.Add(2*n.hop), event{kind: evNotify, flow: int(r.QP), packet: packet{kind: r.Kind, aux: r.Aux}})
	}
	n.armReply()
	return r.Hold
}

func (n *net) armReply() {
	if n.reply.Wake < n.replyAt {
		n.replyAt = n.reply.Wake
		n.at(max(n.now, n.replyAt), event{kind: evReply})
	}
}
