package reproduce

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// A run is sampled from 0 on in equal steps, also at its end if a step falls there, and not after it; the flows of a
// tag, all, or none are followed. A sample covers everything up to its time.
func TestSamples(t *testing.T) {
	base := Case{
		Name: "c", Set: []string{"topology", "star:n=3,rate=10Gbps,delay=1us", "workload", "none", "cc", "none"},
		Flows:  []traces.Flow{flow(0, 2, 1e6, 0, "a"), flow(1, 2, 1e6, core.Time(core.Microsecond), "b")},
		Queues: starQueue(3),
	}
	for _, c := range []struct {
		every, stop, follow string
		samples             int
		flows               []int
	}{
		{"10us", "100us", everyFlow, 11, []int{0, 1}},
		{"10us", "99us", "b", 10, []int{1}},
		{"10us", "101us", "", 11, nil},
		{"0s", "100us", "a", 0, []int{0}},
	} {
		run := base
		run.Set, run.Follow = with(base.Set, "stop", c.stop), c.follow
		var err error
		if run.Every, err = core.ParseDuration(c.every); err != nil {
			t.Fatal(err)
		}
		tr, err := run.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(tr.Times) != c.samples || len(tr.Queue[0]) != c.samples || len(tr.Sent) != c.samples || !slices.Equal(tr.Flows, c.flows) || len(tr.Acked) != len(c.flows) {
			t.Errorf("every %s until %s: %d samples, flows %v; want %d, %v", c.every, c.stop, len(tr.Times), tr.Flows, c.samples, c.flows)
		}
		for i, at := range tr.Times {
			if at != 1e4*float64(i) {
				t.Errorf("sample %d is at %v ns", i, at)
			}
		}
		if c.samples == 0 {
			continue
		}
		last := c.samples - 1
		if rate := (tr.Sent[last] - tr.Sent[1]) * 8 / (tr.Times[last] - tr.Times[1]); math.Abs(rate-10) > 0.2 {
			t.Errorf("the port sends %v Gb/s", rate)
		}
		if grown := (tr.Queue[0][last] - tr.Queue[0][1]) * 8 / (tr.Times[last] - tr.Times[1]); math.Abs(grown-10) > 0.2 {
			t.Errorf("the queue grows by %v Gb/s, of 20 that come and 10 that go", grown)
		}
	}
	run := base
	run.Every = core.Millisecond
	tr, err := run.run(t.Context())
	if err != nil || len(tr.Ended) != 2 || len(tr.Times) != 3 { // 2 MB take 1.7 ms: the sample at 2 ms has seen all
		t.Errorf("without a stop: %d flows ended, samples at %v, %v", len(tr.Ended), tr.Times, err)
	}
}

// A third stage that has not begun when the run ends has no end.
func TestNoThirdStage(t *testing.T) {
	tr := &track{Queue: [][]float64{make([]float64, 700)}, Flows: []int{0}, Acked: [][]float64{make([]float64, 700)}}
	for ms := range 700 {
		tr.Times = append(tr.Times, 1e6*float64(ms))
	}
	if got := thirdByModel([]*track{tr}, usualStep); !math.IsInf(got, 1) {
		t.Errorf("it lasts %v ns", got)
	}
}
