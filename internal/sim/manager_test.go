package sim_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// sweeps keeps the result of the manager's last sweep.
type sweeps struct {
	nobody
	at    core.Time
	ports []sim.SweptPort
}

// Swept implements sim.ManagerObserver.
func (s *sweeps) Swept(at core.Time, ports []sim.SweptPort, _ []sim.ManagerAction) {
	s.at, s.ports = at, ports
}

// A manager sweeps the ports of switches, in their order; its default rate applies from the start.
func TestManagerAtFirst(t *testing.T) {
	s := setup(t, "0,1,1000,0,\n", "topology", "dumbbell:n=2", "flow_control", "credits", "cc", "{name: ib-cc, params: {preset: dcms}}", "dcms.sweep", "20us")
	s.Manager.Default = 77
	var told sweeps
	h, err := sim.BuildHosted(s, &told)
	if err != nil {
		t.Fatal(err)
	}
	h.At(20)
	h.Sweep()
	var want []sim.PortRef
	for id, ports := range h.Ports() {
		for i := range ports {
			if s.Topology.Kinds[id] == topo.Switch {
				want = append(want, sim.PortRef{Node: core.NodeID(id), Port: i})
			}
		}
	}
	if told.at != 20 || len(told.ports) != len(want) {
		t.Fatalf("at %v, %d ports, want %d", told.at, len(told.ports), len(want))
	}
	for i, p := range told.ports {
		if p.PortRef != want[i] || p.MarkingRate != 77 {
			t.Errorf("%+v, want %+v with 77", p, want[i])
		}
	}
}
