package ibcc

import (
	"cmp"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// sender is the reaction point. Its timer is evaluated when the gap is used.
type sender struct {
	p     *Params
	list  []entry
	table table
	tp    core.Duration // to send a full packet
	ccti  int
	armed core.Time // when the timer that runs was started
	clock float64   // true time over that of the sender's clock
}

// header is what a packet without a known size has besides its payload, as the fabric manager
// reckons.
const header = 40

func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	packet := cmp.Or(f.Packet, f.MTU+header)
	tp := cmp.Or(f.Timing.TxTime(packet, f.Line), core.Exact.TxTime(packet, f.Line)) // in whole nanoseconds it may be none
	*s = sender{p: s.p, list: s.list, table: newTable(s.p, s.list, tp), tp: tp, ccti: s.p.Min, clock: 1}
	if s.p.Clock > 0 {
		s.clock += float64(s.p.Clock * 1e-6 * (float64(2*f.Random.Float64()) - 1))
	}
	*c = algorithms.Control{Window: core.Unlimited, Rate: f.Line, Gap: s.gap(), Wake: core.Never}
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	s.fall(sig.Instant, c)
	if sig.Kind == algorithms.Notify {
		s.ccti = min(s.ccti+s.p.Increase, s.table.limit)
		if c.Wake == core.Never {
			s.start(sig.Now, c)
		}
	}
	c.Gap = s.gap()
}

func (s *sender) gap() core.Duration { return s.timed(s.table.entry(s.ccti).delay(s.tp)) }

// timed is the true length of a time that the sender measures by its clock.
func (s *sender) timed(d core.Duration) core.Duration { return core.Duration(s.clock * float64(d)) }

// fall goes down the table by one for every time-out that comes before the instant.
func (s *sender) fall(at core.Instant, c *algorithms.Control) {
	for at.Fired(c.Wake, s.armed) {
		s.ccti--
		s.start(c.Wake, c)
	}
}

// start starts the timer, if there is anything to go down to.
func (s *sender) start(now core.Time, c *algorithms.Control) {
	c.Wake = core.Never
	if s.ccti > s.p.Min && s.p.Timer > 0 {
		s.armed, c.Wake = now, now.Add(s.timed(core.Duration(s.p.Timer)*timerUnit))
	}
}
