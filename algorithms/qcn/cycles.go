package qcn

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// cycles are the byte counter and the timer of a rate limiter, and the stages that they
// have reached. With rp=timer there is no byte counter.
type cycles struct {
	p     *Params
	bytes int        // byte cycles since the last decrease (si)
	timer int        // timer cycles since the last decrease (ts)
	left  core.Bytes // of the byte cycle
	due   core.Time  // end of the timer cycle; core.Never without a limiter
	armed core.Time

	active    int // cycles from which a counter is beyond fast recovery
	timed     bool
	byteReset core.Bytes // 0: adaptive
	timeReset core.Duration
	mtu       core.Bytes
	random    core.Random
}

func newCycles(p *Params, f *algorithms.Flow) cycles {
	c := cycles{
		p:         p,
		due:       core.Never,
		active:    p.Threshold + 1,
		timed:     p.RP == "timer",
		byteReset: scaled(p.ByteReset, byteReset, f.Line),
		timeReset: p.TimeReset,
		mtu:       f.MTU,
		random:    f.Random,
	}
	if p.StageRule == "8021Q" {
		c.active = p.Threshold
	}
	switch p.RP {
	case "timer":
		c.timeReset = p.Period
		if p.Period == 0 {
			c.timeReset = core.Exact.TxTime(core.Truncate[core.Bytes](10*float64(c.byteReset)), f.Line)
		}
	case "adaptive":
		c.byteReset = 0
	}
	return c
}

// begin restarts the cycles after a decrease. The byte cycle continues.
func (c *cycles) begin(now core.Time) {
	c.bytes, c.timer = 0, 0
	c.due, c.armed = now.Add(c.timeReset), now
}

func (c *cycles) stop() { c.due = core.Never }

// timerEnds reports whether a timer cycle ends before the instant, and counts it.
func (c *cycles) timerEnds(at core.Instant) bool {
	if !at.Fired(c.due, c.armed) {
		return false
	}
	c.timer++
	return true
}

// bytesEnd takes n bytes from the byte cycle, reports whether it ends, and counts it.
func (c *cycles) bytesEnd(n core.Bytes) bool {
	c.left -= n
	if c.left > 0 || c.timed {
		return false
	}
	c.bytes++
	return true
}

// restartTimer begins the timer cycle that follows the one that was due, if that has not
// stopped the timer.
func (c *cycles) restartTimer() {
	if c.due != core.Never {
		t := jittered(float64(c.timeReset)*c.length(c.timer), c.p.Jitter, c.random)
		c.armed = c.due
		c.due = c.due.Add(max(1, core.Truncate[core.Duration](t)))
	}
}

// restartBytes begins the byte cycle that follows the one that has ended, at a rate.
func (c *cycles) restartBytes(rate core.Rate) {
	c.left = core.Truncate[core.Bytes](jittered(float64(c.byteCycle(rate))*c.length(c.bytes), c.p.Jitter, c.random))
}

// refillBytes begins a byte cycle of full length.
func (c *cycles) refillBytes(rate core.Rate) { c.left = c.byteCycle(rate) }

// byteCycle returns the bytes of a cycle at a rate.
func (c *cycles) byteCycle(rate core.Rate) core.Bytes {
	if c.byteReset != 0 {
		return c.byteReset
	}
	return max(c.mtu, core.Truncate[core.Bytes](float64(rate)/8*c.p.ByteTime.Seconds()))
}

// length returns what a counter's cycle is multiplied by after n cycles.
func (c *cycles) length(n int) float64 {
	half := n >= c.p.Threshold
	if c.p.Halve == "hyper" {
		half = c.hyper() > 0
	}
	if half {
		return 0.5
	}
	return 1
}

// first reports whether a counter is in the stage after its first cycle.
func (c *cycles) first() bool { return c.bytes == 1 || c.timer == 1 }

// recovering reports whether the limiter is in fast recovery.
func (c *cycles) recovering() bool { return max(c.bytes, c.timer) < c.active }

// hyper returns the multiple of the hyper-active step, not above 0 in fast recovery and active
// increase.
func (c *cycles) hyper() int {
	switch {
	case !c.timed:
		return min(c.bytes, c.timer) - c.active + 1
	case c.p.HyperAfter == 0:
		return 0
	}
	return c.timer - c.p.HyperAfter
}

// moveTarget reports whether a decrease now opens an episode of congestion, so that it
// moves the target.
func (c *cycles) moveTarget() bool {
	switch c.p.Target {
	case "always":
		return true
	case "stage":
		return c.bytes != 0 || c.timer != 0
	}
	return c.bytes != 0 || c.timed && c.timer != 0
}
