package sim

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// A buffer of credits holds two full packets, with what the schemes add over the longest path, and an update comes
// before there is no room for one.
func TestCreditBounds(t *testing.T) {
	creditBounds(t, core.FullINT(2), 1000+50+10+2*8) // with records of two switches
	creditBounds(t, core.QuantisedINT(1), 1000+50+10+5*8)
}

func creditBounds(t *testing.T, format core.INTFormat, packet core.Bytes) {
	t.Helper()
	least := 2 * (packet + core.CreditBlock)
	for _, c := range []struct {
		lane, update core.Bytes
		want         core.Bytes // between updates; 0: refused
	}{
		{least - 1, 0, 0},
		{least, 0, packet},
		{core.MaxLane, 0, packet},
		{core.MaxLane + 1, 0, 0},
		{least, packet + core.CreditBlock, packet + core.CreditBlock},
		{least, packet + core.CreditBlock + 1, 0},
	} {
		n := &Network{
			Setup:     &Setup{MTU: 1000, Header: 50, Topology: &topo.Topology{}, Credits: &core.CreditConfig{Lane: c.lane, Update: c.update}},
			wiring:    wiring{most: topo.Most{Hops: 3}},
			equipment: equipment{intf: format, traits: []algorithms.Traits{{HeaderBytes: 10, HopBytes: 8}, {HeaderBytes: 11}}},
		}
		err := n.chooseCredits()
		if (err == nil) != (c.want > 0) || err == nil && n.credits.Update != c.want {
			t.Errorf("%+v: %+v, %v", c, n.credits, err)
		}
	}
}

// Credits are refreshed where the last update may have been lost.
func TestCreditRefresh(t *testing.T) {
	for name, change := range map[string]func(s *Setup){
		"":              func(*Setup) {},
		"loss":          func(s *Setup) { s.LossPerLink = 1e-9 },
		"loss of one":   func(s *Setup) { s.Topology.Links[1].Loss = 1e-9 },
		"link failures": func(s *Setup) { s.Links = make([]LinkEvent, 1) },
	} {
		n := &Network{Setup: &Setup{MTU: 1000, Topology: &topo.Topology{Links: make([]topo.Link, 2)}, Credits: &core.CreditConfig{Lane: 1 << 16}}}
		change(n.Setup)
		if err := n.chooseCredits(); err != nil || n.credits.Refresh != (name != "") {
			t.Errorf("%q: %+v, %v", name, n.credits, err)
		}
	}
}
