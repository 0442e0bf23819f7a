package dcms

import (
	"fmt"
	"slices"
)

// Params are the thresholds, for the events of one sweep, and the marking rates.
type Params struct {
	CongTime int64 // T_C, ticks of PortXmitCongTime: more of them make a port congested
	Wait     int64 // T_W, ticks of PortXmitWait: more of them make a port a victim
	Data     int64 // T_D, words of PortXmitData: a larger decrease means that victim flows have gone
	Sweeps   int   // T_I, the most sweeps for which a marking rate stays low
	Default  int   // Marking_Rate where there are no victims
	Low      int   // Marking_Rate of a congested port that has victims
}

// Validate reports the first parameter that is out of range.
func (p *Params) Validate() error {
	const most = 1<<16 - 1
	switch {
	case p.CongTime < 0 || p.Wait < 0 || p.Data < 0:
		return fmt.Errorf("t_c, t_w and t_d are %d, %d and %d; none may be negative", p.CongTime, p.Wait, p.Data)
	case p.Sweeps < 1:
		return fmt.Errorf("t_i is %d; it must be at least 1 sweep", p.Sweeps)
	case p.Default < 0 || p.Default > most || p.Low < 0 || p.Low > most:
		return fmt.Errorf("default and low are %d and %d; a marking rate is 0 to %d", p.Default, p.Low, most)
	}
	return nil
}

// Port is a port of a switch.
type Port struct {
	Switch int // number of the switch
	Peer   int // index of the switch port at the other end of its link; -1: there is a host
}

// Counters are the values that a port shows: PortXmitWait and PortXmitCongTime in ticks,
// PortXmitData in 32-bit words, since the start.
type Counters struct{ Wait, Data, CongTime int64 }

func (c Counters) minus(o Counters) Counters {
	return Counters{c.Wait - o.Wait, c.Data - o.Data, c.CongTime - o.CongTime}
}

// Reason is the reason for setting a marking rate.
type Reason uint8

// Reasons of an action.
const (
	VictimFound Reason = iota // a victim port of a congested port: low
	VictimsGone               // no victim port is left: default
	TimeIsUp                  // it has been low for T_I sweeps: default
)

// String returns the reason in words.
func (r Reason) String() string {
	return [...]string{"victim found", "victims gone", "time is up"}[r]
}

// Action is a marking rate that is set.
type Action struct {
	Port        int // index
	MarkingRate int
	Reason      Reason
	Victim      int // VictimFound: index of the port; otherwise -1
}

// State is the manager's knowledge of a port.
type State struct {
	Counters          // at the last sweep
	Growth   Counters // since the sweep before
	Low      bool     // the marking rate is low
	Sweeps   int      // I: sweeps since it was set low, which counts as the first
	Victims  []int    // V: indices of ports, in the order of their discovery

	before int64 // growth of Data in the sweep before the last
	set    bool  // it was set low in this sweep
}

// Manager is the state of the system.
type Manager struct {
	p        Params
	ports    []Port
	upstream [][]int // by switch: ports of other switches whose links end there
	states   []State
	actions  []Action
}

// New returns a manager of the ports, all of which have the default marking rate.
func New(p Params, ports []Port) *Manager {
	m := &Manager{p: p, ports: ports, states: make([]State, len(ports))}
	for _, port := range ports {
		for port.Switch >= len(m.upstream) {
			m.upstream = append(m.upstream, nil)
		}
		if port.Peer >= 0 {
			m.upstream[port.Switch] = append(m.upstream[port.Switch], port.Peer)
		}
	}
	return m
}

// State returns the manager's knowledge of a port.
func (m *Manager) State(port int) *State { return &m.states[port] }

// Sweep is algorithm 1: it takes the counters of all ports and returns the settings to make, valid
// until the next sweep.
func (m *Manager) Sweep(now []Counters) []Action {
	m.actions = m.actions[:0]
	for i := range m.states {
		st := &m.states[i]
		st.before, st.set = st.Growth.Data, false
		st.Growth, st.Counters = now[i].minus(st.Counters), now[i]
	}
	for i := range m.ports {
		m.check(i)
	}
	for i := range m.ports {
		m.monitor(i)
	}
	return m.actions
}

// check is algorithm 2 for a port: is it congested, and are there new victims?
func (m *Manager) check(i int) {
	st := &m.states[i]
	if st.Growth.CongTime <= m.p.CongTime && (m.ports[i].Peer >= 0 || st.Growth.Wait <= m.p.Wait) {
		return
	}
	for _, up := range m.upstream[m.ports[i].Switch] {
		if m.states[up].Growth.Wait <= m.p.Wait || slices.Contains(st.Victims, up) {
			continue
		}
		st.Victims = append(st.Victims, up)
		if !st.Low {
			st.Low, st.set, st.Sweeps = true, true, 1
			m.actions = append(m.actions, Action{i, m.p.Low, VictimFound, up})
		}
	}
}

// monitor is algorithm 3 for a port: have the victims gone, or is the time up?
func (m *Manager) monitor(i int) {
	st := &m.states[i]
	if len(st.Victims) == 0 || st.set {
		return
	}
	st.Sweeps++
	if st.Sweeps <= m.p.Sweeps {
		st.Victims = slices.DeleteFunc(st.Victims, func(v int) bool {
			return m.states[v].before-m.states[v].Growth.Data > m.p.Data
		})
	}
	switch {
	case len(st.Victims) == 0:
		m.restore(i, VictimsGone)
	case st.Sweeps >= m.p.Sweeps:
		m.restore(i, TimeIsUp)
	}
}

func (m *Manager) restore(i int, why Reason) {
	st := &m.states[i]
	st.Low, st.Victims = false, st.Victims[:0]
	m.actions = append(m.actions, Action{i, m.p.Default, why, -1})
}
