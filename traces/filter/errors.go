package filter

import (
	"fmt"

	"github.com/qbb-sim/qbb/traces"
)

// SyntaxError is a mistake in an expression.
type SyntaxError struct {
	Text string // the expression
	At   int    // offset of what is wrong
	Len  int    // its length; 0 at the end
	What string // what is wrong, and what to do
}

// Error returns the mistake on one line, with what is wrong and its column, from 1.
func (e *SyntaxError) Error() string {
	const most = 120 // bytes repeated
	whole := traces.Excerpt(e.Text, most)
	if e.Len == 0 {
		return fmt.Sprintf("%s: at its end: %s", whole, e.What)
	}
	return fmt.Sprintf("%s: column %d, %s: %s", whole, e.At+1, traces.Excerpt(e.Text[e.At:e.At+e.Len], most), e.What)
}

func wrong(text string, at, n int, what string, args ...any) *SyntaxError {
	if len(args) > 0 {
		what = fmt.Sprintf(what, args...)
	}
	return &SyntaxError{Text: text, At: at, Len: n, What: what}
}
