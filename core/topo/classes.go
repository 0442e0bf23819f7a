package topo

import (
	"encoding/binary"
	"iter"

	"github.com/qbb-sim/qbb/core"
)

// class is a set of hosts whose ports lead to the same peers over links with the same
// figures: exchanging two of them changes no path's figures. Where the delay of their only port may
// differ, the two with the longest represent the class.
type class struct {
	first, second core.NodeID // second is first if there is only one
}

// classes returns the classes of hosts. With anyLength the delay of a host's only port makes no difference.
func (r *Routes) classes(anyLength bool) []class {
	var list []class
	seen := make(map[string]int)
	var key []byte
	for _, h := range r.topo.Hosts() {
		key = r.attachment(key[:0], h, anyLength)
		i, ok := seen[string(key)]
		if !ok {
			seen[string(key)] = len(list)
			list = append(list, class{h, h})
			continue
		}
		switch c := &list[i]; {
		case r.delay(h) > r.delay(c.first):
			c.first, c.second = h, c.first
		case c.second == c.first || r.delay(h) > r.delay(c.second):
			c.second = h
		}
	}
	return list
}

// attachment appends what identifies the class of a host.
func (r *Routes) attachment(key []byte, h core.NodeID, anyLength bool) []byte {
	ports := 0
	for i, p := range r.ports[h] {
		if !r.isUp(p.Link) {
			continue
		}
		ports++
		l := &r.topo.Links[p.Link]
		for _, x := range [...]uint64{uint64(i), uint64(p.Peer), uint64(l.Rate), uint64(l.Delay)} {
			key = binary.LittleEndian.AppendUint64(key, x)
		}
	}
	if anyLength && ports == 1 {
		return key[:len(key)-8]
	}
	return key
}

// delay is that of the first port of a host that is up; 0 if none is.
func (r *Routes) delay(h core.NodeID) core.Duration {
	for _, p := range r.ports[h] {
		if r.isUp(p.Link) {
			return r.topo.Links[p.Link].Delay
		}
	}
	return 0
}

// distinctPairs yields ordered pairs of hosts, among them one for every combination of
// figures that a pair of hosts has.
func (r *Routes) distinctPairs() iter.Seq2[core.NodeID, core.NodeID] {
	return func(yield func(src, dst core.NodeID) bool) {
		list := r.classes(false)
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
