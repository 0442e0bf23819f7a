package core

// Ring is a growable first-in first-out queue on a circular buffer: once grown it does not
// allocate. The zero value is empty.
type Ring[T any] struct {
	buf  []T // length is a power of two
	head uint32
	n    uint32
}

// Len returns the number of elements.
func (r *Ring[T]) Len() int { return int(r.n) }

// Push appends v.
func (r *Ring[T]) Push(v T) {
	if int(r.n) == len(r.buf) {
		r.grow()
	}
	r.buf[(r.head+r.n)&uint32(len(r.buf)-1)] = v
	r.n++
}

// Front returns the first element in place. The ring must not be empty.
func (r *Ring[T]) Front() *T { return &r.buf[r.head] }

// at returns element i, counted from the front, in place.
func (r *Ring[T]) at(i int) *T { return &r.buf[(r.head+uint32(i))&uint32(len(r.buf)-1)] }

// Pop removes the first element and returns it. The ring must not be empty.
func (r *Ring[T]) Pop() T {
	v := r.buf[r.head]
	r.head = (r.head + 1) & uint32(len(r.buf)-1)
	r.n--
	return v
}

// Clear empties the ring and keeps its memory.
func (r *Ring[T]) Clear() { r.head, r.n = 0, 0 }

func (r *Ring[T]) grow() {
	buf := make([]T, max(4, 2*len(r.buf)))
	for i := range r.buf {
		buf[i] = *r.at(i)
	}
	r.buf, r.head = buf, 0
}
