package nic

import (
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// shared is a machine that the flows of one scheme, port and class share (algorithms.Traits.PerClass), those of a connection
// as its pair. All of them hold its last answer.
type shared struct {
	scheme  algorithms.Scheme
	prio    uint8
	machine algorithms.Sender
	answer  algorithms.Control
	flows   []*sender // without those that have ended, once the answer has changed
}

// joinClass makes a flow use the machine of its class, which the first flow starts.
func (h *Host) joinClass(t *core.Turn, s *sender, f *Flow) {
	o := &h.ports[s.port]
	i := slices.IndexFunc(o.classes, func(m *shared) bool { return m.scheme == f.Scheme && m.prio == f.Prio })
	if i < 0 {
		h.startMachine(t, s, f)
		i = len(o.classes)
		o.classes = append(o.classes, &shared{scheme: f.Scheme, prio: f.Prio, machine: s.machine, answer: s.control})
	}
	m := o.classes[i]
	s.shared, s.machine, s.control = m, m.machine, m.answer
	m.flows = append(m.flows, s)
}

// share copies a flow's new answer, but for orders, to the others that share its machine, and forgets those that
// have ended.
func (h *Host) share(t *core.Turn, s *sender, orders algorithms.Orders) {
	m := s.shared
	m.answer = s.control
	m.answer.Do = 0
	keep := m.flows[:0]
	for _, f := range m.flows {
		if f.done {
			continue
		}
		keep = append(keep, f)
		if f == s {
			continue
		}
		before, wake, pending := f.control.Rate, f.control.Wake, f.control.Do
		f.control = m.answer
		f.control.Do = pending
		if orders&algorithms.Repace != 0 {
			h.repace(t, f, before)
		}
		if f.control.Wake != wake {
			h.armFlow(t, f)
		}
		h.review(f)
	}
	clear(m.flows[len(keep):])
	m.flows = keep
}
