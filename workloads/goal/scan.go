package goal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// scanner splits a schedule into words: names and numbers, and the signs { } and :.
type scanner struct {
	name string
	r    *bufio.Reader
	line int
	word []byte // the present one; empty at the end
	at   int    // its line
	err  error
}

// mostWord bounds a word: nothing longer is meant to be one.
const mostWord = 4096

// fail notes the first error of a line.
func (s *scanner) fail(line int, format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("%s:%d: %s", s.name, line, fmt.Sprintf(format, args...))
		s.word = s.word[:0]
	}
}

// next goes on to the next word.
func (s *scanner) next() {
	s.word = s.word[:0]
	for s.err == nil {
		c, err := s.r.ReadByte()
		switch {
		case err != nil:
			s.end(err)
			return
		case c == '/' && len(s.word) == 0 && s.comment():
		case c == '#' && len(s.word) == 0:
			s.skip("\n")
		case isSpace(c) && len(s.word) == 0:
			if c == '\n' {
				s.line++
			}
		case isSpace(c):
			s.r.UnreadByte()
			return
		case isSign(c):
			if len(s.word) > 0 {
				s.r.UnreadByte()
				return
			}
			s.word, s.at = append(s.word, c), s.line
			return
		default:
			if s.word, s.at = append(s.word, c), s.line; len(s.word) > mostWord {
				s.fail(s.line, "a word of more than %d bytes; is this a text file?", mostWord)
			}
		}
	}
}

// end notes the end of the input, and why there is no more.
func (s *scanner) end(err error) {
	if len(s.word) == 0 {
		s.at = s.line
	}
	if err != io.EOF {
		s.fail(s.line, "%v", err)
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isSign(c byte) bool { return c == '{' || c == '}' || c == ':' }

// comment skips a comment that begins with the / that has been read, and reports whether there was one.
func (s *scanner) comment() bool {
	switch c, _ := s.r.Peek(1); {
	case len(c) > 0 && c[0] == '/':
		s.skip("\n")
	case len(c) > 0 && c[0] == '*':
		s.r.Discard(1)
		if from := s.line; !s.skip("*/") {
			s.fail(from, "a comment has no end: write */")
		}
	default:
		return false
	}
	return true
}

// skip skips what comes until a text of one or two bytes, and reports whether that came.
func (s *scanner) skip(text string) bool {
	before := byte(0)
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			return false
		}
		if c == '\n' {
			s.line++
		}
		if last := len(text) - 1; c == text[last] && (last == 0 || before == text[0]) {
			return true
		}
		before = c
	}
}

// is reports whether the present word is a text, and then goes on.
func (s *scanner) is(text string) bool {
	if s.err != nil || string(s.word) != text {
		return false
	}
	s.next()
	return true
}

// expect demands a text, in a statement of which the error says how it is written.
func (s *scanner) expect(text, as string) {
	if !s.is(text) {
		s.fail(s.at, "%s instead of %s: write %s", s.found(), text, as)
	}
}

// found is what errors call the present word.
func (s *scanner) found() string {
	if len(s.word) == 0 {
		return "the end of the file"
	}
	return strconv.Quote(string(s.word))
}

// number takes a whole number from 0 to most, with a suffix that it must have.
func (s *scanner) number(what, suffix string, most int64) int64 {
	digits, ok := bytes.CutSuffix(s.word, []byte(suffix))
	v, err := strconv.ParseUint(string(digits), 10, 64)
	switch {
	case !ok || errors.Is(err, strconv.ErrSyntax):
		s.fail(s.at, "%s is no %s: write a whole number such as 8%s", s.found(), what, suffix)
	case v > uint64(most):
		s.fail(s.at, "%s: a %s is at most %d", s.found(), what, most)
	}
	s.next()
	return int64(v)
}
