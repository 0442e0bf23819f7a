package dcqcnplus

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms/algotest"
)

var factory = algotest.NewFactory(Defaults, New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }
