package workloads

import "github.com/qbb-sim/qbb/core"

// An all-reduce by the ring algorithm (Patarasuk and Yuan, J. Parallel Distrib. Comput. 69, 2009): what is to be
// reduced is cut into as many pieces as there are n hosts. Every piece goes round the ring, n-1 hops until it is
// reduced and as many until all hosts know it; all pieces are under way at once, each a hop ahead of the next.

// reductions is the number of all-reduces.
func (e *exchange) reductions() int { return len(e.sizes) * max(1, e.rounds) }

func ringFlows(hosts float64, e *exchange) float64 {
	return hosts * 2 * (hosts - 1) * float64(e.reductions())
}

// ringAllReduce returns the flows step by step, and in a step by source. Pieces are rounded up to whole bytes.
func ringAllReduce(hosts []core.NodeID, e *exchange, first Flow, _ *core.Stream) []Flow {
	n := len(hosts)
	steps := 2 * (n - 1)
	flows := make([]Flow, 0, n*steps*e.reductions())
	for k := range e.reductions() {
		size := e.sizes[k/max(1, e.rounds)]
		first.Bytes = (int64(size)-1)/int64(n) + 1
		for range steps {
			step := len(flows)
			for i := range hosts {
				f := first
				f.Src, f.Dst = hosts[i], hosts[(i+1)%n]
				if step > 0 {
					f.Start, f.After = 0, step-n+(i+n-1)%n+1
				}
				flows = append(flows, f)
			}
		}
	}
	return flows
}
