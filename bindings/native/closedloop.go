package native

import (
	"errors"
	"fmt"
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
func (m *Simulation) TakeEnd() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	flow, ok := m.run.Network.TakeEnd()
	if !ok {
		return -1
	}
	return flow
}
