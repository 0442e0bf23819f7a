package traces

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// maxPairs bounds the pairs of a map key such as KMAX_MAP.
const maxPairs = 1024

// LoadConfig reads a config.txt.
func LoadConfig(path string) (*Config, error) { return load(path, ReadConfig) }

// ReadConfig reads a config.txt from r. Errors call it name.
func ReadConfig(name string, r io.Reader) (*Config, error) {
	s := newScanner(name, r)
	s.timing = core.FixedPointNanos
	defer s.close()
	c := &Config{file: name, lines: make(map[string]int), MIThresh: 5, FastReact: true} // what the reference has without these keys
	value := reflect.ValueOf(c).Elem()
	for {
		key, ok := s.next()
		if !ok {
			break
		}
		i := slices.Index(configKeys, key)
		switch line, again := c.lines[key]; {
		case i < 0:
			line := s.line
			more := s.moreUnknownKeys()
			s.line = line
			s.fail("unknown key", key, unknownKeyFix(key, len(c.lines) > 0, more))
		case again:
			s.fail("key given twice", key, fmt.Sprintf("it is also on line %d: remove one", line))
		default:
			c.lines[key] = s.line
			readField(s, configFields[i], value.FieldByIndex(configFields[i].Index))
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	return c, nil
}

// moreUnknownKeys lists what else looks like a key and is none: a case of another simulator has several. It reads the
// rest of the file.
func (s *scanner) moreUnknownKeys() (keys []string) {
	const most = 20
	for line := s.line; len(keys) < most; {
		word, ok := s.next()
		if !ok {
			break
		}
		if s.line > line && likeKey.MatchString(word) && !slices.Contains(configKeys, word) && !slices.Contains(keys, word) {
			keys = append(keys, word)
		}
		line = s.line
	}
	s.err = nil // that of the unknown key comes first
	return keys
}

var likeKey = regexp.MustCompile("^[A-Z][A-Z0-9]*_[A-Z0-9_]+$")

// unknownKeyFix says what to do about an unknown key, which may follow known ones, and about more of them.
func unknownKeyFix(key string, follows bool, more []string) string {
	if strings.HasPrefix(key, "#") || strings.HasPrefix(key, "//") {
		return "this format has no comments: remove it"
	}
	remove := "the reference has no such key: remove it with its value"
	if len(more) > 0 {
		remove += ", and so " + strings.Join(more, ", ")
	}
	if flag, ok := flagsOfForks[key]; ok {
		return remove + "; " + flag + " does what it does elsewhere"
	}
	nearest := spelling.Nearest(key, configKeys)
	cut := slices.IndexFunc(configKeys, func(k string) bool { return len(key) >= 3 && strings.HasPrefix(k, key) })
	switch far := !alike(key, nearest); {
	case far && cut >= 0:
		nearest = configKeys[cut]
	case far && follows:
		return remove + "; qbb help inputs lists the keys"
	case far:
		return "is this a config.txt? Flows and networks have keys, or flags, of their own"
	}
	return "did you mean " + nearest + "?"
}

// flagsOfForks are the options that do what keys of other simulators with this format do.
var flagsOfForks = map[string]string{
	"ENABLE_PFC": "--no-pfc", "ENABLE_IRN": "--recovery selective", "LB_MODE": "--load-balance", "RANDOM_SEED": "--seed",
}

// alike reports whether a key may be a misspelt other one: in every word, where both have as many, no more than half of
// the letters differ. LB_MODE is not CC_MODE.
func alike(key, known string) bool {
	words, others := strings.Split(key, "_"), strings.Split(known, "_")
	if len(words) != len(others) {
		return spelling.Distance(key, known) <= len(known)/2
	}
	for i, w := range words {
		if spelling.Distance(w, others[i]) > max(1, max(len(w), len(others[i]))/2) {
			return false
		}
	}
	return true
}

// configFields are the fields of Config that are keys; configKeys are their names.
var configFields, configKeys = func() (fields []reflect.StructField, keys []string) {
	for f := range reflect.TypeFor[Config]().Fields() {
		if key := f.Tag.Get("key"); key != "" {
			fields, keys = append(fields, f), append(keys, key)
		}
	}
	return fields, keys
}()

// readField reads the value of one key as its field's type and tags say.
func readField(s *scanner, f reflect.StructField, v reflect.Value) {
	key, line := f.Tag.Get("key"), s.line
	switch word, next := s.peek(); {
	case next && slices.Contains(configKeys, word):
		s.line = line
		s.fail("no value for key", key, word+" follows: write a value between them")
		return
	case !next:
		s.fail("no value for key", key, "the file ends: write a value")
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *bool:
		*p = s.integer(key, 0, 1) == 1
	case *string:
		*p = s.want("the value of " + key)
	case *int64:
		*p = readInteger(s, f)
	case *float64:
		*p = s.real(key, bound(f, "min", 0), bound(f, "max", math.MaxFloat64))
	case *core.Rate:
		*p = s.rate(key, atLeast(core.Rate(bound(f, "min", 1))))
	case *core.Bytes:
		*p = readBytes(s, f)
	case *core.Duration:
		*p = micros(s, key)
	case *core.Time:
		*p = readTime(s, f)
	case *LinkDown:
		*p = LinkDown{After: micros(s, key), A: s.node(key+" node", maxNodes), B: s.node(key+" node", maxNodes)}
	case *[]RateSize:
		readPairs(s, key, func(r core.Rate) {
			*p = append(*p, RateSize{r, core.Bytes(s.integer(key+" threshold", 0, math.MaxUint32/1000)) * 1000})
		})
	case *[]RateProb:
		readPairs(s, key, func(r core.Rate) {
			*p = append(*p, RateProb{r, s.real(key+" probability", 0, 1)})
		})
	default:
		panic("traces: no reader for the type of key " + key)
	}
}

func bound(f reflect.StructField, tag string, otherwise float64) float64 {
	text := f.Tag.Get(tag)
	if text == "" {
		return otherwise
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("traces: bad bound of key " + f.Tag.Get("key"))
	}
	return v
}

func readInteger(s *scanner, f reflect.StructField) int64 {
	lo, hi := int64(bound(f, "min", 0)), int64(bound(f, "max", math.MaxUint32))
	v := s.integer(f.Tag.Get("key"), lo, hi)
	if list := f.Tag.Get("oneof"); list != "" && s.err == nil && !slices.Contains(strings.Fields(list), strconv.FormatInt(v, 10)) {
		s.fail(f.Tag.Get("key")+" has no such value", strconv.FormatInt(v, 10), "write one of "+list+", and --cc NAME for any other scheme")
	}
	return v
}

func readBytes(s *scanner, f reflect.StructField) core.Bytes {
	v := core.Bytes(readInteger(s, f))
	if f.Tag.Get("unit") == "MiB" {
		return v << 20
	}
	return v
}

// readTime reads seconds as the reference converts them, or whole nanoseconds.
func readTime(s *scanner, f reflect.StructField) core.Time {
	key := f.Tag.Get("key")
	if f.Tag.Get("unit") == "s" {
		return core.Time(core.NanosFromSeconds(s.real(key, 0, maxSeconds)))
	}
	return core.AtNanos(s.integer(key, 0, maxSeconds*1e9))
}

// micros reads microseconds, as the reference's clock converts doubles.
func micros(s *scanner, key string) core.Duration {
	return core.NanosFromMicros(s.real(key, 0, maxSeconds*1e6))
}

// readPairs reads n and n pairs that begin with a rate; pair reads the rest of each.
func readPairs(s *scanner, key string, pair func(core.Rate)) {
	seen := make(map[core.Rate]bool)
	for n := s.integer(key+" number of pairs", 0, maxPairs); n > 0 && s.err == nil; n-- {
		if word, _ := s.peek(); slices.Contains(configKeys, word) {
			s.fail("too few pairs for", key, word+" follows: correct the number of pairs")
			return
		}
		r := core.Rate(s.integer(key+" rate", 1, math.MaxInt64))
		if seen[r] {
			s.fail(key+" gives a rate twice", strconv.FormatInt(int64(r), 10), "remove one pair")
		}
		seen[r] = true
		pair(r)
	}
}
