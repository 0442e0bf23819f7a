package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/qbb-sim/qbb/traces"
)

// MaxText bounds the size of a scenario file, in bytes.
const MaxText = 4 << 20

// byteOrderMark is what Windows editors put before a text.
const byteOrderMark = "\ufeff"

// Load reads a file of options: a scenario in YAML, or the reference's config.txt, told apart by
// content. It may be compressed with gzip or zstd.
func Load(path string) (*Scenario, error) {
	if path == "" {
		return nil, errors.New("the path is empty: name a scenario or a config.txt")
	}
	f, err := traces.Open(path)
	if at, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: a scenario or a config.txt should be there", path, at.Err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxText+1))
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: cannot read: %w", path, err)
	case len(text) > MaxText:
		return nil, fmt.Errorf("%s: more than %d MiB: is this a scenario?", path, MaxText>>20)
	case bytes.HasPrefix(text, []byte(traces.ParquetMagic)):
		return nil, fmt.Errorf("%s: a table in Parquet: a scenario or a config.txt should be there", path)
	case isConfig(text):
		c, err := traces.ReadConfig(path, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		return ofConfig(c)
	case len(bytes.TrimSpace(text)) == 0:
		return nil, fmt.Errorf("%s:1: the file is empty: write a scenario, or a config.txt", path)
	}
	return Read(path, text)
}

// isConfig reports whether a text begins as a config.txt does: with a word that does not end in a colon.
func isConfig(text []byte) bool {
	for line := range bytes.Lines(text) {
		words := strings.Fields(string(line))
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if strings.ContainsAny(words[0][:1], "-{[\"'%") || strings.Contains(words[0], ":") {
			return false
		}
		return len(words) < 2 || words[1] != ":"
	}
	return false
}

// validText reports whether a text is UTF-8, and the first line that is not.
func validText(text []byte) (line int, ok bool) {
	for i, s := range bytes.Split(text, []byte("\n")) {
		if !utf8.Valid(s) {
			return i + 1, false
		}
	}
	return 0, true
}

// maxDepth bounds the nesting of a scenario, which has five levels: the time that the parser
// takes grows with its square.
const maxDepth = 50

// tooDeep returns the first line that opens more brackets, dashes or columns than a scenario can
// need; 0 for none.
func tooDeep(text []byte) int {
	open := 0
	for i, line := range bytes.Split(text, []byte("\n")) {
		rest := bytes.TrimLeft(line, " \t-?")
		lead := line[:len(line)-len(rest)]
		open = max(0, open+bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{"))-bytes.Count(line, []byte("]"))-bytes.Count(line, []byte("}")))
		if open > maxDepth || len(lead) > 2*maxDepth || bytes.Count(line, []byte("{")) > maxDepth || bytes.Count(line, []byte("[")) > maxDepth {
			return i + 1
		}
	}
	return 0
}
