package scenario

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// A queue pair that carries a message in pieces of whole packets sends it as if it were one, under every scheme: what is in
// flight, the pace and all that the scheme has learnt go on, also at the receiver. Two other flows compete with it.
// Acknowledgements are not delayed, since that of a last packet never is.
func TestPiecesAreOneMessage(t *testing.T) {
	const packet, others = 1000, 2
	pieces := [][]int64{{400 * packet}, {2 * packet, 398 * packet}, {100 * packet, 100 * packet, 100 * packet, 100 * packet}, {}}
	for range 100 {
		pieces[3] = append(pieces[3], 4*packet)
	}
	for _, scheme := range catalog.All() {
		for _, recovery := range []string{"go-back-n", "selective"} {
			t.Run(scheme.Name+", "+recovery, func(t *testing.T) {
				var want [others + 1]core.Time
				for i, sizes := range pieces {
					flows := []sim.Flow{
						{Src: 1, Dst: 3, Bytes: 300 * packet, Prio: 3, DstPort: 100}, {Src: 2, Dst: 3, Bytes: 200 * packet, Prio: 3, DstPort: 100},
					}
					for _, bytes := range sizes {
						flows = append(flows, sim.Flow{Src: 0, Dst: 3, Bytes: bytes, Prio: 3, DstPort: 100})
					}
					cc := scheme.Name
					if scheme.Name == "dctcp-window" {
						cc = "{name: dctcp-window, params: {ack_every: 1}}"
					}
					s := unsampled(t, flows, "topology", "star:n=4", "cc", cc, "host.recovery", recovery)
					if s.Schemes[0].Traits().OneMessage {
						t.Skip("refused")
					}
					s.Connections = 1
					n, _ := play(t, s)
					var got [others + 1]core.Time
					for flow := range flows {
						r := n.Record(flow)
						if !r.Finished {
							t.Fatalf("flow %d has not finished", flow)
						}
						got[min(flow, others)] = r.Start.Add(r.FCT)
					}
					if i == 0 {
						want = got
					}
					if got != want {
						t.Errorf("in %d pieces the flows end at %v, in one at %v", len(sizes), got, want)
					}
				}
			})
		}
	}
}

// Queue pairs of several messages are refused where they would not work as said.
func TestConnectionsRefused(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"host.connections 55537", "host.connections: 55537 must be 0 to 55536"},
		{"host.connections 1 options.skip_acked false", "host.connections: 1 needs options.skip_acked: true and options.keep_order: false, as in profile native"},
		{"host.connections 1 options.keep_order true", "host.connections: 1 needs options.skip_acked: true and options.keep_order: false, as in profile native"},
		{"host.connections 1 cc ndp", "host.connections: ndp takes every message for a flow of its own, at receivers or in switches: leave host.connections out"},
		{"host.connections 1 cc af-qcn", "host.connections: af-qcn takes every message for a flow of its own"},
		{"host.connections 1 cc fqcn", "host.connections: fqcn takes every message for a flow of its own"},
		{"host.connections 1 cc qcn", ""},
		{"host.connections 1 cc rcc-recon", ""},
	} {
		_, err := of(t, strings.Fields(c.keys)...).Setup()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.keys, err)
		}
	}
}
