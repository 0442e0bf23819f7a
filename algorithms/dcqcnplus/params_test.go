package dcqcnplus

import (
	"strings"
	"testing"
)

// A parameter out of range is refused by name, with the values that it may have.
func TestValidate(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"cnp_gap", "0"},
		{"min_period", "0"},
		{"cnp_hold", "-1us"},
		{"flow_hold", "44us"},
		{"lambda", "0"},
		{"lambda", "NaN"},
		{"g", "2"},
		{"fast_recovery", "0"},
		{"min_rate", "-1"},
	} {
		_, err := factory(map[string]string{c.name: c.value})
		if err == nil {
			t.Errorf("%s=%s is accepted", c.name, c.value)
		} else if msg := err.Error(); !strings.HasPrefix(msg, "dcqcn-plus: ") || !strings.Contains(msg, c.name) || !strings.Contains(msg, "be") {
			t.Errorf("%s=%s: %q", c.name, c.value, msg)
		}
	}
}
