package algorithms

import "github.com/qbb-sim/qbb/core"

// ActiveFlows is a set of flows, each forgotten when it has not been seen for a time-out:
// what a congestion point or a receiver counts its flows with. Every flow has a slot, a small
// number that is its own while it is active, for state that the owner keeps beside the set.
//
// Seeing a flow takes constant time; memory grows to the most flows active at once and is
// reused.
type ActiveFlows struct {
	timeout core.Duration
	flows   []activeFlow
	heads   []int32 // first slot of a hash chain + 1; the length is a power of two
	oldest  int32   // slot + 1 of the flow that was seen first
	newest  int32   // slot + 1 of the flow that was seen last
	free    int32   // first free slot + 1, linked by younger
	n       int
}

type activeFlow struct {
	key     uint64
	seen    core.Time
	older   int32 // slots + 1 in the order of seen
	younger int32
	chain   int32 // next slot + 1 of the hash chain
}

// FlowKey returns the key of a packet's flow, a hash of both ends' addresses and ports. Keys
// of different flows are equal with probability 2^-64.
func FlowKey(p *core.Packet) uint64 {
	nodes := uint64(uint32(p.Src))<<32 | uint64(uint32(p.Dst))
	ports := uint64(p.SrcPort)<<16 | uint64(p.DstPort)
	return core.Mix64(nodes ^ core.Mix64(ports+0x9e3779b97f4a7c15))
}

// Reset empties the set. A flow is active until timeout after it was last seen, inclusive.
func (a *ActiveFlows) Reset(timeout core.Duration) {
	flows, heads := a.flows[:0], a.heads
	clear(heads)
	*a = ActiveFlows{timeout: timeout, flows: flows, heads: heads}
}

// Len returns the number of flows that were active at the last See or Expire.
func (a *ActiveFlows) Len() int { return a.n }

// Expire forgets the flows that have not been seen for too long.
func (a *ActiveFlows) Expire(now core.Time) {
	for a.oldest != 0 && now.Sub(a.flows[a.oldest-1].seen) > a.timeout {
		a.forget(a.oldest)
	}
}

// See notes that a flow is active now and returns its slot; fresh says that it was not.
func (a *ActiveFlows) See(now core.Time, key uint64) (slot int, fresh bool) {
	a.Expire(now)
	i := a.find(key)
	if fresh = i == 0; fresh {
		i = a.add(key)
	} else if i != a.newest {
		a.unlink(i)
		a.link(i)
	}
	a.flows[i-1].seen = now
	return int(i - 1), fresh
}

// Forget ends the activity of the flow that has a slot.
func (a *ActiveFlows) Forget(slot int) { a.forget(int32(slot) + 1) }

// Oldest returns the slot of the flow that has been silent for longest, or -1.
func (a *ActiveFlows) Oldest() int { return int(a.oldest) - 1 }

// Younger returns the slot of the flow that was seen next after that of a slot, or -1.
func (a *ActiveFlows) Younger(slot int) int { return int(a.flows[slot].younger) - 1 }

func (a *ActiveFlows) bucket(key uint64) *int32 {
	return &a.heads[core.Mix64(key)&uint64(len(a.heads)-1)]
}

func (a *ActiveFlows) find(key uint64) int32 {
	if len(a.heads) == 0 {
		return 0
	}
	i := *a.bucket(key)
	for i != 0 && a.flows[i-1].key != key {
		i = a.flows[i-1].chain
	}
	return i
}

func (a *ActiveFlows) add(key uint64) int32 {
	i := a.free
	if i != 0 {
		a.free = a.flows[i-1].younger
	} else {
		a.flows = append(a.flows, activeFlow{})
		i = int32(len(a.flows))
		if len(a.flows) > len(a.heads) {
			a.grow()
		}
	}
	head := a.bucket(key)
	a.flows[i-1] = activeFlow{key: key, chain: *head}
	*head = i
	a.link(i)
	a.n++
	return i
}

// grow doubles the hash table. The slot just made is not in a chain yet.
func (a *ActiveFlows) grow() {
	a.heads = make([]int32, max(8, 2*len(a.heads)))
	for i := a.oldest; i != 0; i = a.flows[i-1].younger {
		head := a.bucket(a.flows[i-1].key)
		a.flows[i-1].chain, *head = *head, i
	}
}

// link makes flow i the newest.
func (a *ActiveFlows) link(i int32) {
	f := &a.flows[i-1]
	f.older, f.younger = a.newest, 0
	if a.newest != 0 {
		a.flows[a.newest-1].younger = i
	} else {
		a.oldest = i
	}
	a.newest = i
}

func (a *ActiveFlows) unlink(i int32) {
	f := &a.flows[i-1]
	if f.older != 0 {
		a.flows[f.older-1].younger = f.younger
	} else {
		a.oldest = f.younger
	}
	if f.younger != 0 {
		a.flows[f.younger-1].older = f.older
	} else {
		a.newest = f.older
	}
}

// forget gives the slot of flow i back.
func (a *ActiveFlows) forget(i int32) {
	f := &a.flows[i-1]
	at := a.bucket(f.key)
	for *at != i {
		at = &a.flows[*at-1].chain
	}
	*at = f.chain
	a.unlink(i)
	f.younger, a.free = a.free, i
	a.n--
}
