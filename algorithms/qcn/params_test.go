package qcn

import (
	"strings"
	"testing"
)

// A parameter out of range is refused by name, with the values that it may have.
func TestValidate(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"set_point", "99B"},
		{"weight", "11"},
		{"sample_base", "9999B"},
		{"sample_jitter", "1"},
		{"fair_gain", "1.5"},
		{"fair_window", "-1"},
		{"byte_reset", "-1"},
		{"byte_time", "0"},
		{"time_reset", "1ns"},
		{"period", "1ns"},
		{"threshold", "0"},
		{"hyper_after", "4"},
		{"ai", "-1"},
		{"hai", "-1"},
		{"min_rate", "-1"},
		{"gd", "-1"},
		{"min_dec_fac", "0"},
		{"jitter", "-0.1"},
		{"jitter", "NaN"},
	} {
		_, err := factory(map[string]string{c.name: c.value})
		if err == nil {
			t.Errorf("%s=%s is accepted", c.name, c.value)
		} else if msg := err.Error(); !strings.HasPrefix(msg, "qcn: ") || !strings.Contains(msg, c.name) || !strings.Contains(msg, "be") {
			t.Errorf("%s=%s: %q", c.name, c.value, msg)
		}
	}
}
