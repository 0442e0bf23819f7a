package filter

import (
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/traces"
)

// mirrored is every comparison with its sides exchanged.
var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// compare makes a comparison of a field with a field or a value, in either order.
func (p *parser) compare(left, op, right token) (match, *SyntaxError) {
	a, b := findField(left.text), findField(right.text)
	switch {
	case a == nil && b == nil:
		return nil, p.wrongAt(left, "%s", unknownField(left.text))
	case a == nil:
		return p.withValue(b, token{mirrored[op.text], op.at}, left)
	case b == nil:
		return p.withValue(a, op, right)
	case a.Sort != b.Sort || a.Sort == Choice && a != b:
		return nil, p.wrongAt(right, "%s and %s cannot be compared", a.Name, b.Name)
	case a.Sort == Choice && !isEquality(op.text):
		return nil, p.wrongOrder(a, op)
	}
	holds := relation(op.text)
	return func(s *traces.Sighting) bool { return holds(a.get(s), b.get(s)) }, nil
}

// withValue makes a comparison of a field with a value.
func (p *parser) withValue(f *Field, op, value token) (match, *SyntaxError) {
	if f.Sort == Flag {
		return nil, p.wrongAt(value, "%s is true or false: write %s or !%s", f.Name, f.Name, f.Name)
	}
	if f.Sort == Choice {
		return p.withWord(f, op, value)
	}
	v, err := parseValue(f.Sort, value.text)
	if err != "" {
		return nil, p.wrongAt(value, "%s %s", f.Name, err)
	}
	holds := relation(op.text)
	return func(s *traces.Sighting) bool { return holds(f.get(s), v) }, nil
}

// withWord makes a comparison of a choice with one of its words.
func (p *parser) withWord(f *Field, op, value token) (match, *SyntaxError) {
	if !isEquality(op.text) {
		return nil, p.wrongOrder(f, op)
	}
	equal := op.text == "=="
	for _, w := range f.words {
		if w.name == value.text {
			return func(s *traces.Sighting) bool { return (f.get(s)&w.bits != 0) == equal }, nil
		}
	}
	return nil, p.wrongAt(value, "no %s: did you mean %s? there are: %s", f.Name, spelling.Nearest(value.text, f.Words()), strings.Join(f.Words(), ", "))
}

func isEquality(op string) bool { return op == "==" || op == "!=" }

// wrongOrder says that a choice has no order.
func (p *parser) wrongOrder(f *Field, op token) *SyntaxError {
	return p.wrongAt(token{p.text[op.at : op.at+len(op.text)], op.at}, "%s is compared by == and != only", f.Name)
}

// parseValue reads a value of a sort, or says what is expected.
func parseValue(sort Sort, text string) (v int64, problem string) {
	switch sort {
	case Time:
		d, err := core.ParseDuration(text)
		if err != nil {
			return 0, "needs a time with a unit, such as 2us"
		}
		return int64(d), ""
	case Size:
		b, err := core.ParseBytes(text)
		if err != nil {
			return 0, "needs a whole number of bytes, such as 1000 or 64KB"
		}
		return int64(b), ""
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, "needs a whole number"
	}
	return v, ""
}

func relation(op string) func(a, b int64) bool {
	switch op {
	case "==":
		return func(a, b int64) bool { return a == b }
	case "!=":
		return func(a, b int64) bool { return a != b }
	case "<":
		return func(a, b int64) bool { return a < b }
	case "<=":
		return func(a, b int64) bool { return a <= b }
	case ">":
		return func(a, b int64) bool { return a > b }
	case ">=":
		return func(a, b int64) bool { return a >= b }
	}
	panic("filter: unknown comparison " + op)
}
