//go:build cgo

package main

import (
	"sync"
	"sync/atomic"
)

// A handle's lower half is 1 + the index of its slot, its upper half the generation of the slot:
// how many handles it has served before. A slot that has served all generations is given up.

const (
	chunkSlots = 1 << 12
	maxChunks  = 1 << 12
	lastGen    = 1<<32 - 1
)

// table holds all objects that have handles. Looking up takes no lock.
type table struct {
	mu     sync.Mutex
	chunks [maxChunks]atomic.Pointer[[chunkSlots]slot]
	used   uint32   // slots that have ever been used
	free   []uint32 // slots that may be used again
	live   int64
}

type slot struct {
	held atomic.Pointer[held]
	gen  uint32
}

type held struct {
	handle uint64
	object any
}

// objects are those of the process.
var objects table

func (t *table) slot(i uint32) *slot {
	if i >= maxChunks*chunkSlots {
		return nil
	}
	c := t.chunks[i/chunkSlots].Load()
	if c == nil {
		return nil
	}
	return &c[i%chunkSlots]
}

// add gives an object a handle, or 0 if there are too many.
func (t *table) add(object any) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := t.used
	switch n := len(t.free); {
	case n > 0:
		i, t.free = t.free[n-1], t.free[:n-1]
	case i == maxChunks*chunkSlots:
		return 0
	default:
		if i%chunkSlots == 0 {
			t.chunks[i/chunkSlots].Store(new([chunkSlots]slot))
		}
		t.used++
	}
	s := t.slot(i)
	handle := uint64(s.gen)<<32 | uint64(i+1)
	s.held.Store(&held{handle, object})
	t.live++
	return handle
}

// find returns the object of a handle, or nil.
func (t *table) find(handle uint64) any {
	s := t.slot(uint32(handle) - 1)
	if s == nil {
		return nil
	}
	if h := s.held.Load(); h != nil && h.handle == handle {
		return h.object
	}
	return nil
}

// remove makes a handle invalid, or reports that it was.
func (t *table) remove(handle uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.find(handle) == nil {
		return false
	}
	i := uint32(handle) - 1
	s := t.slot(i)
	s.held.Store(nil)
	t.live--
	if s.gen < lastGen {
		s.gen++
		t.free = append(t.free, i)
	}
	return true
}

// count returns the number of valid handles.
func (t *table) count() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.live
}
