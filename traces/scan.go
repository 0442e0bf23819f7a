package traces

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

const (
	maxToken  = 4096 // bytes; the longest file name
	maxNumber = 64   // bytes of a number with its unit
)

// scanner cuts text into words separated by white space and remembers their lines. The
// first mistake sticks: afterwards every method returns zero values.
type scanner struct {
	name   string
	timing core.Timing // by which durations and rates are read
	source io.ReadCloser
	in     *bufio.Reader
	line   int // line of the last word
	at     int // line of the reading position
	word   []byte
	held   bool // the last word is still to be taken
	err    error
}

// newScanner returns a scanner over r, which may be compressed. Errors name the file.
func newScanner(name string, r io.Reader) *scanner {
	s := &scanner{name: name, line: 1, at: 1}
	source, err := expand(r)
	if err != nil {
		s.readError(err)
		return s
	}
	s.source, s.in = source, bufio.NewReaderSize(source, 64<<10)
	if mark, _ := s.in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		s.in.Discard(len(mark))
	}
	if mark, _ := s.in.Peek(len(ParquetMagic)); string(mark) == ParquetMagic {
		s.fail("Parquet cannot be read here", "", "write text or, where Parquet is taken, leave it as it is: Parquet compresses by itself")
	}
	return s
}

func (s *scanner) close() {
	if s.source != nil {
		s.source.Close()
	}
}

func (s *scanner) fail(what, text, fix string) {
	if s.err == nil {
		s.err = &SyntaxError{File: s.name, Line: s.line, What: what, Text: text, Fix: fix}
	}
}

func (s *scanner) readError(err error) {
	if s.err == nil {
		s.err = fmt.Errorf("%s:%d: cannot read: %w", s.name, s.at, err)
	}
}

// next returns the next word; false at the end or after a mistake.
func (s *scanner) next() (string, bool) {
	if s.err != nil {
		return "", false
	}
	if s.held {
		s.held = false
		return string(s.word), true
	}
	s.word = s.word[:0]
	for {
		c, err := s.in.ReadByte()
		if err == io.EOF {
			return s.finish()
		}
		if err != nil {
			s.readError(err)
			return "", false
		}
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			if len(s.word) > 0 {
				s.in.UnreadByte()
				return s.finish()
			}
			if c == '\n' {
				s.at++
			}
		case len(s.word) == maxToken:
			s.line = s.at
			s.fail("word of more than 4096 bytes", string(s.word), "is this a text file?")
			return "", false
		default:
			s.word = append(s.word, c)
		}
	}
}

func (s *scanner) finish() (string, bool) {
	if len(s.word) == 0 {
		return "", false
	}
	s.line = s.at
	if !utf8.Valid(s.word) {
		s.fail("not UTF-8 text", string(s.word), "save the file as UTF-8")
		return "", false
	}
	return string(s.word), true
}

// peek returns the next word and leaves it there.
func (s *scanner) peek() (string, bool) {
	w, ok := s.next()
	s.held = ok
	return w, ok
}

// want returns the next word; what says which one, should the file end here.
func (s *scanner) want(what string) string {
	w, ok := s.next()
	if !ok {
		s.line = s.at
		s.fail("the file ends where "+what+" should follow", "", "is it complete?")
	}
	return w
}

// number returns the next word, which should be a number, perhaps with a unit.
func (s *scanner) number(what string) string {
	w := s.want(what)
	switch {
	case len(w) > maxNumber:
		s.fail(what+" is not a number", w, "write a shorter one")
		return ""
	case strings.ContainsAny(w, ",;"):
		s.fail(what+" has a comma or semicolon", w, "put blanks between numbers, and write 0.5, not 0,5")
		return ""
	}
	return w
}

// integer reads a whole number in [lo, hi].
func (s *scanner) integer(what string, lo, hi int64) int64 {
	w := s.number(what)
	if s.err != nil {
		return 0
	}
	v, problem := parseInteger(w, lo, hi)
	if problem != "" {
		s.fail(what+" "+problem, w, integerFix(lo, hi))
		return 0
	}
	return v
}

