package algorithms

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// An explicit 0 is 0 where the zero value means something else, and what is printed can be read
// back.
func TestNone(t *testing.T) {
	for _, c := range []struct {
		text, printed string
		step          core.Rate // what the parameter means where auto is 10Gbps
	}{
		{"auto", "auto", 10 * core.Gbps},
		{" auto ", "auto", 10 * core.Gbps},
		{"0", "0bps", 0},
		{"0Mb/s", "0bps", 0},
		{"1bps", "1bps", 1},
	} {
		for range 2 { // the second time from what was printed
			var p rangedParams
			if err := SetParam(&p, "step", c.text); err != nil {
				t.Fatal(err)
			}
			if got := ValueOr(p.Step, 10*core.Gbps); got != c.step {
				t.Errorf("step=%s means %v, want %v", c.text, got, c.step)
			}
			if got := ParamValues(&p)["step"]; got != c.printed {
				t.Errorf("step=%s is printed %s, want %s", c.text, got, c.printed)
			}
			c.text = c.printed
		}
	}
	var p rangedParams
	if err := SetParam(&p, "period", "auto"); err == nil {
		t.Error("period=auto is taken, though 0 says it")
	}
	if err := SetParam(&p, "step", "none"); err == nil {
		t.Error("step=none is taken")
	}
}
