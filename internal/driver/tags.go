package driver

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// TagTime is the time that the flows with a tag took together.
type TagTime struct {
	Tag       string  `json:"tag"`
	Flows     int     `json:"flows"`
	Finished  int     `json:"finished"`
	FromNs    float64 `json:"from_ns" unit:"ns" doc:"start of the first of those that finished"`
	ToNs      float64 `json:"to_ns" unit:"ns" doc:"end of the last of those that finished; 0: none has"`
	Groups    int     `json:"groups,omitempty" doc:"groups of hosts that have these flows, if they are of patterns that choose hosts or groups"`
	FastestNs float64 `json:"fastest_ns,omitempty" unit:"ns" doc:"the shortest time that a group took, from the first start of its flows to their last end, of the groups all of whose flows finished"`
	SlowestNs float64 `json:"slowest_ns,omitempty" unit:"ns" doc:"the longest such time"`
}

// mostTags bounds a list that is for few groups of flows: a file may give every flow a tag of its own.
const mostTags = 64

// span is the time from the first start to the last end of flows that finished.
type span struct {
	flows, finished int
	from, to        core.Time
}

func (s *span) add(r *sim.FlowRecord) {
	s.flows++
	if !r.Finished {
		return
	}
	if s.finished == 0 {
		s.from = r.Start
	}
	s.from, s.to = min(s.from, r.Start), max(s.to, r.Start.Add(r.FCT))
	s.finished++
}

// addTags finds when the flows with each tag started and ended, and how long each group of hosts took.
func (sum *Summary) addTags(n *sim.Network) {
	index := make(map[string]int)
	var spans []span // by tag
	type groupOf struct {
		tag   int
		group int32
	}
	groups := make(map[groupOf]*span)
	for i := range n.Setup.Flows {
		f := &n.Setup.Flows[i]
		if f.Tag == "" {
			continue
		}
		k, ok := index[f.Tag]
		if !ok {
			if len(sum.Tags) == mostTags {
				sum.Tags = nil
				return
			}
			k = len(sum.Tags)
			index[f.Tag] = k
			sum.Tags, spans = append(sum.Tags, TagTime{Tag: f.Tag}), append(spans, span{})
		}
		r := n.Record(i)
		spans[k].add(&r)
		if f.Group > 0 {
			key := groupOf{k, f.Group}
			if groups[key] == nil {
				groups[key] = &span{}
			}
			groups[key].add(&r)
		}
	}
	for k, s := range spans {
		t := &sum.Tags[k]
		t.Flows, t.Finished, t.FromNs, t.ToNs = s.flows, s.finished, traces.Nanos(s.from), traces.Nanos(s.to)
	}
	for key, s := range groups {
		sum.Tags[key.tag].addGroup(s)
	}
}

// addGroup counts a group, whatever the order.
func (t *TagTime) addGroup(s *span) {
	t.Groups++
	if s.finished < s.flows {
		return
	}
	took := traces.Nanos(s.to.Sub(s.from))
	if t.FastestNs == 0 {
		t.FastestNs = took
	}
	t.FastestNs, t.SlowestNs = min(t.FastestNs, took), max(t.SlowestNs, took)
}
