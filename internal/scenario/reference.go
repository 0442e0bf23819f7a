package scenario

import (
	"fmt"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/dcqcn"
	"github.com/qbb-sim/qbb/algorithms/dctcp"
	"github.com/qbb-sim/qbb/algorithms/hpcc"
	"github.com/qbb-sim/qbb/algorithms/hpccpint"
	"github.com/qbb-sim/qbb/algorithms/timely"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/internal/sim"
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
)

// ofConfig makes the scenario that a config.txt of the reference simulator describes, in the
// profile ns3. The names of other files in it are relative to the working directory or else to the
// folder of the configuration.
func ofConfig(c *traces.Config) (*Scenario, error) {
	if err := c.Require("TOPOLOGY_FILE", "FLOW_FILE", "CC_MODE", "SIMULATOR_STOP_TIME", "PACKET_PAYLOAD_SIZE", "BUFFER_SIZE"); err != nil {
		return nil, err
	}
	sc := Default()
	sc.useProfile(sim.NS3())
	sc.file, sc.Out = c.File(), "."
	sc.Topology, sc.Flows, sc.Workload = c.TopologyFile, c.FlowFile, noWorkload
	sc.MTU, sc.Buffer, sc.Loss, sc.Stop = c.Payload, c.BufferSize, c.ErrorRate, c.Stop
	sc.ECN = ECN{Mark: "off", Thresholds: thresholds(c)}
	if c.EnableQCN {
		sc.ECN.Mark = "dequeue"
	}
	h := &sc.Host
	h.Window, h.GlobalRTT, h.ScaleWindow = "off", c.GlobalT, c.VarWin
	if c.HasWin {
		h.Window = "on"
	}
	_, bound := c.Given("RATE_BOUND")
	h.Paced, h.AckPrio0, h.Chunk = c.RateBound || !bound, c.AckHighPrio, max(1, int64(c.ChunkSize))
	if c.BackToZero {
		h.Recovery = nic.GoBack0
	}
	sc.Switch.INTMulti = max(1, int(c.INTMulti)) // 0: not given
	sc.Sampling = SamplingSpec{
		Interval: refSample, Start: c.QueueMonStart, End: c.QueueMonEnd, Bin: traces.QueueBin, Events: true, Dump: refDump,
	}
	sc.Files = Files{FCT: c.FCTOutput, PFC: c.PFCOutput, Queues: c.QueueMonFile}
	if c.EnableTrace {
		if err := c.Require("TRACE_FILE", "TRACE_OUTPUT_FILE"); err != nil {
			return nil, err
		}
		sc.Trace, sc.Files.Events = c.TraceFile, c.TraceOutput
	}
	if d := c.LinkDown; d != (traces.LinkDown{}) {
		sc.Links = []LinkChange{{At: refLinkEpoch.Add(d.After), Down: fmt.Sprintf("%d-%d", d.A, d.B)}}
	}
	var err error
	if sc.CC, err = schemeOf(c); err != nil {
		return nil, err
	}
	sc.ref, sc.refCC = c, sc.CC.Name
	sc.originOf(c)
	return sc, nil
}

// originOf notes which lines of the config.txt have set keys of the scenario.
func (sc *Scenario) originOf(c *traces.Config) {
	for _, k := range [...]struct{ key, of string }{
		{"topology", "TOPOLOGY_FILE"}, {"flows", "FLOW_FILE"}, {"trace", "TRACE_FILE"}, {"mtu", "PACKET_PAYLOAD_SIZE"},
		{"buffer", "BUFFER_SIZE"}, {"loss", "ERROR_RATE_PER_LINK"}, {"stop", "SIMULATOR_STOP_TIME"}, {"cc", "CC_MODE"},
		{"links.0", "LINK_DOWN"}, {"ecn.thresholds", "KMIN_MAP"},
	} {
		if line, ok := c.Given(k.of); ok {
			sc.setOrigin(k.key, c.File(), line)
		}
	}
	for param := range sc.CC.Params {
		key := paramKeys[param]
		if c.CCMode == 8 && param == "ai" {
			key = "DCTCP_RATE_AI"
		}
		if line, ok := c.Given(key); ok {
			sc.setOrigin("cc.params."+param, c.File(), line)
		}
	}
}

// paramKeys are the keys that set parameters of the schemes; DCTCP has an additive increase of its own.
var paramKeys = map[string]string{
	"alpha_timer": "ALPHA_RESUME_INTERVAL", "decrease_timer": "RATE_DECREASE_INTERVAL", "increase_timer": "RP_TIMER", "g": "EWMA_GAIN",
	"fast_recovery": "FAST_RECOVERY_TIMES", "clamp_target": "CLAMP_TARGET_RATE", "ai": "RATE_AI", "hai": "RATE_HAI", "min_rate": "MIN_RATE",
	"target": "U_TARGET", "mi_thresh": "MI_THRESH", "log_base": "PINT_LOG_BASE", "probability": "PINT_PROB",
}

