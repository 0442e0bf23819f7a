package rocc

import (
	"cmp"

	"github.com/qbb-sim/qbb/core"
)

// fair is the computation of the fair rate, in the paper's units.
type fair struct {
	rate, old      float64 // F, Qold
	low, high      float64 // Fmin, Fmax
	ref, mid, most float64
	alpha, beta    float64
}

// newFair returns the computation of a link; it begins with the line rate.
func newFair(p *Params, line core.Rate) fair {
	ref := float64(cmp.Or(p.QRef, 50_000+line.BytesIn(20*core.Microsecond)))
	mid := cmp.Or(float64(p.QMid), 2*ref)
	alpha, beta := 0.45, 2.25
	if line <= 40*core.Gbps {
		alpha, beta = 0.3, 1.5
	}
	high := float64(line) / float64(rateUnit)
	return fair{
		rate: high, high: high, low: min(high, float64(p.MinRate)/float64(rateUnit)),
		ref:   ref / queueUnit,
		mid:   mid / queueUnit,
		most:  cmp.Or(float64(p.QMax), mid+60_000) / queueUnit,
		alpha: cmp.Or(p.Alpha, alpha), beta: cmp.Or(p.Beta, beta),
	}
}

// next ends a period with queue units of 600 B left (RoCC, algorithm 1).
func (f *fair) next(queue float64) {
	switch fast := f.rate > f.high/8; {
	case queue >= f.most && fast:
		f.rate = f.low
	case queue-f.old >= f.mid && fast:
		f.rate /= 2
	default:
		r := f.tuning()
		f.rate -= float64(f.alpha/r*(queue-f.ref)) + float64(f.beta/r*(queue-f.old))
	}
	f.rate = min(max(f.rate, f.low), f.high)
	f.old = queue
}

// tuning returns the divisor of the gains: the slower the flows, the finer their steps.
func (f *fair) tuning() float64 {
	level := 2.0
	for f.rate < f.high/level && level < 64 {
		level *= 2
	}
	return level / 2
}

// settled reports whether periods with the same queue would change nothing.
func (f *fair) settled(queue float64) bool {
	return queue == f.old && (f.rate == f.high && queue <= f.ref || f.rate == f.low && queue >= f.ref)
}
