package results

import (
	"cmp"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// place gives every node its place and returns the index of each in Nodes.
func (p *Picture) place(ports []traces.PortRow) map[core.NodeID]int {
	index := make(map[core.NodeID]int)
	for i := range ports {
		if _, known := index[ports[i].Node]; !known {
			index[ports[i].Node] = len(p.Nodes)
			p.Nodes = append(p.Nodes, PictureNode{ID: ports[i].Node, Host: ports[i].NodeKind == traces.KindHost, Row: -1})
		}
	}
	near := make([][]int, len(p.Nodes))
	for i := range ports {
		a := index[ports[i].Node]
		near[a] = append(near[a], index[ports[i].Peer])
	}
	p.rows(near)
	p.columns(near)
	return index
}

// rows numbers the rows, outwards from the hosts.
func (p *Picture) rows(near [][]int) {
	var queue []int
	for i := range p.Nodes {
		if p.Nodes[i].Host {
			p.Nodes[i].Row = 0
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		p.Rows = max(p.Rows, p.Nodes[at].Row+1)
		for _, to := range near[at] {
			if p.Nodes[to].Row < 0 {
				p.Nodes[to].Row = p.Nodes[at].Row + 1
				queue = append(queue, to)
			}
		}
	}
	for i := range p.Nodes { // switches that reach no host
		p.Nodes[i].Row = max(p.Nodes[i].Row, 0)
	}
}

// columns spreads each row: the switches next to hosts by number, hosts like their switches, the
// rows above by the middle of their neighbours below.
func (p *Picture) columns(near [][]int) {
	for row := range max(p.Rows, 2) {
		if row < 2 {
			row = 1 - row // hosts come after their switches
		}
		var list []int
		for i := range p.Nodes {
			if p.Nodes[i].Row == row {
				list = append(list, i)
			}
		}
		middle := func(i int) float64 {
			sum, n := 0.0, 0.0
			for _, to := range near[i] {
				if other := p.Nodes[to].Row; row == 0 && other == 1 || row > 1 && other == row-1 {
					sum, n = sum+p.Nodes[to].X, n+1
				}
			}
			return sum / max(n, 1)
		}
		slices.SortStableFunc(list, func(a, b int) int {
			return cmp.Or(cmp.Compare(math.Round(middle(a)*1e9), math.Round(middle(b)*1e9)), cmp.Compare(p.Nodes[a].ID, p.Nodes[b].ID))
		})
		for k, i := range list {
			p.Nodes[i].X = (float64(k) + 0.5) / float64(len(list))
		}
	}
}
