package main

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// axis is what --vary says: an option or key, or several that change together, and their values.
type axis struct {
	keys   []string
	values [][]string // a value of each key
}

// axes reads what is varied, each key once.
func (s *sweep) axes() (axes []axis, err error) {
	if len(s.vary) == 0 {
		return nil, errors.New("what changes from run to run? give --vary KEY=VALUES, such as --vary seed=1..5")
	}
	var seen []string
	for _, text := range s.vary {
		a, err := parseAxis(text, s.fits)
		if err != nil {
			return nil, err
		}
		for _, key := range a.keys {
			switch {
			case s.options.given(key):
				return nil, fmt.Errorf("%s: there is --%s %s too", key, key, (*s.options.values[key])[0])
			case slices.Contains(seen, key):
				return nil, fmt.Errorf("%s: it is given twice: put all values into one --vary", key)
			}
			if err := s.checkKey(key); err != nil {
				return nil, err
			}
			seen = append(seen, key)
		}
		axes = append(axes, a)
	}
	return axes, nil
}

// checkKey finds what is neither an option nor, with its section if it has one, a key of a scenario.
func (s *sweep) checkKey(key string) error {
	names := slices.Sorted(maps.Keys(s.options.values))
	for _, k := range scenario.Keys() {
		names = append(names, k.Name)
	}
	if section, _, _ := strings.Cut(key, "."); slices.Contains(names, section) {
		return nil
	}
	return fmt.Errorf("%s: no option of qbb run and no key of a scenario has this name: did you mean %s?", key, scenario.NearestKey(key, names))
}

// parseAxis reads KEY=VALUES: values with spaces between them, of which 1..5 is all from 1 to 5. What stands in
// brackets or double quotes is one value. Several keys that change together, and the values of each, have plus signs
// between them: KEY+KEY=VALUE+VALUE VALUE+VALUE.
func parseAxis(text string, fits func(key, value string) bool) (axis, error) {
	key, list, err := settingValue(text)
	if strings.Contains(key, "+") { // the values of the other keys may have equals signs
		key, list, err = cutAt(text, endOfKeys(text, fits))
	}
	if name, _, _ := strings.Cut(text, "="); strings.TrimSpace(name) == "no-pfc" {
		return axis{}, errors.New("no-pfc has no values: vary flow-control='pfc none' instead")
	}
	if err != nil {
		return axis{}, fmt.Errorf("%q is not KEY=VALUES, such as load='0.3 0.5' or seed=1..5", text)
	}
	a := axis{keys: strings.Split(key, "+")}
	if slices.Contains(a.keys, "out") {
		return axis{}, errors.New("out: every run has a folder of its own below --out")
	}
	for _, value := range split(list, unicode.IsSpace) {
		if len(a.keys) == 1 {
			values, err := spread(key, value)
			if err != nil {
				return axis{}, err
			}
			a.values = append(a.values, values...)
			continue
		}
		parts := split(value, func(r rune) bool { return r == '+' })
		if len(parts) != len(a.keys) {
			return axis{}, fmt.Errorf("%s: %s is not a value for each of the %d keys, with plus signs between", key, value, len(a.keys))
		}
		for i, part := range parts {
			parts[i] = plain(part)
		}
		a.values = append(a.values, parts)
	}
	return a, nil
}

// endOfKeys returns the place of the equals sign between several keys and their values: the first one or, as tags may have
// some, the last one with which the first values fit the keys.
func endOfKeys(text string, fits func(key, value string) bool) int {
	first := strings.IndexByte(text, '=')
	for at := strings.LastIndexByte(text, '='); at > first; at = strings.LastIndexByte(text[:at], '=') {
		keys, values := strings.Split(text[:at], "+"), split(text[at+1:], unicode.IsSpace)
		if len(values) == 0 {
			continue
		}
		parts := split(values[0], func(r rune) bool { return r == '+' })
		wrong := len(parts) != len(keys)
		for i := 0; i < len(keys) && !wrong; i++ {
			wrong = strings.Contains(keys[i], "=") && !ofTag(keys[i]) || !fits(keys[i], plain(parts[i]))
		}
		if !wrong {
			return at
		}
	}
	return first
}

// fits reports whether an option or key may have a value, as far as can be told without the rest of the scenario.
func (s *sweep) fits(key, value string) bool {
	for _, o := range s.options.order {
		if o.flag == key {
			return o.fits(value)
		}
	}
	o := option{apply: setAny}
	return o.fits(key + "=" + value)
}

// spread returns a value, or all that a range stands for, as values of one key.
func spread(key, value string) (values [][]string, err error) {
	first, last, isRange := strings.Cut(value, "..")
	from, ok1 := new(big.Int).SetString(first, 10)
	to, ok2 := new(big.Int).SetString(last, 10)
	switch {
	case isRange && isNumber(first) && isNumber(last) && (!ok1 || !ok2):
		return nil, fmt.Errorf("%s: %s is a range of numbers with a fraction: write each of them, with spaces between", key, value)
	case !isRange || !ok1 || !ok2:
		return [][]string{{plain(value)}}, nil
	}
	span := new(big.Int).Sub(to, from)
	if span.Sign() < 0 || span.Cmp(big.NewInt(mostMembers)) >= 0 {
		return nil, fmt.Errorf("%s: %s is not a range of at most %d numbers", key, value, mostMembers)
	}
	for n := range span.Int64() + 1 {
		values = append(values, []string{new(big.Int).Add(from, big.NewInt(n)).String()})
	}
	return values, nil
}

// plain is a value without the quotes around it, or, where it has none, on one line.
func plain(value string) string {
	if last := len(value) - 1; last > 1 && value[0] == '"' && value[last] == '"' {
		return value[1:last]
	}
	return strings.Join(strings.Fields(value), " ")
}

// split splits a text at some runes outside of brackets and double quotes.
func split(text string, at func(rune) bool) []string {
	depth, quoted := 0, false
	return strings.FieldsFunc(text, func(r rune) bool {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '[' || r == '{':
			depth++
		case r == ']' || r == '}':
			depth--
		}
		return depth <= 0 && !quoted && at(r)
	})
}

func isNumber(text string) bool {
	_, err := core.ParseFloat(text)
	return err == nil
}
