package ibcc_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/ibcc"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(ibcc.Defaults, ibcc.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestConformanceOfPresets(t *testing.T) {
	for _, preset := range []string{"gran", "dcms"} {
		t.Run(preset, func(t *testing.T) {
			algotest.Scheme(t, func(params map[string]string) (algorithms.Scheme, error) {
				return factory(map[string]string{"preset": preset, "becn": "cn", "marking": "counter"})
			})
		})
	}
}

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "threshold=16", "marking_rate=65536", "packet_size=256", "buffer=-1",
		"ccti_increase=256", "ccti_timer=-1", "ccti_limit=65536", "ccti_min=128", "max_delay=-1ns", "max_delay=2h", "entries=0:1")
}

// Entries are pairs of a shift of 2 bits and a multiplier of 14.
func TestEntriesInText(t *testing.T) {
	for text, ok := range map[string]bool{
		"0:0": true, "3:16383": true, "0:0 3:100": true,
		"": false, "1": false, "x:1": false, "1:x": false, "-1:1": false, "4:1": false, "1:-1": false, "1:16384": false,
	} {
		if _, err := factory(map[string]string{"cct": "list", "entries": text}); (err == nil) != ok {
			t.Errorf("entries %q: %v", text, err)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(_ int, s *algorithms.Signal) { s.Kind = algorithms.Notify })
}

// Where a packet takes less than a nanosecond, the least that NS-3's clock counts, delays are of its true time.
func TestPacketsOfNoTime(t *testing.T) {
	scheme, err := factory(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, c := scheme.NewSender(), algorithms.Control{}
	s.Start(0, &algorithms.Flow{
		Line: 1600 * core.Gbps, MTU: 64, Packet: 112, BaseRTT: core.Microsecond, Timing: core.FixedPointNanos, Random: core.NewStream(1, core.StreamFlow, 0),
	}, &c)
	s.Step(&algorithms.Signal{Instant: core.Instant{Now: core.AtNanos(1), Born: core.Never}, Kind: algorithms.Notify}, &c)
	if c.Gap <= 0 || c.Gap > core.Microsecond {
		t.Errorf("the gap after a notification is %v", c.Gap)
	}
}
