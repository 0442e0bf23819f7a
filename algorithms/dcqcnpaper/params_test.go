package dcqcnpaper

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Every preset is valid and has the values of its source: table 1 of DCQCN+ for the first two.
func TestPresets(t *testing.T) {
	const us = core.Microsecond
	for _, want := range []Params{
		{
			Preset: "paper", AlphaTimer: 55 * us, RateTimer: 55 * us, ByteCounter: 10_000_000, G: 1. / 256, InitialAlpha: 1,
			FastRecovery: 5, AI: 40 * core.Mbps, HAI: 100 * core.Mbps, MinRate: core.Mbps, ClampTarget: true, CNPInterval: 50 * us,
		},
		{
			Preset: "connectx4", AlphaTimer: us, RateTimer: 300 * us, ByteCounter: 2_000_000, G: 1. / 256, InitialAlpha: 1,
			FastRecovery: 5, AI: 5 * core.Mbps, HAI: 40 * core.Mbps, MinRate: core.Mbps, CNPGap: us,
		},
		{
			Preset: "hpcc-sim", AlphaTimer: us, RateTimer: 300 * us, G: 1. / 256, InitialAlpha: 1, FastRecovery: 2, CNPInterval: 4 * us,
		},
	} {
		p := Params{Preset: want.Preset}
		p.UsePreset()
		if err := p.Validate(); err != nil || p != want {
			t.Errorf("%s: %+v, %v; want %+v", want.Preset, p, err, want)
		}
	}
}

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
