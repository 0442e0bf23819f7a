package sim

import (
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
)

// equipment is the network's devices, and what they are told of the run.
type equipment struct {
	hosts    []*nic.Host         // by node; nil for switches
	switches []*switching.Switch // by node; nil for hosts
	common   *commonRandom       // nil: every entity has its own streams
	intf     core.INTFormat
	points   Points
	traits   []algorithms.Traits // by scheme
	credits  *core.CreditConfig  // nil: not used
	room     core.Bytes          // under credits: what the largest switch holds of a class
}

// addSchemes numbers the schemes' congestion and notification points, and asks for their traits.
func (n *Network) addSchemes() {
	for _, s := range n.Setup.Schemes {
		n.points.Add(s)
		n.traits = append(n.traits, s.Traits())
	}
}

// mostRecords is how many switches a packet can have records of: it counts them in a byte (core.Packet.NHops).
const mostRecords = math.MaxUint8

// chooseINT chooses the format of telemetry records, for the schemes that have been added.
func (n *Network) chooseINT() error {
	s := n.Setup
	switches := n.longestPath() - 1
	n.intf = core.FullINT(max(1, switches))
	if s.Profile.ShortINT {
		n.intf = core.QuantisedINT(max(1, s.INTMulti))
	}
	needs := func(t algorithms.Traits) bool { return t.Needs&algorithms.INT != 0 }
	if i := slices.IndexFunc(n.traits, needs); i >= 0 && switches > mostRecords {
		return fmt.Errorf("%s: a path has %d switches, and packets have records (INT) of at most %d: use a scheme without them", n.traits[i].Name, switches, mostRecords)
	}
	return nil
}

// addDevices makes hosts and switches.
func (n *Network) addDevices() error {
	hostRate := n.hostRate()
	leaves, err := n.Setup.Leaves()
	if err != nil {
		return err
	}
	for id, kind := range n.Setup.Topology.Kinds {
		node := core.NodeID(id)
		if kind == topo.Host {
			n.hosts[id] = nic.New(n.hostConfig(node))
			continue
		}
		cfg, err := n.switchConfig(node, hostRate)
		if err != nil {
			return err
		}
		cfg.Balance.Leaves = leaves
		n.switches[id] = switching.New(cfg)
	}
	return nil
}

// hostRate is the rate of the slowest host port, or of the first host's first one, to which switch thresholds are
// scaled; 0 without hosts that have links.
func (n *Network) hostRate() core.Rate {
	least := core.Rate(0)
	for id, kind := range n.Setup.Topology.Kinds {
		if kind != topo.Host {
			continue
		}
		for _, p := range n.ports[id] {
			r := n.Setup.Topology.Links[p.Link].Rate
			if n.Setup.Profile.FirstHost {
				return r
			}
			if least == 0 || r < least {
				least = r
			}
		}
	}
	return least
}

func (n *Network) hostConfig(id core.NodeID) nic.Config {
	s, p := n.Setup, &n.Setup.Profile
	rates := make([]core.Rate, len(n.ports[id]))
	for i, port := range n.ports[id] {
		rates[i] = s.Topology.Links[port.Link].Rate
	}
	var chance core.Random
	if s.Entropy != nic.OfFlow {
		chance = core.NewStream(s.Seed, core.StreamEntropy, uint64(id))
	}
	var control uint8
	if s.Trim {
		control = s.Lossy
	}
	return nic.Config{
		ID: id, Router: n.routes, ECMPSeed: s.ecmpSeed(), Timing: p.Timing, Ports: rates, INT: n.intf,
		MTU: s.MTU, Header: int32(s.Header), AckLen: int32(s.AckHeader), MinLen: int32(s.MinPacket),
		Delay: s.HostDelay, Service: s.HostService, Unpaced: s.Unpaced, WakeForAll: p.WakeForAll,
		AckPrio0: s.AckPrio0, AckClass: p.AckClass, AckControl: control, AckEvery: s.AckEvery, AckDuplicates: p.AckDuplicates, NackEvery: s.NackEvery, SkipAcked: p.SkipAcked,
		Recovery: s.Recovery, Reordering: s.Reordering, Chunk: s.Chunk, RTOLow: s.RTOLow, Retries: p.Retries,
		Entropy: s.Entropy, Chance: chance, PLB: s.PLB,
		KeepOrder: p.KeepOrder && len(s.Links) > 0,
		Pool:      n.partOf(id).pool, Receivers: n.points.Receivers, MaxRTT: n.most.RTT, Seed: s.Seed, Credits: n.credits,
	}
}

