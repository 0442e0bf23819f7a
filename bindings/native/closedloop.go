package native

import (
	"errors"
	"fmt"

	"github.com/qbb-sim/qbb/internal/sim"
)

var errNoLoop = errors.New("this run is no closed loop: start it with closed_loop=True")

// Add adds the flow of a table in CSV, with one row, to a closed loop, and returns its number.
func (m *Simulation) Add(csv string) (number int, err error) {
	defer guard(&err)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(); err != nil {
		return 0, err
	}
	n := m.run.Network
	switch {
	case !n.Setup.ClosedLoop:
		return 0, errNoLoop
	case n.Halted():
		return 0, errors.New("the run has ended: no flow can be added")
	}
	name := fmt.Sprintf("flow %d", len(n.Setup.Flows))
	flows, err := readFlows(csv, func(int) string { return name })
	if err != nil {
		return 0, err
	}
	f, err := m.sc.FlowOf(name, &flows[0], n.Setup, n.Now())
	if err != nil {
		return 0, err
	}
	m.over = false
	return m.run.Add(f), nil
}

// TakeEnd is that of the network, in a closed loop; -1 if there is none yet.
func (m *Simulation) TakeEnd() int { return m.take((*sim.Network).TakeEnd) }

// TakeArrival is that of the network in the same way.
func (m *Simulation) TakeArrival() int { return m.take((*sim.Network).TakeArrival) }

func (m *Simulation) take(from func(*sim.Network) (int, bool)) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	flow, ok := from(m.run.Network)
	if !ok {
		return -1
	}
	return flow
}
