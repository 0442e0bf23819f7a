package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// width is the number of columns that texts keep to.
const width = 80

// page is a text for people: paragraphs and two-column lists.
type page struct{ bytes.Buffer }

// endLine ends a line, without blanks at its end.
func (p *page) endLine() {
	p.Truncate(len(bytes.TrimRight(p.Bytes(), " ")))
	p.WriteByte('\n')
}

// paragraph adds text, wrapped, each line indented by a number of columns.
func (p *page) paragraph(indent int, text string) {
	for _, line := range wrap(text, width-indent) {
		fmt.Fprintf(p, "%*s%s\n", indent, "", line)
	}
}

// item adds an entry of a list: what stands at the left, and its explanation from the given
// column on.
func (p *page) item(left string, column int, text string) {
	lines := wrap(text, width-column)
	line := "  " + left
	if len(line) > column-2 || len(lines) == 0 {
		p.WriteString(line + "\n")
		line = ""
	}
	for _, l := range lines {
		fmt.Fprintf(p, "%-*s%s\n", column, line, l)
		line = ""
	}
}

// print writes the page.
func (p *page) print(w io.Writer) error {
	_, err := io.WriteString(w, p.String())
	return err
}

// wrap breaks text between words into lines of at most so many columns, one for each byte; longer words stay whole.
func wrap(text string, columns int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > columns:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
