package dcqcnpaper

import (
	"strings"
	"testing"
)

// A parameter out of range is refused by name, with the values that it may have.
func TestValidate(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"alpha_timer", "0"},
		{"rate_timer", "1ps"},
		{"byte_counter", "-1"},
		{"g", "0"},
		{"g", "NaN"},
		{"initial_alpha", "1.1"},
		{"fast_recovery", "0"},
		{"ai", "-1"},
		{"hai", "-1"},
		{"min_rate", "-1"},
		{"cnp_interval", "-1us"},
		{"cnp_gap", "-1us"},
		{"cnp_delay", "-1us"},
	} {
		_, err := factory(map[string]string{c.name: c.value})
		if err == nil {
			t.Errorf("%s=%s is accepted", c.name, c.value)
		} else if msg := err.Error(); !strings.HasPrefix(msg, "dcqcn-paper: ") || !strings.Contains(msg, c.name) || !strings.Contains(msg, "be") {
			t.Errorf("%s=%s: %q", c.name, c.value, msg)
		}
	}
}
