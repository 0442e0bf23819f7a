package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/scenario"
)

// choices are the options of a command line.
type choices struct {
	order  []option
	values map[string]*[]string // by flag: what was given
	varied []string             // OPTION=VALUE and KEY=VALUE: what a sweep has added
	noPFC  *bool
}

// addChoices defines the options' flags: all, or only those of traffic.
func addChoices(fs *pflag.FlagSet, trafficOnly bool) *choices {
	c := &choices{values: make(map[string]*[]string)}
	if !trafficOnly {
		c.add(fs, profileOption)
		group(fs, "Profile")
	}
	for _, s := range sections() {
		for _, o := range s.options {
			if o.traffic || !trafficOnly {
				c.add(fs, o)
			}
		}
		if s.title == "Network" && !trafficOnly {
			c.noPFC = fs.Bool("no-pfc", false, "switches drop packets instead of pausing senders")
		}
		group(fs, s.title)
	}
	return c
}

func (c *choices) add(fs *pflag.FlagSet, o option) {
	c.values[o.flag] = fs.StringArray(o.flag, nil, usage(o.value, o.doc))
	c.order = append(c.order, o)
}

// given reports whether the command line has a flag, which the command need not know.
func (c *choices) given(flag string) bool {
	values := c.values[flag]
	return values != nil && len(*values) > 0
}

// with returns these choices and one more, by its flag or else by its key.
func (c *choices) with(name, text string) *choices {
	values, known := c.values[name]
	if !known {
		name, text, values = "set", name+"="+text, c.values["set"]
	}
	return c.instead(name, append(slices.Clone(*values), text)...)
}

// vary is with, of what --vary names.
func (c *choices) vary(name, text string) *choices {
	other := c.with(name, text)
	other.varied = append(slices.Clone(c.varied), name+"="+text)
	return other
}

// source is the flag by which the user gave an option, and the key that errors would name in its place.
func (c *choices) source(o option, text string) (flag, key string) {
	given := o.flag + "=" + text
	if o.flag == "set" {
		given = text
	}
	if !slices.Contains(c.varied, given) {
		return "--" + o.flag, o.key
	}
	name, _, _ := strings.Cut(given, "=")
	return "--vary " + name, cmp.Or(o.key, name)
}

// instead returns these choices with other values of a flag.
func (c *choices) instead(flag string, values ...string) *choices {
	other := *c
	other.values = maps.Clone(c.values)
	other.values[flag] = &values
	return &other
}

// args are the choices as a command line has them.
func (c *choices) args() (words []string) {
	for _, o := range c.order {
		for _, text := range *c.values[o.flag] {
			words = append(words, "--"+o.flag, text)
		}
	}
	if *c.noPFC {
		words = append(words, "--no-pfc")
	}
	return words
}

// scenario returns what the file, if any, and the choices say.
func (c *choices) scenario(config []string) (*scenario.Scenario, error) {
	sc := scenario.Default()
	if len(config) > 0 {
		var err error
		if sc, err = scenario.Load(inputOf(config[0])); err != nil {
			return nil, err
		}
	}
	if err := c.apply(sc); err != nil {
		return nil, err
	}
	return sc, usePipe(config, sc)
}

// setting is an option with one of its values.
type setting struct {
	option
	text string
}

// settings are the values of all options in the order in which they count. The profile, with --set too, comes first: the
// others change what it sets.
func (c *choices) settings() (list []setting) {
	profiles := 0
	for _, o := range c.order {
		for _, text := range *c.values[o.flag] {
			if key, _, _ := strings.Cut(text, "="); o.key == "profile" || o.flag == "set" && strings.TrimSpace(key) == "profile" {
				list = slices.Insert(list, profiles, setting{o, text})
				profiles++
				continue
			}
			list = append(list, setting{o, text})
		}
	}
	return list
}

// apply changes the scenario as the command line says.
func (c *choices) apply(sc *scenario.Scenario) error {
	if c.given("pattern") {
		sc.Patterns = nil
	}
	if c.given("schedule") {
		sc.Schedule = nil
	}
	if c.given("link-down") || c.given("link-up") {
		sc.Links = nil
	}
	for _, o := range c.order {
		if err := o.tooMany(*c.values[o.flag]); err != nil {
			return err
		}
	}
	for _, s := range c.settings() {
		before := sc.Clone()
		if err := s.set(sc, s.text); err != nil {
			flag, key := c.source(s.option, s.text)
			return fmt.Errorf("%s: %s", flag, strings.TrimPrefix(err.Error(), key+": "))
		}
		if s.text == "" && before.Out == sc.Out && before.Record() == sc.Record() {
			return fmt.Errorf("--%s: it has no value: leave it out, or write one", s.flag)
		}
	}
	if c.given("link-down") || c.given("link-up") { // flags of two kinds, in any order
		slices.SortStableFunc(sc.Links, func(a, b scenario.LinkChange) int { return cmp.Compare(a.At, b.At) })
	}
	if c.noPFC != nil && *c.noPFC {
		if c.given("flow-control") && sc.FlowControl != "none" {
			return fmt.Errorf("--no-pfc: --flow-control %s says otherwise: give one of them", sc.FlowControl)
		}
		sc.FlowControl = "none"
	}
	return c.idle(sc)
}

// idle finds flags that have nothing to act upon.
func (c *choices) idle(sc *scenario.Scenario) error {
	none := sc.Workload == "none" || sc.Workload == "" && (sc.Flows != "" || len(sc.Schedule) > 0 || len(sc.Patterns) > 0)
	switch {
	case none && c.given("load"):
		return errors.New("--load: there is no background traffic: name its sizes with --workload")
	case none && (sc.Incast == "" || sc.Incast == "none") && c.given("duration"):
		return errors.New("--duration: no flows arrive over time, by --workload or --incast; --stop ends the run")
	case sc.Files.Events == "" && sc.Files.EventsText == "" && c.given("trace-nodes"):
		return errors.New("--trace-nodes: no packets are recorded: name the file with --trace")
	case sc.Series.Interval == 0 && sc.Series.Flows != "none" && c.given("series-flows"):
		return errors.New("--series-flows: no time series are recorded: give the time between samples with --series, such as 10us")
	}
	for _, flag := range [...]string{"pcap-filter", "pcap-ring", "pcap-snap"} {
		if sc.Pcap.File == "" && c.given(flag) {
			return fmt.Errorf("--%s: no packets are captured: name the file with --pcap", flag)
		}
	}
	return nil
}
