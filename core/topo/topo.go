package topo

import (
	"fmt"

	"github.com/qbb-sim/qbb/core"
)

// Kind is what a node is.
type Kind uint8

// Kinds of node.
const (
	Host Kind = iota
	Switch
)

// Link is a full-duplex link.
type Link struct {
	A, B  core.NodeID
	Rate  core.Rate
	Delay core.Duration // propagation, one way
	Loss  float64       // probability that a packet is lost, each way
}

// Topology is a network. Ports of a node are numbered from 0 in the order of its links.
type Topology struct {
	Name  string
	Kinds []Kind // by NodeID
	Links []Link
}

// Port is one end of a link.
type Port struct {
	Link     int
	Peer     core.NodeID
	PeerPort int
}

// Ports returns the ports of every node.
func (t *Topology) Ports() [][]Port {
	ports := make([][]Port, len(t.Kinds))
	for i, l := range t.Links {
		a, b := len(ports[l.A]), len(ports[l.B])
		ports[l.A] = append(ports[l.A], Port{Link: i, Peer: l.B, PeerPort: b})
		ports[l.B] = append(ports[l.B], Port{Link: i, Peer: l.A, PeerPort: a})
	}
	return ports
}

// Hosts returns the hosts in ascending order.
func (t *Topology) Hosts() []core.NodeID {
	var hosts []core.NodeID
	for id, k := range t.Kinds {
		if k == Host {
			hosts = append(hosts, core.NodeID(id))
		}
	}
	return hosts
}

// HostRange says in words which nodes are hosts, for messages about one that is none.
func (t *Topology) HostRange() string {
	switch hosts := t.Hosts(); len(hosts) {
	case 0:
		return "the network has no hosts"
	case 1:
		return fmt.Sprintf("the network has 1 host, %d", hosts[0])
	default:
		return fmt.Sprintf("the network has %d hosts, the first is %d, the last %d", len(hosts), hosts[0], hosts[len(hosts)-1])
	}
}
