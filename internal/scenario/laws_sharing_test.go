package scenario

import (
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// sharing are the laws of flows that come and go.
var sharing = []law{
	{
		scheme: "swift", says: "mean completion time over that of a mean flow alone: processor sharing of the same arrivals, in the long run 1/(1 - rho)", source: "Kleinrock, JACM 1967",
		where: "Poisson arrivals of 500 flows with exponential sizes, 500 KB on average, over a link of 10 Gb/s, 7 us", by: "load rho", at: []float64{0.3, 0.5, 0.7},
		share: 0.05, why: "round trips, and those that flows need to find their shares",
		try: func(t *testing.T, x float64) (float64, float64) { return completion(t, "swift", x) },
	},
	{
		scheme: "bolt", says: "the same", source: "the same", where: "the same", by: "load rho", at: []float64{0.3, 0.5, 0.7},
		share: 0.05, why: "the same",
		try: func(t *testing.T, x float64) (float64, float64) { return completion(t, "bolt", x) },
	},
	{
		scheme: "rcp", says: "the same", source: "the same; Dukkipati et al., IWQoS 2005", where: "the same, first_rate = 1 kb/s", by: "load rho", at: []float64{0.3, 0.5, 0.7},
		share: 0.15, why: "the same, and the rate grows by 1.4 a round trip",
		try: func(t *testing.T, x float64) (float64, float64) {
			return completion(t, "{name: rcp, params: {first_rate: 1kbps}}", x)
		},
	},
}

// completion is the mean completion time, under processor sharing and simulated, of flows that load a link of 10 Gb/s
// to a fraction rho, relative to the time that their mean size takes there.
func completion(t *testing.T, cc string, rho float64) (predicted, simulated float64) {
	const hosts, flows, mean = 40, 500, 500
	s := unsampled(t, nil, "topology", "dumbbell:n=40,right=1,rate=40Gbps,bottleneck=10Gbps", "cc", cc)
	packet := float64(s.Profile.Timing.TxTime(s.MTU+s.Header, 10*core.Gbps))
	rng := rand.New(rand.NewPCG(1, uint64(100*rho)))
	at, all := 0.0, 0.0
	var jobs []job
	for i := range core.NodeID(flows) {
		at += mean * packet / rho * rng.ExpFloat64()
		packets := 1 + int64(mean*rng.ExpFloat64())
		jobs, all = append(jobs, job{at: at, work: float64(packets) * packet}), all+float64(packets)*packet
		s.Flows = append(s.Flows, sim.Flow{Src: i % hosts, Dst: hosts, Bytes: packets * int64(s.MTU), Start: core.Time(at), Prio: 3, DstPort: 100})
	}
	_, q := play(t, s)
	for i := range q.ends {
		simulated += float64(q.ends[i].FCT)
	}
	return processorSharing(jobs) / all, simulated / all
}

// job arrives at a time and takes as long as its work if it is alone.
type job struct{ at, work float64 }

// processorSharing is the sum of the times that jobs take if a processor divides itself equally among those present.
func processorSharing(jobs []job) (sum float64) {
	var left []float64 // of those present
	for now := 0.0; len(jobs) > 0 || len(left) > 0; {
		step := -1.0 // to the next end or arrival
		for _, w := range left {
			if end := w * float64(len(left)); step < 0 || end < step {
				step = end
			}
		}
		if len(jobs) > 0 && (step < 0 || jobs[0].at-now < step) {
			step = max(0, jobs[0].at-now)
		}
		now, sum = now+step, sum+step*float64(len(left))
		there := left[:0]
		for _, w := range left {
			if w -= step / float64(len(left)); w > 1 {
				there = append(there, w)
			}
		}
		left = there
		if len(jobs) > 0 && jobs[0].at <= now {
			left, jobs = append(left, jobs[0].work), jobs[1:]
		}
	}
	return sum
}
