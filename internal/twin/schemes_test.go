package twin

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// scheme is the state of congestion control, of all modes together.
type scheme struct {
	last     uint64 // ACKs beyond it make a full update
	current  uint64 // reference rate
	stage    int
	alpha    float64
	loops    [5]loop // HPCC; the first without MULTI_RATE
	hops     [5]hop
	target   uint64
	alphaBit bool
	cutBit   bool
	started  bool
	timers   [3]*event // DCQCN: alpha, decrease, increase
	lastRTT  int64
	diff     float64
	echoes   float64
	batch    uint64
	reduced  bool
	high     uint64
}

func (f *pair) begin() {
	f.current, f.target, f.alpha = f.line, f.line, 1
	for i := range f.loops {
		f.loops[i] = loop{u: 1, rate: f.line}
	}
}

func (f *pair) end() {
	for _, e := range f.timers {
		e.cancel()
	}
}

// react shows an ACK or NACK to the scheme.
func (f *pair) react(p *packet) {
	switch f.node.w.c.CCMode {
	case 1:
		if p.marked {
			f.notify()
		}
	case 3:
		f.measure(p)
	case 7:
		f.timely(p)
	case 8:
		f.dctcp(p)
	case 10:
		f.decode(p)
	}
}

func (f *pair) floor() uint64 { return uint64(f.node.w.c.MinRate) }

// cut multiplies a rate. The lowest rate may be above the line.
func (f *pair) cut(rate uint64, factor float64) {
	if f.rate = max(f.floor(), truncated(float64(rate)*factor)); f.rate > f.line {
		f.node.w.seen["above the line"]++
	}
}

// truncated is the conversion of a double on amd64.
func truncated(x float64) uint64 {
	if x != x {
		return 1 << 63
	}
	if x >= 1<<64 {
		return 0
	}
	return uint64(x)
}

func (f *pair) after(timer int, wait core.Duration, run func()) {
	f.timers[timer].cancel()
	f.timers[timer] = f.node.w.later(f.node.w.now+wait.WholeNanos(), run)
}

// notify is DCQCN's reaction to the echo of a mark.
func (f *pair) notify() {
	c := f.node.w.c
	f.alphaBit, f.cutBit = true, true
	if f.started {
		return
	}
	f.started, f.alpha, f.alphaBit, f.target = true, 1, false, f.rate
	f.after(0, c.AlphaResume, f.alphaTick)
	f.after(1, c.RateDecrease+core.Nanosecond, f.decrease)
}

func (f *pair) alphaTick() {
	c := f.node.w.c
	f.alpha = float64((1 - c.EWMAGain) * f.alpha)
	if f.alphaBit {
		f.alpha += c.EWMAGain
	}
	f.alphaBit = false
	f.after(0, c.AlphaResume, f.alphaTick)
}

func (f *pair) decrease() {
	c := f.node.w.c
	f.after(1, c.RateDecrease, f.decrease)
	if !f.cutBit {
		return
	}
	if c.ClampTargetRate || f.stage != 0 {
		f.target = f.rate
	}
	f.cut(f.rate, 1-f.alpha/2)
	f.stage, f.cutBit = 0, false
	f.after(2, c.RPTimer, f.increase)
}

func (f *pair) increase() {
	c := f.node.w.c
	f.after(2, c.RPTimer, f.increase)
	switch step := int64(f.stage) - c.FastRecoveryStep; {
	case step == 0:
		f.target = min(f.line, f.target+uint64(c.RateAI))
	case step > 0:
		f.target = min(f.line, f.target+uint64(c.RateHAI))
	}
	f.rate = f.rate/2 + f.target/2
	f.stage++
}

func (f *pair) timely(p *packet) {
	c, rtt := f.node.w.c, f.node.w.now-p.sent
	if p.seq <= f.last {
		return
	}
	if f.last != 0 {
		f.diff = float64((1-0.875)*f.diff) + float64(0.875*float64(rtt-f.lastRTT))
		gradient := f.diff / 20_000
		switch {
		case rtt >= 50_000 && rtt > 500_000:
			f.slower(1 - float64(0.8*(1-500_000/float64(rtt))))
		case rtt >= 50_000 && gradient > 0:
			f.slower(max(0, 1-float64(0.8*gradient)))
		case f.stage < 5:
			f.faster(uint64(c.RateAI))
		default:
			f.faster(uint64(c.RateHAI))
		}
		f.current = f.rate
	}
	if f.next > f.last {
		f.last, f.lastRTT = f.next, rtt
	}
}

