package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/refrand"
)

// Network is a running simulation: devices, engine, and what is known of each flow.
type Network struct {
	Setup     *Setup
	Engine    *engine.Group // nil: another program moves the network on (Hosted)
	loop      loop
	followers followers
	cut       []uint8 // by node: its part; nil: there is one only
	parts     []*part
	news      []news    // not delivered yet
	met       core.Time // all parts have run what is before it; core.Never: all have reached the same time
	watchers  watchers
	halted    bool
	observer  Observer
	// abandonedFlows are what allAbandoned has found so far.
	abandonedFlows map[int]bool

	ports    [][]topo.Port
	base     []int // by node: its first port, when the ports of all nodes are numbered in one row
	losses   []loss
	hosts    []*nic.Host         // by node; nil for switches
	arrears  []arrears           // by node, room for lasts
	switches []*switching.Switch // by node; nil for hosts
	linkUp   []bool
	routes   *topo.Routes
	paths    *topo.Paths // as the routes now are
	first    *topo.Paths // as they were at the start
	most     topo.Most   // at the start
	common   *commonRandom
	intf     core.INTFormat
	points   Points
	traits   []algorithms.Traits
	credits  *core.CreditConfig // nil: not used
	room     core.Bytes         // under credits: what the largest switch holds of a class

	flows     []flowState
	srcPorts  map[[2]core.NodeID]uint16
	nextQP    []int32 // by node: queue pairs promised to flows that end there
	last      int     // the flow that starts last of those that wait for no other; -1: none
	trace     *core.Trace
	recorder  *recorder  // nil: no time series
	reactions []Reaction // by scheme: what LookAtFlows saw
	answers   []answer   // by flow: the first one
	oldest    int        // flows before it have ended
	samples   int64
}

// commonRandom are the sequences of the reference.
type commonRandom struct {
	mark *refrand.FirstOfEach
	loss *refrand.Stream
	c    *refrand.CRand
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
	for i, p := range n.parts {
		p.engine = n.Engine.Part(i)
		p.engine.Actions = p.action
		p.engine.Lost = func(engine.PortID, *core.Packet) { p.lost++ }
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
	*n = Network{
		Setup: s, observer: obs, ports: s.Topology.Ports(),
		hosts: make([]*nic.Host, len(s.Topology.Kinds)), switches: make([]*switching.Switch, len(s.Topology.Kinds)),
		flows: make([]flowState, len(s.Flows)), srcPorts: make(map[[2]core.NodeID]uint16),
		nextQP: make([]int32, len(s.Topology.Kinds)),
		linkUp: make([]bool, len(s.Topology.Links)),
	}
	for i := range n.linkUp {
		n.linkUp[i] = true
	}
	n.route()
	n.first = n.paths
	n.most = n.paths.Max()
	n.chooseINT()
	n.addSchemes()
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
	n.startTrace()
	return n.addDevices()
}

func newCommonRandom(s *Setup) *commonRandom {
	stream := uint64(6*len(s.Topology.Kinds) + 2)
	for _, l := range s.Topology.Links {
		if l.Loss > 0 {
			stream += 2
		}
	}
	return &commonRandom{
		mark: refrand.NewFirstOfEach(stream),
		loss: refrand.NewStream(lossStream),
		c:    refrand.NewCRand(1),
	}
}

// lossStream is the number of the reference's stream for losses.
const lossStream = 1<<63 + 50

// route computes routes and path figures for the links that are up.
func (n *Network) route() { n.routes, n.paths = n.routesOver(n.linkUp) }

// routesOver returns routes and path figures for the links that are up.
func (n *Network) routesOver(up []bool) (*topo.Routes, *topo.Paths) {
	s := n.Setup
	routes := topo.NewRoutes(s.Topology, up, s.Profile.ECMP)
	return routes, topo.NewPaths(routes, s.Profile.Timing, topo.Sizes{
		Payload: s.MTU, Packet: s.MTU + s.Header, Ack: max(s.MinPacket, s.AckHeader), Host: s.HostDelay + s.HostService,
	})
}

func (n *Network) chooseINT() {
	s := n.Setup
	if s.Profile.ShortINT {
		n.intf = core.QuantisedINT(max(1, s.INTMulti))
		return
	}
	n.intf = core.FullINT(max(1, n.longestPath()))
}

// longestPath is the most links of a path, at the start or after any link change of the set-up.
func (n *Network) longestPath() int {
	most, up, events := n.most.Hops, slices.Clone(n.linkUp), n.Setup.Links
	for i, ev := range events {
		up[ev.Link] = ev.Up
		if last := i+1 == len(events) || events[i+1].At > ev.At; last {
			_, paths := n.routesOver(up)
			most = max(most, paths.Max().Hops)
		}
	}
	return most
}

// addSchemes numbers the schemes' congestion and notification points, and asks for their traits.
func (n *Network) addSchemes() {
	for _, s := range n.Setup.Schemes {
		n.points.Add(s)
		n.traits = append(n.traits, s.Traits())
	}
}
