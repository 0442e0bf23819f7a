package dcqcn_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/dcqcn"
	"github.com/qbb-sim/qbb/core"
)

// Every preset is valid and has the values of its source; parameters set after it override it.
func TestPresets(t *testing.T) {
	const us = core.Microsecond
	for preset, want := range map[string]dcqcn.Params{
		"hpcc-sim": {AlphaTimer: us, DecreaseTimer: 4 * us, IncreaseTimer: 300 * us, G: 1. / 256, Alpha: "double", FastRecovery: 1, FirstRate: 1},
		"paper":    {AlphaTimer: 50 * us, DecreaseTimer: 50 * us, IncreaseTimer: 55 * us, G: 1. / 256, Alpha: "double", FastRecovery: 1, FirstRate: 1},
		"connectx4": {
			AlphaTimer: us, DecreaseTimer: 4 * us, IncreaseTimer: 300 * us, G: 5. / 1024, Alpha: "fixed10", FastRecovery: 1, FirstRate: 1,
			AI: 5 * core.Mbps, HAI: 50 * core.Mbps, MinRate: core.Mbps,
		},
	} {
		p := dcqcn.Params{Preset: preset}
		p.UsePreset()
		want.Preset = preset
		if err := p.Validate(); err != nil || p != want {
			t.Errorf("%s: %+v, %v; want %+v", preset, p, err, want)
		}
		if _, err := factory(map[string]string{"preset": preset, "ai": "7Mbps"}); err != nil {
			t.Errorf("%s with ai=7Mbps: %v", preset, err)
		}
	}
}
