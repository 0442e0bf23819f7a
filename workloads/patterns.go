package workloads

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Pattern is a regular set of flows, written name:size or, in rounds, name:size,10 or name:1KB-1MB,10. In rounds pairs do
// as in the benchmark Netgauge: every message is answered by a single byte, and the end of the answer starts the pair's
// next message. Each pair goes through the sizes, which double, with the same number of rounds of each, at its own pace.
type Pattern struct {
	Name string
	Doc  string
	// most is the number of flows, or a bound on it.
	most func(hosts float64, e *exchange) float64
	// flows returns them; they are like the first one except for their ends and sizes.
	flows func(hosts []core.NodeID, e *exchange, first Flow, s *core.Stream) []Flow
}

// Patterns lists the patterns, for help texts. The first flows of all pairs start together. The
// pairs of one-one and one-many are those of Netgauge's patterns of these names.
func Patterns() []Pattern {
	each := func(hosts float64, e *exchange) float64 { return hosts * float64(e.messages()) }
	toAll := func(hosts float64, e *exchange) float64 { return hosts * (hosts - 1) * float64(e.messages()) }
	return []Pattern{
		{"permutation", "every host sends one flow and receives one; a random cycle through all hosts", each, inPairs(permutation)},
		{"all-to-all", "every host sends one flow to every other host", toAll, inPairs(allToAll)},
		{"one-one", "the hosts form random pairs, and one of each sends to the other; an odd host is left out", each, inPairs(oneOne)},
		{"one-many", "all other hosts send to one, drawn at random", each, inPairs(oneMany)},
		{"ring-all-reduce", "SIZE is reduced over all n hosts, in a ring by their numbers: in each of 2(n-1) steps every host sends an n-th of it " +
			"to the next one, as soon as it has received that of the step before; rounds follow each other in the same way, without answers", ringFlows, ringAllReduce},
	}
}

// inPairs makes the flows of a pattern that consists of pairs, source and destination.
func inPairs(pairs func(hosts []core.NodeID, s *core.Stream) [][2]core.NodeID) func([]core.NodeID, *exchange, Flow, *core.Stream) []Flow {
	return func(hosts []core.NodeID, e *exchange, first Flow, s *core.Stream) (flows []Flow) {
		for _, pair := range pairs(hosts, s) {
			first.Src, first.Dst = pair[0], pair[1]
			flows = e.add(flows, first)
		}
		return flows
	}
}

// PatternFlows returns the flows of a pattern such as permutation:1MB, or of
// long-and-short:100MB,1MB,1ms (see LongAndShort), tagged with its name.
func PatternFlows(spec string, t *topo.Topology, at core.Time, prio uint8, seed uint64) ([]Flow, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(spec), ":")
	if name == longAndShort {
		return parseLongAndShort(spec, rest, t, at, prio)
	}
	var names []string
	for _, p := range Patterns() {
		if p.Name == name {
			return p.parse(spec, rest, t, at, prio, seed)
		}
		names = append(names, p.Name)
	}
	hint := ""
	if name == "incast" {
		hint = " (one-many is an incast of all hosts; the key incast, or --incast, makes random ones)"
	}
	return nil, fmt.Errorf("pattern %q: unknown name %q; known: %s, %s%s", spec, name, strings.Join(names, ", "), longAndShort, hint)
}

func (p *Pattern) parse(spec, rest string, t *topo.Topology, at core.Time, prio uint8, seed uint64) ([]Flow, error) {
	e, err := parseExchange(rest)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w; write %s:1MB, or %s:1KB-1MB,10 for rounds", spec, err, p.Name, p.Name)
	}
	hosts := t.Hosts()
	if len(hosts) < 2 {
		return nil, fmt.Errorf("pattern %q: %d hosts; two are needed", spec, len(hosts))
	}
	if err := tooMany(p.most(float64(len(hosts)), &e), "choose a network of fewer hosts, or fewer sizes and rounds"); err != nil {
		return nil, fmt.Errorf("pattern %q: %w", spec, err)
	}
	first := Flow{Start: at, Prio: prio, Tag: p.Name}
	return Merge(p.flows(hosts, &e, first, core.NewStream(seed, core.StreamPeers, patternStream))), nil
}

// patternStream is no host's id.
const patternStream = 1 << 32

func positiveSize(s string) (core.Bytes, error) {
	size, err := core.ParseBytes(s)
	if err == nil && size < 1 {
		err = fmt.Errorf("the size %q must be positive", s)
	}
	return size, err
}

func permutation(hosts []core.NodeID, s *core.Stream) (pairs [][2]core.NodeID) {
	drawFirst(hosts, len(hosts), s)
	for i, h := range hosts {
		pairs = append(pairs, [2]core.NodeID{h, hosts[(i+1)%len(hosts)]})
	}
	return pairs
}

func allToAll(hosts []core.NodeID, _ *core.Stream) (pairs [][2]core.NodeID) {
	for _, a := range hosts {
		for _, b := range hosts {
			if a != b {
				pairs = append(pairs, [2]core.NodeID{a, b})
			}
		}
	}
	return pairs
}

func oneOne(hosts []core.NodeID, s *core.Stream) (pairs [][2]core.NodeID) {
	drawFirst(hosts, len(hosts), s)
	for i := 0; i+1 < len(hosts); i += 2 {
		pairs = append(pairs, [2]core.NodeID{hosts[i], hosts[i+1]})
	}
	return pairs
}

func oneMany(hosts []core.NodeID, s *core.Stream) (pairs [][2]core.NodeID) {
	server := hosts[s.IntN(len(hosts))]
	for _, h := range hosts {
		if h != server {
			pairs = append(pairs, [2]core.NodeID{h, server})
		}
	}
	return pairs
}
