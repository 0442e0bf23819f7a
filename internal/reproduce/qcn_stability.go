package reproduce

import (
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
)

func stabilityDelays() []string {
	return []string{"10us", "50us", "100us", "200us", "500us", "1ms", "2ms", "5ms"}
}

// marginDelays are those among which the largest stable one is looked for: from 200 us on they grow by a tenth.
func marginDelays() []string {
	return append(stabilityDelays()[:4], "220us", "242us", "266us", "293us", "322us", "354us", "390us", "429us", "472us",
		"519us", "571us", "628us", "691us", "760us", "836us", "920us", "1012us", "1113us", "1224us", "1347us", "1481us")
}

// bothDelays are all of these, without those given twice.
func bothDelays(quick bool) []string {
	if quick {
		return stabilityDelays()
	}
	return append(stabilityDelays(), marginDelays()[4:]...)
}

// stabilityCases have 10 senders for each delay, and other numbers at the smallest one.
func stabilityCases(quick bool) (cases []Case) {
	stop := qcnStop(quick, 5*core.Second)
	for i, v := range qcnVariants()[:2] {
		for _, d := range bothDelays(quick) {
			cases = append(cases, byMedian(qcnCase(fmt.Sprintf("delay-%d-%s", i, d), 10, "1Gbps", d, stop, v.set...), quick)...)
		}
		for _, n := range []int{2, 5} {
			cases = append(cases, byMedian(qcnCase(fmt.Sprintf("senders-%d-%d", i, n), n, "1Gbps", "10us", stop, v.set...), quick)...)
		}
	}
	return cases
}

func queueDeviation(t *track) float64 { return deviation(late(t)) }

// lateRate is the rate in the last half of a run, bit/s.
func lateRate(t *track) float64 {
	return t.growth(t.Sent, lastHalf(t.Times)[0], math.Inf(1)) * 8e9
}

// stableDelay is the largest delay, ns, up to which all are stable for one of the variants: the queue's deviation is at
// most the set point, and the link is used at 95 %.
func stableDelay(r *Result, variant int) (stable float64) {
	delays := marginDelays()
	if r.Quick {
		delays = stabilityDelays()
	}
	for _, d := range delays {
		name := fmt.Sprintf("delay-%d-%s", variant, d)
		if medianOf(r, name, queueDeviation) > setPoint || medianOf(r, name, lateRate) < 0.95e9 {
			break
		}
		stable = delayOf(d)
	}
	return stable
}

// delayOf is a delay in ns.
func delayOf(text string) float64 {
	d, err := core.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d.Nanos()
}

func stability(r *Result) {
	f := figure.Figure{
		ID: "delay", Kind: figure.Lines, Title: "Deviation of the queue, 10 senders", Marks: true,
		X: figure.Axis{Label: "Link delay", Unit: figure.Time, Scale: figure.Log}, Y: figure.Axis{Label: "Deviation", Unit: figure.Bytes, From: figure.At(0)},
	}
	var least, margin []float64
	for i, v := range qcnVariants()[:2] {
		var x, y []float64
		for k, d := range bothDelays(r.Quick) {
			dev := medianOf(r, fmt.Sprintf("delay-%d-%s", i, d), queueDeviation)
			if k < len(stabilityDelays()) {
				x, y = append(x, delayOf(d)), append(y, dev)
			}
			r.also(fmt.Sprintf("deviation-%d-%s", i, d), fmt.Sprintf("%s, 10 senders, links of %s, deviation of the queue", v.name, d), "B", dev)
		}
		for _, n := range []int{2, 5} {
			dev := medianOf(r, fmt.Sprintf("senders-%d-%d", i, n), queueDeviation)
			r.also(fmt.Sprintf("deviation-%d-%d", i, n), fmt.Sprintf("%s, %d senders, links of 10us, deviation of the queue", v.name, n), "B", dev)
		}
		least, margin = append(least, y[0]), append(margin, stableDelay(r, i))
		r.also(fmt.Sprintf("stable-%d", i), fmt.Sprintf("%s, 10 senders, largest stable link delay", v.name), "us", margin[i]/1e3)
		f.Line(v.name, x, y)
	}
	r.measure("queue", least[0]/least[1])
	r.measure("margin", margin[1]/margin[0])
	r.draw(f)
}
