package traces

import "github.com/qbb-sim/qbb/core"

// Config is a config.txt: one field per key. Keys that the file does not give are zero; see
// [Config.Given] and [Config.Require].
type Config struct {
	EnableQCN      bool       `key:"ENABLE_QCN" doc:"switches mark ECN"`
	DynamicPFC     bool       `key:"USE_DYNAMIC_PFC_THRESHOLD" doc:"without effect: PFC thresholds always follow the free buffer"`
	Payload        core.Bytes `key:"PACKET_PAYLOAD_SIZE" unit:"B" min:"1" max:"65000" doc:"message bytes in a full packet"`
	TopologyFile   string     `key:"TOPOLOGY_FILE" doc:"input: nodes and links"`
	FlowFile       string     `key:"FLOW_FILE" doc:"input: flows"`
	TraceFile      string     `key:"TRACE_FILE" doc:"input: nodes whose packets are recorded"`
	TraceOutput    string     `key:"TRACE_OUTPUT_FILE" doc:"output: packet events, binary"`
	FCTOutput      string     `key:"FCT_OUTPUT_FILE" doc:"output: flow completion times"`
	PFCOutput      string     `key:"PFC_OUTPUT_FILE" doc:"output: PFC frames received"`
	Stop           core.Time  `key:"SIMULATOR_STOP_TIME" unit:"s" doc:"end of the run"`
	EnableTrace    bool       `key:"ENABLE_TRACE" doc:"write TRACE_OUTPUT_FILE"`
	BufferSize     core.Bytes `key:"BUFFER_SIZE" unit:"MiB" min:"1" max:"4095" doc:"shared buffer of a switch"`
	QueueMonFile   string     `key:"QLEN_MON_FILE" doc:"output: queue length histograms"`
	QueueMonStart  core.Time  `key:"QLEN_MON_START" unit:"ns" doc:"first queue sample"`
	QueueMonEnd    core.Time  `key:"QLEN_MON_END" unit:"ns" doc:"last queue sample"`
	LinkDown       LinkDown   `key:"LINK_DOWN" unit:"us node node" doc:"time after 2 s at which the link between two nodes fails; 0 0 0: never"`
	KMax           []RateSize `key:"KMAX_MAP" unit:"n (bit/s KB)..." doc:"ECN upper threshold by link rate; 1 KB = 1000 B"`
	KMin           []RateSize `key:"KMIN_MAP" unit:"n (bit/s KB)..." doc:"ECN lower threshold by link rate; 1 KB = 1000 B"`
	PMax           []RateProb `key:"PMAX_MAP" unit:"n (bit/s probability)..." doc:"ECN marking probability at the upper threshold by link rate"`
	ErrorRate      float64    `key:"ERROR_RATE_PER_LINK" max:"1" doc:"probability that a link loses a packet, for links without one of their own"`
	ChunkSize      core.Bytes `key:"L2_CHUNK_SIZE" unit:"B" doc:"go-back chunk of L2_BACK_TO_ZERO"`
	AckInterval    int64      `key:"L2_ACK_INTERVAL" doc:"without effect: every packet is acknowledged, unless host.ack_every says otherwise"`
	BackToZero     bool       `key:"L2_BACK_TO_ZERO" doc:"a loss goes back to the start of the chunk"`
	AckHighPrio    bool       `key:"ACK_HIGH_PRIO" doc:"hosts send ACKs even while class 3 is paused"`
	RateBound      bool       `key:"RATE_BOUND" doc:"pacing obeys the flow's rate, as it does without this key"`
	CCMode         int64      `key:"CC_MODE" oneof:"1 3 7 8 10" doc:"congestion control: 1 DCQCN, 3 HPCC, 7 TIMELY, 8 DCTCP, 10 HPCC-PINT"`
	HasWin         bool       `key:"HAS_WIN" doc:"flows have a window of one bandwidth-delay product, by which HPCC divides; if --cc chooses another scheme than CC_MODE, that scheme decides"`
	GlobalT        bool       `key:"GLOBAL_T" doc:"base RTT and window are the network's largest, not the pair's"`
	VarWin         bool       `key:"VAR_WIN" doc:"the window shrinks with the rate"`
	FastReact      bool       `key:"FAST_REACT" doc:"HPCC, PINT: react to every ACK, as they do without this key"`
	MultiRate      bool       `key:"MULTI_RATE" doc:"HPCC: a rate for every hop"`
	SampleFeedback bool       `key:"SAMPLE_FEEDBACK" doc:"HPCC: fast updates skip hops with an empty queue"`
	UTarget        float64    `key:"U_TARGET" min:"0.001" max:"2" doc:"HPCC, PINT: target utilisation"`
	MIThresh       int64      `key:"MI_THRESH" doc:"HPCC, PINT: additive steps before a multiplicative one; 5 without this key"`
	INTMulti       int64      `key:"INT_MULTI" min:"1" max:"1048576" doc:"HPCC: multiplies the units of the INT counters"`
	PINTLogBase    float64    `key:"PINT_LOG_BASE" min:"1.000001" max:"1000" doc:"PINT: base of the logarithmic code"`
	PINTProb       float64    `key:"PINT_PROB" max:"1" doc:"PINT: share of ACKs that the sender uses"`
	MinRate        core.Rate  `key:"MIN_RATE" unit:"rate" doc:"lowest rate of a flow"`
	RateAI         core.Rate  `key:"RATE_AI" unit:"rate" min:"0" doc:"additive increase"`
	RateHAI        core.Rate  `key:"RATE_HAI" unit:"rate" min:"0" doc:"hyper-active increase"`
	DCTCPRateAI    core.Rate  `key:"DCTCP_RATE_AI" unit:"rate" min:"0" doc:"DCTCP: additive increase"`
	EWMAGain       float64    `key:"EWMA_GAIN" max:"1" doc:"DCQCN, DCTCP: gain g of alpha"`

	AlphaResume      core.Duration `key:"ALPHA_RESUME_INTERVAL" unit:"us" doc:"DCQCN: period of the alpha timer"`
	RateDecrease     core.Duration `key:"RATE_DECREASE_INTERVAL" unit:"us" doc:"DCQCN: period of rate decreases"`
	RPTimer          core.Duration `key:"RP_TIMER" unit:"us" doc:"DCQCN: period of rate increases"`
	ClampTargetRate  bool          `key:"CLAMP_TARGET_RATE" doc:"DCQCN: every decrease lowers the target rate"`
	FastRecoveryStep int64         `key:"FAST_RECOVERY_TIMES" doc:"DCQCN: increases before the additive ones"`

	file  string
	lines map[string]int // by key that the file gives
}

// LinkDown is a link failure. The zero value is none.
type LinkDown struct {
	After core.Duration // counted from 2 s
	A, B  core.NodeID
}

// RateSize maps a link rate to a queue threshold.
type RateSize struct {
	Rate core.Rate
	Size core.Bytes
}

// RateProb maps a link rate to a probability.
type RateProb struct {
	Rate core.Rate
	Prob float64
}

// File returns the name of the file that was read.
func (c *Config) File() string { return c.file }

// Given returns the line that gives the key; false if the file does not.
func (c *Config) Given(key string) (line int, ok bool) {
	line, ok = c.lines[key]
	return line, ok
}

// Require returns an error that names the first of the keys that the file does not give.
func (c *Config) Require(keys ...string) error {
	for _, k := range keys {
		if _, ok := c.lines[k]; !ok {
			return &SyntaxError{File: c.file, What: "no key", Text: k, Fix: "add a line " + k + " VALUE"}
		}
	}
	return nil
}
