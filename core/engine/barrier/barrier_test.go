package barrier

import "testing"

// After a sleep too long to spin for, the patience is halved, down to a minimum; after a spin that paid it is doubled,
// up to its first value. A short sleep leaves it as it is.
func TestPatience(t *testing.T) {
	var b Barrier
	b.Init(1)
	expect := func(want int32, when string) {
		t.Helper()
		if got := b.patience.Load(); got != want {
			t.Fatalf("%d spins %s, want %d", got, when, want)
		}
	}
	expect(mostSpins, "at first")
	for want := int32(mostSpins); want > fewestSpins; {
		if b.spin(b.held.Load()) {
			t.Fatal("a meeting that was not held is over")
		}
		b.woken(outOfReach)
		expect(want, "after a short sleep")
		b.woken(outOfReach + 1)
		want /= 2
		expect(want, "after a long sleep")
	}
	b.woken(outOfReach + 1)
	expect(fewestSpins, "at least")
	for want := int32(fewestSpins); want < mostSpins; {
		if !b.spin(b.held.Load() - 1) {
			t.Fatal("a meeting that was held is not over")
		}
		want *= 2
		expect(want, "where it paid")
	}
	b.spin(b.held.Load() - 1)
	expect(mostSpins, "at most")
}

// More threads than processors do not spin.
func TestNoPatience(t *testing.T) {
	var b Barrier
	b.Init(1 << 20)
	if b.most != 0 {
		t.Errorf("%d spins with more threads than processors", b.most)
	}
}
