package goal

import (
	"cmp"
	"iter"
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// Operation is an operation of a rank, and what has become of it so far.
type Operation struct {
	Number     int64 // by which users of the input know it, such as its line
	Name       string
	Kind       Kind
	CPU        int // of a calc; -1: it is none
	Peer       int // the rank at the other end of a message; -1: it is none
	Message    int // its number; -1: it is none, or one of the rank to itself
	Begin, End core.Time
}

// Unset is the Begin or End of an operation that has not begun or ended.
const Unset core.Time = -1

// Operations returns all operations of the rank, with the messages of collectives, in the order in which they were added.
func (p *Program) Operations() iter.Seq[Operation] {
	return func(yield func(Operation) bool) {
		for i := range p.ends {
			if p.ops[i].kind != collected && !yield(p.operation(i)) {
				return
			}
		}
	}
}

func (p *Program) operation(i int) Operation {
	o := &p.ops[i]
	op := Operation{
		Number: p.of.where.Number(p.number, o.origin.Place), Name: p.of.names[o.origin.Name], Kind: o.kind,
		CPU: -1, Peer: -1, Message: -1, Begin: p.begins[i], End: p.ends[i],
	}
	switch {
	case o.kind == calc:
		op.CPU = int(o.of)
	case o.kind == collective:
		op.End = p.ends[o.of]
	case o.of < 0:
		op.Peer = p.number
	default:
		m := &p.of.Messages[o.of]
		op.Message, op.Peer = int(o.of), m.Src+m.Dst-p.number
	}
	return op
}

// Computed returns for how long, up to a time that Run has reached, the rank has computed, on any number of its cpus.
func (p *Program) Computed(until core.Time) (d core.Duration) {
	var calcs []int
	for i := range p.ends {
		if p.ops[i].kind == calc && p.begun(i) {
			calcs = append(calcs, i)
		}
	}
	slices.SortFunc(calcs, func(a, b int) int { return cmp.Compare(p.begins[a], p.begins[b]) })
	var counted core.Time
	for _, i := range calcs {
		end := p.ends[i]
		if !p.ended(i) {
			end = until
		}
		if from := max(counted, p.begins[i]); end > from {
			d += end.Sub(from)
			counted = end
		}
	}
	return d
}
