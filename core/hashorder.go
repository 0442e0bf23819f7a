package core

// HashOrder keeps keys in the order in which the hash tables of NS-3's programs iterate over them: an unordered_map of
// libstdc++, which chains all keys in one list. A new key goes to the head of its bucket's group if another key of the
// bucket is present, else to the head of the whole list. Keys are distinct, their hashes need not be.
type HashOrder[K comparable] struct {
	hash    func(K) uint64
	first   *ordered[K]
	of      map[K]*ordered[K]
	groups  map[uint64]*ordered[K] // by bucket: the first of its keys, which stand together
	buckets uint64
}

// ordered is a key's place in the order.
type ordered[K comparable] struct {
	key           K
	before, after *ordered[K]
}

// bucketCounts are the sizes that such a table takes in turn.
var bucketCounts = [...]uint64{
	1, 13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061,
	712697, 1447153, 2938679,
}

// NewHashOrder returns the order of no keys, for those with such hashes.
func NewHashOrder[K comparable](hash func(K) uint64) *HashOrder[K] { return &HashOrder[K]{hash: hash} }

// Add inserts a key that is not there.
func (h *HashOrder[K]) Add(key K) {
	if uint64(len(h.of)+1) > h.buckets {
		h.grow()
	}
	h.insert(key)
}

// grow takes the next size and inserts everything again.
func (h *HashOrder[K]) grow() {
	for _, n := range bucketCounts {
		if n > h.buckets {
			h.buckets = n
			break
		}
	}
	old := h.first
	h.first, h.of, h.groups = nil, make(map[K]*ordered[K]), make(map[uint64]*ordered[K])
	for o := old; o != nil; o = o.after {
		h.insert(o.key)
	}
}

func (h *HashOrder[K]) insert(key K) {
	o, bucket := &ordered[K]{key: key, after: h.first}, h.hash(key)%h.buckets
	if group := h.groups[bucket]; group != nil {
		o.before, o.after = group.before, group
	}
	if o.before != nil {
		o.before.after = o
	} else {
		h.first = o
	}
	if o.after != nil {
		o.after.before = o
	}
	h.of[key], h.groups[bucket] = o, o
}

// Remove takes a key out, if it is there.
func (h *HashOrder[K]) Remove(key K) {
	o := h.of[key]
	if o == nil {
		return
	}
	delete(h.of, key)
	if o.before != nil {
		o.before.after = o.after
	} else {
		h.first = o.after
	}
	if o.after != nil {
		o.after.before = o.before
	}
	bucket := h.hash(key) % h.buckets
	switch {
	case h.groups[bucket] != o:
	case o.after != nil && h.hash(o.after.key)%h.buckets == bucket:
		h.groups[bucket] = o.after
	default:
		delete(h.groups, bucket)
	}
}

// Keys lists the keys in their order.
func (h *HashOrder[K]) Keys() (list []K) {
	for o := h.first; o != nil; o = o.after {
		list = append(list, o.key)
	}
	return list
}
