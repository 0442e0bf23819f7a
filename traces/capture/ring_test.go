package capture

import (
	"bytes"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// A ring keeps the last packets: up to a number of packets, or of bytes.
func TestRing(t *testing.T) {
	list := example()
	all := frames(t, written(t, options, list))
	for _, test := range []struct {
		text string
		want int
	}{{"3", 3}, {"3e0", 3}, {"1e5", len(all)}, {"100", len(all)}, {"1", 1}, {"480B", 4}, {"1B", 1}, {"1MB", len(all)}, {"", len(all)}} {
		o := options
		o.Snap = 64
		var err error
		if o.Ring, err = ParseRing(test.text); err != nil {
			t.Fatal(err)
		}
		got := frames(t, written(t, o, list))
		if len(got) != test.want {
			t.Errorf("ring %q keeps %d packets, want %d", test.text, len(got), test.want)
			continue
		}
		for i := range got {
			if want := all[len(all)-len(got)+i]; !bytes.Equal(got[i], want[:64]) {
				t.Errorf("ring %q: packet %d is not one of the last", test.text, i)
			}
		}
	}
	for _, text := range []string{"0", "-3", "x", "-5MB", "0B", "1.5", "1e99", "NaN"} {
		if _, err := ParseRing(text); err == nil {
			t.Errorf("ring %q is accepted", text)
		}
	}
}

// A ring of a number of bytes keeps the packets that fill it to the last byte, and writes them at the end; without a
// ring they are written as they come. All are counted.
func TestRingIsFull(t *testing.T) {
	list := example()
	var sizes []int
	size := func(o Options, list []traces.Sighting) (whole, early int) {
		var b bytes.Buffer
		w, err := NewWriter(&b, line(), o)
		if err != nil {
			t.Fatal(err)
		}
		head := b.Len()
		for i := range list {
			w.Add(&list[i])
		}
		early = b.Len() - head
		if err := w.Close(); err != nil || w.Seen() != int64(len(list)) {
			t.Errorf("%d packets seen of %d, %v", w.Seen(), len(list), err)
		}
		return b.Len() - head, early
	}
	for i := range list {
		whole, early := size(options, list[i:])
		if early != whole {
			t.Errorf("without a ring %d bytes of %d are written before the end", early, whole)
		}
		sizes = append(sizes, whole)
	}
	o := options
	for i := range sizes[1:] {
		for limit, want := range map[int]int{sizes[i] - 1: sizes[i+1], sizes[i]: sizes[i], sizes[i] + 1: sizes[i]} {
			o.Ring.Bytes = core.Bytes(limit)
			if whole, early := size(o, list); whole != want || early != 0 {
				t.Errorf("a ring of %d bytes: %d, and %d before the end; want %d and none", limit, whole, early, want)
			}
		}
	}
}

// A ring's memory follows its bound, not the length of the run.
func TestRingMemory(t *testing.T) {
	r := ring{limit: Ring{Packets: 10}}
	for range 100_000 {
		r.push(make([]byte, 100))
	}
	first, rest := r.kept()
	if kept := len(first) + len(rest); kept != 1000 || cap(r.buf) > 8000 {
		t.Errorf("a ring of 1000 bytes keeps %d and holds %d", kept, cap(r.buf))
	}
}

// A ring of a number of bytes never holds more, and the block that wraps from its end to its beginning is complete.
func TestRingHoldsItsBound(t *testing.T) {
	const limit = 100_000
	r := ring{limit: Ring{Bytes: limit}}
	var all []byte
	for i := range 1000 {
		block := bytes.Repeat([]byte{byte(i)}, 900+i%7)
		r.push(block)
		all = append(all, block...)
		first, rest := r.kept()
		kept := append(slices.Clone(first), rest...)
		if !bytes.HasSuffix(all, kept) || len(all) > limit && len(kept) <= limit-906 || cap(r.buf) > limit {
			t.Fatalf("after %d blocks: %d bytes kept, which are the last: %v; the ring holds %d", i+1, len(kept), bytes.HasSuffix(all, kept), cap(r.buf))
		}
	}
}
