package sim_test

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// line is a network of two hosts with so many switches between them.
func line(switches int) *topo.Topology {
	t := &topo.Topology{Kinds: make([]topo.Kind, switches+2)}
	for i := range switches + 1 {
		t.Kinds[i] = topo.Switch
		t.Links = append(t.Links, topo.Link{A: core.NodeID(i), B: core.NodeID(i + 1), Rate: core.Gbps, Delay: core.Nanosecond})
	}
	t.Kinds[0] = topo.Host
	return t
}

// A packet counts its records of hops in a byte: with 256 switches it would seem to have none.
func TestRecordsOfLongPaths(t *testing.T) {
	for _, profile := range []sim.Profile{sim.Native(), sim.NS3()} {
		for _, c := range []struct {
			scheme   string
			switches int
			want     string
		}{
			{"hpcc", 255, ""},
			{"hpcc", 256, "hpcc: a path has 256 switches, and packets have records (INT) of at most 255: "},
			{"none", 256, ""},
		} {
			scheme, err := catalog.New(c.scheme, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := &sim.Setup{
				Profile: profile, Topology: line(c.switches), Schemes: []algorithms.Scheme{scheme}, Stop: core.Never,
				MTU: 1000, Header: 50, AckHeader: 60, MinPacket: 64, Buffer: 1e6, ECNOff: true,
			}
			_, err = sim.Build(s, nobody{})
			if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s, %d switches: %v", profile.Name, c.switches, err)
			}
		}
	}
}
