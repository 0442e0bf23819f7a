package core

import (
	"math/rand/v2"
	"testing"
)

// Differences of quantised records are exact to the unit as long as they wrap at most once.
func TestQuantisedINTWraps(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, multi := range []int{1, 4} {
		f := QuantisedINT(multi)
		txUnit, queueUnit := Bytes(128*multi), Bytes(80*multi)
		for range 20000 {
			at, tx := Time(rng.Int64N(1e15)), Bytes(rng.Int64N(1e13))
			dt := Duration(rng.Int64N(1<<24-1)) * Nanosecond
			dx := Bytes(rng.Int64N(1<<20-1)) * txUnit
			queue := Bytes(rng.Int64N(1<<17)) * queueUnit
			old := f.Record(at, 100*Gbps, tx, 0)
			h := f.Record(at.Add(dt), 100*Gbps, tx+dx, queue+Bytes(rng.Int64N(int64(queueUnit))))
			if old.At >= 1<<24 || h.At >= 1<<24 || old.Tx >= 1<<20 || h.Tx >= 1<<20 || h.Queue >= 1<<17 {
				t.Fatalf("fields are too wide: %+v, %+v", old, h)
			}
			if got := f.Elapsed(&h, &old); got != dt {
				t.Fatalf("from %v for %v: got %v", at, dt, got)
			}
			if got := f.TxBytes(&h, &old); got != dx {
				t.Fatalf("from %d bytes, %d more: got %d", tx, dx, got)
			}
			if got := f.QueueBytes(&h); got != queue {
				t.Fatalf("queue: got %d, want %d", got, queue)
			}
		}
	}
	f := QuantisedINT(1)
	h := f.Record(AtNanos(1<<24+5)+999, Gbps, 128<<20+300, 80<<17+79)
	if want := (Hop{Line: Gbps, At: 5, Tx: 2, Queue: 0}); h != want {
		t.Errorf("got %+v, want %+v", h, want)
	}
	if f.MaxHops != 5 {
		t.Errorf("%d hops, want 5", f.MaxHops)
	}
}

func TestFullINTIsExact(t *testing.T) {
	f := FullINT(9)
	old, h := f.Record(1, Gbps, 3, 3), f.Record(Never-1, Gbps, 1<<60, 1<<50+1)
	if f.Elapsed(&h, &old) != Never.Sub(2) || f.TxBytes(&h, &old) != 1<<60-3 || f.QueueBytes(&h) != 1<<50+1 || f.MaxHops != 9 {
		t.Errorf("got %v, %d bytes, queue %d, %d hops", f.Elapsed(&h, &old), f.TxBytes(&h, &old), f.QueueBytes(&h), f.MaxHops)
	}
}

// Formats with units and widths of their own, as a C host may have them, are written as they say.
func TestINTInAnyUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	units := []int64{1, 2, 80, 128, 1000} // those of the reference among them
	for range 2000 {
		unit := func() int64 { return units[rng.IntN(len(units))] }
		mask := func() uint64 { return ^uint64(0) >> rng.IntN(48) }
		f := INTFormat{
			TimeUnit: Duration(unit()), TxUnit: Bytes(unit()), QueueUnit: Bytes(unit()),
			TimeMask: mask(), TxMask: mask(), QueueMask: mask(), MaxHops: 5,
		}
		at, tx, queue := Time(rng.Int64N(1e15)), Bytes(rng.Int64N(1e13)), Bytes(rng.Int64N(1e9))
		want := Hop{
			Line: Gbps, At: uint64(at) / uint64(f.TimeUnit) & f.TimeMask,
			Tx: uint64(tx) / uint64(f.TxUnit) & f.TxMask, Queue: uint64(queue) / uint64(f.QueueUnit) & f.QueueMask,
		}
		if got := f.Record(at, Gbps, tx, queue); got != want {
			t.Fatalf("%+v at %v: got %+v, want %+v", f, at, got, want)
		}
		over := Hop{Flows: 7} // of another packet
		if f.Stamp(&over, at, Gbps, tx, queue); over != want {
			t.Fatalf("%+v at %v: stamped %+v, want %+v", f, at, over, want)
		}
	}
}
