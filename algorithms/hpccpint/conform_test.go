package hpccpint_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/hpccpint"
)

var factory = algotest.NewFactory(hpccpint.Defaults, hpccpint.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

// 1/512 to 512 are ln 512^2/ln base digests: 62,389 of base 1.0002, but 124,777 of 1.0001, which 2 bytes do not tell apart.
func TestLeastBase(t *testing.T) {
	algotest.Refuses(t, factory, "log_base=1.0001", "log_base=NaN")
	if _, err := factory(map[string]string{"log_base": "1.0002"}); err != nil {
		t.Error(err)
	}
}

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }
