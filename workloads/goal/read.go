package goal

import (
	"bufio"
	"io"
	"math"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// Bounds of numbers.
const (
	mostRanks = 1 << 20
	mostBytes = 1 << 50
	mostTag   = math.MaxInt64
	mostPlace = 1<<16 - 1
	mostNanos = 1e15 // eleven days
	mostOps   = math.MaxInt32 - 1
)

// Read reads a schedule. Errors call it name; they say the line. An operation that could never begin is an error.
func Read(name string, r io.Reader) (*Schedule, error) {
	p := &parser{scanner: scanner{name: name, r: bufio.NewReaderSize(r, 64<<10), line: 1}}
	p.next()
	p.skipMark()
	if !p.is("num_ranks") {
		p.fail(p.at, "%s, where a schedule in text begins with num_ranks; a binary one (txt2bin) is not read", p.found())
	}
	count := p.number("number of ranks", "", mostRanks)
	if p.err == nil && count == 0 {
		p.fail(p.at, "there are no ranks")
	}
	if p.err != nil {
		return nil, p.err
	}
	p.ranks = make([]rank, count)
	for p.err == nil && len(p.word) > 0 {
		p.readRank()
	}
	for r := range p.ranks {
		if p.ranks[r].ops == nil {
			p.ranks[r].ops = []op{{}}
		}
	}
	if p.err == nil {
		p.match()
	}
	if p.err == nil {
		p.check()
	}
	if p.err != nil {
		return nil, p.err
	}
	return &p.Schedule, nil
}

// parser makes a schedule of words.
type parser struct {
	scanner
	Schedule
	sends, recvs []end

	// of the rank being read:
	rank   int
	labels map[string]int32
	links  []link
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
	// label is that of the operation before, if it has not been read yet.
	label string
	line  int
}

// skipMark skips a byte order mark.
func (p *parser) skipMark() {
	if rest, ok := strings.CutPrefix(string(p.word), "\ufeff"); ok {
		p.word = append(p.word[:0], rest...)
	}
}

const rankForm = "rank 0 { ... }"

// readRank reads a rank with its operations.
func (p *parser) readRank() {
	p.expect("rank", rankForm)
	line := p.at
	p.rank = int(p.number("rank", "", int64(len(p.ranks)-1)))
	p.expect("{", rankForm)
	if p.err != nil {
		return
	}
	r := &p.ranks[p.rank]
	if r.ops != nil {
		p.fail(line, "rank %d has been given before", p.rank)
		return
	}
	p.labels, p.links = make(map[string]int32), p.links[:0]
	for p.err == nil && !p.is("}") {
		if len(p.word) == 0 {
			p.fail(line, "rank %d has no end: write }", p.rank)
		}
		p.readStatement(r)
	}
	if p.err != nil {
		return
	}
	r.cpus = 1
	for i := range r.ops {
		if o := &r.ops[i]; o.kind == calc {
			r.cpus = max(r.cpus, int(o.of)+1)
		}
	}
	p.connect(r)
}

// readStatement reads an operation, with a label or without, or says for what one waits.
func (p *parser) readStatement(r *rank) {
	if p.readOperation(r) || p.err != nil {
		return
	}
	label, line := string(p.word), p.at
	p.next()
	switch {
	case p.is(":"):
		if _, ok := p.labels[label]; ok {
			p.fail(line, "rank %d has had the label %s before", p.rank, label)
		}
		p.labels[label] = int32(len(r.ops))
		if !p.readOperation(r) {
			p.fail(p.at, "%s is no operation: write send, recv or calc", p.found())
		}
	case p.is("requires"):
		p.readLink(label, line, false)
	case p.is("irequires"):
		p.readLink(label, line, true)
	default:
		p.fail(line, "%q is no statement: write an operation (send, recv, calc), perhaps behind a label and a colon, or label requires label", label)
	}
}

// readLink reads for which operation the one with a label waits.
func (p *parser) readLink(label string, line int, start bool) {
	op, ok := p.labels[label]
	if !ok {
		p.fail(line, "rank %d has no label %s so far", p.rank, label)
	}
	l := link{op: op, label: string(p.word), line: p.at, start: start}
	if len(p.word) == 0 || isSign(p.word[0]) {
		p.fail(p.at, "%s is no label", p.found())
	}
	if l.before, ok = p.labels[l.label]; ok {
		l.label = ""
	}
	p.links = append(p.links, l)
	p.next()
}

// readOperation reads an operation, if there is one.
func (p *parser) readOperation(r *rank) bool {
	o, line := op{line: int32(min(p.at, math.MaxInt32))}, p.at
	switch {
	case p.is("send"):
		o.kind = send
		p.sends = append(p.sends, p.readEnd(r, "to", "send 8192b to 1 tag 0"))
	case p.is("recv"):
		o.kind = recv
		p.recvs = append(p.recvs, p.readEnd(r, "from", "recv 8192b from 0 tag 0"))
	case p.is("calc"):
		o.kind = calc
		o.takes = core.Duration(p.number("time in nanoseconds", "", mostNanos)) * core.Nanosecond
		_, o.of = p.readPlace()
	default:
		return false
	}
	if len(r.ops) == mostOps {
		p.fail(line, "rank %d has more than %d operations", p.rank, mostOps)
	}
	r.ops = append(r.ops, o)
	return true
}

// readEnd reads what follows on send or recv.
func (p *parser) readEnd(r *rank, to, form string) end {
	e := end{rank: p.rank, op: int32(len(r.ops))}
	e.bytes = core.Bytes(max(1, p.number("size", "b", mostBytes)))
	p.expect(to, form)
	e.peer = int(p.number("rank", "", int64(len(p.ranks)-1)))
	e.tag, _ = p.readPlace()
	return e
}

// readPlace reads the tag, cpu and nic of an operation, in any order.
func (p *parser) readPlace() (tag int64, cpu int32) {
	for {
		switch {
		case p.is("tag"):
			tag = p.number("tag", "", mostTag)
		case p.is("cpu"):
			cpu = int32(p.number("cpu", "", mostPlace))
		case p.is("nic"):
			p.number("nic", "", mostPlace)
		default:
			return tag, cpu
		}
	}
}

// connect makes the lists of who waits for whom in a rank that has been read.
func (p *parser) connect(r *rank) {
	count := make([][2]int32, len(r.ops)) // by operation: those that wait for its beginning, its end
	for i := range p.links {
		l := &p.links[i]
		if l.label != "" {
			before, ok := p.labels[l.label]
			if !ok {
				p.fail(l.line, "rank %d has no label %s", p.rank, l.label)
				return
			}
			l.before = before
		}
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
	for i := range p.links {
		l := &p.links[i]
		o, k := &r.ops[l.before], side(l)
		at := [2]int32{o.first, o.ended}[k]
		r.next[at+count[l.before][k]] = l.op
		count[l.before][k]++
	}
}

// side is 0 for a link to a beginning, 1 for one to an end.
func side(l *link) int {
	if l.start {
		return 0
	}
	return 1
}
