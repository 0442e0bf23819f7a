package driver

import (
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// TagTime is the time that the flows with a tag took together.
type TagTime struct {
	Tag      string  `json:"tag"`
	Flows    int     `json:"flows"`
	Finished int     `json:"finished"`
	FromNs   float64 `json:"from_ns" unit:"ns" doc:"start of the first of those that finished"`
	ToNs     float64 `json:"to_ns" unit:"ns" doc:"end of the last of those that finished; 0: none has"`
}

// mostTags bounds a list that is for few groups of flows: a file may give every flow a tag of its own.
const mostTags = 64

// addTags finds when the flows with each tag started and ended.
func (sum *Summary) addTags(n *sim.Network) {
	index := make(map[string]int)
	for i := range n.Setup.Flows {
		tag := n.Setup.Flows[i].Tag
		if tag == "" {
			continue
		}
		k, ok := index[tag]
		if !ok {
			if len(sum.Tags) == mostTags {
				sum.Tags = nil
				return
			}
			k = len(sum.Tags)
			index[tag] = k
			sum.Tags = append(sum.Tags, TagTime{Tag: tag})
		}
		t := &sum.Tags[k]
		t.Flows++
		if r := n.Record(i); r.Finished {
			from, to := traces.Nanos(r.Start), traces.Nanos(r.Start.Add(r.FCT))
			if t.Finished == 0 {
				t.FromNs, t.ToNs = from, to
			}
			t.FromNs, t.ToNs = min(t.FromNs, from), max(t.ToNs, to)
			t.Finished++
		}
	}
}
