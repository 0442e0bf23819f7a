package topo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// maxNodes bounds what a builder makes, so that a slip of the pen does not fill the memory.
const maxNodes = 1 << 20

// values are the parameters of one specification. The first error sticks; the getters
// then return harmless numbers.
type values struct {
	set map[string]string
	err error
}

func newValues(b *Builder) *values {
	v := &values{set: make(map[string]string)}
	for _, p := range b.Params {
		v.set[p.Name] = p.Default
	}
	return v
}

// parse sets the parameters of a list key=value,key=value.
func (v *values) parse(b *Builder, text string) {
	given := make(map[string]bool)
	for field := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(field, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case !ok:
			v.fail("%q is not key=value%s", key, spelling.Suggest(key, b.words()))
		case !slices.Contains(b.keys(), key):
			v.fail("%s has no parameter %q%s", b.Name, key, spelling.Suggest(key, b.keys()))
		case given[key]:
			v.fail("parameter %q is given twice", key)
		case value == "":
			v.fail("parameter %q has no value", key)
		}
		given[key], v.set[key] = true, value
	}
}

// complete fails if a parameter without default is missing.
func (v *values) complete(b *Builder) {
	for _, p := range b.Params {
		if v.set[p.Name] == "" {
			v.fail("parameter %q is missing (%s)", p.Name, p.Doc)
		}
	}
}

func (b *Builder) keys() []string {
	var keys []string
	for _, p := range b.Params {
		keys = append(keys, p.Name)
	}
	return keys
}

// words are what may be written where a key is expected: the presets and the keys.
func (b *Builder) words() []string {
	var words []string
	for _, p := range b.Presets {
		words = append(words, p.Name)
	}
	return append(words, b.keys()...)
}

func (v *values) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(format, args...)
	}
}

// int returns the integer key, which must lie between least and most.
func (v *values) int(key string, least, most int) int {
	n, err := strconv.Atoi(v.set[key])
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		v.fail("%s=%q is not a whole number", key, v.set[key])
		return least
	case err != nil || n < least || n > most:
		v.fail("%s=%s is out of range; use %d to %d", key, v.set[key], least, most)
		return least
	}
	return n
}

// intOr returns the integer key, or the default if it has the value word.
func (v *values) intOr(key, word string, otherwise, least, most int) int {
	if v.set[key] == word {
		return otherwise
	}
	return v.int(key, least, most)
}

func (v *values) rate(key string) core.Rate {
	r, err := core.ParseRate(v.set[key])
	if err != nil {
		v.fail("%s: %w", key, err)
	} else if problem, fix := RateProblem(r); problem != "" {
		v.fail("%s=%q %s: %s", key, v.set[key], problem, fix)
	}
	return r
}

// rateOr returns the rate key, or the default if it has the value word.
func (v *values) rateOr(key, word string, otherwise core.Rate) core.Rate {
	if v.set[key] == word {
		return otherwise
	}
	return v.rate(key)
}

func (v *values) delay(key string) core.Duration {
	d, err := core.ParseDuration(v.set[key])
	if err != nil {
		v.fail("%s: %w", key, err)
	} else if problem, fix := DelayProblem(d); problem != "" {
		v.fail("%s=%q %s: %s", key, v.set[key], problem, fix)
	}
	return d
}

// fits fails if there would be too many nodes.
func (v *values) fits(hosts, switches int) bool {
	if n := hosts + switches; n > maxNodes {
		v.fail("%d nodes are too many; the limit is %d", n, maxNodes)
	}
	return v.err == nil
}
