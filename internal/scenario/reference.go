package scenario

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/dcqcn"
	"github.com/qbb-sim/qbb/algorithms/dctcp"
	"github.com/qbb-sim/qbb/algorithms/hpcc"
	"github.com/qbb-sim/qbb/algorithms/hpccpint"
	"github.com/qbb-sim/qbb/algorithms/timely"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/traces"
)

// The numbers that the reference's configuration file does not hold.
const (
	refHeader    = 48 // data: 14 link, 20 IP, 8 UDP, 6 sequence number and priority
	refAckHeader = 46 // ACK: 14 link, 20 IP, 12
	refMinPacket = 60
	refReserve   = 4096
	refResume    = 3072
	refShift     = 3
	refNackEvery = 500 * core.Microsecond
	refLinkEpoch = core.Time(2 * core.Second) // LINK_DOWN counts from here
	refSample    = 100 * core.Nanosecond
	refDump      = 100 * core.Millisecond
	refBin       = 1000
)

// FromConfig makes the setup that a config.txt of the reference simulator describes, in the
// profile ns3. Other files are named by it; their names count from the working directory, then
// from the folder of the configuration.
func FromConfig(c *traces.Config) (*Setup, error) {
	if err := c.Require("TOPOLOGY_FILE", "FLOW_FILE", "CC_MODE", "SIMULATOR_STOP_TIME", "PACKET_PAYLOAD_SIZE", "BUFFER_SIZE"); err != nil {
		return nil, err
	}
	s := &Setup{
		Profile: NS3(), Stop: c.Stop,
		MTU: c.Payload, Header: refHeader, AckHeader: refAckHeader, MinPacket: refMinPacket,
		Buffer: c.BufferSize, Reserve: refReserve, Resume: refResume, AlphaShift: refShift,
		ECNOff: !c.EnableQCN, INTMulti: int(c.INTMulti),
		Windows:  WindowRule{On: c.HasWin, Global: c.GlobalT, Scale: c.VarWin},
		AckPrio0: c.AckHighPrio, Unpaced: !c.RateBound, NackEvery: refNackEvery,
		Chunk: max(1, int64(c.ChunkSize)), BackToZero: c.BackToZero, LossPerLink: c.ErrorRate,
		Sampling: Sampling{
			Interval: refSample, Start: c.QueueMonStart, End: c.QueueMonEnd,
			Bin: refBin, Events: true, Dump: refDump,
		},
	}
	var lines []int
	var err error
	file := func(name string) string { return findInput(c.File(), name) }
	if s.Topology, lines, err = traces.LoadTopology(file(c.TopologyFile)); err != nil {
		return nil, err
	}
	s.ECN = thresholds(c)
	if err := checkThresholds(c, s, lines); err != nil {
		return nil, err
	}
	if err := s.loadFlows(file(c.FlowFile)); err != nil {
		return nil, err
	}
	if c.EnableTrace {
		if s.Trace, err = traces.LoadNodes(file(c.TraceFile), len(s.Topology.Kinds)); err != nil {
			return nil, err
		}
	}
	if err := s.setLinkDown(c); err != nil {
		return nil, err
	}
	scheme, err := schemeOf(c)
	if err != nil {
		return nil, err
	}
	s.Schemes = []algorithms.Scheme{scheme}
	return s, nil
}

// findInput resolves a file name against the working directory, then against the folder of the
// file that names it.
func findInput(from, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	if _, err := os.Stat(name); err == nil {
		return name
	}
	beside := filepath.Join(filepath.Dir(from), name)
	if _, err := os.Stat(beside); err == nil {
		return beside
	}
	return name
}

func (s *Setup) loadFlows(path string) error {
	flows, err := traces.LoadFlows(path)
	if err != nil {
		return err
	}
	if err := traces.CheckFlows(path, flows, s.Topology); err != nil {
		return err
	}
	s.Flows = make([]Flow, len(flows))
	for i := range flows {
		f := &flows[i]
		s.Flows[i] = Flow{
			Src: f.Src, Dst: f.Dst, Bytes: int64(f.Bytes), Start: core.AtNanos(f.StartNanos),
			Prio: f.Prio, SrcPort: f.SrcPort, DstPort: f.DstPort, Tag: f.Tag,
		}
	}
	return nil
}

