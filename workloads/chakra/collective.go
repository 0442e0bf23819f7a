package chakra

import (
	"fmt"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/workloads"
	"github.com/qbb-sim/qbb/workloads/goal"
)

// group is the ranks with collectives of a pg_name.
type group struct {
	name    string // empty: all ranks
	members []member
}

// member is a rank, and its part in the collectives of a group.
type member struct {
	rank  int
	calls []call
}

// call is the part of a rank in a collective.
type call struct {
	kind   collType
	bytes  int64
	origin goal.Origin // the node
	extent
}

// messageBytes is the memory of a message beside that of its flow: 187 bytes of the heap, measured with three million, and
// what the garbage collector has not freed yet.
const messageBytes core.Bytes = 240

// group returns the one with a name.
func (t *traces) group(name string) *group {
	g := t.groups[name]
	if g == nil {
		g = &group{name: name}
		t.groups[name], t.order = g, append(t.order, g)
	}
	return g
}

// add adds a call of a rank, which is not below those before.
func (g *group) add(rank int, c call) {
	if n := len(g.members); n == 0 || g.members[n-1].rank != rank {
		g.members = append(g.members, member{rank: rank})
	}
	m := &g.members[len(g.members)-1]
	m.calls = append(m.calls, c)
}

// expand makes messages of all collectives.
func (t *traces) expand() error {
	messages := 0.0
	for _, g := range t.order {
		if err := t.checkGroup(g); err != nil {
			return err
		}
		for k := range g.members[0].calls {
			messages += messagesOf(g.members[0].calls[k].kind, len(g.members))
		}
	}
	if err := workloads.TooManyWith(messages, messageBytes, "take traces of fewer ranks or collectives"); err != nil {
		return fmt.Errorf("%s and the others: %w", t.nodes.files[0], err)
	}
	for _, g := range t.order {
		for k := range g.members[0].calls {
			t.expandCall(g, k)
		}
	}
	return nil
}

// checkGroup demands that all members take part in the same collectives.
func (t *traces) checkGroup(g *group) error {
	if g.name == "" {
		for r, at := 0, 0; r < len(t.nodes.files); r++ {
			if at == len(g.members) || g.members[at].rank != r {
				m := &g.members[0]
				return fmt.Errorf("%s: without a pg_name it is a collective of all ranks, and rank %d has none: name the group of those that take part with pg_name", t.nodes.At(m.rank, m.calls[0].origin.Place), r)
			}
			at++
		}
	}
	a := &g.members[0]
	for i := range g.members[1:] {
		b := &g.members[1+i]
		for k := range max(len(a.calls), len(b.calls)) {
			switch {
			case k == len(a.calls):
				return t.noPartner(g, b, a, k)
			case k == len(b.calls):
				return t.noPartner(g, a, b, k)
			}
			x, y := &a.calls[k], &b.calls[k]
			if x.kind != y.kind || x.bytes != y.bytes && x.kind != allToAll && x.kind != barrier {
				return fmt.Errorf("%s: it is number %d of the collectives %v, %v of %d B, and that of rank %d (node %d) is %v of %d B: they must be the same",
					t.nodes.At(b.rank, y.origin.Place), k+1, g, y.kind, y.bytes, a.rank, t.nodes.ids[a.rank][x.origin.Place], x.kind, x.bytes)
			}
		}
	}
	for k := range a.calls {
		if c := &a.calls[k]; c.kind == allGather && c.bytes > goal.MostBytes/int64(len(g.members)) {
			return fmt.Errorf("%s: comm_size is %d, and the most is %d for an %v of %d ranks", t.nodes.At(a.rank, c.origin.Place), c.bytes, goal.MostBytes/int64(len(g.members)), c.kind, len(g.members))
		}
	}
	return nil
}

func (t *traces) noPartner(g *group, has, lacks *member, k int) error {
	return fmt.Errorf("%s: it is number %d of the collectives %v, and rank %d has %d: every rank of a group takes part in all of them",
		t.nodes.At(has.rank, has.calls[k].origin.Place), k+1, g, lacks.rank, len(lacks.calls))
}

// String says whose collectives they are.
func (g *group) String() string {
	if g.name == "" {
		return "of all ranks"
	}
	return fmt.Sprintf("with the pg_name %q", g.name)
}

