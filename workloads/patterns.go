package workloads

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Pattern is a regular set of flows, written name:size.
type Pattern struct {
	Name string
	Doc  string
	// pairs returns source and destination of every flow.
	pairs func(hosts []core.NodeID, s *core.Stream) [][2]core.NodeID
}

// Patterns lists the patterns, for help texts. All flows of a pattern start together.
func Patterns() []Pattern {
	return []Pattern{
		{"permutation", "every host sends one flow and receives one; a random cycle through all hosts", permutation},
		{"all-to-all", "every host sends one flow to every other host", allToAll},
		{"one-one", "the hosts form random pairs, and one of each sends to the other; an odd host is left out", oneOne},
		{"one-many", "all hosts send to the last one", oneMany},
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
	size, err := positiveSize(rest)
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w; write %s:1MB", spec, err, p.Name)
	}
	hosts := t.Hosts()
	if err := tooMany(float64(len(hosts)) * float64(len(hosts)-1)); p.Name == "all-to-all" && err != nil {
		return nil, fmt.Errorf("pattern %q: %w", spec, err)
	}
	var flows []Flow
	for _, pair := range p.pairs(hosts, core.NewStream(seed, core.StreamPeers, patternStream)) {
		flows = append(flows, Flow{Src: pair[0], Dst: pair[1], Bytes: int64(size), Start: at, Prio: prio, Tag: p.Name})
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

func oneMany(hosts []core.NodeID, _ *core.Stream) (pairs [][2]core.NodeID) {
	last := len(hosts) - 1
	for _, h := range hosts[:last] {
		pairs = append(pairs, [2]core.NodeID{h, hosts[last]})
	}
	return pairs
}
