package filter

import (
	"fmt"
	"strconv"
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
	if e.Len == 0 {
		return fmt.Sprintf("%s: at its end: %s", excerpt(e.Text), e.What)
	}
	return fmt.Sprintf("%s: column %d, %s: %s", excerpt(e.Text), e.At+1, strconv.Quote(e.Text[e.At:e.At+e.Len]), e.What)
}

// excerpt quotes an expression, cut if it is long.
func excerpt(text string) string {
	const most = 120
	if len(text) > most {
		return strconv.Quote(text[:most]) + "..."
	}
	return strconv.Quote(text)
}

func wrong(text string, at, n int, what string, args ...any) *SyntaxError {
	if len(args) > 0 {
		what = fmt.Sprintf(what, args...)
	}
	return &SyntaxError{Text: text, At: at, Len: n, What: what}
}
