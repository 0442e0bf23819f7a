package engine

import "github.com/qbb-sim/qbb/core"

// occasion is something that a node saw.
type occasion struct {
	at, born core.Time
	node     core.NodeID
	port     int
	what     string
	seq      int64
}

// relay is a node that passes packets on: where to, in how many copies, and which timers it sets on
// the way depends only on the packet. It keeps a log.
type relay struct {
	id     core.NodeID
	pool   *core.Pool
	ports  []relayPort
	log    *[]occasion
	copies int         // packets that it may still make
	chance core.Random // of marks, which all relays share; nil: none
	marked int64
	blind  bool // it does not ask whether a transmission that ends now has ended
}

type relayPort struct {
	queue  core.Queue
	free   core.Time
	unit   core.Duration // time that a byte takes
	kicked bool
	down   bool
}

func newRelay(id core.NodeID, ports int, unit core.Duration, pool *core.Pool, log *[]occasion) *relay {
	r := &relay{id: id, pool: pool, ports: make([]relayPort, ports), log: log, copies: 200}
	for i := range r.ports {
		r.ports[i].free, r.ports[i].unit = -1, unit
	}
	return r
}

func (r *relay) note(t *core.Turn, what string, port int, seq int64) {
	*r.log = append(*r.log, occasion{t.Now, t.Born, r.id, port, what, seq})
}

// Receive implements core.Node.
func (r *relay) Receive(t *core.Turn, in int, p *core.Packet) {
	what := "receive"
	if p.Flags&core.CE != 0 {
		what = "receive marked"
		p.Flags = 0
	}
	r.note(t, what, in, p.Seq)
	if p.Aux == 0 {
		t.Drop(in, p)
		return
	}
	p.Aux--
	h := uint64(p.Seq)*0x9e3779b97f4a7c15 + p.Aux*0xbf58476d1ce4e5b9
	h ^= h >> 29
	n := uint64(len(r.ports))
	if h>>8&3 == 0 {
		t.SetWake(int(h>>16%n), t.Now.Add(core.Duration(h>>20&7)*10))
	}
	if h>>10&7 == 0 {
		t.SetWake(int(h>>24%n), core.Never)
	}
	if h>>14&3 == 0 && r.chance != nil {
		t.Decide(core.Draw{Packet: p, Chance: 0.5, Marked: &r.marked}, r.chance)
	}
	out := int(h >> 32 % n)
	if h>>12&3 == 0 && r.copies > 0 {
		r.copies--
		r.Send(t, (out+1)%int(n), r.packet(p.Seq+1_000_000, p.Size, p.Aux))
	}
	r.Send(t, out, p)
}

func (r *relay) packet(seq int64, size int32, hops uint64) *core.Packet {
	p := r.pool.New()
	p.Seq, p.Size, p.Aux = seq, size, hops
	return p
}

// Send queues a packet, or drops it if the link is down.
func (r *relay) Send(t *core.Turn, out int, p *core.Packet) {
	if r.ports[out].down {
		t.Drop(out, p)
		return
	}
	r.ports[out].queue.Push(p)
	r.trySend(t, out)
}

func (r *relay) trySend(t *core.Turn, out int) {
	o := &r.ports[out]
	switch {
	case o.down || o.queue.Empty():
		return
	case r.blind && o.free == t.Now || t.Busy(r.id, out, o.free):
		if !o.kicked {
			o.kicked = true
			t.Kick(out)
		}
		return
	}
	p := o.queue.Pop()
	if !r.blind { // otherwise it might go out after something requested later in the turn, by a Kick
		r.note(t, "send", out, p.Seq)
	}
	o.free = t.Now.Add(o.unit * core.Duration(p.Size))
	o.kicked = !o.queue.Empty()
	t.Transmit(out, p, o.free, o.kicked)
}

// TxDone implements core.Node.
func (r *relay) TxDone(t *core.Turn, out int) {
	r.ports[out].free, r.ports[out].kicked = -1, false
	r.trySend(t, out)
}

// Wake implements core.Node.
func (r *relay) Wake(t *core.Turn, at int) {
	r.note(t, "wake", at, 0)
	if r.copies > 0 {
		r.copies--
		r.Send(t, at, r.packet(int64(t.Now), 2, 5))
	}
}

// SetLink implements core.Node.
func (r *relay) SetLink(t *core.Turn, at int, up bool) {
	r.note(t, "link", at, 0)
	o := &r.ports[at]
	o.down = !up
	if up {
		r.trySend(t, at)
		return
	}
	for p := o.queue.Pop(); p != nil; p = o.queue.Pop() {
		t.Drop(at, p)
	}
}
