package traces

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// EventTextReader reads an event trace in its text form ([AppendEventText]).
type EventTextReader struct {
	name string
	in   *bufio.Scanner
	line int
}

// NewEventTextReader returns a reader of lines from r, such as of [Open], which expands them. Errors call it name.
func NewEventTextReader(name string, r io.Reader) *EventTextReader {
	return &EventTextReader{name: name, in: bufio.NewScanner(r)}
}

// Next returns the record of the next line; io.EOF at the end.
func (e *EventTextReader) Next() (core.Record, error) {
	if !e.in.Scan() {
		if err := e.in.Err(); err != nil {
			return core.Record{}, fmt.Errorf("%s:%d: cannot read: %w", e.name, e.line+1, err)
		}
		return core.Record{}, io.EOF
	}
	e.line++
	l := eventLine{words: strings.Fields(e.in.Text())}
	r := l.record()
	if l.bad || len(l.words) != l.next {
		return r, &SyntaxError{File: e.name, Line: e.line, What: "not a line of an event trace:", Text: e.in.Text()}
	}
	return r, nil
}

// eventLine reads the words of a line one after another.
type eventLine struct {
	words []string
	next  int
	bad   bool
}

func (l *eventLine) word() string {
	l.next++
	if l.next > len(l.words) {
		l.bad = true
		return ""
	}
	return l.words[l.next-1]
}

// parse reads a number, up to a limit, after a prefix.
func (l *eventLine) parse(text, prefix string, base int, most uint64) int64 {
	digits, ok := strings.CutPrefix(text, prefix)
	n, err := strconv.ParseUint(digits, base, 64)
	if !ok || err != nil || n > most {
		l.bad = true
		return 0
	}
	return int64(n)
}

func (l *eventLine) number(most uint64) int64 { return l.parse(l.word(), "", 10, most) }

// pair reads two numbers with something between them and after them.
func (l *eventLine) pair(between, after string, most uint64) (int64, int64) {
	a, b, _ := strings.Cut(l.word(), between)
	b, ok := strings.CutSuffix(b, after)
	l.bad = l.bad || !ok
	return l.parse(a, "", 10, most), l.parse(b, "", 10, most)
}

func (l *eventLine) at() core.Time { return core.AtNanos(l.number(maxSeconds * 1e9)) }

func (l *eventLine) node() core.NodeID {
	id, ok := NodeAt(uint32(l.parse(l.word(), "", 16, 1<<32-1)))
	if !ok {
		l.bad = true
	}
	return id
}

func (l *eventLine) record() (r core.Record) {
	const most31, most16, most8 = 1<<31 - 1, 1<<16 - 1, 1<<8 - 1
	r.At = l.at()
	r.Node = core.NodeID(l.parse(l.word(), "n:", 10, most31))
	port, queue := l.pair(":", "", most16)
	l.bad = l.bad || queue > most8
	r.Port, r.Queue = int32(port)-1, uint8(queue)
	r.Depth = core.Bytes(l.number(1 << 62))
	event := slices.Index(eventNames[:], l.word())
	l.bad = l.bad || event < 0
	r.Event = core.Event(event)
	p := &r.Packet
	if l.parse(l.word(), "ecn:", 10, 3) == ecnCE {
		p.Flags |= core.CE
	}
	p.Src, p.Dst = l.node(), l.node()
	p.SrcPort, p.DstPort = uint16(l.number(most16)), uint16(l.number(most16))
	kind := l.word()
	i := strings.Index(kindLetters, kind)
	if i < 0 || len(kind) != 1 || r.Port < 0 {
		l.bad = true
		return r
	}
	p.Kind = core.Kind(i)
	switch p.Kind {
	case core.Data:
		p.Seq, p.Sent, p.Prio = l.number(1<<62), l.at(), uint8(l.number(most8))
		size, payload := l.pair("(", ")", most31)
		p.Size, p.Payload = int32(size), int32(payload)
	case core.Pause:
		p.Aux = uint64(l.parse(l.word(), "0x", 16, 1<<62))
		p.Size = int32(l.number(most31))
	default:
		if l.parse(l.word(), "0x", 16, most8)&ackEcho != 0 {
			p.Flags |= core.ECE
		}
		p.Prio, p.Seq, p.Sent = uint8(l.number(most8)), l.number(1<<62), l.at()
		p.Size = int32(l.number(most31))
	}
	return r
}
