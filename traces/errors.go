package traces

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError is a mistake in an input file. It prints as one line,
//
//	file:line: what is wrong "offending text": what to do
type SyntaxError struct {
	File string
	Line int    // from 1; 0 where no line is to blame
	What string // what is wrong
	Text string // offending text; may be empty
	Fix  string // what to do; may be empty
}

// Error returns the mistake on one line.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(e.Line))
	}
	b.WriteString(": ")
	b.WriteString(e.What)
	if e.Text != "" {
		b.WriteByte(' ')
		b.WriteString(quote(e.Text))
	}
	if e.Fix != "" {
		b.WriteString(": ")
		b.WriteString(e.Fix)
	}
	return b.String()
}

// SurplusError says that more entries follow those that a file's count announces. What the reader
// returns with it is complete: the entries that the reference reads, which stops there.
type SurplusError struct{ SyntaxError }

// quote returns s in double quotes, cut to a length that leaves an error on one line.
func quote(s string) string {
	most := 48
	if len(s) <= most {
		return strconv.Quote(s)
	}
	for utf8.ValidString(s) && !utf8.RuneStart(s[most]) { // a letter stays whole
		most--
	}
	return strconv.Quote(s[:most]) + "..."
}
