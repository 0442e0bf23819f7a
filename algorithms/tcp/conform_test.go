package tcp_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/tcp"
	"github.com/qbb-sim/qbb/core"
)

var factories = map[string]algotest.Factory{
	"reno":  algotest.NewFactory(tcp.RenoDefaults, tcp.NewReno),
	"cubic": algotest.NewFactory(tcp.CubicDefaults, tcp.NewCubic),
	"vegas": algotest.NewFactory(tcp.VegasDefaults, tcp.NewVegas),
	"dctcp": algotest.NewFactory(tcp.DCTCPDefaults, tcp.NewDCTCP),
}

func TestConformance(t *testing.T) {
	for name, factory := range factories {
		t.Run(name, func(t *testing.T) { algotest.Scheme(t, factory) })
	}
}

func TestScripts(t *testing.T) {
	for name, factory := range factories {
		t.Run(name, func(t *testing.T) { algotest.RunScriptsIn(t, "testdata/"+name, factory) })
	}
}

func FuzzReno(f *testing.F)  { algotest.FuzzSender(f, factories["reno"]) }
func FuzzCubic(f *testing.F) { algotest.FuzzSender(f, factories["cubic"]) }
func FuzzVegas(f *testing.F) { algotest.FuzzSender(f, factories["vegas"]) }
func FuzzDCTCP(f *testing.F) { algotest.FuzzSender(f, factories["dctcp"]) }

func TestParametersOutOfRange(t *testing.T) {
	for _, factory := range factories {
		algotest.Refuses(t, factory, "first_window=0", "first_window=NaN")
	}
	algotest.Refuses(t, factories["cubic"], "c=0", "beta=0", "beta=1")
	algotest.Refuses(t, factories["vegas"], "alpha=0", "beta=1", "gamma=0")
	algotest.Refuses(t, factories["dctcp"], "g=0", "g=2", "ack_every=0", "ack_delay=0")
}

func BenchmarkStep(b *testing.B) {
	for name, factory := range factories {
		b.Run(name, func(b *testing.B) {
			algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
				s.Kind, s.InFlight, s.Flags = algorithms.Ack, 1<<40, 0
				if i == 0 { // leave slow start
					s.Kind = algorithms.Loss
				}
			})
		})
	}
}

// With K of about 65 KB, two and eight windows of DCTCP become equal, slowly: one packet a round
// trip. Marking by chance around K keeps two flows from locking into step.
func TestDCTCPConvergence(t *testing.T) {
	r := algotest.Fair(t, factories["dctcp"], 40*core.Millisecond, func(b *algotest.Bottleneck) {
		b.KMin, b.KMax, b.PMax = 45_000, 85_000, 1
	})
	if q := r.QueueAfter(0.5); q > 150_000 {
		t.Errorf("the queue still reaches %v\n%s", q, r.Plot())
	}
}

// Losses make the windows of Reno and CUBIC equal.
func TestLossConvergence(t *testing.T) {
	for _, name := range []string{"reno", "cubic"} {
		algotest.Fair(t, factories[name], 200*core.Millisecond, func(b *algotest.Bottleneck) {
			b.Line, b.BaseRTT, b.Buffer = 10*core.Gbps, 50*core.Microsecond, 100_000
		})
	}
}