// thresholds looks the ECN thresholds of a link rate up in the configuration's maps.
func thresholds(c *traces.Config) func(core.Rate) (kmin, kmax core.Bytes, pmax float64, ok bool) {
	return func(r core.Rate) (kmin, kmax core.Bytes, pmax float64, ok bool) {
		lo := slices.IndexFunc(c.KMin, func(m traces.RateSize) bool { return m.Rate == r })
		hi := slices.IndexFunc(c.KMax, func(m traces.RateSize) bool { return m.Rate == r })
		p := slices.IndexFunc(c.PMax, func(m traces.RateProb) bool { return m.Rate == r })
		if lo < 0 || hi < 0 || p < 0 {
			return 0, 0, 0, false
		}
		return c.KMin[lo].Size, c.KMax[hi].Size, c.PMax[p].Prob, true
	}
}

// checkThresholds demands thresholds for every link of a switch, and names the line of one that
// has none.
func checkThresholds(c *traces.Config, s *Setup, lines []int) error {
	for i, l := range s.Topology.Links {
		if s.Topology.Kinds[l.A] == topo.Host && s.Topology.Kinds[l.B] == topo.Host {
			continue
		}
		if _, _, _, ok := s.ECN(l.Rate); !ok {
			return fmt.Errorf("%s:%d: link rate %v has no ECN thresholds: add %d to KMIN_MAP, KMAX_MAP and PMAX_MAP in %s",
				findInput(c.File(), c.TopologyFile), lines[i], l.Rate, int64(l.Rate), c.File())
		}
	}
	return nil
}

func (s *Setup) setLinkDown(c *traces.Config) error {
	d := c.LinkDown
	if d == (traces.LinkDown{}) {
		return nil
	}
	for i, l := range s.Topology.Links {
		if l.A == d.A && l.B == d.B || l.A == d.B && l.B == d.A {
			s.Links = []LinkEvent{{At: refLinkEpoch.Add(d.After), Link: i}}
			return nil
		}
	}
	line, _ := c.Given("LINK_DOWN")
	return fmt.Errorf("%s:%d: LINK_DOWN names nodes %d and %d, which no link joins: name the two ends of a link", c.File(), line, d.A, d.B)
}

// schemeOf makes the scheme that CC_MODE names, with the file's parameters. The reference's
// hosts set the windows.
func schemeOf(c *traces.Config) (algorithms.Scheme, error) {
	switch c.CCMode {
	case 1:
		p := dcqcn.Defaults()
		p.AlphaTimer, p.DecreaseTimer, p.IncreaseTimer = c.AlphaResume, c.RateDecrease, c.RPTimer
		p.G, p.FastRecovery, p.ClampTarget = c.EWMAGain, int(c.FastRecoveryStep), c.ClampTargetRate
		p.AI, p.HAI, p.MinRate, p.Window = c.RateAI, c.RateHAI, c.MinRate, false
		return dcqcn.New(p)
	case 3:
		p := hpcc.Defaults()
		p.Target, p.MIThresh, p.AI, p.MinRate = c.UTarget, int(c.MIThresh), c.RateAI, c.MinRate
		p.FastReact, p.MultiRate, p.SampleFeedback, p.Window = c.FastReact, c.MultiRate, c.SampleFeedback, false
		return hpcc.New(p)
	case 7:
		p := timely.Defaults()
		p.AI, p.HAI, p.MinRate, p.Window = c.RateAI, c.RateHAI, c.MinRate, false
		return timely.New(p)
	case 8:
		p := dctcp.Defaults()
		p.G, p.AI, p.MinRate, p.Window = c.EWMAGain, c.DCTCPRateAI, c.MinRate, false
		return dctcp.New(p)
	case 10:
		p := hpccpint.Defaults()
		p.Target, p.MIThresh, p.AI, p.MinRate = c.UTarget, int(c.MIThresh), c.RateAI, c.MinRate
		p.FastReact, p.LogBase, p.Probability, p.Window = c.FastReact, c.PINTLogBase, c.PINTProb, false
		return hpccpint.New(p)
	}
	line, _ := c.Given("CC_MODE")
	return nil, fmt.Errorf("%s:%d: CC_MODE %d is not known: use 1, 3, 7, 8 or 10", c.File(), line, c.CCMode)
}

// sortFlows puts flows in the order of their start, keeping the order of equal ones.
func sortFlows(flows []Flow) {
	slices.SortStableFunc(flows, func(a, b Flow) int { return cmp.Compare(a.Start, b.Start) })
}
