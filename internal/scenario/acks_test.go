package scenario

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// A lone flow of n packets, one in k of which asks for an acknowledgement, gets ceil(n/k) of them, and takes the time of
// the closed form, also when acknowledgements are the longer packets.
func TestLoneFlowOfCoalescedAcks(t *testing.T) {
	const spec = "fat-tree:thesis"
	for _, k := range []int{1, 2, 3, 16, 1000} {
		for _, ack := range []string{"66B", "3KB"} {
			for _, bytes := range []int64{1, 1000, 1001, 2500, 16_000, 16_001, 100_000} {
				flows := []sim.Flow{{Src: 0, Dst: 15, Bytes: bytes, Prio: 3, DstPort: 100}}
				s := withFlows(t, flows, "topology", spec, "cc", "none", "host.window", "off", "host.ack_every", fmt.Sprint(k), "host.ack_header", ack)
				n, _ := play(t, s)
				r, got := n.Record(0), n.Counters(15, 0).TxPackets
				packets := (bytes + 999) / 1000
				if want := (packets + int64(k) - 1) / int64(k); got != want {
					t.Errorf("every %d, %d bytes: %d acknowledgements, want %d", k, bytes, got, want)
				}
				line := topo.NewPaths(topo.NewRoutes(s.Topology, nil, s.Profile.ECMP), s.Profile.Timing, topo.Sizes{}).Line(0, 15, topo.First)
				back := slices.Clone(line)
				slices.Reverse(back)
				want := topo.IdealFCT(line, back, s.Profile.Timing, core.Bytes(bytes), topo.Sizes{Payload: 1000, Packet: 1062, Ack: s.AckHeader, AckEvery: k})
				if r.FCT != want || r.Ideal != want || r.Timeouts != 0 {
					t.Errorf("every %d, %d bytes, acknowledgements of %s: took %v, %d time-outs; ideal %v, want %v", k, bytes, ack, r.FCT, r.Timeouts, r.Ideal, want)
				}
			}
		}
	}
}

// There are two acknowledgements to a window: one of at most two packets has every packet acknowledged, whatever
// ack_every is, also after losses.
func TestCoalescedAcksOfSmallWindows(t *testing.T) {
	var flows []sim.Flow
	for i := range core.NodeID(9) {
		flows = append(flows, sim.Flow{Src: i % 3, Dst: 3 + i/3, Bytes: 100_000 + int64(i), Prio: 3, DstPort: 100})
	}
	result := func(every, way string) outcome {
		s := withFlows(t, flows, "topology", "dumbbell:n=3,bottleneck=1Gbps,delay=10ns", "mtu", "9000B", "cc", "none", "loss", "0.02",
			"host.window", "on", "host.global_rtt", "false", "host.recovery", way, "host.ack_every", every)
		n, _ := play(t, s)
		if n.Lost() < 10 {
			t.Errorf("%d packets lost", n.Lost())
		}
		return outcomeOf(n)
	}
	for _, way := range []string{"go-back-n", "selective"} {
		sameOutcome(t, result("1000", way), result("1", way))
	}
}

// Whatever ack_every is, flows of every scheme that permits it come to their end, and without losses none of them has a
// time-out; the others are refused.
func TestCoalescedAcksOfEveryScheme(t *testing.T) {
	var refused []string
	for _, e := range catalog.All() {
		keys := []string{"topology", "star:n=5", "cc", e.Name, "workload", "fbhadoop", "load", "0.6", "duration", "100us", "incast", "4x100KB", "stop", "1s"}
		if _, err := of(t, append(keys, "host.ack_every", "2")...).Setup(); err != nil {
			refused = append(refused, err.Error())
			continue
		}
		for i, every := range []string{"2", "16", "1000"} {
			for _, loss := range []string{"0", "0.003"} {
				way := []string{"go-back-n", "selective", "go-back-0"}[(i+len(e.Name))%3]
				s, err := of(t, append(keys, "host.ack_every", every, "loss", loss, "host.recovery", way)...).Setup()
				if err != nil {
					t.Fatal(err)
				}
				n, _ := play(t, s)
				for i := range s.Flows {
					if r := n.Record(i); !r.Finished || loss == "0" && (r.Timeouts != 0 || r.Retx != 0) {
						t.Errorf("%s, every %s, loss %s, %s: %+v", e.Name, every, loss, way, r)
					}
				}
			}
		}
	}
	want := []string{
		"host.ack_every: dctcp needs an acknowledgement of every packet: leave host.ack_every out",
		"host.ack_every: mpcc needs an acknowledgement of every packet: leave host.ack_every out",
		"host.ack_every: dctcp-window coalesces acknowledgements by its own parameter ack_every: leave host.ack_every out",
		"host.ack_every: reno needs an acknowledgement of every packet: leave host.ack_every out",
		"host.ack_every: cubic needs an acknowledgement of every packet: leave host.ack_every out",
		"host.ack_every: vegas needs an acknowledgement of every packet: leave host.ack_every out",
		"host.ack_every: xcp needs an acknowledgement of every packet: leave host.ack_every out",
		"host.ack_every: bolt needs an acknowledgement of every packet: leave host.ack_every out",
		"host.ack_every: nscc needs an acknowledgement of every packet: leave host.ack_every out",
		"host.ack_every: ndp needs an acknowledgement of every packet: leave host.ack_every out",
	}
	if !slices.Equal(refused, want) {
		t.Errorf("refused:\n%q\nwant\n%q", refused, want)
	}
}

// A window that a scheme cuts to a packet while others are in flight does not stop a flow until a time-out.
func TestCoalescedAcksOfAnIncast(t *testing.T) {
	var flows []sim.Flow
	for i := range core.NodeID(100) {
		flows = append(flows, sim.Flow{Src: i, Dst: 100, Bytes: 100_000, Prio: 3, DstPort: 100})
	}
	for _, cc := range []string{"hpcc", "swift", "rcc-recon", "rcp"} {
		took := func(every string) core.Time {
			n, q := play(t, unsampled(t, flows, "topology", "star:n=101", "cc", cc, "host.ack_every", every, "host.window", "on"))
			for _, r := range q.ends {
				if r.Timeouts > 0 {
					t.Errorf("%s, every %s: %d time-outs of flow %d", cc, every, r.Timeouts, r.ID)
				}
			}
			return n.Now()
		}
		if one, many := took("1"), took("1000"); many > one*3/2 {
			t.Errorf("%s: an incast takes %v, and %v with coalesced acknowledgements", cc, one, many)
		}
	}
}