func (n *Network) switchConfig(id core.NodeID, hostRate core.Rate) (switching.Config, error) {
	s, p := n.Setup, &n.Setup.Profile
	cfg := switching.Config{
		ID: id, Pool: n.partOf(id).pool, Router: n.routes, ECMPSeed: s.ecmpSeed(), Balance: n.balance(id), Timing: p.Timing,
		Buffer: switching.BufferConfig{
			Total: s.Buffer, Reserve: s.Reserve, Resume: s.Resume, Lossy: s.Lossy, LossyShift: s.LossyShift, Trim: s.Trim,
			Wrap32: p.Wrap32, KeepOnFlush: p.KeepOnFlush, Sharing: s.Sharing, FirstAlpha: s.FirstAlpha,
		},
		Credits:  n.credits,
		Strict:   s.Strict,
		Weights:  s.Weights,
		Pause:    switching.PauseConfig{Off: s.NoPFC || n.credits != nil, Quanta: p.PauseQuanta, FrameLen: p.PauseSize},
		Watchdog: s.Watchdog,
		ECN:      switching.ECNConfig{Off: s.ECNOff, AtEnqueue: s.ECNAtEnqueue, Any: p.MarkAny},
		INT:      n.intf, MaxRTT: n.most.RTT, MTU: s.MTU, Markers: n.points.Markers, NoticeLen: noticeLen,
		FirstBytes: uint32(min(n.most.BDP, math.MaxUint32)),
		Meter:      switching.MeterConfig{Interval: s.Sampling.Interval, Start: s.Sampling.Start, End: s.Sampling.End, Bin: max(1, s.Sampling.Bin)},
	}
	if s.Sampling.Events {
		cfg.Meter.Taken = &n.partOf(id).samples
	}
	if n.common != nil {
		cfg.Mark, cfg.Shared, cfg.PauseTakesDraw = n.common.mark, n.common.c, true
	} else {
		cfg.Mark = core.NewStream(s.Seed, core.StreamMark, uint64(id))
	}
	for i, port := range n.ports[id] {
		pc, err := n.portConfig(id, i, &s.Topology.Links[port.Link], hostRate)
		if err != nil {
			return cfg, err
		}
		cfg.Ports = append(cfg.Ports, pc)
	}
	return cfg, nil
}

func (n *Network) portConfig(id core.NodeID, index int, l *topo.Link, hostRate core.Rate) (switching.PortConfig, error) {
	s := n.Setup
	pc := switching.PortConfig{
		Rate: l.Rate, ToHost: s.Topology.Kinds[n.ports[id][index].Peer] == topo.Host, Headroom: s.Headroom(l), Shift: s.AlphaShift,
		KMin: core.Unlimited, KMax: core.Unlimited,
		Random: core.NewStream(s.Seed, core.StreamMarker, uint64(id)<<16|uint64(index)),
	}
	for r := l.Rate; r > hostRate && pc.Shift > 0; r /= 2 {
		pc.Shift--
	}
	if s.ECN == nil || s.ECNOff {
		return pc, nil
	}
	var ok bool
	if pc.KMin, pc.KMax, pc.PMax, ok = s.ECN(l.Rate); !ok {
		return pc, fmt.Errorf("no ECN thresholds (KMIN, KMAX, PMAX) for the link rate %v", l.Rate)
	}
	return pc, nil
}

// noticeLen is the size of a congestion notification message: the least Ethernet frame.
const noticeLen = 64

// ecmpSeed is what the run adds to the seeds of ECMP's hashes.
func (s *Setup) ecmpSeed() uint32 {
	if !s.Profile.ECMPSeeded {
		return 0
	}
	return core.NewStream(s.Seed, core.StreamECMP, 0).Uint32()
}

// balance is how a switch chooses among equal-cost paths.
func (n *Network) balance(id core.NodeID) switching.BalanceConfig {
	s := n.Setup
	b := switching.BalanceConfig{Way: s.Balance, Gap: s.FlowletGap, ConWeave: n.conWeave()}
	if s.Balance != switching.ECMP {
		b.Random = core.NewStream(s.Seed, core.StreamBalance, uint64(id))
	}
	return b
}
