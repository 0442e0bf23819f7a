package results

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible returns a text in a form for pictures and tables, on one line: invisible characters, and bytes that are not
// characters, which would make an SVG unreadable, are escaped as in Go, such as \x1b.
func visible(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		letter := text[:n]
		if valid := r != utf8.RuneError || n > 1; !valid || !unicode.IsGraphic(r) {
			quoted := strconv.Quote(letter)
			letter = quoted[1 : len(quoted)-1]
		}
		b.WriteString(letter)
		text = text[n:]
	}
	return b.String()
}
