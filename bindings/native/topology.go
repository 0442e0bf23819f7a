package native

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/traces"
)

// Topology returns the network that a run would have.
func (s *Scenario) Topology() (t *Topology, err error) {
	defer guard(&err)
	sc := s.copy()
	sc.Flows, sc.Schedule, sc.Added, sc.Workload, sc.Patterns, sc.Incast = "", nil, nil, "none", nil, ""
	sc.CCByTag, sc.ClassByCC, sc.Series.Flows = nil, nil, "none" // name what is gone
	setup, err := sc.Setup()
	if err != nil {
		return nil, err
	}
	return &Topology{setup.Topology}, nil
}

// Topology is a network.
type Topology struct{ t *topo.Topology }

// NewTopology returns the network of a builder such as fat-tree:k=8, or of a file.
func NewTopology(spec string) (t *Topology, err error) {
	defer guard(&err)
	s := NewScenario()
	if err := s.Apply(asJSON(map[string]string{"topology": spec})); err != nil {
		return nil, err
	}
	return s.Topology()
}

type nodeRow struct {
	Node core.NodeID `parquet:"node" unit:"node id" doc:"the node"`
	Kind string      `parquet:"kind" doc:"host or switch"`
}

type linkRow struct {
	A       core.NodeID `parquet:"a" unit:"node id" doc:"one end"`
	B       core.NodeID `parquet:"b" unit:"node id" doc:"the other end"`
	RateBps int64       `parquet:"rate_bps" unit:"bit/s" doc:"rate, each way"`
	DelayNs float64     `parquet:"delay_ns" unit:"ns" doc:"propagation, one way"`
	Loss    float64     `parquet:"loss" unit:"fraction" doc:"probability that a packet is lost, each way"`
}

// Nodes lists the nodes.
func (t *Topology) Nodes() (nodes *Table, err error) {
	defer guard(&err)
	nodes = tableOf[nodeRow]("nodes")
	for id, kind := range t.t.Kinds {
		add(nodes, []nodeRow{{core.NodeID(id), traces.KindName(kind)}})
	}
	return nodes, nil
}

// Links lists the links.
func (t *Topology) Links() (links *Table, err error) {
	defer guard(&err)
	links = tableOf[linkRow]("links")
	for _, l := range t.t.Links {
		add(links, []linkRow{{l.A, l.B, int64(l.Rate), l.Delay.Nanos(), l.Loss}})
	}
	return links, nil
}

// Text returns the network as topology.txt.
func (t *Topology) Text() (text string, err error) {
	defer guard(&err)
	return string(traces.AppendTopology(nil, t.t)), nil
}
