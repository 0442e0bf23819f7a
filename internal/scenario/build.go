package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/dcms"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// Setup completes the scenario, reads the files that it names, and makes every choice. An error
// is the user's, and one line.
func (sc *Scenario) Setup() (*sim.Setup, error) {
	if err := sc.Complete(); err != nil {
		return nil, err
	}
	r, err := sc.recoveries()
	if err != nil {
		return nil, err
	}
	h, w := &sc.Host, &sc.Switch
	s := &sim.Setup{
		Profile: sc.Options, Seed: sc.Seed, Stop: sc.Stop,
		MTU: sc.MTU, Header: h.Header, AckHeader: h.AckHeader, MinPacket: h.MinPacket,
		Buffer: sc.Buffer, Reserve: w.Reserve, Resume: w.Resume, ExactHeadroom: w.ExactHeadroom, AlphaShift: w.AlphaShift,
		Balance: w.LoadBalance, FlowletGap: w.FlowletGap, ConWeave: sc.conWeave(), Entropy: h.Entropy, PLB: nic.PLB{Threshold: h.PLBThresh, Rounds: h.PLBRounds}, Connections: h.Connections,
		NoPFC: sc.FlowControl == "none", Watchdog: sc.watchdog(), Credits: sc.credits(), Manager: sc.manager(),
		ECN: sc.ECN.at, ECNOff: sc.ECN.Mark == "off", ECNAtEnqueue: sc.ECN.Mark == "enqueue",
		INTMulti:  w.INTMulti,
		Windows:   sim.WindowRule{Classes: r.windows, Global: h.GlobalRTT, Scale: h.ScaleWindow},
		HostDelay: sc.Options.Timing.Cut(h.Delay), HostService: sc.Options.Timing.Cut(h.Service), // as the clock counts them
		AckEvery: h.AckEvery, AckPrio0: h.AckPrio0, Unpaced: !h.Paced,
		NackEvery: h.NackEvery, Chunk: h.Chunk, Recovery: r.ways, Reordering: h.Reordering, RTOLow: h.RTOLow,
		LossPerLink: sc.Loss,
		Sampling:    sim.Sampling(sc.Sampling),
		Capture:     sc.Pcap.File != "",
		ClosedLoop:  sc.ClosedLoop,
	}
	for _, step := range [...]func(*sim.Setup) error{
		sc.buildTopology, sc.checkConWeave, sc.buildLinks, sc.checkLeaves, sc.buildLossy, sc.buildTransmission, sc.buildTraffic, sc.buildSharing, sc.buildTrim, sc.buildBuffer, sc.buildTrace,
		sc.buildSeries,
	} {
		if err := step(s); err != nil {
			return nil, err
		}
	}
	sc.noteReset(s)
	sc.noteIdle(s)
	noteOvertaking(s)
	noteTrimming(s)
	noteTrace(s)
	sc.noteUnknown(s)
	return s, nil
}

// credits returns the configuration of credit flow control, or nil.
func (sc *Scenario) credits() *core.CreditConfig {
	if sc.FlowControl != "credits" {
		return nil
	}
	return &core.CreditConfig{Lane: sc.Credits.Buffer, Update: sc.Credits.Update}
}

// watchdog returns the times of PFC watchdogs, as the clock counts them.
func (sc *Scenario) watchdog() switching.WatchdogConfig {
	w, timing := &sc.Watchdog, sc.Options.Timing
	if sc.FlowControl != "pfc" {
		return switching.WatchdogConfig{}
	}
	return switching.WatchdogConfig{Detection: timing.Cut(w.Detection), Restoration: timing.Cut(cmp.Or(w.Restoration, w.Detection))}
}

// manager returns the configuration of the congestion manager.
func (sc *Scenario) manager() sim.ManagerSpec {
	d := &sc.DCMS
	return sim.ManagerSpec{Sweep: d.Sweep, Tick: sc.Credits.Tick, Params: dcms.Params{
		CongTime: d.TC, Wait: d.TW, Data: d.TD, Sweeps: d.TI, Default: d.Default, Low: d.Low,
	}}
}

// at returns the thresholds of a link rate; false if there are none.
func (e *ECN) at(r core.Rate) (kmin, kmax core.Bytes, pmax float64, ok bool) {
	if i := slices.IndexFunc(e.Thresholds, func(t Threshold) bool { return t.Rate == r }); i >= 0 {
		t := &e.Thresholds[i]
		return t.KMin, t.KMax, t.PMax, true
	}
	if !e.Scale || len(e.Thresholds) == 0 {
		return 0, 0, 0, false
	}
	t := &e.Thresholds[0]
	times := float64(r) / float64(t.Rate)
	return core.Truncate[core.Bytes](float64(t.KMin) * times), core.Truncate[core.Bytes](float64(t.KMax) * times), t.PMax, true
}

// buildTopology reads or makes the network, and checks that it has thresholds.
func (sc *Scenario) buildTopology(s *sim.Setup) (err error) {
	var lines []int
	if sc.network != nil && sc.Topology == ownNetwork {
		s.Topology = &topo.Topology{Kinds: sc.network.Kinds, Links: slices.Clone(sc.network.Links)}
	} else if isFile(sc.Topology) {
		s.Topology, lines, err = traces.LoadTopology(sc.Topology, sc.Options.Timing)
	} else if s.Topology, err = topo.Parse(sc.Topology); err != nil && !strings.Contains(sc.Topology, ":") && !isBuilder(sc.Topology) {
		err = fmt.Errorf("topology %q: %s, and it is no builder such as fat-tree:k=8%s", sc.Topology, noFile(sc.Topology), whereElse(sc.file, sc.Topology))
	}
	if err = noteSurplus(s, err); err != nil {
		return sc.blame("topology", sc.Topology, err)
	}
	return sc.checkThresholds(s, lines)
}

