package laws

import (
	"cmp"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/internal/sim"
)

// flowLaws is what is known of a flow.
type flowLaws struct {
	first core.Time // packet
	have  spans     // of its bytes that have arrived
	sent  int64     // bytes
	marks int64     // acknowledgements with the echo of a mark
	due   int64     // acknowledgements of what has arrived that have not come back
	// After its last packet: the byte that comes next, the byte after the last packet that asks for an acknowledgement, and
	// the packets sent since.
	next, asked int64
	top         int64 // the highest byte sent, and one
	unasked     int
	// The window was 0 after its last packet, before which it had so many time-outs, and no grant has come since.
	closed   bool
	timeouts int64
	// The last byte has arrived, and its acknowledgement:
	arrived, end core.Time
}

// spans are sets of bytes, in order: first one, and first one behind.
type spans [][2]int64

// add adds some bytes.
func (s *spans) add(from, to int64) {
	i, _ := slices.BinarySearchFunc(*s, from, func(span [2]int64, from int64) int { return cmp.Compare(span[1], from) })
	k := i
	for ; k < len(*s) && (*s)[k][0] <= to; k++ {
		from, to = min(from, (*s)[k][0]), max(to, (*s)[k][1])
	}
	*s = slices.Replace(*s, i, k, [2]int64{from, to})
}

// are reports whether the bytes are those of a whole message.
func (s spans) are(size int64) bool { return len(s) == 1 && s[0] == [2]int64{0, size} }

// flowSends checks what a flow sends.
func (l *laws) flowSends(r *core.Record) {
	p := &r.Packet
	if p.Kind != core.Data || p.Src != r.Node {
		return
	}
	id := l.n.FlowOf(p)
	f, k := &l.s.Flows[id], &l.flows[id]
	l.check(f.Src == p.Src && f.Dst == p.Dst, "%v: flow %d from %d to %d sends from %d to %d", r.At, id, f.Src, f.Dst, p.Src, p.Dst)
	l.check(p.Payload > 0 && core.Bytes(p.Payload) <= l.s.MTU && p.Seq >= 0 && p.Seq+int64(p.Payload) <= f.Bytes,
		"%v: flow %d of %d bytes sends %d bytes from %d on", r.At, id, f.Bytes, p.Payload, p.Seq)
	l.check(core.Bytes(p.Size) >= core.Bytes(p.Payload)+l.s.Header, "%v: flow %d sends %d bytes in a packet of %d", r.At, id, p.Payload, p.Size)
	k.sent += int64(p.Payload)
	l.check(k.end >= r.At || !l.s.Profile.SkipAcked, "%v: flow %d sends after its end at %v", r.At, id, k.end)
	if p.Seq < k.next { // what had been sent is given up
		k.asked = 0
	}
	if acked, c, running := l.n.Running(int(id)); running && l.s.Recovery[f.Prio] == nic.GoBackN {
		mute := k.unasked > 0 && k.asked <= acked && p.Flags&core.NoAckReq == 0
		closed := c.Window == 0 // since this packet: see granted
		l.check(p.Seq-acked < int64(c.Window) || mute || closed, "%v: flow %d sends from %d on with %d bytes acknowledged and a window of %d", r.At, id, p.Seq, acked, c.Window)
	}
	k.top = max(k.top, p.Seq+int64(p.Payload))
	l.inTurn(r, id)
	l.asks(r, id, k)
	l.granted(r, id, k)
	if k.first == core.Never {
		k.first = r.At
		l.check(r.At >= l.earliest(f), "%v: flow %d starts before its time, %v", r.At, id, l.earliest(f))
	}
}

// granted checks that a flow with a window of 0 sends nothing before a grant or a time-out.
func (l *laws) granted(r *core.Record, id int64, k *flowLaws) {
	timeouts := l.n.Record(int(id)).Timeouts
	l.check(!k.closed || timeouts > k.timeouts, "%v: flow %d sends from %d on without a grant", r.At, id, r.Packet.Seq)
	_, c, running := l.n.Running(int(id))
	k.closed, k.timeouts = running && c.Window == 0, timeouts
}

