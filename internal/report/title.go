package report

import (
	"html"
	"io"
	"os"
	"strings"
)

// headLen is more than the bytes of a page that end with the title of one run.
const headLen = 8 << 10

// Subject returns the names of the runs of which a page tells that [Write] has written. Other files, or none, have none.
func Subject(path string) (names string, ok bool) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headLen))
	if err != nil {
		return "", false
	}
	_, title, _ := strings.Cut(string(head), "<title>")
	title, _, _ = strings.Cut(title, "</title>")
	title, ok = strings.CutSuffix(title, " \u2013 qbb report")
	return html.UnescapeString(title), ok
}
