package goal

import "github.com/qbb-sim/qbb/core"

// Program is one rank of a schedule in a run.
type Program struct {
	*rank
	of      *Schedule
	number  int         // of the rank
	waits   []int32     // by operation: for how many others it still waits
	begins  []core.Time // by operation; Unset: not so far
	ends    []core.Time
	arrived []bool // by operation: the message of a recv is there
	cpus    []cpu
	busy    core.Agenda // ends of the calcs under way
	left    int         // operations that have not ended
	now     core.Time
	last    core.Time // when an operation ended
	ready   []int32   // operations that begin now
	sent    []int     // messages that leave now
}

// cpu does one calc at a time.
type cpu struct {
	busy  bool
	queue core.Ring[int32]
}

// Program returns the program of a rank at time 0.
func (s *Schedule) Program(r int) *Program {
	p := &Program{rank: &s.ranks[r], of: s, number: r}
	n := len(p.ops) - 1
	p.waits, p.begins, p.ends, p.arrived = make([]int32, n), make([]core.Time, n), make([]core.Time, n), make([]bool, n)
	p.cpus, p.left = make([]cpu, p.rank.cpus), n
	for i := range n {
		p.begins[i], p.ends[i] = Unset, Unset
		if p.waits[i] = p.ops[i].waits; p.waits[i] == 0 {
			p.ready = append(p.ready, int32(i))
		}
	}
	return p
}

// Run moves the program on to a time. It appends the messages, by their numbers in the schedule, that leave now, and returns the
// time at which the next calc ends, core.Never if none runs.
func (p *Program) Run(now core.Time, start []int) (_ []int, next core.Time) {
	p.sent = start
	p.catchUp(now)
	next = core.Never
	if p.busy.Len() > 0 {
		next = p.busy.First().At
	}
	return p.sent, next
}

// Sent tells the program that its message has been acknowledged, before Run.
func (p *Program) Sent(m *Message, now core.Time) {
	p.now = now
	p.end(m.send)
}

// Received tells the program that a message to it is there, before Run.
func (p *Program) Received(m *Message, now core.Time) {
	p.now = now
	p.arrive(m.recv)
}

// Done reports whether all operations have ended, and when the last one of those that have did.
func (p *Program) Done() (at core.Time, done bool) { return p.last, p.left == 0 }

// catchUp ends the calcs that are over, and begins what can begin.
func (p *Program) catchUp(now core.Time) {
	for p.now = now; ; {
		for k := 0; k < len(p.ready); k++ { // it grows meanwhile
			p.begin(p.ready[k])
		}
		p.ready = p.ready[:0]
		if p.busy.Len() == 0 || p.busy.First().At > now {
			return
		}
		done := int32(p.busy.Pop().Of)
		c := &p.cpus[p.ops[done].of]
		if c.busy = c.queue.Len() > 0; c.busy {
			p.compute(c.queue.Pop())
		}
		p.end(done)
	}
}

func (p *Program) begin(i int32) {
	o := &p.ops[i]
	switch o.kind {
	case calc:
		if c := &p.cpus[o.of]; c.busy {
			c.queue.Push(i)
		} else {
			c.busy = true
			p.compute(i)
		}
	case recv:
		p.start(i)
		if p.arrived[i] {
			p.end(i)
		}
	case send:
		p.start(i)
		if o.of >= 0 {
			p.sent = append(p.sent, int(o.of))
			return
		}
		p.arrive(^o.of)
		p.end(i)
	case collective, collected:
		p.start(i)
		p.end(i)
	}
}

// compute begins a calc on its cpu.
func (p *Program) compute(i int32) {
	p.start(i)
	p.busy.Add(p.now.Add(p.ops[i].takes), int(i))
}

func (p *Program) start(i int32) {
	p.begins[i] = p.now
	p.release(p.ops[i].first, p.ops[i].ended)
}

func (p *Program) end(i int32) {
	p.ends[i] = p.now
	p.left--
	p.last = p.now
	p.release(p.ops[i].ended, p.ops[i+1].first)
}

// arrive notes that the message of a recv is there.
func (p *Program) arrive(i int32) {
	p.arrived[i] = true
	if p.begun(int(i)) {
		p.end(i)
	}
}

// release makes operations wait for one less.
func (p *Program) release(from, to int32) {
	for _, i := range p.next[from:to] {
		if p.waits[i]--; p.waits[i] == 0 {
			p.ready = append(p.ready, i)
		}
	}
}

func (p *Program) begun(i int) bool { return p.begins[i] != Unset }

func (p *Program) ended(i int) bool { return p.ends[i] != Unset }

// underWay reports whether an operation has begun and not ended.
func (p *Program) underWay(i int) bool { return p.begun(i) && !p.ended(i) }
