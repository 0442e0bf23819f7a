package workloads

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// Phases is a list of patterns, of which some start later, or wait for others before them.
type Phases struct {
	Topology *topo.Topology
	Prio     uint8
	Seed     uint64

	flows    []Flow // in the order in which they were made
	patterns []phase
	groups   int32             // of all patterns
	ended    map[string]*ended // by tag
}

// phase is one of the patterns.
type phase struct {
	tag        string // as it was written, or else the name
	hosts      []core.NodeID
	from, to   int // its flows
	collective bool
}

// patternStream is no host's id.
const patternStream = 1 << 32

// Add adds a pattern such as permutation:1MB, or long-and-short:100MB,1MB,1ms (see longShort). Its flows are tagged with
// its name unless it has chosen a tag.
func (s *Phases) Add(spec string) error {
	if err := s.add(spec); err != nil {
		return fmt.Errorf("pattern %q: %w", spec, err)
	}
	return nil
}

// Flows returns the flows of all patterns, in the order of Merge.
func (s *Phases) Flows() []Flow { return Merge(s.flows) }

func (s *Phases) add(spec string) error {
	name, rest, _ := strings.Cut(strings.TrimSpace(spec), ":")
	values, keys := cutPlacement(rest)
	place, err := parsePlacement(keys, patternKeys) // first: a blank instead of the comma before the keys makes them out of the size
	if err != nil {
		return err
	}
	pattern, e, err := parsePattern(name, values)
	if err != nil {
		return err
	}
	all := s.Topology.Hosts()
	if len(all) < 2 {
		return pattern.check(len(all))
	}
	groups, err := place.groups(s.Topology)
	if err != nil {
		return err
	}
	size := len(groups[0])
	if err := pattern.check(size); err != nil {
		return err
	}
	if err := TooMany(float64(len(groups))*pattern.most(float64(size), &e), "choose a network of fewer hosts, or fewer sizes and rounds"); err != nil {
		return err
	}
	added := phase{cmp.Or(place.tag, name), slices.Concat(groups...), len(s.flows), 0, pattern.collective}
	first := Flow{Start: core.Time(place.start), Prio: s.Prio}
	var lists [][]Flow
	for i, hosts := range groups {
		if place.placed() {
			s.groups++
			first.Group = s.groups
		}
		turns := e.turns(first, func(round int) string { return place.tagOf(pattern.Name, i, round) })
		// Every group has random numbers of its own. Those of the whole network are also its when it is named.
		stream := core.NewStream(s.Seed, core.StreamPeers, patternStream+uint64(hosts[0]-all[0]))
		lists = append(lists, pattern.flows(hosts, turns, stream))
	}
	if err := s.append(Merge(lists...), &added, place.after); err != nil {
		return fmt.Errorf("after: %w", err)
	}
	return nil
}

// append adds the flows of a pattern. Its first ones wait, if a tag is given, until their source has done its part in the
// patterns with that tag.
func (s *Phases) append(flows []Flow, p *phase, tag string) error {
	var ends map[core.NodeID][]int32
	if tag != "" {
		var err error
		if ends, err = s.ends(tag, p.hosts); err != nil {
			return err
		}
	}
	renumber(flows, func(earlier int32) int32 { return int32(p.from) + earlier })
	for i := range flows {
		if f := &flows[i]; len(f.After) == 0 {
			f.After = slices.Clip(ends[f.Src])
		}
	}
	s.flows = append(s.flows, flows...)
	p.to = len(s.flows)
	s.patterns = append(s.patterns, *p)
	return nil
}

// ended is what the hosts end in the patterns with a tag.
type ended struct {
	patterns int                     // so many have been looked at
	flows    map[core.NodeID][]int32 // by host: of each pattern behind those of the ones before it, for which others wait in the same memory
}

// ends returns the flows with which each host ends its part in the patterns with a tag: of those that no other of the
// pattern waits for, the ones that it receives and, except in collectives, that it sends. One of some hosts must take part.
func (s *Phases) ends(tag string, hosts []core.NodeID) (map[core.NodeID][]int32, error) {
	ours := make(map[core.NodeID]bool)
	for _, h := range hosts {
		ours[h] = true
	}
	var known []string
	found, meet := false, false
	for i := range s.patterns {
		p := &s.patterns[i]
		if p.tag != tag {
			if !slices.Contains(known, p.tag) {
				known = append(known, p.tag)
			}
			continue
		}
		found, meet = true, meet || slices.ContainsFunc(p.hosts, func(h core.NodeID) bool { return ours[h] })
	}
	switch {
	case !found:
		return nil, fmt.Errorf("no pattern before this one has the tag %q%s", tag, spelling.Suggest(tag, known))
	case !meet:
		return nil, fmt.Errorf("none of its hosts takes part in %q, and hosts wait for flows of their own: choose hosts of it, or delay all with start=", tag)
	}
	if s.ended == nil {
		s.ended = make(map[string]*ended)
	}
	e := s.ended[tag]
	if e == nil {
		e = &ended{flows: make(map[core.NodeID][]int32)}
		s.ended[tag] = e
	}
	for ; e.patterns < len(s.patterns); e.patterns++ {
		if p := &s.patterns[e.patterns]; p.tag == tag {
			e.add(s.flows[:p.to], p)
		}
	}
	return e.flows, nil
}

// add adds the ends of a pattern, of which the flows are the last ones.
func (e *ended) add(flows []Flow, p *phase) {
	followed := make([]bool, p.to-p.from)
	for k := p.from; k < p.to; k++ {
		if after := flows[k].After; len(after) > 0 && int(after[0]) >= p.from {
			for _, earlier := range after {
				followed[int(earlier)-p.from] = true
			}
		}
	}
	end := func(host core.NodeID, k int) {
		list := e.flows[host]
		if len(list) == cap(list) {
			list = slices.Grow(list, len(list)+1) // the memory of all is at most twice that of the last
		}
		e.flows[host] = append(list, int32(k))
	}
	for k := p.from; k < p.to; k++ {
		if f := &flows[k]; !followed[k-p.from] {
			end(f.Dst, k)
			if !p.collective {
				end(f.Src, k)
			}
		}
	}
}
