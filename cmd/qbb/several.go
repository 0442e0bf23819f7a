package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/qbb-sim/qbb/internal/scenario"
)

// orSweep adds to the mistake of a single run how several are made, if it is that an option has the values of several.
func (c *choices) orSweep(err error) error {
	vary := ""
	for _, o := range c.order {
		if list := o.several(*c.values[o.flag]); list != "" {
			vary += " --vary " + o.flag + "=" + list
		}
	}
	if err == nil || vary == "" {
		return err
	}
	return fmt.Errorf("%w; for a run with each value: qbb sweep%s", err, vary)
}

// several returns the values of an option that was given with more than one, as --vary takes them; empty if it was not.
func (o *option) several(given []string) string {
	if o.many || len(given) == 0 {
		return ""
	}
	list := given
	if len(given) == 1 {
		if o.fits(given[0]) {
			return ""
		}
		list = split(given[0], func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	}
	var values [][]string
	for _, text := range list {
		more, err := spread(o.flag, text)
		if err != nil {
			return ""
		}
		values = append(values, more...)
	}
	if len(values) < 2 || !o.fits(values[0][0]) || !o.fits(values[len(values)-1][0]) {
		return ""
	}
	if len(list) == 1 {
		return list[0]
	}
	return "'" + strings.Join(list, " ") + "'"
}

// fits reports whether the option may have a value, as far as can be told without the rest of the scenario.
func (o *option) fits(text string) bool {
	sc := scenario.Default()
	return o.set(sc, text) == nil && sc.Complete() == nil
}