func (f *pair) faster(step uint64) {
	f.rate = min(f.line, f.current+step)
	f.stage++
}

func (f *pair) slower(factor float64) {
	f.cut(f.current, factor)
	f.stage = 0
}

func (f *pair) dctcp(p *packet) {
	c, mtu := f.node.w.c, uint64(f.node.w.c.Payload)
	if p.marked {
		f.echoes++
	}
	ended := p.seq > f.last
	switch {
	case ended && f.last == 0:
		f.last, f.batch = f.next, f.next/mtu+1
	case ended:
		share := min(1, f.echoes/float64(f.batch))
		f.alpha = float64((1-c.EWMAGain)*f.alpha) + float64(c.EWMAGain*share)
		f.last, f.echoes, f.batch = f.next, 0, (f.next-p.seq)/mtu+1
	}
	if f.reduced && p.seq > f.high {
		f.reduced = false
	}
	if p.marked && !f.reduced {
		f.cut(f.rate, 1-f.alpha/2)
		f.reduced, f.high = true, f.next
	}
	if !f.reduced && ended {
		f.rate = min(f.line, f.rate+uint64(c.DCTCPRateAI))
	}
}

// hop is a record of HPCC's telemetry, in its units.
type hop struct{ rate, at, sent, queue uint64 }

// loop is a control loop of HPCC.
type loop struct {
	u     float64
	rate  uint64
	stage int
}

// stamp is the telemetry of a data packet that leaves.
func (o *port) stamp(p *packet) {
	w := o.node.w
	switch _, depth := o.depth(); w.c.CCMode {
	case 3:
		unit := uint64(w.c.INTMulti)
		p.hops[p.met%5] = hop{o.link.rate, uint64(w.now) % (1 << 24), o.sent / (128 * unit) % (1 << 20), uint64(depth) / (80 * unit) % (1 << 17)}
		p.met++
	case 10:
		o.digester.stamp(w, o.link.rate, depth, p)
	}
}

// settle is the reaction of a loop to k, its utilisation over the target.
func (f *pair) settle(l *loop, k float64, full bool) uint64 {
	c := f.node.w.c
	rate, stage := l.rate+uint64(c.RateAI), l.stage+1
	if k >= 1 || int64(l.stage) >= c.MIThresh {
		rate, stage = truncated(float64(l.rate)/k)+uint64(c.RateAI), 0
	}
	rate = min(max(rate, f.floor()), f.line)
	if full {
		l.rate, l.stage = rate, stage
	}
	return rate
}

// update reports whether an ACK requires a full update, and whether it requires any.
func (f *pair) update(p *packet) (full, any bool) {
	if full = p.seq > f.last; !full && !f.node.w.c.FastReact {
		return full, false
	}
	if f.last == 0 {
		f.last = f.next
		copy(f.hops[:], p.hops[:min(p.met, 5)])
		return full, false
	}
	return full, true
}

// measure is HPCC's reaction.
func (f *pair) measure(p *packet) {
	w := f.node.w
	full, any := f.update(p)
	if !any || p.met == 0 {
		return
	}
	worst, over, read := 0.0, 0.0, 0
	rate := uint64(math.MaxUint64)
	for i := range min(p.met, 5) {
		now, old := p.hops[i], f.hops[i]
		if !full && w.c.SampleFeedback && now.queue == 0 {
			continue
		}
		read++
		f.hops[i] = now
		tau := float64((now.at - old.at) % (1 << 24))
		sent := float64((now.sent - old.sent) % (1 << 20) * 128 * uint64(w.c.INTMulti))
		queue := float64(min(now.queue, old.queue) * 80 * uint64(w.c.INTMulti))
		u := sent*8/(tau*1e-9)/float64(now.rate) + queue*float64(f.line)/float64(now.rate)/float64(f.window)
		if w.c.MultiRate {
			rate = min(rate, f.smooth(&f.loops[i], u, tau, full))
		} else if u > worst {
			worst, over = u, tau
		}
	}
	if read == 0 {
		return
	}
	if !w.c.MultiRate {
		rate = f.smooth(&f.loops[0], worst, over, full)
	}
	f.change(rate)
	if full {
		f.last = max(f.last, f.next)
	}
}

func (f *pair) smooth(l *loop, u, tau float64, full bool) uint64 {
	tau = min(tau, f.baseRTT)
	l.u = (float64(l.u*(f.baseRTT-tau)) + float64(u*tau)) / f.baseRTT
	return f.settle(l, l.u/f.node.w.c.UTarget, full)
}
