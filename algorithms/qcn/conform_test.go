package qcn

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
)

var factory = algotest.NewFactory(Defaults, New)

var variants = map[string]algotest.Factory{
	"qcn":     factory,
	"af-qcn":  algotest.NewFactory(AFDefaults, New),
	"fqcn":    algotest.NewFactory(FQCNDefaults, New),
	"qcn-abc": algotest.NewFactory(AdaptiveDefaults, New),
	"qcn-t":   algotest.NewFactory(TimerDefaults, New),
}

func TestConformance(t *testing.T) {
	for name, f := range variants {
		t.Run(name, func(t *testing.T) { algotest.Scheme(t, f) })
	}
}

func TestScripts(t *testing.T) {
	for name, f := range variants {
		t.Run(name, func(t *testing.T) { algotest.RunScript(t, "testdata/"+name+".txt", f) })
	}
}

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }
