package results

import (
	"github.com/goccy/go-yaml"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/traces"
)

// linkDown is the failure of a link: the ports at its ends forget their pauses.
type linkDown struct {
	at   float64 // ns
	ends [2]portKey
}

// linkDowns returns the failures of links that a scenario names; none if they are not as this version writes them.
func linkDowns(text string, ports []traces.PortRow) []linkDown {
	var sc struct{ Links []struct{ At, Down string } }
	if err := yaml.Unmarshal([]byte(text), &sc); err != nil {
		return nil
	}
	var downs []linkDown
	for _, c := range sc.Links {
		if c.At == core.Never.String() {
			continue
		}
		at, err := core.ParseDuration(c.At)
		if err != nil {
			return nil
		}
		if name, err := topo.ParseLinkName(c.Down); err == nil { // others return
			number := max(name.Number, 1)
			downs = append(downs, linkDown{traces.Nanos(at), [2]portKey{portTo(ports, name.A, name.B, number), portTo(ports, name.B, name.A, number)}})
		}
	}
	return downs
}

// portTo returns the port of a node that leads to another by one of parallel links, which ports are in the order of.
func portTo(ports []traces.PortRow, node, peer, number int) portKey {
	for i := range ports {
		p := &ports[i]
		if int(p.Node) != node || int(p.Peer) != peer {
			continue
		}
		if number--; number == 0 {
			return portKey{p.Node, p.Port}
		}
	}
	return portKey{node: -1}
}
