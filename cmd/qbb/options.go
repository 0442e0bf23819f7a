package main

import (
	"fmt"
	"strings"

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
			{flag: "load-balance", key: "switch.load_balance", value: "NAME", doc: "how switches choose among equal-cost paths: ecmp, spray, flowlet, drill, adaptive, conga or conweave; see qbb help topologies"},
			{flag: "link-down", key: "links", value: "TIME:A-B", many: true, apply: linkChange("down"), doc: "take the link of nodes A and B down, such as 1ms:16-20; repeatable"},
			{flag: "link-up", key: "links", value: "TIME:A-B", many: true, apply: linkChange("up"), doc: "bring the link back; repeatable"},
			{flag: "lossy", key: "lossy", value: "CLASSES", doc: "classes that are dropped instead of paused, such as 1,2; --class gives flows a class"},
			{flag: "class", value: "NAME=CLASS", many: true, keyed: tagValue, apply: setClass, doc: "the traffic class of the flows of a scheme or with a tag, such as cubic=1; repeatable"},
			{flag: "class-weight", value: "CLASS=NUMBER", many: true, keyed: keyValue, apply: setEntry("switch.weights"), doc: "share of a switch's port that the class has while others wait, such as 3=9 beside 1=1; otherwise classes take turns; repeatable"},
			{flag: "flow-control", key: "flow_control", value: "KIND", doc: "flow control of links: pfc, credits (InfiniBand), or none, so that switches drop"},
		}},
		{"Traffic", []option{
			{flag: "workload", key: "workload", value: "NAME", traffic: true, doc: "sizes of background flows, such as websearch; or a CDF file, or none; between some hosts: websearch,hosts=0-7,to=8-15; see qbb help workloads"},
			{flag: "load", key: "load", value: "SHARE", traffic: true, doc: "share of every host's rate that background flows take, such as 0.5"},
			{flag: "duration", key: "duration", value: "TIME", traffic: true, doc: "time for which flows arrive, such as 10ms"},
			{flag: "incast", key: "incast", value: "NxSIZE", traffic: true, doc: "periodic N-to-1 flows: 8x300KB, 8x300KB@1ms or 8x300KB@5%; or none; between some hosts: 8x300KB,to=0"},
			{flag: "pattern", key: "patterns", value: "NAME:SIZE", many: true, traffic: true, doc: "flows that start together, such as permutation:1MB, or in groups of hosts ring-all-reduce:8MB,group=4; later with start=5ms, or after=TAG of another; repeatable; see qbb help workloads"},
			{flag: "flows", key: "flows", value: "FILE", traffic: true, doc: "recorded flows: flow.txt, CSV or Parquet"},
			{flag: "schedule", key: "schedule", value: "PATH", many: true, doc: "what hosts send, receive and compute, and what waits for what: a schedule in GOAL, or Chakra traces; with keys, as in PATH,hosts=0-7,start=5ms,tag=a, repeatable; see qbb help workloads"},
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