// refHost and refSwitch hold the numbers that the configuration file does not.
func refHost() HostSpec {
	return HostSpec{
		Header: refHeader, AckHeader: refAckHeader, MinPacket: refMinPacket, GlobalRTT: true, ScaleWindow: true,
		Paced: true, AckEvery: 1, NackEvery: refNackEvery, Chunk: 4000, RTOLow: 100 * core.Microsecond,
		PLBThresh: nic.DefaultPLB().Threshold, PLBRounds: nic.DefaultPLB().Rounds,
	}
}

func refSwitch() SwitchSpec {
	return SwitchSpec{Reserve: refReserve, Resume: refResume, AlphaShift: refShift, FirstAlpha: firstAlpha, FlowletGap: flowletGap, INTMulti: 1}
}

// thresholds joins the configuration's maps of ECN thresholds by link rate. A lower threshold above the upper one is
// without effect: the reference looks at the upper one first, above which every packet is marked.
func thresholds(c *traces.Config) []Threshold {
	var list []Threshold
	for _, low := range c.KMin {
		high := slices.IndexFunc(c.KMax, func(m traces.RateSize) bool { return m.Rate == low.Rate })
		prob := slices.IndexFunc(c.PMax, func(m traces.RateProb) bool { return m.Rate == low.Rate })
		if high >= 0 && prob >= 0 {
			most := c.KMax[high].Size
			list = append(list, Threshold{low.Rate, min(low.Size, most), most, c.PMax[prob].Prob})
		}
	}
	return list
}

// schemeKeys are the keys that a CC_MODE cannot do without.
var schemeKeys = map[int64][]string{
	1: {
		"ALPHA_RESUME_INTERVAL", "RATE_DECREASE_INTERVAL", "RP_TIMER", "EWMA_GAIN", "FAST_RECOVERY_TIMES",
		"RATE_AI", "RATE_HAI", "MIN_RATE",
	},
	3:  {"U_TARGET", "RATE_AI", "MIN_RATE", "INT_MULTI"},
	7:  {"RATE_AI", "RATE_HAI", "MIN_RATE"},
	8:  {"EWMA_GAIN", "DCTCP_RATE_AI", "MIN_RATE"},
	10: {"U_TARGET", "RATE_AI", "MIN_RATE", "PINT_LOG_BASE", "PINT_PROB"},
}

// count is a number of steps as an int: one that does not fit is more than a run takes.
func count(n int64) int { return int(min(n, math.MaxInt)) }

// schemeOf names the scheme that CC_MODE means, with the file's parameters. The reference's
// hosts set the windows.
func schemeOf(c *traces.Config) (CC, error) {
	if err := c.Require(schemeKeys[c.CCMode]...); err != nil {
		return CC{}, err
	}
	switch c.CCMode {
	case 1:
		p := dcqcn.Defaults()
		p.AlphaTimer, p.DecreaseTimer, p.IncreaseTimer = c.AlphaResume, c.RateDecrease, c.RPTimer
		p.G, p.FastRecovery, p.ClampTarget = c.EWMAGain, count(c.FastRecoveryStep), c.ClampTargetRate
		p.AI, p.HAI, p.MinRate, p.Window = orNone(c.RateAI), orNone(c.RateHAI), c.MinRate, false
		return CC{"dcqcn", algorithms.ParamValues(&p)}, nil
	case 3:
		p := hpcc.Defaults()
		p.Target, p.MIThresh, p.AI, p.MinRate = c.UTarget, count(c.MIThresh), orNone(c.RateAI), c.MinRate
		p.FastReact, p.MultiRate, p.SampleFeedback, p.Window = c.FastReact, c.MultiRate, c.SampleFeedback, false
		return CC{"hpcc", algorithms.ParamValues(&p)}, nil
	case 7:
		p := timely.Defaults()
		p.AI, p.HAI, p.MinRate, p.Window = orNone(c.RateAI), orNone(c.RateHAI), c.MinRate, false
		return CC{"timely", algorithms.ParamValues(&p)}, nil
	case 8:
		p := dctcp.Defaults()
		p.G, p.AI, p.MinRate, p.Window = c.EWMAGain, orNone(c.DCTCPRateAI), c.MinRate, false
		return CC{"dctcp", algorithms.ParamValues(&p)}, nil
	case 10:
		p := hpccpint.Defaults()
		p.Target, p.MIThresh, p.AI, p.MinRate = c.UTarget, count(c.MIThresh), orNone(c.RateAI), c.MinRate
		p.FastReact, p.LogBase, p.Probability, p.Window = c.FastReact, c.PINTLogBase, c.PINTProb, false
		return CC{"hpcc-pint", algorithms.ParamValues(&p)}, nil
	}
	line, _ := c.Given("CC_MODE")
	return CC{}, fmt.Errorf("%s:%d: CC_MODE %d is not known: use 1, 3, 7, 8 or 10", c.File(), line, c.CCMode)
}

// orNone is an additive increase that the file gives: a 0 there does not mean the default.
func orNone(r core.Rate) core.Rate {
	if r == 0 {
		return algorithms.None
	}
	return r
}