func integerFix(lo, hi int64) string {
	if hi == math.MaxInt64 {
		return fmt.Sprintf("write a whole number, at least %d", lo)
	}
	return fmt.Sprintf("write a whole number from %d to %d", lo, hi)
}

// parseInteger reads a whole number in [lo, hi] and says what is wrong with it, if anything.
func parseInteger(w string, lo, hi int64) (v int64, problem string) {
	v, err := strconv.ParseInt(w, 10, 64)
	switch {
	case err != nil && err.(*strconv.NumError).Err == strconv.ErrSyntax:
		return 0, "is not a whole number"
	case err != nil || v < lo || v > hi:
		return 0, "is out of range"
	}
	return v, ""
}

// node reads a node id below n.
func (s *scanner) node(what string, n int64) core.NodeID {
	w := s.number(what)
	if s.err != nil {
		return 0
	}
	v, problem := parseInteger(w, 0, n-1)
	switch {
	case problem == "is out of range":
		s.fail(what+" is no node", w, fmt.Sprintf("nodes are numbered from 0 to %d", n-1))
	case problem != "":
		s.fail(what+" "+problem, w, "write the number of a node")
	}
	return core.NodeID(v)
}

// real reads a finite decimal number in [lo, hi].
func (s *scanner) real(what string, lo, hi float64) float64 {
	w := s.number(what)
	if s.err != nil {
		return 0
	}
	v, err := core.ParseFloat(w)
	switch {
	case err != nil && err.(*strconv.NumError).Err == strconv.ErrSyntax, math.IsNaN(v):
		s.fail(what+" is not a number", w, fmt.Sprintf("write a number from %g to %g", lo, hi))
	case !(v >= lo && v <= hi):
		s.fail(what+" is out of range", w, fmt.Sprintf("write a number from %g to %g", lo, hi))
	}
	return v
}

// rate reads a rate with a unit. A function says what is wrong with it, and what to do.
func (s *scanner) rate(what string, check func(r core.Rate) (problem, fix string)) core.Rate {
	w := s.number(what)
	if s.err != nil {
		return 0
	}
	r, err := s.timing.ParseRate(w)
	if err != nil {
		s.fail(what+": "+err.Error(), "", "")
	} else if problem, fix := check(r); problem != "" {
		s.fail(what+" "+problem, w, fix)
	}
	return r
}

// atLeast is what [scanner.rate] checks where the least rate is 0 or 1 bit/s.
func atLeast(least core.Rate) func(r core.Rate) (problem, fix string) {
	return func(r core.Rate) (problem, fix string) {
		switch {
		case r >= least:
			return "", ""
		case r < 0:
			problem = "is negative"
		default:
			problem = "is not above zero"
		}
		return problem, "write a rate such as 100Gbps"
	}
}

// delay reads the delay of a link, with a unit.
func (s *scanner) delay(what string) core.Duration {
	w := s.number(what)
	if s.err != nil {
		return 0
	}
	d, err := s.timing.ParseDuration(w)
	if err != nil {
		s.fail(what+": "+err.Error(), "", "")
	} else if problem, fix := topo.DelayProblem(d); problem != "" {
		s.fail(what+" "+problem, w, fix)
	}
	return d
}

// end accepts the rest of a file whose n entries have all been read: the reference stops
// there, so remarks may follow. A number is an entry beyond the count: a *SurplusError.
func (s *scanner) end(entries string, n int64) (surplus error) {
	w, ok := s.next()
	if !ok || w[0] < '0' || w[0] > '9' {
		return nil
	}
	return &SurplusError{SyntaxError{
		File: s.name, Line: s.line, What: fmt.Sprintf("more %s than the %d that the count announces", entries, n), Text: w,
		Fix: "correct the count, if the rest is to be read too",
	}}
}
