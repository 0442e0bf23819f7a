package filter

import "strings"

// token is a piece of an expression: a word, an operator or a parenthesis.
type token struct {
	text string // empty at the end
	at   int    // offset
}

// operators, the longer ones first.
var operators = []string{"==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "(", ")"}

// lex cuts an expression into tokens, the last of which is empty.
func lex(text string) ([]token, *SyntaxError) {
	var tokens []token
	for i := 0; i < len(text); {
		n := 0
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case isWord(c):
			for i+n < len(text) && isWord(text[i+n]) {
				n++
			}
		default:
			n = operatorAt(text[i:])
		}
		if n == 0 {
			return nil, wrong(text, i, letter(text[i:]), "this has no meaning here; "+hint(text[i]))
		}
		tokens = append(tokens, token{text[i : i+n], i})
		i += n
	}
	return append(tokens, token{"", len(text)}), nil
}

// isWord tells the characters of names and values: 2us, 1.5ms, -1.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-'
}

// letter is the length of the letter that a text begins with.
func letter(text string) int {
	for next := range text {
		if next > 0 {
			return next
		}
	}
	return len(text)
}

func operatorAt(text string) int {
	for _, op := range operators {
		if strings.HasPrefix(text, op) {
			return len(op)
		}
	}
	return 0
}

func hint(c byte) string {
	switch c {
	case '=':
		return "write == for equal"
	case '&':
		return "write && for and"
	case '|':
		return "write || for or"
	}
	return "see qbb help expressions"
}
