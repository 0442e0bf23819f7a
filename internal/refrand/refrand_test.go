package refrand

import "testing"

// The numbers were printed by the reference simulator.
func TestFirstOutputs(t *testing.T) {
	want := map[uint64]float64{
		374: 0.9328885669915058, 375: 0.44125028554817186, 376: 0.06448707576219732,
		377: 0.5595322610770144, 159: 0.7545982852942412, 333: 0.7489254613817894,
	}
	for stream, u := range want {
		if got := NewFirstOfEach(stream).Float64(); got != u {
			t.Errorf("stream %d begins with %v, want %v", stream, got, u)
		}
		if got := NewStream(stream).Float64(); got != u {
			t.Errorf("stream %d begins with %v, want %v", stream, got, u)
		}
	}
	f := NewFirstOfEach(374)
	for s := uint64(374); s <= 377; s++ {
		if got := f.Float64(); got != want[s] {
			t.Errorf("moving on to stream %d gives %v, want %v", s, got, want[s])
		}
	}
}

func TestCRand(t *testing.T) {
	c := NewCRand(1)
	for i, want := range []uint32{1804289383, 846930886, 1681692777, 1714636915, 1957747793} {
		if got := c.Uint32(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
}
