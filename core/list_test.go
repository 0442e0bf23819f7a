package core

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Packets move from list to list, each in one at a time; every list keeps their order.
func TestListsKeepTheirOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var queues [2]Queue
	var stacks [2]Stack
	var inQueue, inStack [2][]*Packet
	free := make([]*Packet, 20)
	for i := range free {
		free[i] = &Packet{Seq: int64(i)}
	}
	for range 20_000 {
		i, n := r.IntN(2), len(free)
		switch r.IntN(5) {
		case 0, 1:
			if n > 0 {
				queues[i].Push(free[n-1])
				inQueue[i], free = append(inQueue[i], free[n-1]), free[:n-1]
			}
		case 2:
			if n > 0 {
				stacks[i].Push(free[n-1])
				inStack[i], free = slices.Insert(inStack[i], 0, free[n-1]), free[:n-1]
			}
		case 3:
			if p := queues[i].Pop(); p != nil {
				if len(inQueue[i]) == 0 || p != inQueue[i][0] {
					t.Fatalf("queue: popped %d out of turn", p.Seq)
				}
				inQueue[i], free = inQueue[i][1:], append(free, p)
			}
		case 4:
			if r.IntN(5) == 0 {
				taken := stacked(stacks[i].TakeAll())
				if !slices.Equal(taken, inStack[i]) {
					t.Fatalf("stack: took %d packets out of turn", len(taken))
				}
				inStack[i], free = nil, append(free, taken...)
			}
		}
		var held []*Packet
		queues[i].All(func(p *Packet) { held = append(held, p) })
		if !slices.Equal(held, inQueue[i]) || queues[i].Empty() != (len(held) == 0) || len(held) > 0 && queues[i].Front() != held[0] {
			t.Fatalf("queue: %d packets, want %d", len(held), len(inQueue[i]))
		}
		if held := stacked(stacks[i].Front()); !slices.Equal(held, inStack[i]) {
			t.Fatalf("stack: %d packets, want %d", len(held), len(inStack[i]))
		}
	}
}

// stacked returns a packet and those below it.
func stacked(p *Packet) (all []*Packet) {
	for ; p != nil; p = p.Below() {
		all = append(all, p)
	}
	return all
}
