//go:build cgo

package main

import (
	"sync"
	"testing"
)

// TestTable adds, finds and removes at random in several goroutines: a handle finds its object
// until it is removed, and never again.
func TestTable(t *testing.T) {
	var objects table
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var mine []uint64
			for i := range 20000 {
				if i%3 != 2 {
					p := new(int)
					h := objects.add(p)
					if objects.find(h) != p {
						t.Errorf("%#x does not find its object", h)
					}
					mine = append(mine, h)
					continue
				}
				h := mine[i%len(mine)]
				mine[i%len(mine)] = mine[len(mine)-1]
				mine = mine[:len(mine)-1]
				if !objects.remove(h) || objects.remove(h) || objects.find(h) != nil {
					t.Errorf("%#x is not removed once", h)
				}
			}
			for _, h := range mine {
				if !objects.remove(h) {
					t.Errorf("%#x is not there", h)
				}
			}
		})
	}
	wg.Wait()
	if n := objects.count(); n != 0 {
		t.Errorf("%d are left", n)
	}
	if most := uint32(4 * (20000/3 + 2)); objects.used > most {
		t.Errorf("%d slots were used for at most %d objects at once", objects.used, most)
	}
}

// TestTableEnds requires that a slot is given up after its last generation, and that a full table
// gives no handle.
func TestTableEnds(t *testing.T) {
	var objects table
	first := objects.add(t)
	objects.slot(0).gen = lastGen
	if !objects.remove(first) {
		t.Fatal("not removed")
	}
	if h := objects.add(t); uint32(h) == uint32(first) {
		t.Errorf("%#x uses a slot again that has no generation left", h)
	}
	objects.used = maxChunks * chunkSlots
	if h := objects.add(t); h != 0 {
		t.Errorf("a full table gave %#x", h)
	}
	for _, h := range []uint64{0, 1<<32 - 1, 1<<64 - 1, 1 << 32} {
		if objects.find(h) != nil || objects.remove(h) {
			t.Errorf("%#x finds something", h)
		}
	}
}

// TestFullTable requires that whoever asks for a handle is told that there are too many, objects and nodes alike.
func TestFullTable(t *testing.T) {
	used, free := objects.used, objects.free
	objects.used, objects.free = maxChunks*chunkSlots, nil
	defer func() { objects.used, objects.free = used, free }()
	for what, f := range map[string]*failure{"an object": keep(t, nil), "a node": new(network).add(new(node), nil)} {
		if f == nil || f.text != "too many handles: free some" {
			t.Errorf("%s: %+v", what, f)
		}
	}
}
