package results

import (
	"regexp"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
)

// Values of a key that are texts are numbers along an axis if they differ only in numbers. What stands in the place of these
// in the frame that they share is an ellipsis.

const ellipsis = "\u2026"

// numbersOf returns the numbers in which texts differ, and the text around them; nothing if they differ in something else.
func numbersOf(texts []string) (frame string, moving []string) {
	before, after := around(texts)
	if before == "" && after == "" {
		return inStep(texts)
	}
	for _, text := range texts {
		moving = append(moving, text[len(before):len(text)-len(after)])
	}
	return before + ellipsis + after, moving
}

// byKind returns, for texts of several kinds that differ in more than numbers, such as two patterns in two sizes each, the
// kind of each text and the number in which it differs from others of its kind; otherwise the texts.
func byKind(texts []string) (kinds, moving []string) {
	groups := make(map[string][]int)
	for i, text := range texts {
		if isNumber(text) {
			return nil, texts
		}
		shape := numbers.ReplaceAllString(text, ellipsis)
		groups[shape] = append(groups[shape], i)
	}
	if len(groups) < 2 {
		return nil, texts
	}
	kinds, moving = make([]string, len(texts)), make([]string, len(texts))
	for _, group := range groups {
		var own []string
		for _, i := range group {
			own = append(own, texts[i])
		}
		frame, values := numbersOf(own)
		if frame == "" || !slices.ContainsFunc(values, func(v string) bool { return v != values[0] }) {
			return nil, texts
		}
		for k, i := range group {
			kinds[i], moving[i] = strings.TrimSuffix(frame, ":"+ellipsis), values[k]
		}
	}
	return kinds, moving
}

// around returns the text before and after the only number, with its unit, in which texts differ; nothing if they are
// numbers, or differ in something else.
func around(texts []string) (before, after string) {
	if slices.ContainsFunc(texts, isNumber) {
		return "", ""
	}
	first := texts[0]
	for _, at := range numbersIn(first) {
		before, after := first[:at[0]], first[at[1]:]
		if !slices.ContainsFunc(texts, func(text string) bool {
			return len(text) <= len(before)+len(after) || !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after)
		}) {
			return before, after
		}
	}
	return "", ""
}

// inStep returns, for texts that differ only in numbers, of which those that differ are the same in each text, these
// numbers, and the text around them; nothing for other texts.
func inStep(texts []string) (frame string, moving []string) {
	if slices.ContainsFunc(texts, isNumber) {
		return "", nil
	}
	var first []string // the numbers of the first text, between what is around them
	differs := make(map[int]bool)
	var all [][]string
	for _, text := range texts {
		parts, end := []string(nil), 0
		for _, at := range numbersIn(text) {
			parts, end = append(parts, text[end:at[0]], text[at[0]:at[1]]), at[1]
		}
		parts = append(parts, text[end:])
		if first == nil {
			first = parts
		}
		if len(parts) != len(first) {
			return "", nil
		}
		for k := range parts {
			if parts[k] != first[k] {
				differs[k] = true
			}
		}
		all = append(all, parts)
	}
	if len(differs) == 0 {
		return "", nil
	}
	for _, parts := range all {
		var number string
		for k, part := range parts {
			switch {
			case !differs[k]:
				continue
			case k%2 == 0, number != "" && part != number:
				return "", nil
			}
			number = part
		}
		moving = append(moving, number)
	}
	for k := range differs {
		first[k] = ellipsis
	}
	return strings.Join(first, ""), moving
}

// numbersIn returns where the numbers of a text begin and end, with their units.
func numbersIn(text string) (found [][2]int) {
	for _, at := range numbers.FindAllStringSubmatchIndex(text, -1) {
		begin, digits, end := at[0], at[3], at[1]
		if _, _, ok := quantity(text[begin:end]); !ok { // such as 8x in 8x300KB
			end = digits
		}
		found = append(found, [2]int{begin, end})
	}
	return found
}

// numbers matches the numbers in a text, with the letters behind them, which may be a unit.
var numbers = regexp.MustCompile(`([0-9.]+)[A-Za-z]*`)

func isNumber(text string) bool {
	_, _, ok := quantity(text)
	return ok
}

// quantity reads a number with the unit of a time, a rate or a size, or without one.
func quantity(text string) (float64, figure.Unit, bool) {
	if v, err := core.ParseFloat(text); err == nil {
		return v, figure.Count, true
	}
	if v, err := core.ParseDuration(text); err == nil {
		return v.Nanos(), figure.Time, true
	}
	if v, err := core.ParseRate(text); err == nil {
		return float64(v), figure.Rate, true
	}
	v, err := core.ParseBytes(text)
	return float64(v), figure.Bytes, err == nil
}
