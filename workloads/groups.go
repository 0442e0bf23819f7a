package workloads

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// placed reports whether the groups are chosen, rather than being the whole network.
func (p *placement) placed() bool { return p.hosts != nil || p.group > 0 || p.stride > 0 }

// groups lists the hosts of every group, in the order in which the pattern takes them. With size hosts in a group and a
// stride, the list is cut into blocks of size x stride hosts. The groups of a block begin with its first hosts.
func (p *placement) groups(t *topo.Topology) (groups [][]core.NodeID, err error) {
	hosts, err := p.senders(t)
	if err != nil {
		return nil, err
	}
	size, stride := p.group, max(1, p.stride)
	switch {
	case size == 0 && (len(hosts)%stride > 0 || stride > 1 && len(hosts) == stride):
		return nil, fmt.Errorf("stride: %d hosts do not make %d groups of the same size, from 2 on", len(hosts), stride)
	case size == 0:
		size = len(hosts) / stride
	case len(hosts)%size > 0:
		return nil, fmt.Errorf("group: %d hosts do not make groups of %d", len(hosts), size)
	case len(hosts)/size%stride > 0:
		return nil, fmt.Errorf("stride: the number of groups of %d hosts, %d, is no multiple of %d", size, len(hosts)/size, stride)
	}
	for block := range slices.Chunk(hosts, size*stride) {
		for first := range stride {
			var group []core.NodeID
			for i := first; i < len(block); i += stride {
				group = append(group, block[i])
			}
			groups = append(groups, group)
		}
	}
	return groups, nil
}

// tagOf returns the tag of a round of a group, of a pattern that otherwise has another.
func (p *placement) tagOf(usual string, group, round int) string {
	if p.tag == "" {
		return usual
	}
	return strings.NewReplacer(tagGroup, strconv.Itoa(group), tagRound, strconv.Itoa(round)).Replace(p.tag)
}
