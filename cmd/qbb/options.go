package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// option is a flag that changes a key of the scenario. It is applied only if it is given, in
// the order of the table: a profile, which sets many options, comes before all others.
type option struct {
	flag, key string
	value     string // what the help text calls the value
	doc       string
	many      bool // may be given several times
	traffic   bool // has to do with topology or flows: gen traffic has it too
	// keyed cuts KEY=VALUE, where each key counts once; nil: what is given has no key.
	keyed func(text string) (key, value string, err error)
	// apply sets the key to what was given; nil: Scenario.Set.
	apply func(sc *scenario.Scenario, text string) error
}

// section is a part of the help text of qbb run.
type section struct {
	title   string
	options []option
}

func sections() []section {
	return []section{
		{"Network", []option{
			{flag: "topology", key: "topology", value: "SPEC", traffic: true, doc: "network, such as fat-tree:k=8 or star:n=9,rate=25Gbps, or a file; see qbb help topologies"},
			{flag: "buffer", key: "buffer", value: "SIZE", doc: "shared buffer of a switch, such as 32MB"},
			{flag: "mtu", key: "mtu", value: "SIZE", doc: "message bytes in a full packet"},
			{flag: "loss", key: "loss", value: "SHARE", doc: "probability that a link loses a packet"},
			{flag: "recovery", key: "host.recovery", value: "NAME", doc: "what hosts send again after a loss: go-back-n, go-back-0 or selective (IRN)"},
			{flag: "class-recovery", value: "CLASS=NAME", many: true, keyed: keyValue, apply: setEntry("recovery_by_class"), doc: "the same for one traffic class, such as 1=selective for TCP beside RDMA; repeatable"},
			{flag: "load-balance", key: "switch.load_balance", value: "NAME", doc: "how switches choose among equal-cost paths: ecmp, spray, flowlet, drill or adaptive; see qbb help topologies"},
			{flag: "link-down", key: "links", value: "TIME:A-B", many: true, apply: linkChange("down"), doc: "take the link of nodes A and B down, such as 1ms:16-20; repeatable"},
			{flag: "link-up", key: "links", value: "TIME:A-B", many: true, apply: linkChange("up"), doc: "bring the link back; repeatable"},
			{flag: "lossy", key: "lossy", value: "CLASSES", doc: "classes that are dropped instead of paused, such as 1,2; --class gives flows a class"},
			{flag: "class", value: "NAME=CLASS", many: true, keyed: tagValue, apply: setClass, doc: "the traffic class of the flows of a scheme or with a tag, such as cubic=1; repeatable"},
			{flag: "class-weight", value: "CLASS=NUMBER", many: true, keyed: keyValue, apply: setEntry("switch.weights"), doc: "share of a switch's port that the class has while others wait, such as 3=9 beside 1=1; otherwise classes take turns; repeatable"},
			{flag: "flow-control", key: "flow_control", value: "KIND", doc: "flow control of links: pfc, credits (InfiniBand), or none, so that switches drop"},
		}},
		{"Traffic", []option{
			{flag: "workload", key: "workload", value: "NAME", traffic: true, doc: "sizes of background flows, such as websearch; or a CDF file, or none; see qbb help workloads"},
			{flag: "load", key: "load", value: "SHARE", traffic: true, doc: "share of every host's rate that background flows take, such as 0.5"},
			{flag: "duration", key: "duration", value: "TIME", traffic: true, doc: "time for which flows arrive, such as 10ms"},
			{flag: "incast", key: "incast", value: "NxSIZE", traffic: true, doc: "periodic N-to-1 flows: 8x300KB, 8x300KB@1ms or 8x300KB@5%; or none"},
			{flag: "pattern", key: "patterns", value: "NAME:SIZE", many: true, traffic: true, doc: "flows that start together, such as permutation:1MB, or in groups of hosts ring-all-reduce:8MB,group=4; later with start=5ms, or after=TAG of another; repeatable; see qbb help workloads"},
			{flag: "flows", key: "flows", value: "FILE", traffic: true, doc: "recorded flows: flow.txt, CSV or Parquet"},
			{flag: "schedule", key: "schedule", value: "FILE", doc: "what hosts send, receive and compute, and what waits for what: a schedule in GOAL; see qbb help workloads"},
			{flag: "seed", key: "seed", value: "NUMBER", traffic: true, doc: "seed of all random numbers"},
		}},
		{"Congestion control", []option{
			{flag: "cc", key: "cc", value: "NAME", apply: setScheme, doc: "scheme, such as dcqcn, or with parameters: hpcc:target=0.9,ai=50Mbps; the others have their defaults, even if CONFIG sets them; see qbb schemes"},
			{flag: "param", key: "cc.params", value: "KEY=VALUE", many: true, keyed: keyValue, apply: setEntry("cc.params"), doc: "a parameter of the scheme; repeatable"},
			{flag: "ecn", key: "ecn.mark", value: "PLACE", doc: "where switches mark packets: dequeue, enqueue or off"},
		}},
		{"Run", []option{
			{flag: "stop", key: "stop", value: "TIME", doc: "end of the run; otherwise all flows end"},
			{flag: "series", key: "series.interval", value: "TIME", doc: "time between samples of queues, throughput, marks and pauses; 0s: none; a series keeps at most 500 points, or --set series.points=NUMBER"},
			{flag: "series-flows", key: "series.flows", value: "FLOWS", doc: "flows whose rate, window and round trip are recorded: all, largest:N, first:N, tag:NAME, or a list such as 0,7"},
			{flag: "pcap", key: "pcap.file", value: "FILE", doc: "capture packets as RoCEv2 frames (pcapng), for tshark, Wireshark and qbb inspect; in the folder --out"},
			{flag: "pcap-filter", key: "pcap.filter", value: "EXPRESSION", doc: "packets to capture, such as 'flow==3 || kind==pfc'; see qbb help expressions"},
			{flag: "pcap-ring", key: "pcap.ring", value: "NUMBER|SIZE", doc: "keep only the last packets, such as 100000 or 64MB"},
			{flag: "pcap-snap", key: "pcap.snap", value: "SIZE", doc: "most bytes kept of a packet, by default all; 96B holds all headers"},
			{flag: "trace", key: "files", value: "FILE", apply: setTrace, doc: "event trace for qbb inspect: NAME.txt as text, any other as binary, like mix.tr; in the folder --out"},
			{flag: "trace-nodes", key: "trace", value: "NODES", doc: "nodes in the event trace: all, a list such as 0,16, or a file"},
			{flag: "out", key: "out", value: "FOLDER", doc: "folder of the files; earlier ones are replaced when the new ones are complete"},
			{flag: "set", value: "KEY=VALUE", many: true, apply: setAny, doc: "any key of a scenario, such as switch.reserve=8KB; repeatable; it overrides other options, and the last of a key counts; see qbb help scenario"},
		}},
	}
}

