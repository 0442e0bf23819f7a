package workloads

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Pattern is a regular set of flows, written name:size or, in rounds with answers, name:size,10
// (see Exchange).
type Pattern struct {
	Name string
	Doc  string
	// pairs returns source and destination of every flow.
	pairs func(hosts []core.NodeID, s *core.Stream) [][2]core.NodeID
}

// Patterns lists the patterns, for help texts. The first flows of all pairs start together. The
// pairs of one-one and one-many are those of Netgauge's patterns of these names.
func Patterns() []Pattern {
	return []Pattern{
		{"permutation", "every host sends one flow and receives one; a random cycle through all hosts", permutation},
		{"all-to-all", "every host sends one flow to every other host", allToAll},
		{"one-one", "the hosts form random pairs, and one of each sends to the other; an odd host is left out", oneOne},
		{"one-many", "all other hosts send to one, drawn at random", oneMany},
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
			return p.flows(spec, rest, t, at, prio, seed)
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("pattern %q: unknown name %q; known: %s, %s", spec, name, strings.Join(names, ", "), longAndShort)
}

func (p *Pattern) flows(spec, rest string, t *topo.Topology, at core.Time, prio uint8, seed uint64) ([]Flow, error) {
	e, err := parseExchange(rest)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w; write %s:1MB, or %s:1KB-1MB,10 for rounds with answers", spec, err, p.Name, p.Name)
	}
	hosts := t.Hosts()
	if len(hosts) < 2 {
		return nil, fmt.Errorf("pattern %q: %d hosts; two are needed", spec, len(hosts))
	}
	pairs := float64(len(hosts))
	if p.Name == "all-to-all" {
		pairs *= pairs - 1
	}
	if err := tooMany(pairs * float64(e.messages())); err != nil {
		return nil, fmt.Errorf("pattern %q: %w", spec, err)
	}
	var flows []Flow
	for _, pair := range p.pairs(hosts, core.NewStream(seed, core.StreamPeers, patternStream)) {
		flows = e.add(flows, Flow{Src: pair[0], Dst: pair[1], Start: at, Prio: prio, Tag: p.Name})
	}
	return Merge(flows), nil
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
