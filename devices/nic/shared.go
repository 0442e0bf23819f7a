package nic

import (
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// shared is a machine that several flows share: those of one scheme, port and class (algorithms.Traits.PerClass), or the
// messages of a connection. All of them hold its last answer.
type shared struct {
	scheme  algorithms.Scheme // of a class
	prio    uint8
	machine algorithms.Sender
	answer  algorithms.Control
	flows   []*sender // without those that have ended, once the answer has changed, but for those that lead
}

// newShared starts a machine that others may join.
func (h *Host) newShared(t *core.Turn, s *sender, f *Flow) *shared {
	h.startMachine(t, s, f)
	s.shared = &shared{scheme: f.Scheme, prio: f.Prio, machine: s.machine, answer: s.control, flows: []*sender{s}}
	return s.shared
}

// join makes a flow use a machine that others have.
func (m *shared) join(s *sender) {
	s.shared, s.machine, s.control = m, m.machine, m.answer
	m.flows = append(m.flows, s)
}

// joinClass makes a flow use the machine of its class, which the first flow starts.
func (h *Host) joinClass(t *core.Turn, s *sender, f *Flow) {
	o := &h.ports[s.port]
	i := slices.IndexFunc(o.classes, func(m *shared) bool { return m.scheme == f.Scheme && m.prio == f.Prio })
	if i < 0 {
		o.classes = append(o.classes, h.newShared(t, s, f))
		return
	}
	o.classes[i].join(s)
}

// share copies a flow's new answer, but for orders, to the others that share its machine, and forgets those that
// have ended and do not lead a connection.
func (h *Host) share(t *core.Turn, s *sender, orders algorithms.Orders) {
	m := s.shared
	m.answer = s.control
	m.answer.Do = 0
	keep := m.flows[:0]
	for _, f := range m.flows {
		if f.done && !f.leads() {
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
		h.toLookAt(f)
	}
	clear(m.flows[len(keep):])
	m.flows = keep
}
