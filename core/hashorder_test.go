package core

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// plainOrder is HashOrder written straight from its definition: a list that is searched.
type plainOrder struct {
	list    []*keyed
	buckets uint64
}

func (h *plainOrder) add(s *keyed) {
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

func (h *plainOrder) insert(s *keyed) {
	at := slices.IndexFunc(h.list, func(o *keyed) bool { return hashOfKeyed(o)%h.buckets == hashOfKeyed(s)%h.buckets })
	h.list = slices.Insert(h.list, max(0, at), s)
}

func (h *plainOrder) remove(s *keyed) {
	h.list = slices.DeleteFunc(h.list, func(o *keyed) bool { return o == s })
}

// keyed is a key; another one may have the same hash.
type keyed struct{ hash uint64 }

func hashOfKeyed(k *keyed) uint64 { return k.hash }

// Keys come and go, many of them in one bucket.
func TestHashOrder(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var plain plainOrder
		order := NewHashOrder(hashOfKeyed)
		var all []*keyed
		for range 600 {
			if len(all) > 0 && rng.IntN(3) == 0 {
				at := rng.IntN(len(all))
				plain.remove(all[at])
				order.Remove(all[at])
				all = slices.Delete(all, at, at+1)
			} else {
				s := &keyed{1<<40 + uint64(rng.IntN(40))<<16}
				all = append(all, s)
				plain.add(s)
				order.Add(s)
			}
			if got := order.Keys(); !slices.Equal(got, plain.list) {
				t.Fatalf("seed %d: another order of %d keys", seed, len(all))
			}
		}
		order.Remove(&keyed{}) // a key that has never been in it
	}
}

// The checksums are those of a C++ program that inserts the same keys into libstdc++'s
// unordered_map<uint16_t, int> and iterates.
func TestHashOrderOfLibstdcxx(t *testing.T) {
	order := NewHashOrder(func(k uint16) uint64 { return uint64(k) })
	seen := make(map[uint16]bool)
	x := uint32(12345)
	want := map[int]uint64{10: 10654883979132027986, 100: 7067008104042886195, 999: 11489501592381148309, 29999: 7579669496580218408}
	for i := range 30000 {
		x = x*1103515245 + 12345
		if k := uint16(x >> 16); !seen[k] {
			seen[k] = true
			order.Add(k)
		}
		if sum, ok := want[i]; ok {
			h := uint64(1469598103934665603)
			for _, k := range order.Keys() {
				h = (h ^ uint64(k)) * 1099511628211
			}
			if h != sum {
				t.Errorf("order of %d keys differs", len(seen))
			}
		}
	}
}
