package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// class is the machine that the flows of one scheme, port and class share
// (algorithms.Traits.PerClass). All of them hold its last answer.
type class struct {
	scheme  algorithms.Scheme
	prio    uint8
	machine algorithms.Sender
	answer  algorithms.Control
	flows   []*sender
}

// join makes a flow use the machine of its class, which the first flow starts.
func (h *Host) join(t *core.Turn, s *sender, f *Flow) {
	o := &h.ports[s.port]
	for _, c := range o.classes {
		if c.scheme == f.Scheme && c.prio == f.Prio {
			s.class, s.machine, s.control = c, c.machine, c.answer
			c.flows = append(c.flows, s)
			return
		}
	}
	h.startMachine(t, s, f)
	c := &class{scheme: f.Scheme, prio: f.Prio, machine: s.machine, answer: s.control, flows: []*sender{s}}
	s.class = c
	o.classes = append(o.classes, c)
}

// share copies a flow's new answer to the others of its class, and forgets those that
// have ended.
func (h *Host) share(t *core.Turn, s *sender, orders algorithms.Orders) {
	c := s.class
	c.answer = s.control
	c.answer.Do = 0
	keep := c.flows[:0]
	for _, f := range c.flows {
		if f.done {
			continue
		}
		keep = append(keep, f)
		if f == s {
			continue
		}
		before, wake := f.control.Rate, f.control.Wake
		f.control = c.answer
		if orders&algorithms.Repace != 0 {
			h.repace(t, f, before)
		}
		if f.control.Wake != wake {
			h.armFlow(t, f)
		}
		h.review(f)
	}
	clear(c.flows[len(keep):])
	c.flows = keep
}