// asks checks that a flow asks for acknowledgements often enough, and for that of its last packet.
func (l *laws) asks(r *core.Record, id int64, k *flowLaws) {
	p := &r.Packet
	k.next = p.Seq + int64(p.Payload)
	if k.unasked++; p.Flags&core.NoAckReq == 0 {
		k.unasked, k.asked = 0, k.next
	}
	l.check(k.unasked < max(1, l.s.AckEvery) && (k.unasked == 0 || p.Flags&core.Last == 0),
		"%v: flow %d sends from %d on, the packet %d in a row that does not ask for an acknowledgement", r.At, id, p.Seq, k.unasked)
}

// earliest is the time at which a flow may start: after others, as its source knows their ends.
func (l *laws) earliest(f *sim.Flow) core.Time {
	from := core.Time(0)
	for _, i := range f.After {
		ended := l.flows[i].arrived
		if l.s.Flows[i].Src == f.Src {
			ended = l.flows[i].end
		}
		from = max(from, ended)
	}
	if from == core.Never {
		return from
	}
	return from + f.Start
}

// flowReceives notes what of a flow has arrived. Where nothing is lost or overtaken, nothing is missed.
func (l *laws) flowReceives(r *core.Record) {
	p := &r.Packet
	missing := p.Kind == core.Nack || p.Flags&core.Rtx != 0
	l.check(!missing || !l.ordered || !l.lossless(p.Prio), "%v: %v from %d to %d at %d, but nothing was lost", r.At, p.Kind, p.Src, p.Dst, p.Seq)
	if p.Dst != r.Node {
		return
	}
	id := l.n.FlowOf(p)
	if id < 0 {
		return
	}
	k := &l.flows[id]
	if p.Flags&core.Trimmed != 0 {
		return
	}
	switch p.Kind {
	case core.Data:
	case core.Grant:
		k.closed = false
		return
	case core.Ack, core.Nack:
		k.due--
		if p.Flags&core.ECE != 0 {
			k.marks++
		}
		return
	default:
		return
	}
	if p.Flags&core.NoAckReq == 0 {
		k.due++
	}
	if k.have.add(p.Seq, p.Seq+int64(p.Payload)); k.arrived == core.Never && k.have.are(l.s.Flows[id].Bytes) {
		k.arrived = r.At
	}
}

// FlowEnded implements sim.Observer.
func (l *laws) FlowEnded(r *sim.FlowRecord) {
	k, now := &l.flows[r.ID], l.n.Now()
	if !r.Started {
		return
	}
	k.end = now
	l.check(r.Start.Add(r.FCT) == now, "%v: flow %d ends at %v", now, r.ID, r.Start.Add(r.FCT))
	if !r.Finished {
		return
	}
	l.check(k.have.are(r.Flow.Bytes), "%v: flow %d ends with %d of %d bytes received", now, r.ID, k.have, r.Flow.Bytes)
	l.check(k.sent == r.Flow.Bytes+r.Retx, "%v: flow %d ends with %d of %d bytes sent again; it has sent %d", now, r.ID, r.Retx, r.Flow.Bytes, k.sent)
	l.check(k.marks <= r.Marked && r.Marked <= k.marks+1, "%v: flow %d ends with %d echoes of marks; there were %d", now, r.ID, r.Marked, k.marks)
	l.check(r.Acked == r.Flow.Bytes, "%v: flow %d ends with %d of %d bytes acknowledged", now, r.ID, r.Acked, r.Flow.Bytes)
	// The last acknowledgement, which is recorded later, need not wait for one before it that has been lost.
	if exact := !l.s.Profile.StandaloneFCT && l.s.OnePath() && len(l.s.Links) == 0 && k.due <= 1; exact {
		l.check(r.FCT >= r.Ideal, "flow %d of %d bytes from %d to %d takes %v, less than alone: %v", r.ID, r.Flow.Bytes, r.Flow.Src, r.Flow.Dst, r.FCT, r.Ideal)
	}
}

// flowsEnd checks that no flow with a retransmission timer waits for ever for what was lost.
func (l *laws) flowsEnd() {
	if l.s.Profile.RTO == 0 {
		return
	}
	why := l.n.Why(false)
	for i := range l.s.Flows {
		if r := l.n.Record(i); !r.Finished {
			reason, _ := why.Unfinished(&r)
			l.check(!strings.Contains(reason, "without a retransmission timer"), "flow %d, with a timer of %v: %s", i, l.s.Profile.RTO, reason)
		}
	}
}
