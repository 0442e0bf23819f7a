package workloads

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// Pattern is a regular set of flows, written name:size or, in rounds, name:size,10 or name:size,10,1ms (see exchange),
// of all hosts or of groups of them, as in name:size,group=8 (see placement).
type Pattern struct {
	Name string
	Doc  string
	// most is the number of flows, or a bound on it.
	most func(hosts float64, e *exchange) float64
	// flows returns those of a group; they are like those of the turns except for their ends, sizes and starts.
	flows func(hosts []core.NodeID, turns []turn, s *core.Stream) []Flow
	// fits says what is wrong with a number of hosts; nil: any from two on will do.
	fits func(hosts int) error
	// collective says that a host has done its part when it has received the last flow, whatever becomes of its own.
	collective bool
}

// Patterns lists the patterns, for help texts. The first flows of all pairs start together. The
// pairs of one-one and one-many are those of Netgauge's patterns of these names.
func Patterns() []Pattern {
	each := func(hosts float64, e *exchange) float64 { return hosts * float64(e.messages()) }
	toAll := func(hosts float64, e *exchange) float64 { return hosts * (hosts - 1) * float64(e.messages()) }
	return []Pattern{
		{Name: "permutation", Doc: "every host sends one flow and receives one; a random cycle through all hosts", most: each, flows: inPairs(permutation)},
		{Name: "all-to-all", Doc: "every host sends one flow to every other host", most: toAll, flows: inPairs(allToAll)},
		{Name: "one-one", Doc: "the hosts form random pairs, and one of each sends to the other; an odd host is left out", most: each, flows: inPairs(oneOne)},
		{Name: "one-many", Doc: "all other hosts send to one, drawn at random", most: each, flows: inPairs(oneMany)},
		{
			Name: "ring-all-reduce", Doc: "SIZE is reduced over all n hosts, in a ring by their numbers: in each of 2(n-1) steps every host sends an n-th of it " +
				"to the next one, as soon as it has received that of the step before",
			most: stepsOf(func(n float64) float64 { return 2 * (n - 1) }), flows: inSteps(RingSteps(2)), collective: true,
		},
		{
			Name: "ring-all-gather", Doc: "the first or the second half of it: n-1 steps, which are those of a reduce-scatter, too",
			most: stepsOf(func(n float64) float64 { return n - 1 }), flows: inSteps(RingSteps(1)), collective: true,
		},
		{
			Name: "halving-doubling", Doc: "an all-reduce of SIZE in 2 log2(n) steps for n hosts, a power of two: hosts n/2 apart exchange halves of it, those n/4 apart " +
				"quarters, and so on up to neighbours, then all of that backwards",
			most: stepsOf(func(n float64) float64 { return 2 * float64(bits.Len(uint(n))-1) }), flows: inSteps(halvingDoubling), fits: powerOfTwo, collective: true,
		},
	}
}

// inPairs makes the flows of a pattern that consists of pairs, source and destination.
func inPairs(pairs func(hosts []core.NodeID, s *core.Stream) [][2]core.NodeID) func([]core.NodeID, []turn, *core.Stream) []Flow {
	return func(hosts []core.NodeID, turns []turn, s *core.Stream) (flows []Flow) {
		for _, pair := range pairs(hosts, s) {
			flows = addPair(flows, pair, turns)
		}
		return flows
	}
}

// parsePattern returns the pattern of a name, and what its values say.
func parsePattern(name, values string) (*Pattern, exchange, error) {
	if name == longAndShort {
		return parseLongAndShort(values)
	}
	var names []string
	for _, p := range Patterns() {
		if p.Name == name {
			e, err := parseExchange(values)
			if err != nil {
				err = fmt.Errorf("%w; write %s:1MB, or %s:1KB-1MB,10 for rounds, and %s:1MB,10,1ms with pauses", err, name, name, name)
			}
			return &p, e, err
		}
		names = append(names, p.Name)
	}
	hint := ""
	switch {
	case strings.Contains(name, "="):
		return nil, exchange{}, fmt.Errorf("unknown name %q: in a list in brackets, a pattern with commas takes quotes", name)
	case name == "incast":
		hint = " (one-many is an incast of all hosts; the key incast, or --incast, makes random ones)"
	}
	return nil, exchange{}, fmt.Errorf("unknown name %q%s%s", name, spelling.Suggest(name, append(names, longAndShort)), hint)
}

// check says what is wrong with a number of hosts.
func (p *Pattern) check(hosts int) error {
	if p.fits != nil {
		if err := p.fits(hosts); err != nil {
			return err
		}
	}
	if hosts < 2 {
		return twoHosts(hosts)
	}
	return nil
}

// twoHosts is the error of less.
func twoHosts(hosts int) error {
	return fmt.Errorf("%s; two are needed", spelling.Count(hosts, "host", "hosts"))
}

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
