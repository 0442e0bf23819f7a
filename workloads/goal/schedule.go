package goal

import "github.com/qbb-sim/qbb/core"

// Schedule is the operations of all ranks.
type Schedule struct {
	// Messages are those between different ranks, in the order of their senders' ranks, then of the file.
	Messages []Message
	ranks    []rank
	names    []string // by Name
	where    Where
}

// Message is a message between two ranks.
type Message struct {
	Src, Dst   int // ranks
	Bytes      core.Bytes
	send, recv int32 // operations of Src and Dst
}

// Ranks returns the number of ranks.
func (s *Schedule) Ranks() int { return len(s.ranks) }

// rank is the operations of a rank.
type rank struct {
	ops  []op
	cpus int
	// next are the operations that wait for one: in next[ops[i].first:ops[i].ended] those that wait for the beginning of i,
	// up to ops[i+1].first those that wait for its end. A last op without a kind closes the list.
	next []int32
}

// closed reports whether the rank has all its operations.
func (r *rank) closed() bool { return len(r.ops) > 0 && r.ops[len(r.ops)-1].kind == none }

// op is an operation.
type op struct {
	kind         Kind
	waits        int32 // for how many others
	first, ended int32 // of rank.next
	origin       Origin
	// of a send and a recv: the message, or ^ the other end of one of the rank to itself; of a calc: the cpu; of a
	// collective: the operation with which it ends.
	of    int32
	takes core.Duration // of a calc
}

// Kind is what an operation does.
type Kind uint8

const (
	none Kind = iota
	send
	recv
	calc
	collective // begins and ends at once, like the next one: what it consists of is between the two
	collected
)

// String names a kind of the input.
func (k Kind) String() string {
	return [...]string{send: "send", recv: "recv", calc: "calc", collective: "collective"}[k]
}
