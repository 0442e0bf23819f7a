package twin

import (
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// pair is the sending side of a flow.
type pair struct {
	node             *node
	port             *port
	dst              int
	srcPort, dstPort int
	class            int
	size, next, una  uint64
	window           uint64
	baseRTT          float64
	start, due       int64
	lastSize         int
	rate, line       uint64
	scheme
}

// reception is the receiving side.
type reception struct {
	expected uint64
	quiet    int64 // before this time no second NACK is sent
	refused  uint64
}

func (w *world) open(f *traces.Flow, source int) {
	n := w.nodes[f.Src]
	pr := &pair{
		node: n, dst: int(f.Dst), srcPort: source, dstPort: int(f.DstPort), class: int(f.Prio),
		size: uint64(f.Bytes), start: w.now, due: w.now,
	}
	way := w.pairs[[2]int{int(f.Src), int(f.Dst)}]
	if w.c.GlobalT {
		way = path{w.maxRTT, w.maxBDP}
	}
	pr.baseRTT = float64(way.rtt)
	if w.c.HasWin {
		pr.window = way.bdp
	}
	n.bind(pr)
	pr.line, pr.rate = pr.port.link.rate, pr.port.link.rate
	pr.begin()
	n.table.put(pr)
	pr.port.trySend()
}

// bind puts a pair into the list of the port towards its destination.
func (n *node) bind(f *pair) {
	f.port = n.portTo(&packet{src: n.id, dst: f.dst, srcPort: f.srcPort, dstPort: f.dstPort})
	f.port.pairs = append(f.port.pairs, f)
}

func (f *pair) left() uint64 { return max(f.size, f.next) - f.next }

func (f *pair) full() bool {
	w := f.window
	if w == 0 {
		return false
	}
	if f.node.w.c.VarWin {
		w = max(1, w*f.rate/f.line)
	}
	return f.next-f.una >= w
}

func (o *port) sendFromHost() {
	w := o.node.w
	ackClass := 3
	if w.c.AckHighPrio {
		ackClass = 0
	}
	if len(o.acks) > 0 && !o.paused[ackClass] {
		p := o.acks[0]
		o.acks = o.acks[1:]
		o.note("Dequ", 0, o.waiting(), p)
		o.transmit(p)
		return
	}
	if chosen := o.choose(); chosen >= 0 {
		o.last = chosen
		o.sendData(o.pairs[chosen])
		return
	}
	due := int64(math.MaxInt64)
	for _, f := range o.pairs {
		if f.left() > 0 {
			due = min(due, f.due)
		}
	}
	if due != math.MaxInt64 && due > w.now && o.wake == nil {
		o.wakeAt(due)
	}
}

// choose returns the next pair that may send, or -1, and clears away the finished pairs from the first that it has
// passed.
func (o *port) choose() int {
	chosen, passed := -1, len(o.pairs)
	for i := range o.pairs {
		x := (o.last + 1 + i) % len(o.pairs)
		f := o.pairs[x]
		if !o.paused[f.class] && f.left() > 0 && !f.full() && f.due <= o.node.w.now {
			chosen = x
			break
		}
		if f.una >= f.size {
			passed = min(passed, x)
		}
	}
	if passed == len(o.pairs) {
		return chosen
	}
	if chosen >= passed && o.pairs[chosen].una >= o.pairs[chosen].size { // it is not known what sends once the chosen pair is cleared away
		panic(beyond{})
	}
	var kept []*pair
	at := chosen
	for x, f := range o.pairs {
		if x >= passed && f.una >= f.size {
			if x < chosen {
				at--
			}
			continue
		}
		kept = append(kept, f)
	}
	o.pairs = kept
	return at
}

func (o *port) wakeAt(at int64) {
	o.wake = o.node.w.later(at, func() {
		o.wake = nil
		o.trySend()
	})
}

func (o *port) sendData(f *pair) {
	w := o.node.w
	n := min(uint64(w.c.Payload), f.left())
	p := &packet{
		kind: data, size: 48 + w.tags + int(n), payload: int(n), src: o.node.id, dst: f.dst, srcPort: f.srcPort, dstPort: f.dstPort,
		class: f.class, seq: f.next, sent: w.now,
	}
	f.next += n
	f.lastSize = p.size
	o.note("Dequ", f.class, 0, p)
	o.transmit(p)
	pace := f.rate
	if !w.c.RateBound {
		pace = f.line
	}
	f.due = w.now + txTime(p.size, pace)
}

// change sets a rate and moves the running gap accordingly.
func (f *pair) change(rate uint64) {
	w := f.node.w
	f.due += txTime(f.lastSize, rate) - txTime(f.lastSize, f.rate)
	f.rate = rate
	if e := f.port.wake; e != nil && e.at > f.due {
		e.cancel()
		f.port.wakeAt(max(w.now, f.due))
	}
}

func (n *node) receive(p *packet) {
	if p.kind != data {
		n.hear(p)
		return
	}
	w, key := n.w, [3]int{p.src, p.srcPort, p.class}
	r := n.from[key]
	if r == nil {
		r = &reception{}
		n.from[key] = r
	}
	answer := *p
	switch {
	case p.seq == r.expected:
		r.expected += uint64(p.payload)
		answer.kind = ack
	case p.seq > r.expected && (w.now >= r.quiet || r.refused != r.expected):
		w.seen["NACK"]++
		switch {
		case r.expected == 0:
			w.seen["NACK before an ACK"]++
		case r.refused == r.expected:
			w.seen["second NACK"]++
		}
		r.quiet, r.refused = w.now+500_000, r.expected
		r.expected = w.back(r.expected)
		answer.kind = nack
	default:
		return
	}
	answer.size, answer.seq = max(60, 46+w.tags), r.expected
	answer.src, answer.dst, answer.srcPort, answer.dstPort = p.dst, p.src, p.dstPort, p.srcPort
	answer.ce = false
	o := n.portTo(&answer)
	o.note("Enqu", 0, o.waiting(), &answer)
	o.acks = append(o.acks, &answer)
	o.trySend()
}

// waiting is the length of the queue of ACKs in bytes.
func (o *port) waiting() (n uint32) {
	for _, p := range o.acks {
		n += uint32(p.size)
	}
	return n
}

// back is the position to which a loss goes back.
func (w *world) back(at uint64) uint64 {
	if !w.c.BackToZero {
		return at
	}
	return at - at%uint64(w.c.ChunkSize)
}

// hear is the sender's side of an ACK or NACK.
func (n *node) hear(p *packet) {
	at := slices.IndexFunc(n.table.list, func(f *pair) bool { return f.dst == p.src && f.srcPort == p.dstPort && f.class == p.class })
	if at < 0 {
		return
	}
	f := n.table.list[at]
	f.una = max(f.una, p.seq)
	if f.una >= f.size {
		n.table.list = slices.Delete(n.table.list, at, at+1)
		f.finish()
	}
	if p.kind == nack {
		f.una = n.w.back(f.una)
		f.next = f.una
	}
	f.react(p)
	f.port.trySend()
}

func (f *pair) finish() {
	w := f.node.w
	f.end()
	key := [2]int{f.node.id, f.dst}
	if w.rates[key] == 0 {
		panic(beyond{})
	}
	total := f.size + 48*((f.size-1)/uint64(w.c.Payload)+1)
	fmt.Fprintf(&w.fct, "%08x %08x %d %d %d %d %d %d\n", core.Address(core.NodeID(f.node.id)), core.Address(core.NodeID(f.dst)), f.srcPort, f.dstPort,
		f.size, f.start, w.now-f.start, w.pairs[key].rtt+total*8e9/w.rates[key])
	delete(w.nodes[f.dst].from, [3]int{f.node.id, f.srcPort, f.class})
}

// table is the order of a hash table of one list: a new key goes before the others of its bucket, or to the head.
type table struct {
	list    []*pair
	buckets uint64
}

func (f *pair) key() uint64 {
	return uint64(core.Address(core.NodeID(f.dst)))<<32 | uint64(f.srcPort)<<16 | uint64(f.class)
}

func (t *table) put(f *pair) {
	sizes := []uint64{1, 13, 29, 59, 127, 257, 541, 1109, 2357}
	t.buckets = max(t.buckets, 1)
	if old := t.list; uint64(len(old)+1) > t.buckets {
		t.buckets, t.list = sizes[slices.Index(sizes, t.buckets)+1], nil
		for _, o := range old {
			t.insert(o)
		}
	}
	t.insert(f)
}

func (t *table) insert(f *pair) {
	at := slices.IndexFunc(t.list, func(o *pair) bool { return o.key()%t.buckets == f.key()%t.buckets })
	t.list = slices.Insert(t.list, max(at, 0), f)
}
