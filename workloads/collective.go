package workloads

import (
	"fmt"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// Collectives of a group of hosts, in steps in each of which every host sends a flow and receives one.

// Step is a step of a collective: host i, by position, sends Bytes to host To(i), which differs for every host.
type Step struct {
	To    func(i int) int
	Bytes int64
}

// inSteps makes the flows of a collective, step by step, and in a step by source. A host takes each step as soon as it
// has received the flow of the one before. So do collectives follow each other, after the pause.
func inSteps(steps func(hosts int, size int64) []Step) func([]core.NodeID, []turn, *core.Stream) []Flow {
	return func(hosts []core.NodeID, turns []turn, _ *core.Stream) (flows []Flow) {
		received := make([][]int32, len(hosts)) // the flow of the step before; nil: none
		for _, t := range turns {
			for s, step := range steps(len(hosts), t.message.Bytes) {
				before := received
				received = make([][]int32, len(hosts))
				for i := range hosts {
					f := t.message
					f.Src, f.Dst, f.Bytes, f.After = hosts[i], hosts[step.To(i)], step.Bytes, before[i]
					if s > 0 {
						f.Start = 0
					}
					flows = append(flows, f)
					received[step.To(i)] = lastOf(flows)
				}
			}
		}
		return flows
	}
}

// stepsOf counts the flows of a collective with so many steps.
func stepsOf(steps func(hosts float64) float64) func(hosts float64, e *exchange) float64 {
	return func(hosts float64, e *exchange) float64 { return hosts * steps(hosts) * float64(e.collectives()) }
}

// collectives is their number: one for every size and round.
func (e *exchange) collectives() int { return len(e.sizes) * max(1, e.rounds) }

// Share is an n-th of a size, rounded up to whole bytes.
func Share(size int64, n int) int64 { return (size-1)/int64(n) + 1 }

// RingSteps are those of the ring algorithm (Patarasuk and Yuan, J. Parallel Distrib. Comput. 69, 2009): what is to be
// reduced is cut into as many pieces as there are n hosts. Every piece goes round the ring, n-1 hops until it is
// reduced and as many until all hosts know it; all pieces are under way at once, each a hop ahead of the next.
func RingSteps(rounds int) func(hosts int, size int64) []Step {
	return func(hosts int, size int64) (steps []Step) {
		for range rounds * (hosts - 1) {
			steps = append(steps, Step{func(i int) int { return (i + 1) % hosts }, Share(size, hosts)})
		}
		return steps
	}
}

// halvingDoubling are the steps of recursive halving and doubling (Thakur, Rabenseifner and Gropp, Int. J. High
// Performance Computing Applications 19(1), 2005): hosts half the ring apart exchange halves, those a quarter apart
// quarters, until every host has reduced an n-th; the same steps backwards give all of it to all.
func halvingDoubling(hosts int, size int64) []Step {
	steps := 2 * (bits.Len(uint(hosts)) - 1)
	list := make([]Step, steps)
	for s := range steps / 2 {
		parts := 2 << s
		step := Step{func(i int) int { return i ^ hosts/parts }, Share(size, parts)}
		list[s], list[steps-1-s] = step, step
	}
	return list
}

// powerOfTwo demands such a number of hosts.
func powerOfTwo(hosts int) error {
	if hosts&(hosts-1) != 0 {
		return fmt.Errorf("%d hosts; it is for a power of two, such as %d", hosts, 1<<(bits.Len(uint(hosts))-1))
	}
	return nil
}
