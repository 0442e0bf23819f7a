package goal

import (
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// Builder makes a schedule of the operations that a reader finds, whatever it reads.
type Builder struct {
	schedule     Schedule
	named        map[string]Name
	sends, recvs []end
	links        [][]link // by rank
}

// Origin is what the reader knows of an operation.
type Origin struct {
	Place int32 // in the input, such as a line; several operations of a rank may have one
	Name  Name
}

// Name stands for the name of an operation; 0 for none.
type Name int32

// Where tells where in the input the operation of a rank stands that has a place.
type Where interface {
	// At begins an error about the operation, up to the colon: job.goal:7.
	At(rank int, place int32) string
	// Name is what an error about another one calls it: line 7.
	Name(rank int, place int32) string
	// Number is that by which users of the input know it: 7.
	Number(rank int, place int32) int64
}

// end is one end of a message.
type end struct {
	rank, peer int
	tag        int64
	bytes      core.Bytes
	op         int32
}

// link says that an operation waits for another one.
type link struct {
	op, before int32
	start      bool // for its beginning
}

// Bounds of what a schedule holds.
const (
	MostRanks = 1 << 20
	MostBytes = 1 << 50
	MostNanos = 1e15 // eleven days
	MostOps   = 1<<31 - 2
)

// NewBuilder returns a builder of a schedule without operations.
func NewBuilder(ranks int, where Where) *Builder {
	s := Schedule{ranks: make([]rank, ranks), names: []string{""}, where: where}
	return &Builder{schedule: s, named: map[string]Name{"": 0}, links: make([][]link, ranks)}
}

// Name returns what stands for a name.
func (b *Builder) Name(text string) Name {
	text = strings.ToValidUTF8(text, "\uFFFD")
	name, ok := b.named[text]
	if !ok {
		name = Name(len(b.schedule.names))
		b.schedule.names = append(b.schedule.names, text)
		b.named[text] = name
	}
	return name
}

// Calc adds computing on a cpu, and returns its number among the operations of the rank, from 0, as Send and Recv do.
func (b *Builder) Calc(rank int, origin Origin, takes core.Duration, cpu int) int32 {
	r := &b.schedule.ranks[rank]
	r.cpus = max(r.cpus, cpu+1)
	return b.add(rank, op{kind: calc, origin: origin, takes: takes, of: int32(cpu)})
}

// Send adds a message, of at least one byte, that leaves.
func (b *Builder) Send(rank int, origin Origin, to int, tag int64, bytes core.Bytes) int32 {
	i := b.add(rank, op{kind: send, origin: origin})
	b.sends = append(b.sends, end{rank, to, tag, max(1, bytes), i})
	return i
}

// Recv adds a message that arrives: of those with its source and tag the one that has the same place in the order of adding.
func (b *Builder) Recv(rank int, origin Origin, from int, tag int64) int32 {
	i := b.add(rank, op{kind: recv, origin: origin})
	b.recvs = append(b.recvs, end{rank: rank, peer: from, tag: tag, op: i})
	return i
}

// Message adds both ends of a message, of at least one byte, between two ranks, with the origin of each.
func (b *Builder) Message(src, dst int, origins [2]Origin, bytes core.Bytes) (sent, received int32) {
	sent, received = b.add(src, op{kind: send, origin: origins[0]}), b.add(dst, op{kind: recv, origin: origins[1]})
	b.pair(&end{src, dst, 0, max(1, bytes), sent}, &end{rank: dst, op: received})
	return sent, received
}

// Collective adds an operation of which messages and computing are a part, and returns the two operations with which it
// begins and ends. They take no time; what is between them waits for the first, and the last waits for that.
func (b *Builder) Collective(rank int, origin Origin) (first, last int32) {
	first = b.add(rank, op{kind: collective, origin: origin})
	last = b.add(rank, op{kind: collected, origin: origin})
	b.schedule.ranks[rank].ops[first].of = last
	return first, last
}

func (b *Builder) add(rank int, o op) int32 {
	r := &b.schedule.ranks[rank]
	i := len(r.ops)
	if i == MostOps {
		panic("goal: a rank with more operations than have numbers")
	}
	r.ops = append(r.ops, o)
	return int32(i)
}

// Require makes an operation of a rank wait for the end of another one.
func (b *Builder) Require(rank int, op, before int32) { b.link(rank, link{op, before, false}) }

func (b *Builder) link(rank int, l link) { b.links[rank] = append(b.links[rank], l) }

// Build returns the schedule. A message without another end and an operation that could never end are errors.
func (b *Builder) Build() (*Schedule, error) {
	for r := range b.schedule.ranks {
		b.close(r)
	}
	if err := b.match(); err != nil {
		return nil, err
	}
	if err := b.check(); err != nil {
		return nil, err
	}
	return &b.schedule, nil
}

// close makes the lists of who waits for whom in a rank that has all its operations.
func (b *Builder) close(rank int) {
	r := &b.schedule.ranks[rank]
	if r.closed() {
		return
	}
	r.cpus = max(r.cpus, 1)
	links := b.links[rank]
	count := make([][2]int32, len(r.ops)) // by operation: those that wait for its beginning, its end
	for i := range links {
		l := &links[i]
		count[l.before][side(l)]++
		r.ops[l.op].waits++
	}
	sum := int32(0)
	for i := range r.ops {
		o := &r.ops[i]
		o.first, o.ended = sum, sum+count[i][0]
		sum = o.ended + count[i][1]
	}
	r.ops = append(r.ops, op{first: sum})
	r.next = make([]int32, sum)
	clear(count)
	for i := range links {
		l := &links[i]
		o, k := &r.ops[l.before], side(l)
		at := [2]int32{o.first, o.ended}[k]
		r.next[at+count[l.before][k]] = l.op
		count[l.before][k]++
	}
	b.links[rank] = nil
}

// side is 0 for a link to a beginning, 1 for one to an end.
func side(l *link) int {
	if l.start {
		return 0
	}
	return 1
}
