package scenario

import "math"

// The fluid model of DCQCN (Zhu et al., CoNEXT 2016, section 3), with the parameters of SIGCOMM 2015: byte counter B,
// timer T, F of both, the interval tau of CNPs and that of alpha, tau'.
const (
	fluidCounter, fluidTimer, fluidFast = 10e6, 55e-6, 5
	fluidCNP, fluidAlphaTimer           = 50e-6, 55e-6
	fluidGain                           = 1. / 256
)

// fluid is what the model says of a flow of some rate, in packets a second, whose packets are marked with some probability.
type fluid struct {
	alpha            float64 // towards which alpha moves
	cut              float64 // probability of a CNP in an interval
	byBytes, byTimer float64 // increases a second
	additive         float64 // of them, those that raise the target
}

func newFluid(marked, rate, packet float64) fluid {
	counted := fluidCounter / packet
	if marked == 0 {
		both := rate/counted + 1/fluidTimer
		return fluid{0, 0, rate / counted, 1 / fluidTimer, both}
	}
	q := math.Log1p(-marked)
	f := fluid{
		alpha:   -math.Expm1(q * fluidAlphaTimer * rate),
		cut:     -math.Expm1(q * fluidCNP * rate),
		byBytes: rate * marked / math.Expm1(-q*counted),
		byTimer: rate * marked / math.Expm1(-q*fluidTimer*rate),
	}
	f.additive = math.Exp(q*fluidFast*counted)*f.byBytes + math.Exp(q*fluidFast*fluidTimer*rate)*f.byTimer
	return f
}

// fluidIncrease is R_AI, in packets a second.
func fluidIncrease(packet float64) float64 { return 40e6 / 8 / packet }

// dcqcnFixedPoint is the marking probability at which all derivatives of the model are 0, for n flows that share a link of
// the given number of packets a second.
func dcqcnFixedPoint(link, n, packet float64) float64 {
	rate := link / n
	return root(func(p float64) float64 {
		f := newFluid(p, rate, packet)
		above := fluidCNP / f.cut * fluidIncrease(packet) * f.additive // target less rate
		return above/2*(f.byBytes+f.byTimer) - rate*f.alpha/2/fluidCNP*f.cut
	}, 1e-6, 0.5)
}

// dcqcnSwings is the queue, in bytes, of n flows in the second half of 400 ms of the model, with RED from 5 KB to 10 % at
// 200 KB and feedback that is a round trip late. They begin together at their share.
func dcqcnSwings(v *steady, n float64) []float64 {
	const step, steps = 1e-6, 400_000
	late, link, packet := int(v.rtt/step), v.line/8/v.packet, v.packet
	queue, rates := make([]float64, steps), make([]float64, steps)
	rate, target, alpha := link/n, link/n, 0.3
	for i := range steps - 1 {
		rates[i] = rate
		then := max(0, i-late)
		f := newFluid(marking(queue[then]*packet, 5e3, 200e3, 0.1), rates[then], packet)
		alpha += step * fluidGain / fluidAlphaTimer * (f.alpha - alpha)
		above := target - rate
		target += step * (fluidIncrease(packet)*f.additive - above/fluidCNP*f.cut)
		rate += step * (above/2*(f.byBytes+f.byTimer) - rate*alpha/2/fluidCNP*f.cut)
		queue[i+1] = max(0, queue[i]+step*(n*rate-link))
	}
	for i := range queue {
		queue[i] *= packet
	}
	return queue[steps/2:]
}

// marking is RED's probability, just below 1 beyond kmax.
func marking(depth, kmin, kmax, pmax float64) float64 {
	switch {
	case depth <= kmin:
		return 0
	case depth <= kmax:
		return pmax * (depth - kmin) / (kmax - kmin)
	}
	return 0.999
}

func deviation(x []float64) float64 {
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(x)))
}
