package algotest

import (
	"fmt"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// rig is a host reduced to its rules: it sends Timer when Wake has come, checks every
// answer, and clears Do.
type rig struct {
	sender  algorithms.Sender
	flow    *algorithms.Flow
	answer  algorithms.Control
	timer   algorithms.Signal
	orders  algorithms.Orders // of the last signal
	granted bool              // the scheme hears grants, and so may answer a window of 0
	err     error             // first broken rule
	starts  uint64
}

func newRig(s algorithms.Scheme, f *algorithms.Flow, now core.Time) *rig {
	r := &rig{sender: s.NewSender(), granted: s.Traits().Hears.Has(algorithms.Grant)}
	r.start(f, now)
	return r
}

func (r *rig) start(f *algorithms.Flow, now core.Time) {
	r.flow = f
	r.starts++ // a stamp that Start leaves alone differs from one start to the next
	r.answer = algorithms.Control{Window: -1, Rate: -1, Gap: -1, Wake: -1, Stamp: r.starts, Timeout: -1, Do: 0xff}
	r.sender.Start(now, f, &r.answer)
	r.check("Start", now)
	r.answer.Do = 0
}

// feed sends the timers that are due and then the signal.
func (r *rig) feed(s *algorithms.Signal) {
	r.timers(s.Now)
	r.step(s)
}

// timers sends a Timer at every Wake up to now.
func (r *rig) timers(now core.Time) {
	for n := 0; r.answer.Wake <= now && r.err == nil; n++ {
		if n > 1e7 {
			r.err = fmt.Errorf("10 million timers before %v", now)
		}
		r.tick(r.answer.Wake)
	}
}

// tick sends one Timer.
func (r *rig) tick(now core.Time) {
	r.timer = algorithms.Signal{Instant: core.Instant{Now: now, Born: core.Never}, Kind: algorithms.Timer}
	r.step(&r.timer)
}

func (r *rig) step(s *algorithms.Signal) {
	r.sender.Step(s, &r.answer)
	r.check("Step", s.Now)
	r.orders = r.answer.Do
	r.answer.Do = 0
}

// check notes the first answer that breaks a rule. A timer due now has been served.
func (r *rig) check(where string, now core.Time) {
	c := &r.answer
	var wrong string
	switch {
	case c.Rate <= 0 || c.Rate > r.flow.Line:
		wrong = "rate outside (0, line]"
	case c.Rate < min(r.flow.MinRate, r.flow.Line):
		wrong = "rate below the host's floor"
	case c.Window < 0 || c.Window == 0 && !r.granted:
		wrong = "window not above 0"
	case c.Gap < 0:
		wrong = "gap below 0"
	case where == "Step" && c.Wake <= now:
		wrong = "wake not in the future"
	case c.Wake < now:
		wrong = "wake in the past"
	case c.Timeout < 0:
		wrong = "timeout below 0"
	case c.Do > algorithms.Repace|algorithms.Probe:
		wrong = "unknown orders"
	}
	if wrong != "" && r.err == nil {
		r.err = fmt.Errorf("%s at %v: %s: %s", where, now, wrong, formatControl(c))
	}
}

// formatControl writes an answer on one line.
func formatControl(c *algorithms.Control) string {
	s := fmt.Sprintf("rate=%v window=%v", c.Rate, c.Window)
	if c.Gap != 0 {
		s += fmt.Sprintf(" gap=%v", c.Gap)
	}
	if c.Wake != core.Never {
		s += fmt.Sprintf(" wake=%v", c.Wake)
	}
	if c.Stamp != 0 {
		s += fmt.Sprintf(" stamp=%#x", c.Stamp)
	}
	if c.Timeout != 0 {
		s += fmt.Sprintf(" timeout=%v", c.Timeout)
	}
	if c.Do&algorithms.Repace != 0 {
		s += " repace"
	}
	if c.Do&algorithms.Probe != 0 {
		s += " probe"
	}
	return s
}
