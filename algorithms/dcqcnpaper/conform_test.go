package dcqcnpaper

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
)

var factory = algotest.NewFactory(Defaults, New)

func TestConformance(t *testing.T) {
	for _, preset := range []string{"paper", "connectx4", "hpcc-sim"} {
		t.Run(preset, func(t *testing.T) {
			algotest.Scheme(t, func(params map[string]string) (algorithms.Scheme, error) {
				return factory(map[string]string{"preset": preset})
			})
		})
	}
}

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }
