package topo

import (
	"encoding/binary"
	"iter"

	"github.com/qbb-sim/qbb/core"
)

// class is a set of hosts whose ports lead to the same peers over links with the same
// figures: exchanging two of them changes no path's figures.
type class struct {
	first, second core.NodeID // second is first if there is only one
}

func (r *Routes) classes() []class {
	var list []class
	seen := make(map[string]int)
	var key []byte
	for _, h := range r.topo.Hosts() {
		key = key[:0]
		for i, p := range r.ports[h] {
			if !r.isUp(p.Link) {
				continue
			}
			l := &r.topo.Links[p.Link]
			for _, x := range [...]uint64{uint64(i), uint64(p.Peer), uint64(l.Rate), uint64(l.Delay)} {
				key = binary.LittleEndian.AppendUint64(key, x)
			}
		}
		i, ok := seen[string(key)]
		if !ok {
			seen[string(key)] = len(list)
			list = append(list, class{h, h})
		} else if c := &list[i]; c.second == c.first {
			c.second = h
		}
	}
	return list
}

// distinctPairs yields ordered pairs of hosts, among them one for every combination of
// figures that a pair of hosts has.
func (r *Routes) distinctPairs() iter.Seq2[core.NodeID, core.NodeID] {
	return func(yield func(src, dst core.NodeID) bool) {
		list := r.classes()
		for _, a := range list {
			for _, b := range list {
				src, dst := a.first, b.first
				if src == dst {
					dst = b.second
				}
				if src != dst && !yield(src, dst) {
					return
				}
			}
		}
	}
}
