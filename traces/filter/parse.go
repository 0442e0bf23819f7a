package filter

import (
	"strings"

	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/traces"
)

// Expr is a compiled expression. The zero value matches everything.
type Expr struct{ match match }

type match func(s *traces.Sighting) bool

// Match reports whether the expression holds for a sighting.
func (e *Expr) Match(s *traces.Sighting) bool { return e.match == nil || e.match(s) }

// Parse compiles an expression. Blank text matches everything. The error is a [SyntaxError].
func Parse(text string) (Expr, error) {
	tokens, err := lex(text)
	if err != nil {
		return Expr{}, err
	}
	if len(tokens) == 1 {
		return Expr{}, nil
	}
	p := &parser{text: text, tokens: tokens}
	m, err := p.either(0)
	if err == nil && p.token().text != "" {
		err = p.wrongAt(p.token(), "this does not belong here: join comparisons with && or ||")
	}
	if err != nil {
		return Expr{}, err
	}
	return Expr{m}, nil
}

// maxDepth is the most parentheses and negations around a comparison.
const maxDepth = 100

type parser struct {
	text   string
	tokens []token
	next   int
}

func (p *parser) token() token { return p.tokens[p.next] }

// take steps over the token if it is the given one.
func (p *parser) take(text string) bool {
	if p.token().text != text {
		return false
	}
	p.next++
	return true
}

func (p *parser) wrongAt(t token, what string, args ...any) *SyntaxError {
	return wrong(p.text, t.at, len(t.text), what, args...)
}

// either reads terms joined by ||.
func (p *parser) either(depth int) (match, *SyntaxError) {
	m, err := p.both(depth)
	for err == nil && p.take("||") {
		a := m
		var b match
		b, err = p.both(depth)
		m = func(s *traces.Sighting) bool { return a(s) || b(s) }
	}
	return m, err
}

// both reads terms joined by &&.
func (p *parser) both(depth int) (match, *SyntaxError) {
	m, err := p.term(depth)
	for err == nil && p.take("&&") {
		a := m
		var b match
		b, err = p.term(depth)
		m = func(s *traces.Sighting) bool { return a(s) && b(s) }
	}
	return m, err
}

func (p *parser) term(depth int) (match, *SyntaxError) {
	open := p.token()
	switch {
	case depth > maxDepth:
		return nil, p.wrongAt(open, "too many levels of parentheses")
	case p.take("!"):
		m, err := p.term(depth + 1)
		return func(s *traces.Sighting) bool { return !m(s) }, err
	case p.take("("):
		m, err := p.either(depth + 1)
		if err == nil && !p.take(")") {
			err = wrong(p.text, open.at, 1, "this parenthesis is not closed")
		}
		return m, err
	}
	return p.comparison()
}

// comparison reads a flag, or two operands and what is between them.
func (p *parser) comparison() (match, *SyntaxError) {
	left, err := p.word()
	if err != nil {
		return nil, err
	}
	f := findField(left.text)
	if f != nil && f.Sort == Flag {
		if isComparison(p.token().text) {
			return nil, p.wrongAt(p.token(), "%s is true or false: write %s or !%s", f.Name, f.Name, f.Name)
		}
		return func(s *traces.Sighting) bool { return f.get(s) != 0 }, nil
	}
	op := p.token()
	if !isComparison(op.text) {
		if f == nil {
			return nil, p.wrongAt(left, "%s", unknownField(left.text))
		}
		return nil, p.wrongAt(op, "after %s a comparison is expected, such as %s==...", left.text, left.text)
	}
	p.next++
	right, err := p.word()
	if err != nil {
		return nil, err
	}
	return p.compare(left, op, right)
}

// word reads a name or a value.
func (p *parser) word() (token, *SyntaxError) {
	t := p.token()
	if t.text == "" {
		return t, p.wrongAt(t, "something is missing here")
	}
	if !isWord(t.text[0]) {
		return t, p.wrongAt(t, "a field or a value is expected here")
	}
	p.next++
	return t, nil
}

func isComparison(op string) bool { return mirrored[op] != "" }

func findField(name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

func unknownField(name string) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return "not a field: did you mean " + spelling.Nearest(name, names) + "? fields: " + strings.Join(names, ", ")
}
