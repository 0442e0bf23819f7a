package sim

import (
	"errors"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/dcms"
)

// ManagerSpec describes the congestion manager of the network (package dcms).
type ManagerSpec struct {
	Sweep core.Duration // between readings of the counters; 0: there is no manager
	Tick  core.Duration // unit of the counters of time
	dcms.Params
}

// SweptPort is what a sweep found at a port of a switch, and what is in force there after it.
type SweptPort struct {
	PortRef
	Growth      dcms.Counters // since the last sweep
	MarkingRate int
	Victims     int // victim ports of the port
}

// ManagerAction is a marking rate that the manager has set.
type ManagerAction struct {
	PortRef
	MarkingRate int
	Reason      dcms.Reason
	Victim      PortRef // dcms.VictimFound: the port that suffers
}

// ManagerObserver is an Observer that also hears of the manager's sweeps. The slices are valid
// during the call.
type ManagerObserver interface {
	Swept(at core.Time, ports []SweptPort, actions []ManagerAction)
}

// manager is the manager's server: it reads and sets over a separate network, in no time.
type manager struct {
	n       *Network
	id      engine.ProcessID // where our engine wakes it
	system  *dcms.Manager
	now     []dcms.Counters
	ports   []SweptPort
	actions []ManagerAction
}

// addManager registers the manager, if there is one.
func (n *Network) addManager() error {
	m, err := n.newManager()
	if m != nil {
		m.id = n.parts[0].engine.AddProcess(m)
		n.parts[0].engine.ScheduleProcess(m.id, core.Time(n.Setup.Manager.Sweep))
	}
	return err
}

// newManager returns the manager, which has set the default marking rate everywhere, or nil if
// there is none.
func (n *Network) newManager() (*manager, error) {
	spec := &n.Setup.Manager
	if spec.Sweep <= 0 {
		return nil, nil
	}
	if !n.manageable() {
		return nil, errors.New("dcms: no scheme of the run has a marking rate: use cc ib-cc")
	}
	m := &manager{n: n}
	index := make(map[PortRef]int)
	for id, ports := range n.ports {
		for i := range ports {
			if ref := (PortRef{core.NodeID(id), i}); n.switches[id] != nil {
				index[ref] = len(m.ports)
				m.ports = append(m.ports, SweptPort{PortRef: ref})
			}
		}
	}
	ports := make([]dcms.Port, len(m.ports))
	for i := range m.ports {
		p := &m.ports[i]
		m.set(p, spec.Default)
		link := n.ports[p.Node][p.Port]
		ports[i] = dcms.Port{Switch: int(p.Node), Peer: -1}
		if n.Setup.Topology.Kinds[link.Peer] == topo.Switch {
			ports[i].Peer = index[PortRef{link.Peer, link.PeerPort}]
		}
	}
	m.system, m.now = dcms.New(spec.Params, ports), make([]dcms.Counters, len(ports))
	return m, nil
}

// manageable reports whether a scheme has congestion points that a manager can set.
func (n *Network) manageable() bool {
	for _, s := range n.points.Markers {
		if _, ok := s.NewMarker().(algorithms.Managed); ok {
			return true
		}
	}
	return false
}

func (m *manager) set(p *SweptPort, rate int) {
	p.MarkingRate = rate
	m.n.switches[p.Node].SetMarkingRate(p.Port, rate)
}

// Run implements engine.Process. The manager sleeps for ever when nothing else is left to happen.
func (m *manager) Run(now core.Time) {
	m.sweep(now)
	if !m.n.Engine.Idle() {
		m.n.parts[0].engine.ScheduleProcess(m.id, now.Add(m.n.Setup.Manager.Sweep))
	}
}

// sweep reads the counters of all ports and sets marking rates.
func (m *manager) sweep(now core.Time) {
	spec := &m.n.Setup.Manager
	for i, p := range m.ports {
		c := m.n.Counters(p.Node, p.Port)
		m.now[i] = dcms.Counters{Wait: c.XmitWait(spec.Tick), Data: c.XmitData(), CongTime: c.XmitCongTime(spec.Tick)}
	}
	m.actions = m.actions[:0]
	for _, a := range m.system.Sweep(m.now) {
		p := &m.ports[a.Port]
		m.set(p, a.MarkingRate)
		done := ManagerAction{PortRef: p.PortRef, MarkingRate: a.MarkingRate, Reason: a.Reason}
		if a.Reason == dcms.VictimFound {
			done.Victim = m.ports[a.Victim].PortRef
		}
		m.actions = append(m.actions, done)
	}
	if o, ok := m.n.observer.(ManagerObserver); ok {
		for i := range m.ports {
			st := m.system.State(i)
			m.ports[i].Growth, m.ports[i].Victims = st.Growth, len(st.Victims)
		}
		o.Swept(now, m.ports, m.actions)
	}
}
