package xcp

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Codes are ordered like their values: each has one value, greater than that of the code before,
// and is the code of that value.
func TestShortIsMonotone(t *testing.T) {
	before := -1.0
	for c := range math.MaxUint16 + 1 {
		v := short(c).value()
		if v <= before || shorten(v) != short(c) {
			t.Fatalf("code %d: value %v after %v, whose code is %d", c, v, before, shorten(v))
		}
		before = v
	}
	if before != mostShort || shorten(math.Inf(1)) != math.MaxUint16 || shorten(-1) != 0 || shorten(math.NaN()) != 0 {
		t.Errorf("the ends: %v, code of infinity %d, of -1 %d", before, shorten(math.Inf(1)), shorten(-1))
	}
}

// checkShort requires that a number in range is restored to within half a unit or 1/4096 of itself.
func checkShort(t *testing.T, what string, v, back float64) {
	t.Helper()
	if limit := max(0.5, v/4096); math.Abs(back-v) > limit {
		t.Errorf("%s of %v comes back as %v, off by more than %v", what, v, back, limit)
	}
}

func TestHeader(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		h := header{math.Exp2(42 * r.Float64()), math.Exp2(42*r.Float64()) / second, math.Exp2(60*r.Float64()-30) * (r.Float64() - 0.5)}
		got, ok := unpack(h.pack())
		checkShort(t, "cwnd", h.cwnd, got.cwnd)
		checkShort(t, "rtt", h.rtt*second, got.rtt*second)
		if !ok || math.Abs(got.feedback-h.feedback) > math.Abs(h.feedback)*0x1p-24 {
			t.Errorf("feedback %v comes back as %v (%v)", h.feedback, got.feedback, ok)
		}
	}
}

// A router changes only the feedback; what it reads is in range, whatever the word.
func FuzzHeader(f *testing.F) {
	f.Add(uint64(0), 0.0)
	f.Add((&header{162_500, 13e-6, -17.5}).pack(), 1.5)
	f.Add(^uint64(0), math.Inf(-1))
	f.Fuzz(func(t *testing.T, word uint64, bytes float64) {
		changed := withFeedback(word, bytes)
		if changed>>32 != word>>32 || math.Float64bits(feedback(changed)) != math.Float64bits(float64(float32(bytes))) && bytes == bytes {
			t.Errorf("%x with feedback %v is %x", word, bytes, changed)
		}
		h, ok := unpack(word)
		if ok != (h.cwnd > 0 && h.rtt > 0) || h.cwnd > mostShort || h.rtt > mostShort {
			t.Errorf("%x reads %+v, %v", word, h, ok)
		}
		if again, _ := unpack(h.pack()); again.cwnd != h.cwnd || again.rtt != h.rtt {
			t.Errorf("%+v packs to %+v", h, again)
		}
	})
}