// messagesOf counts the messages of a collective.
func messagesOf(kind collType, ranks int) float64 {
	n := float64(ranks)
	switch kind {
	case allReduce:
		return 2 * n * (n - 1)
	case broadcast:
		return n - 1
	case barrier:
		return n * float64(bits.Len(uint(ranks-1)))
	default:
		return n * (n - 1)
	}
}

// stepsOf returns the steps of a collective that has them.
func stepsOf(kind collType, ranks int, bytes int64) []workloads.Step {
	switch kind {
	case allReduce:
		return workloads.RingSteps(2)(ranks, bytes)
	case reduceScatter, reduceBlocks:
		return workloads.RingSteps(1)(ranks, bytes)
	case allGather:
		return workloads.RingSteps(1)(ranks, bytes*int64(ranks))
	case barrier:
		var steps []workloads.Step
		for d := 1; d < ranks; d *= 2 {
			steps = append(steps, workloads.Step{To: func(i int) int { return (i + d) % ranks }, Bytes: 1})
		}
		return steps
	}
	panic(fmt.Sprintf("chakra: a collective %v in steps", kind))
}

// expandCall makes the messages of the k-th collective of a group.
func (t *traces) expandCall(g *group, k int) {
	if len(g.members) == 1 {
		c := &g.members[0].calls[k]
		t.Require(g.members[0].rank, c.last, c.first)
		return
	}
	switch kind := g.members[0].calls[k].kind; kind {
	case allToAll:
		t.expandAllToAll(g, k)
	case broadcast:
		t.expandBroadcast(g, k)
	default:
		t.expandSteps(g, k, stepsOf(kind, len(g.members), g.members[0].calls[k].bytes))
	}
}

// message adds one from a member of a group to another one.
func (t *traces) message(g *group, k, from, to int, bytes int64) (sent, received int32) {
	a, b := &g.members[from], &g.members[to]
	return t.Message(a.rank, b.rank, [2]goal.Origin{a.calls[k].origin, b.calls[k].origin}, core.Bytes(bytes))
}

// expandSteps makes every member take a step once the messages of all steps before have arrived.
func (t *traces) expandSteps(g *group, k int, steps []workloads.Step) {
	before, arrived := make([]int32, len(g.members)), make([]int32, len(g.members))
	for i := range g.members {
		before[i] = g.members[i].calls[k].first
	}
	for _, step := range steps {
		for i := range g.members {
			to := step.To(i)
			sent, received := t.message(g, k, i, to, step.Bytes)
			t.Require(g.members[i].rank, sent, before[i])
			t.Require(g.members[to].rank, received, before[to])
			arrived[to] = received
		}
		before, arrived = arrived, before
	}
	for i := range g.members {
		t.Require(g.members[i].rank, g.members[i].calls[k].last, before[i])
	}
}

func (t *traces) expandAllToAll(g *group, k int) {
	for i := range g.members {
		piece := workloads.Share(g.members[i].calls[k].bytes, len(g.members))
		for to := range g.members {
			if to != i {
				t.pass(g, k, i, to, piece, g.members[i].calls[k].first)
			}
		}
	}
}

// pass makes a message that waits for an operation, and for which both members wait.
func (t *traces) pass(g *group, k, from, to int, bytes int64, after int32) (sent, received int32) {
	a, b := &g.members[from], &g.members[to]
	sent, received = t.message(g, k, from, to, bytes)
	t.Require(a.rank, sent, after)
	t.Require(a.rank, a.calls[k].last, sent)
	t.Require(b.rank, received, b.calls[k].first)
	t.Require(b.rank, b.calls[k].last, received)
	return sent, received
}

func (t *traces) expandBroadcast(g *group, k int) {
	n := len(g.members)
	after := make([]int32, n) // what the next message of a member waits for: that to it, or the last one of its own
	after[0] = g.members[0].calls[k].first
	top := 1
	for top < n {
		top *= 2
	}
	for d := top / 2; d > 0; d /= 2 {
		for i := 0; i+d < n; i += 2 * d {
			after[i], after[i+d] = t.pass(g, k, i, i+d, g.members[0].calls[k].bytes, after[i])
		}
	}
}
