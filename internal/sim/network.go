package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
)

// Network is a running simulation: devices and links, in parts, what moves them on, and what is known of each flow.
type Network struct {
	Setup   *Setup
	Engine  *engine.Group // nil: another program moves the network on (Hosted)
	loop    loop
	halted  bool
	BreakAt Await     // ends the Step, in a closed loop
	added   *waitLine // starts the flows that are added to a closed loop, after those of the set-up; nil: it is none
	ends    told      // of a closed loop
	arrived told      // of a closed loop
	mayGrow bool      // in this Step: flows may be added before the time to which it goes
	rest    core.Time // since when nothing happens but what links repeat, and would for ever; core.Never: something does
	partition
	wiring
	equipment
	ledger
	lasting
	observer Observer
	watchers watchers
	looking
	trace    *core.Trace
	recorder *recorder // nil: no time series
}

// Build makes a network at time 0 that Step moves on.
func Build(s *Setup, obs Observer) (*Network, error) {
	n := new(Network)
	if err := n.assemble(s, obs, n.chooseParts); err != nil {
		return nil, err
	}
	counts := make([]int, len(n.ports))
	for i, p := range n.ports {
		counts[i] = len(p)
	}
	pools := make([]*core.Pool, len(n.parts))
	for i, p := range n.parts {
		pools[i] = p.pool
	}
	n.Engine = engine.NewGroup(s.Profile.Order, max(1, s.Threads), pools, counts, n.cut)
	n.Engine.Over, n.Engine.Lasts = n.over, n.lasts
	if n.common != nil {
		n.Engine.InOrder(n.common.mark, n.merged)
	} else {
		n.Engine.InOrder(nil, n.merged)
	}
	for i, p := range n.parts {
		p.engine = n.Engine.Part(i)
		p.engine.Actions = p.action
		p.engine.Lost = p.lose
	}
	for id := range n.ports {
		n.Engine.Part(0).Attach(core.NodeID(id), n.Node(core.NodeID(id)))
	}
	n.connect()
	n.Engine.Part(0).Trace(n.trace)
	n.addProcesses()
	if err := n.addManager(); err != nil {
		return nil, err
	}
	n.addRecorder()
	n.Watch(closing{n}, MostTime)
	return n, nil
}

// assemble makes all but what moves the network on, in the parts that cut has made.
func (n *Network) assemble(s *Setup, obs Observer, cut func() (parts int)) error {
	nodes := len(s.Topology.Kinds)
	*n = Network{
		Setup: s, observer: obs, rest: core.Never,
		wiring:    newWiring(s.Topology),
		equipment: equipment{hosts: make([]*nic.Host, nodes), switches: make([]*switching.Switch, nodes)},
		ledger: ledger{
			flows: make([]flowState, len(s.Flows)), srcPorts: make(map[[2]core.NodeID]uint16), nextQP: make([]int32, nodes),
		},
	}
	n.route()
	n.first = n.paths
	n.most = n.paths.Max()
	n.addSchemes()
	if err := n.chooseINT(); err != nil {
		return err
	}
	if err := n.chooseCredits(); err != nil {
		return err
	}
	if s.Profile.CommonRandom {
		n.common = newCommonRandom(s)
	}
	for range cut() {
		n.parts = append(n.parts, &part{n: n, pool: core.NewPool(n.intf.MaxHops), reactions: make([]Reaction, len(s.Schemes))})
	}
	n.chooseLosses()
	n.reactions, n.answers = make([]Reaction, len(s.Schemes)), make([]answer, len(n.flows))
	n.numberAll()
	n.chooseFollowers()
	n.chooseLasting()
	n.startTrace()
	if err := n.addDevices(); err != nil {
		return err
	}
	for i := range n.flows {
		n.joinConnection(i)
	}
	return nil
}