// checkThresholds demands ECN thresholds for every link of a switch that marks. If the topology is a file, lines are those of the
// links.
func (sc *Scenario) checkThresholds(s *sim.Setup, lines []int) error {
	if s.ECNOff {
		return nil
	}
	for i, l := range s.Topology.Links {
		if s.Topology.Kinds[l.A] == topo.Host && s.Topology.Kinds[l.B] == topo.Host {
			continue
		}
		if _, _, _, ok := sc.ECN.at(l.Rate); ok {
			continue
		}
		if lines == nil {
			return sc.wrong("ecn.thresholds", fmt.Errorf("the link rate %v has none: add them, or set ecn.scale: true", l.Rate))
		}
		if key, line := sc.lackingMap(l.Rate); key != "" {
			return fmt.Errorf("%s:%d: %s lacks %d, the rate of the link in %s:%d: add it", sc.file, line, key, l.Rate, sc.Topology, lines[i])
		}
		return fmt.Errorf("%s:%d: link rate %v has no ECN thresholds: add it to KMIN_MAP, KMAX_MAP and PMAX_MAP, or ecn.thresholds%s",
			sc.Topology, lines[i], l.Rate, inFile(sc.file))
	}
	return nil
}

// lackingMap names the first map of a config.txt that lacks a link rate, and its line.
func (sc *Scenario) lackingMap(r core.Rate) (key string, line int) {
	c := sc.ref
	if c == nil {
		return "", 0
	}
	size := func(m traces.RateSize) bool { return m.Rate == r }
	for _, m := range []struct {
		key string
		has bool
	}{
		{"KMIN_MAP", slices.ContainsFunc(c.KMin, size)},
		{"KMAX_MAP", slices.ContainsFunc(c.KMax, size)},
		{"PMAX_MAP", slices.ContainsFunc(c.PMax, func(m traces.RateProb) bool { return m.Rate == r })},
	} {
		if line, given := c.Given(m.key); given && !m.has {
			return m.key, line
		}
	}
	return "", 0
}

func isBuilder(name string) bool {
	return slices.ContainsFunc(topo.Builders(), func(b topo.Builder) bool { return b.Name == name })
}

func inFile(name string) string {
	if name == "" {
		return ""
	}
	return " in " + name
}

// buildBuffer chooses the switches' memory, or checks that what the ports are promised fits into it,
// and that the rest is not more than any switch can use. In 32-bit arithmetic a memory that is too
// small counts as a large one. Credits promise nothing: they have their own memory.
func (sc *Scenario) buildBuffer(s *sim.Setup) error {
	memory := switching.BufferConfig{Reserve: s.Reserve, Lossy: s.Lossy}
	promised := make([]core.Bytes, len(s.Topology.Kinds))
	worst := core.NodeID(0)
	for i := range s.Topology.Links {
		l := &s.Topology.Links[i]
		need := memory.Promised(min(s.Headroom(l), switching.MaxUse))
		for _, id := range [...]core.NodeID{l.A, l.B} {
			if s.Topology.Kinds[id] != topo.Switch {
				continue
			}
			if promised[id] += need; promised[id] > promised[worst] {
				worst = id
			}
		}
	}
	const usual = 32e6
	switch most := promised[worst]; {
	case s.Buffer == 0:
		s.Buffer = max(usual, 2*most)
	case s.Credits != nil:
	case s.Buffer > memory.MaxTotal(most):
		return sc.wrong("buffer", fmt.Errorf("%v is too large: switch %d can use %v", s.Buffer, worst, memory.MaxTotal(most)))
	case s.Buffer <= most && !s.Profile.Wrap32:
		return sc.wrong("buffer", fmt.Errorf("%v is too small: switch %d promises its ports %v of reserve and headroom: write more than that, or 0B for the default", s.Buffer, worst, most))
	}
	return nil
}

// allNodes is the trace of every node.
const allNodes = "all"

// buildTrace names the nodes whose packets are recorded.
func (sc *Scenario) buildTrace(s *sim.Setup) error {
	nodes := len(s.Topology.Kinds)
	switch {
	case sc.Trace == "":
		return nil
	case sc.Trace == allNodes:
		for id := range nodes {
			s.Trace = append(s.Trace, core.NodeID(id))
		}
		return nil
	case isFile(sc.Trace):
		ids, err := traces.LoadNodes(sc.Trace, nodes)
		if err = noteSurplus(s, err); err != nil {
			return sc.blame("trace", sc.Trace, err)
		}
		s.Trace = ids
		return nil
	}
	for word := range strings.SplitSeq(sc.Trace, ",") {
		id, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || id < 0 || id >= nodes {
			return sc.wrong("trace", fmt.Errorf("%q is neither a node (0 to %d) nor a file", word, nodes-1))
		}
		s.Trace = append(s.Trace, core.NodeID(id))
	}
	return nil
}
