package traces

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

func TestNanosAreExact(t *testing.T) {
	const limit = 1000 << 42 // picoseconds
	check := func(ps core.Duration) {
		if got := PicosOf(Nanos(ps)); got != ps {
			t.Errorf("%d ps comes back as %d", ps, got)
		}
	}
	for i := core.Duration(0); i < 5000; i++ {
		check(i)
		check(limit - 1 - i)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1_000_000 {
		check(core.Duration(r.Int64N(limit) >> r.IntN(40)))
	}
}

func TestSlowdown(t *testing.T) {
	for _, test := range []struct{ fct, ideal, want float64 }{{30, 20, 1.5}, {19, 20, 1}, {0, 20, 0}} {
		if got := Slowdown(test.fct, test.ideal); got != test.want {
			t.Errorf("Slowdown(%g, %g) = %g", test.fct, test.ideal, got)
		}
	}
}

// The reference's text has no slowdown, but the values to compute it from.
func TestSlowdownOfText(t *testing.T) {
	rows, err := ReadFCT("x", strings.NewReader("0b000001 0b000101 10000 100 1000 0 30 20\n"))
	if err != nil || len(rows) != 1 || rows[0].Slowdown != 1.5 {
		t.Errorf("%+v, %v", rows, err)
	}
}

// Ports count from 0, as in files of flows.
func TestFCTPorts(t *testing.T) {
	for ports, want := range map[string]string{"0 0": "", "65535 65535": "", "65536 0": "x:1: source port is out of range", "0 65536": "x:1: destination port is out of range"} {
		_, err := ReadFCT("x", strings.NewReader("0b000001 0b000101 "+ports+" 1000 0 30 20\n"))
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ports %s: %v", ports, err)
		}
	}
}
