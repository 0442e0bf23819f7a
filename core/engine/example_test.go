package engine_test

import (
	"fmt"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
)

const (
	rate   = 100 * core.Gbps
	mtu    = 1000 // message bytes of a packet
	header = 62   // of a data packet, bytes
	ack    = 74   // an acknowledgement, bytes
)

// Two hosts send 100 KB each to a third one at the same time, through a switch, with DCTCP.
func Example() {
	net, err := topo.Parse("star:n=3,rate=100Gbps,delay=1us")
	if err != nil {
		panic(err)
	}
	dctcp, err := catalog.New("dctcp", nil)
	if err != nil {
		panic(err)
	}
	routes := topo.NewRoutes(net, nil, topo.AscendingID)
	e, hosts := wire(net, routes)
	e.Actions = func(node core.NodeID, a *core.Action) {
		if a.Kind == core.FlowDone {
			fmt.Printf("flow %d: %.3f us\n", a.Flow, 1e6*e.Now().Seconds())
		}
	}
	path := topo.NewPaths(routes, core.Exact, topo.Sizes{Payload: mtu, Packet: mtu + header, Ack: ack}).Pair(0, 2)
	for i := range int32(2) {
		src := core.NodeID(i)
		hosts[src].Open(e.Turn(), &nic.Flow{ID: i, Dst: 2, Prio: 3, SrcPort: 1000, DstPort: 100, DstQP: i, Size: 100_000,
			Scheme: dctcp, BaseRTT: path.RTT, Hops: path.Hops, Random: core.NewStream(1, core.StreamFlow, uint64(i))})
		e.CarryOut(src)
	}
	e.Run(core.Never, 1<<30)
	fmt.Println(e.Hops(), "packets have crossed a link")
	// Output:
	// flow 0: 21.004 us
	// flow 1: 21.089 us
	// 800 packets have crossed a link
}

// newSwitch returns a switch of so many ports with 1 MB, which marks packets above a queue of 30 KB.
func newSwitch(pool *core.Pool, routes core.Router, id core.NodeID, ports int) *switching.Switch {
	cfg := switching.Config{ID: id, Pool: pool, Router: routes, MTU: mtu, Mark: core.NewStream(1, core.StreamMark, uint64(id)),
		Buffer: switching.BufferConfig{Total: 1_000_000}, Pause: switching.PauseConfig{Quanta: 65535, FrameLen: 64}}
	for range ports {
		cfg.Ports = append(cfg.Ports, switching.PortConfig{Rate: rate, ToHost: true, Headroom: 100_000, Shift: 2,
			KMin: 30_000, KMax: 30_000, PMax: 1})
	}
	return switching.New(cfg)
}

// wire returns an engine with the machines of all nodes and the links between them, and the hosts by node.
func wire(net *topo.Topology, routes core.Router) (*engine.Engine, map[core.NodeID]*nic.Host) {
	ports, counts := net.Ports(), []int(nil)
	for _, list := range ports {
		counts = append(counts, len(list))
	}
	e := engine.New(engine.ByEntity, core.NewPool(1), counts)
	hosts := make(map[core.NodeID]*nic.Host)
	for i, list := range ports {
		id := core.NodeID(i)
		if net.Kinds[i] == topo.Switch {
			e.Attach(id, newSwitch(e.Pool, routes, id, len(list)))
		} else {
			hosts[id] = nic.New(nic.Config{ID: id, Pool: e.Pool, Router: routes, Ports: []core.Rate{rate}, MTU: mtu,
				Header: header, AckLen: ack, MinLen: 64, AckDuplicates: true, SkipAcked: true})
			e.Attach(id, hosts[id])
		}
		for k, p := range list {
			e.Connect(e.Port(id, k), e.Port(p.Peer, p.PeerPort), net.Links[p.Link].Delay)
		}
	}
	return e, hosts
}
