package rocc_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/algorithms/rocc"
	"github.com/qbb-sim/qbb/core"
)

var factory = algotest.NewFactory(rocc.Defaults, rocc.New)

func TestConformance(t *testing.T) { algotest.Scheme(t, factory) }

func TestScripts(t *testing.T) { algotest.RunScripts(t, factory) }

func FuzzSender(f *testing.F) { algotest.FuzzSender(f, factory) }

func TestParametersOutOfRange(t *testing.T) {
	algotest.Refuses(t, factory, "period=0", "min_rate=1Mbps", "q_ref=-1", "q_mid=-1", "q_max=-1",
		"alpha=-1", "beta=NaN", "flow_timeout=-1us", "recovery_timer=-1us", "recovery_timer=40us")
}

func BenchmarkStep(b *testing.B) {
	algotest.BenchmarkStep(b, factory, func(i int, s *algorithms.Signal) {
		s.Kind, s.Feedback = algorithms.Switch, int32(1<<18|1000+i&7)
	})
}

// All flows of a queue get the same rate. From the lowest rate it takes some 5 ms to rise again,
// while the link is half used: hence the long run.
func TestConvergence(t *testing.T) {
	algotest.Fair(t, factory, 25*core.Millisecond, nil)
}

// A rate is doubled after five periods without a notification, whatever the period. A timer that is no longer than a period
// would double it between one notification and the next.
func TestRecoveryTimer(t *testing.T) {
	for _, c := range []struct {
		params map[string]string
		want   core.Duration
	}{
		{nil, 200 * core.Microsecond},
		{map[string]string{"period": "400us"}, 2 * core.Millisecond},
		{map[string]string{"period": "400us", "recovery_timer": "401us"}, 401 * core.Microsecond},
	} {
		scheme, err := factory(c.params)
		if err != nil {
			t.Fatal(err)
		}
		sender, answer := scheme.NewSender(), algorithms.Control{}
		sender.Start(0, &algorithms.Flow{Line: 40 * core.Gbps}, &answer)
		s := algorithms.Signal{Kind: algorithms.Switch, Feedback: 1<<18 | 1000}
		s.Now = core.Time(core.Millisecond)
		if sender.Step(&s, &answer); answer.Wake != s.Now.Add(c.want) {
			t.Errorf("%v: the rate is doubled at %v, want after %v", c.params, answer.Wake, c.want)
		}
	}
	if _, err := factory(map[string]string{"period": "400us", "recovery_timer": "400us"}); err == nil {
		t.Error("a recovery_timer of a period is accepted")
	}
}
