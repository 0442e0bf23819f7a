package traces

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// LoadTopology reads a topology.txt: see ReadTopology.
func LoadTopology(path string, tm core.Timing) (*topo.Topology, []int, error) {
	var lines []int
	t, err := load(path, func(name string, r io.Reader) (t *topo.Topology, err error) {
		t, lines, err = ReadTopology(name, r, tm)
		return t, err
	})
	return t, lines, err
}

// ReadTopology reads a topology.txt from r and the line of every link. Rates and delays with a fraction are
// what the arithmetic makes of them. Errors call the file name. The topology is valid: see
// [topo.Topology.Validate]. With a [SurplusError] it is returned too.
func ReadTopology(name string, r io.Reader, tm core.Timing) (*topo.Topology, []int, error) {
	s := newScanner(name, r)
	s.timing = tm
	defer s.close()
	nodes := s.integer("number of nodes", 1, maxNodes)
	switches := s.integer("number of switches", 0, nodes)
	links := s.integer("number of links", 0, maxLinks)
	if s.err != nil {
		return nil, nil, s.err
	}
	t := &topo.Topology{Name: name, Kinds: make([]topo.Kind, nodes)}
	for i := int64(0); i < switches && s.err == nil; i++ {
		id := s.node("switch id", nodes)
		if t.Kinds[id] == topo.Switch && s.err == nil {
			s.fail("switch id given twice", strconv.Itoa(int(id)), "list every switch once")
		}
		t.Kinds[id] = topo.Switch
	}
	var lines []int
	short := 0 // the first line whose last word is on the next
	for i := int64(0); i < links && s.err == nil; i++ {
		l, broken := readLink(s, nodes)
		if broken > 0 && short == 0 {
			short = broken
		}
		t.Links = append(t.Links, l)
		lines = append(lines, s.line)
	}
	surplus := s.end("links", links)
	if (s.err != nil || surplus != nil) && short > 0 {
		s.err = &SyntaxError{File: name, Line: short, What: "link without an error rate", Fix: "end the line with one, such as 0"}
	}
	if s.err == nil {
		s.err = validate(t, name, lines)
		if e, ok := errors.AsType[*SyntaxError](s.err); ok && e.Line == 0 && surplus != nil {
			e.Fix = fmt.Sprintf("correct the number of links: line %d has more than the %d that it announces", s.line, links)
		}
	}
	if s.err != nil {
		return nil, nil, s.err
	}
	return t, lines, surplus
}

// readLink also returns the line of the delay if the error rate is not on it.
func readLink(s *scanner, nodes int64) (l topo.Link, broken int) {
	l = topo.Link{A: s.node("link end", nodes), B: s.node("link end", nodes)}
	l.Rate = s.rate("link rate", topo.RateProblem)
	l.Delay = s.delay("link delay")
	line := s.line
	l.Loss = s.real("link error rate", 0, 1)
	if s.line > line {
		broken = line
	}
	return l, broken
}

// validate reports what [topo.Topology.Validate] finds as a mistake in the file, on the line of the link if one is
// to blame.
func validate(t *topo.Topology, name string, lines []int) error {
	err := t.Validate()
	mistake, ok := errors.AsType[*topo.Mistake](err)
	if !ok {
		return err
	}
	e := &SyntaxError{File: name, What: mistake.What, Fix: mistake.Fix}
	if mistake.Link >= 0 {
		e.Line = lines[mistake.Link]
	}
	return e
}
