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
	groups   int32 // of all patterns
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
	place, err := parsePlacement(keys) // first: a blank instead of the comma before the keys makes them out of the size
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
	if err := tooMany(float64(len(groups))*pattern.most(float64(size), &e), "choose a network of fewer hosts, or fewer sizes and rounds"); err != nil {
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
	waits := 0
	for i := range flows {
		f := &flows[i]
		for k := range f.After {
			f.After[k] += int32(p.from)
		}
		if len(f.After) == 0 {
			f.After = ends[f.Src]
			waits += len(f.After)
		}
	}
	if err := tooManyWaits(float64(waits), machineMemory()); err != nil {
		return err
	}
	s.flows = append(s.flows, flows...)
	p.to = len(s.flows)
	s.patterns = append(s.patterns, *p)
	return nil
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
	ends := make(map[core.NodeID][]int32)
	for i := range s.patterns {
		p := &s.patterns[i]
		if p.tag != tag {
			if !slices.Contains(known, p.tag) {
				known = append(known, p.tag)
			}
			continue
		}
		found, meet = true, meet || slices.ContainsFunc(p.hosts, func(h core.NodeID) bool { return ours[h] })
		followed := make([]bool, p.to)
		for k := p.from; k < p.to; k++ {
			for _, earlier := range s.flows[k].After {
				followed[earlier] = true
			}
		}
		for k := p.from; k < p.to; k++ {
			if f := &s.flows[k]; !followed[k] {
				ends[f.Dst] = append(ends[f.Dst], int32(k))
				if !p.collective {
					ends[f.Src] = append(ends[f.Src], int32(k))
				}
			}
		}
	}
	switch {
	case !found:
		return nil, fmt.Errorf("no pattern before this one has the tag %q%s", tag, spelling.Suggest(tag, known))
	case !meet:
		return nil, fmt.Errorf("none of its hosts takes part in %q, and hosts wait for flows of their own: choose hosts of it, or delay all with start=", tag)
	}
	return ends, nil
}
