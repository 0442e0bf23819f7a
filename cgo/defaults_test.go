//go:build cgo

package main

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/sim"
)

// one returns value if b is true, else 0.
func one(b bool, value uint32) uint32 {
	if b {
		return value
	}
	return 0
}

func configArgument[P, C, R any](func(P, *C) R) *C { return new(C) }

// TestDefaults requires that the _default functions give the settings of the standalone simulator's
// profiles.
func TestDefaults(t *testing.T) {
	for profile, name := range []string{"native", "ns3"} {
		sc := scenario.Default()
		if err := sc.Set("profile", name); err != nil {
			t.Fatal(err)
		}
		p, h, w := &sc.Options, &sc.Host, &sc.Switch
		net, nic, sw := configArgument(qbb_net_default), configArgument(qbb_nic_default), configArgument(qbb_switch_default)
		paths := configArgument(qbb_topology_default)
		if profile == 0 {
			qbb_net_default(0, net)
			qbb_nic_default(0, nic)
			qbb_switch_default(0, sw)
			qbb_topology_default(0, paths)
		} else {
			qbb_net_default(1, net)
			qbb_nic_default(1, nic)
			qbb_switch_default(1, sw)
			qbb_topology_default(1, paths)
		}
		for _, c := range []struct {
			what      string
			got, want int64
		}{
			{"timing", int64(net.timing), int64(p.Timing)},
			{"common random", int64(net.options), int64(one(p.CommonRandom, 1))},
			{"INT format", int64(net.format.time_unit), map[bool]int64{false: 1, true: int64(core.Nanosecond)}[p.ShortINT]},
			{"nic options", int64(nic.options), int64(one(h.AckPrio0, 1) | one(p.AckDuplicates, 2) | one(p.SkipAcked, 4) |
				one(!h.Paced, 8) | one(p.WakeForAll, 16) | one(p.KeepOrder, 32) | one(p.AckClass == 3, 64))},
			{"recovery", int64(nic.recovery[0]), int64(h.Recovery)},
			{"header", int64(nic.header), int64(h.Header)},
			{"ack", int64(nic.ack), int64(h.AckHeader)},
			{"min_packet", int64(nic.min_packet), int64(h.MinPacket)},
			{"nack_every", int64(nic.nack_every), int64(h.NackEvery)},
			{"ack_every", int64(nic.ack_every), int64(h.AckEvery)},
			{"chunk", int64(nic.chunk), h.Chunk},
			{"rto", int64(nic.rto), map[sim.Timeout]int64{0: 0, sim.FitTimeout: int64(sim.LeastTimeout)}[p.RTO]},
			{"rto_low", int64(nic.rto_low), int64(h.RTOLow)},
			{"reordering", int64(nic.reordering), h.Reordering},
			{"retries", int64(nic.retries), int64(p.Retries)},
			{"switch options", int64(sw.options), int64(one(sc.FlowControl != "pfc", 1) | one(p.MarkAny, 8) | one(p.Wrap32, 16) | one(p.KeepOnFlush, 32))},
			{"pause_size", int64(sw.pause_size), int64(p.PauseSize)},
			{"pause_quanta", int64(sw.pause_quanta), int64(p.PauseQuanta)},
			{"reserve", int64(sw.reserve), int64(w.Reserve)},
			{"resume", int64(sw.resume), int64(w.Resume)},
			{"sharing", int64(sw.sharing), int64(w.Sharing)},
			{"first_alpha", int64(sw.first_alpha), int64(w.FirstAlpha)},
			{"balance", int64(sw.balance), int64(w.LoadBalance)},
			{"flowlet_gap", int64(sw.flowlet_gap), int64(w.FlowletGap)},
			{"timing of paths", int64(paths.timing), int64(p.Timing)},
			{"order of paths", int64(paths.descending), int64(p.ECMP)},
			{"packet of paths", int64(paths.packet), int64(paths.payload) + int64(h.Header)},
			{"ack of paths", int64(paths.ack), int64(max(h.MinPacket, h.AckHeader))},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s is %d, want %d", name, c.what, c.got, c.want)
			}
		}
	}
}
