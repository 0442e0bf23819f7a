package goal

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// Bounds of further numbers.
const (
	mostTag   = math.MaxInt64
	mostPlace = 1<<16 - 1
)

// Read reads a schedule. Errors call it name; they say the line. An operation that could never begin is an error.
func Read(name string, r io.Reader) (*Schedule, error) {
	p := &parser{scanner: scanner{name: name, r: bufio.NewReaderSize(r, 64<<10), line: 1}}
	p.next()
	p.skipMark()
	if !p.is("num_ranks") {
		p.fail(p.at, "%s, where a schedule in text begins with num_ranks; a binary one (txt2bin) is not read", p.found())
	}
	count := p.number("number of ranks", "", MostRanks)
	if p.err == nil && count == 0 {
		p.fail(p.at, "there are no ranks")
	}
	if p.err != nil {
		return nil, p.err
	}
	p.Builder = NewBuilder(int(count), lines(name))
	for p.err == nil && len(p.word) > 0 {
		p.readRank()
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.Build()
}

// lines names operations by their lines in a file.
type lines string

func (name lines) At(_ int, line int32) string { return fmt.Sprintf("%s:%d", name, line) }

func (lines) Name(_ int, line int32) string { return fmt.Sprintf("line %d", line) }

func (lines) Number(_ int, line int32) int64 { return int64(line) }

// parser makes a schedule of words.
type parser struct {
	scanner
	*Builder

	// of the rank being read:
	rank    int
	labels  map[string]int32
	pending []pending
}

// pending is a link to an operation that has not been read yet.
type pending struct {
	link  int
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
	p.rank = int(p.number("rank", "", int64(len(p.schedule.ranks)-1)))
	p.expect("{", rankForm)
	if p.err != nil {
		return
	}
	r := &p.schedule.ranks[p.rank]
	if r.closed() {
		p.fail(line, "rank %d has been given before", p.rank)
		return
	}
	p.labels, p.pending = make(map[string]int32), p.pending[:0]
	for p.err == nil && !p.is("}") {
		if len(p.word) == 0 {
			p.fail(line, "rank %d has no end: write }", p.rank)
		}
		p.readStatement()
	}
	for _, l := range p.pending {
		before, ok := p.labels[l.label]
		if !ok {
			p.fail(l.line, "rank %d has no label %s", p.rank, l.label)
			return
		}
		p.links[p.rank][l.link].before = before
	}
	if p.err == nil {
		p.close(p.rank)
	}
}

// readStatement reads an operation, with a label or without, or says for what one waits.
func (p *parser) readStatement() {
	if p.readOperation("") || p.err != nil {
		return
	}
	label, line := string(p.word), p.at
	p.next()
	switch {
	case p.is(":"):
		if _, ok := p.labels[label]; ok {
			p.fail(line, "rank %d has had the label %s before", p.rank, label)
		}
		p.labels[label] = int32(len(p.schedule.ranks[p.rank].ops))
		if !p.readOperation(label) {
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
	before, known := p.labels[string(p.word)]
	switch {
	case len(p.word) == 0 || isSign(p.word[0]):
		p.fail(p.at, "%s is no label", p.found())
	case !known:
		p.pending = append(p.pending, pending{len(p.links[p.rank]), string(p.word), p.at})
	}
	p.link(p.rank, link{op, before, start})
	p.next()
}

// readOperation reads an operation, with a label or without, if there is one.
func (p *parser) readOperation(label string) bool {
	line := p.at
	origin := Origin{int32(min(line, math.MaxInt32)), p.Name(label)}
	switch {
	case p.is("send"):
		bytes, to, tag := p.readEnd("to", "send 8192b to 1 tag 0")
		p.Send(p.rank, origin, to, tag, bytes)
	case p.is("recv"):
		_, from, tag := p.readEnd("from", "recv 8192b from 0 tag 0")
		p.Recv(p.rank, origin, from, tag)
	case p.is("calc"):
		takes := core.Duration(p.number("time in nanoseconds", "", MostNanos)) * core.Nanosecond
		_, cpu := p.readPlace()
		p.Calc(p.rank, origin, takes, cpu)
	default:
		return false
	}
	if len(p.schedule.ranks[p.rank].ops) == MostOps {
		p.fail(line, "rank %d has more than %d operations", p.rank, MostOps-1)
	}
	return true
}

// readEnd reads what follows on send or recv.
func (p *parser) readEnd(to, form string) (bytes core.Bytes, peer int, tag int64) {
	bytes = core.Bytes(p.number("size", "b", MostBytes))
	p.expect(to, form)
	peer = int(p.number("rank", "", int64(len(p.schedule.ranks)-1)))
	tag, _ = p.readPlace()
	return bytes, peer, tag
}

// readPlace reads the tag, cpu and nic of an operation, in any order.
func (p *parser) readPlace() (tag int64, cpu int) {
	for {
		switch {
		case p.is("tag"):
			tag = p.number("tag", "", mostTag)
		case p.is("cpu"):
			cpu = int(p.number("cpu", "", mostPlace))
		case p.is("nic"):
			p.number("nic", "", mostPlace)
		default:
			return tag, cpu
		}
	}
}
