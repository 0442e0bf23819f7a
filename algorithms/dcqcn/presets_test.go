package dcqcn_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/dcqcn"
	"github.com/qbb-sim/qbb/core"
)

// Every preset is valid; parameters set after it overwrite it.
func TestPresets(t *testing.T) {
	for preset, timer := range map[string]core.Duration{
		"hpcc-sim": 300 * core.Microsecond, "connectx4": 300 * core.Microsecond, "paper": 55 * core.Microsecond,
	} {
		p := dcqcn.Params{Preset: preset}
		p.UsePreset()
		if err := p.Validate(); err != nil || p.Preset != preset || p.IncreaseTimer != timer {
			t.Errorf("%s: %+v, %v; want an increase timer of %v", preset, p, err, timer)
		}
		if _, err := factory(map[string]string{"preset": preset, "ai": "7Mbps"}); err != nil {
			t.Errorf("%s with ai=7Mbps: %v", preset, err)
		}
	}
}
