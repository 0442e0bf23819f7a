package nic

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// plainOrder is hashOrder written straight from its definition: a list that is searched.
type plainOrder struct {
	list    []*sender
	buckets uint64
}

func (h *plainOrder) add(s *sender) {
	if uint64(len(h.list)+1) > h.buckets {
		at := slices.IndexFunc(bucketCounts[:], func(n uint64) bool { return n > h.buckets })
		h.buckets = bucketCounts[at]
		old := h.list
		h.list = nil
		for _, o := range old {
			h.insert(o)
		}
	}
	h.insert(s)
}

func (h *plainOrder) insert(s *sender) {
	at := slices.IndexFunc(h.list, func(o *sender) bool { return hashKey(o)%h.buckets == hashKey(s)%h.buckets })
	h.list = slices.Insert(h.list, max(0, at), s)
}

func (h *plainOrder) remove(s *sender) {
	h.list = slices.DeleteFunc(h.list, func(o *sender) bool { return o == s })
}

// Queue pairs come and go, many of them in one bucket.
func TestHashOrder(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var plain plainOrder
		var order hashOrder
		var all []*sender
		for range 600 {
			if len(all) > 0 && rng.IntN(3) == 0 {
				at := rng.IntN(len(all))
				plain.remove(all[at])
				order.remove(all[at])
				all = slices.Delete(all, at, at+1)
			} else {
				s := &sender{prio: 3}
				s.srcPort = uint16(10_000 + rng.IntN(40))
				all = append(all, s)
				plain.add(s)
				order.add(s)
			}
			if got := order.senders(); !slices.Equal(got, plain.list) {
				t.Fatalf("seed %d: another order of %d queue pairs", seed, len(all))
			}
		}
		order.remove(&sender{}) // a queue pair that has never been in it
	}
}
