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
		b.WriteString(Excerpt(e.Text, 48))
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

// Excerpt returns s in double quotes, for an error of one line: at most so many bytes of it, but whole letters.
func Excerpt(s string, most int) string {
	if len(s) <= most {
		return strconv.Quote(s)
	}
	if utf8.ValidString(s) {
		for !utf8.RuneStart(s[most]) {
			most--
		}
	}
	return strconv.Quote(s[:most]) + "..."
}
