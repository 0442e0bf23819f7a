package lint

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// unwanted are expressions that no file may contain, each with what to do about it. The brackets
// keep this file from finding itself.
var unwanted = []struct {
	expr *regexp.Regexp
	do   string
}{
	{regexp.MustCompile(`\b([T]ODO|[F]IXME|[X]XX)\b`), "do it, or open an issue"},
	{regexp.MustCompile(`(^|[\s"'(=:])/([w]ork|[r]oot|[f]arm|[h]ome/\w+)/|[/]tmp/brief`), "name no path of one machine"},
	{regexp.MustCompile(`(?i)\b([c]hatgpt|[c]laude|[a]nthropic|[o]penai|[c]opilot|[l]anguage model|[A]I[- ](assistant|generated))\b`), "describe the code, not how it was written"},
}

func TestWords(t *testing.T) {
	check(t, func(tr *tree) (found []finding) {
		for name, text := range tr.texts {
			found = append(found, words(name, text)...)
		}
		return found
	})
}

// words is the rule about what a file may not say.
func words(name string, text []byte) (found []finding) {
	for _, w := range unwanted {
		for _, at := range w.expr.FindAllIndex(text, -1) {
			line := 1 + bytes.Count(text[:at[1]], []byte("\n"))
			found = append(found, finding{name, line, string(bytes.TrimSpace(text[at[0]:at[1]])) + " does not belong here", w.do})
		}
	}
	return found
}

func TestWordsNotices(t *testing.T) {
	text := "a\nb // [T]ODO: c\nsee /[w]ork/x\nframework/x, network/, todo\nby an [A]I assistant\n"
	plain := strings.NewReplacer("[", "", "]", "").Replace(text)
	expect(t, words("x", []byte(plain)), "2 do it", "3 path of one machine", "5 how it was written")
}