// profileOption comes first: the others change what it sets.
var profileOption = option{flag: "profile", key: "profile", value: "NAME", doc: "native: exact, and every run ends; ns3: as the reference simulator does it"}

// noFolder is what to say of an empty key out, which is more likely a variable of a script that was not set
// than the wish for a run without results.
const noFolder = "out: the folder of the files has no name: write . for this one"

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

// apply changes the scenario as the command line says.
func (c *choices) apply(sc *scenario.Scenario) error {
	if c.given("pattern") {
		sc.Patterns = nil
	}
	if c.given("link-down") || c.given("link-up") {
		sc.Links = nil
	}
	for _, o := range c.order {
		given := *c.values[o.flag]
		if err := o.tooMany(given); err != nil {
			return err
		}
		for _, text := range given {
			before := sc.Clone()
			if err := o.set(sc, text); err != nil {
				flag, key := c.source(o, text)
				return fmt.Errorf("%s: %s", flag, strings.TrimPrefix(err.Error(), key+": "))
			}
			if text == "" && before.Out == sc.Out && before.Record() == sc.Record() {
				return fmt.Errorf("--%s: it has no value: leave it out, or write one", o.flag)
			}
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
	none := sc.Workload == "none" || sc.Workload == "" && (sc.Flows != "" || sc.Schedule != "" || len(sc.Patterns) > 0)
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

// tooMany finds an option, or a key of it, that is given more than once and counts once.
func (o *option) tooMany(given []string) error {
	if len(given) > 1 && !o.many {
		return fmt.Errorf("--%s is given %d times", o.flag, len(given))
	}
	if o.keyed == nil {
		return nil
	}
	seen := make(map[string]bool)
	for _, text := range given {
		key, _, err := o.keyed(text)
		if err == nil && seen[key] {
			return fmt.Errorf("--%s: %q is given twice", o.flag, key)
		}
		seen[key] = true
	}
	return nil
}

func (o *option) set(sc *scenario.Scenario, text string) error {
	if o.apply != nil {
		return o.apply(sc, text)
	}
	return sc.Set(o.key, text)
}

// setScheme reads NAME or NAME:KEY=VALUE,KEY=VALUE.
func setScheme(sc *scenario.Scenario, text string) error {
	name, params, more := strings.Cut(text, ":")
	if err := sc.Set("cc.name", name); err != nil || !more {
		return err
	}
	addParam := setEntry("cc.params")
	for p := range strings.SplitSeq(params, ",") {
		key, _, _ := strings.Cut(p, "=")
		if _, twice := sc.CC.Params[strings.TrimSpace(key)]; twice {
			return fmt.Errorf("parameter %q is given twice", strings.TrimSpace(key))
		}
		if err := addParam(sc, p); err != nil {
			return err
		}
	}
	return nil
}

// setEntry reads KEY=VALUE, an entry of a section.
func setEntry(section string) func(*scenario.Scenario, string) error {
	return func(sc *scenario.Scenario, text string) error {
		key, value, err := keyValue(text)
		if err != nil {
			return err
		}
		return sc.Set(section+"."+key, value)
	}
}

// setTrace names the event trace, whose form its name decides.
func setTrace(sc *scenario.Scenario, text string) error {
	if strings.HasSuffix(text, ".txt") {
		return sc.Set("files.events_text", text)
	}
	return sc.Set("files.events", text)
}

// setClass takes the name of a scheme or else of a tag.
func setClass(sc *scenario.Scenario, text string) error {
	name, class, err := tagValue(text)
	if err != nil {
		return err
	}
	if _, isScheme := catalog.Find(name); isScheme {
		return sc.Set("class_by_cc."+name, class)
	}
	return sc.Set("class_by_tag."+name, class)
}

func setAny(sc *scenario.Scenario, text string) error {
	key, value, err := settingValue(text)
	if err != nil {
		return err
	}
	return sc.Set(key, value)
}

// settingValue is keyValue or, for a key of a tag, tagValue.
func settingValue(text string) (key, value string, err error) {
	if ofTag(text) {
		return tagValue(text)
	}
	return keyValue(text)
}

// ofTag reports whether a setting is the class of a tag, or the name of its scheme.
func ofTag(text string) bool {
	return strings.HasPrefix(text, "class_by_tag.") || strings.HasPrefix(text, "cc_by_tag.") && !strings.Contains(text, "{")
}

func keyValue(text string) (key, value string, err error) {
	return cutAt(text, strings.IndexByte(text, '='))
}

// tagValue is keyValue of what a tag is given, which has no equals sign; the tag may have some.
func tagValue(text string) (key, value string, err error) {
	return cutAt(text, strings.LastIndexByte(text, '='))
}

func cutAt(text string, at int) (key, value string, err error) {
	if at >= 0 {
		key, value = strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
	}
	if key == "" || value == "" {
		return "", "", fmt.Errorf("%q is not KEY=VALUE", text)
	}
	return key, value, nil
}

// linkChange reads TIME:NODE-NODE.
func linkChange(what string) func(*scenario.Scenario, string) error {
	return func(sc *scenario.Scenario, text string) error {
		at, link, ok := strings.Cut(text, ":")
		if !ok {
			return fmt.Errorf("write TIME:NODE-NODE, such as 1ms:16-20")
		}
		return sc.Set("links", fmt.Sprintf("{at: %q, %s: %q}", at, what, link))
	}
}
