package ndp_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/ndp"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(ndp.Defaults, ndp.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "initial_window=-1", "initial_window=1000001", "pull_rate=0", "pull_rate=1.1", "pull_rate=NaN", "rto=0s", "rto=1001s")
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		switch i % 3 {
		case 0:
			s.Kind, s.Aux = algorithms.Grant, uint64(i/3)
		case 1:
			s.Kind = algorithms.Sent
		default:
			s.Kind = algorithms.Ack
		}
	})
}

// The pull queue serves its flows in turn. Nothing comes to the queue beyond the first windows of 233 packets, of which it
// has sent 156, those of a round trip of 13 us, less the one that it is sending, when the first pulled packet comes.
func TestConvergence(t *testing.T) {
	r := algotest.Fair(t, factory, 2*core.Millisecond, nil)
	if q, want := r.MaxQueue, core.Bytes(8*233-156+1)*1048; q != want {
		t.Errorf("the queue reaches %v, want %v\n%s", q, want, r.Plot())
	}
}
