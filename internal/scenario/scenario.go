package scenario

import (
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// Scenario holds the user's options: what a scenario file holds, and what the command's flags
// change. Blank fields are filled in by Complete.
type Scenario struct {
	Profile  string        `yaml:"profile" doc:"native or ns3: a set of options; the section options has them"`
	Seed     uint64        `yaml:"seed" doc:"seed of all random numbers"`
	Topology string        `yaml:"topology" doc:"a builder such as fat-tree:k=8, or a topology file"`
	Workload string        `yaml:"workload" doc:"distribution of message sizes: a name, a CDF file, or none; between some hosts as websearch,hosts=0-7,to=8-15"`
	Load     float64       `yaml:"load" doc:"message bytes as a share of every host's rate"`
	Duration core.Duration `yaml:"duration" doc:"for how long flows arrive"`
	Incast   string        `yaml:"incast" doc:"periodic N-to-1 traffic such as 8x300KB, 8x300KB@1ms (period) or 8x300KB@5% (load); none: no such traffic; between some hosts as 8x300KB,hosts=0-31,to=0"`
	Patterns []string      `yaml:"patterns" doc:"regular traffic, such as permutation:1MB, in rounds one-many:1MB,10, in groups of hosts ring-all-reduce:1MB,group=4, later with start=5ms, or after=TAG of another; see qbb help workloads"`
	Flows    string        `yaml:"flows" doc:"a file of flows: flow.txt, CSV or Parquet"`
	Schedule []string      `yaml:"schedule" doc:"what every host sends, receives and computes, and what waits for what: a file in GOAL, or the Chakra traces PATH.0.et, PATH.1.et and so on, or those in the folder PATH; several, each on hosts of its own, as job.goal,hosts=0-7,start=5ms,tag=a; see qbb help workloads"`
	CC       CC            `yaml:"cc" doc:"congestion control; a bare name stands for its defaults"`
	CCByTag  map[string]CC `yaml:"cc_by_tag" doc:"congestion control of flows with a tag, such as incast"`
	MTU      core.Bytes    `yaml:"mtu" doc:"message bytes in a full packet"`
	Buffer   core.Bytes    `yaml:"buffer" doc:"shared buffer of a switch (with credits each port has its own instead); 0B: 32 MB, or twice what reserves and headroom of the largest switch take"`
	ECN      ECN           `yaml:"ecn" doc:"congestion marks; a bare word stands for mark"`
	Loss     float64       `yaml:"loss" doc:"probability that a link loses a packet, for links without one of their own; another link in the network changes which packets these are"`
	LinkLoss []LinkLoss    `yaml:"link_loss" doc:"loss of single links, such as {link: 16-20, loss: 0.001}"`
	Links    []LinkChange  `yaml:"links" doc:"failures and returns of links, such as {at: 1ms, down: 16-20}"`
	Stop     core.Time     `yaml:"stop" doc:"end of the run; never: when all flows have ended, or those that have not get no further; 53 days at most"`
	Sampling SamplingSpec  `yaml:"queue_sampling" doc:"queue-depth histograms"`
	Series   SeriesSpec    `yaml:"series" doc:"time series of ports and flows"`
	Trace    string        `yaml:"trace" doc:"nodes in the event trace: all, a list such as 0,16, or a file; empty: none, or all if files.events or files.events_text is given"`
	Pcap     CaptureSpec   `yaml:"pcap" doc:"capture of packets"`
	Out      string        `yaml:"out" doc:"folder of the outputs"`
	Files    Files         `yaml:"files" doc:"further outputs, in the text formats of the NS-3 simulator; empty: not written"`
	Host     HostSpec      `yaml:"host" doc:"network interfaces of hosts"`
	Switch   SwitchSpec    `yaml:"switch" doc:"switches"`
	Options  sim.Profile   `yaml:"options" doc:"options of the profile"`

	FlowControl string       `yaml:"flow_control" doc:"flow control of links: pfc (802.1Qbb), credits (InfiniBand), or none: all classes are lossy, and no buffer is kept as headroom, but a reserve for each class that flows have"`
	Credits     CreditSpec   `yaml:"credits" doc:"credit flow control"`
	ConWeave    ConWeaveSpec `yaml:"conweave" doc:"switch.load_balance conweave (Song et al., 2023)"`
	DCMS        DCMSSpec     `yaml:"dcms" doc:"congestion manager of an InfiniBand network (Mizero et al., 2016), which sets marking rates of ib-cc"`

	Watchdog   WatchdogSpec     `yaml:"pfc_watchdog" doc:"what switches do about pauses that do not end, as in a deadlock: they drop packets (Guo et al., 2016, section 4.3; SONiC)"`
	Lossy      string           `yaml:"lossy" doc:"classes whose packets switches drop instead of pausing them, such as 1,2; empty: none. Packets of a few long flows that are alone fall into step, and drops then always hit the same flows (Floyd and Jacobson, 1992): most of all if the hosts' links are no faster than the one where flows meet, but with faster ones, too. A few per cent of other packets at random times prevent it"`
	ClassByCC  map[string]uint8 `yaml:"class_by_cc" doc:"class of the flows of a scheme, such as {cubic: 1}; others have class 3 or that of the flow file"`
	ClassByTag map[string]uint8 `yaml:"class_by_tag" doc:"class of the flows with a tag, such as {incast: 1}"`

	RecoveryByClass map[string]nic.Recovery `yaml:"recovery_by_class" doc:"host.recovery of single classes, such as {1: selective}"`
	WindowByClass   map[string]string       `yaml:"window_by_class" doc:"host.window of single classes, on or off, such as {1: on}"`

	// ReadFlows reads the file that Flows names; nil: traces.LoadFlows, which knows no Parquet. The flows
	// may be in any order of their start, but follow those that they wait for.
	ReadFlows func(path string) ([]traces.Flow, error)

	// Added are flows that a program adds to those of the keys, in any order of their start, but after those
	// that they wait for, of which After has the indices here. If it is not nil, the scenario makes no other flows
	// unless it names a workload, an incast or patterns. A scenario file that is printed lacks them.
	Added []traces.Flow

	// ClosedLoop says that a program will add further flows while a run is under way: sim.Setup.ClosedLoop, which Setup sets.
	ClosedLoop bool

	network *topo.Topology    // of UseNetwork
	origin  map[string]string // by key: file and line that set it
	reset   []string          // keys that the file has set, and a profile after it has not kept
	tagged  map[string]uint8  // by tag of CCByTag: number of the scheme in the last Setup
	places  []int32           // of the flows of ReadFlows and Added in the last Setup; nil: they are all flows, in their order
	read    int               // number of the flows of ReadFlows in the last Setup
	file    string            // scenario or config.txt that was read; empty: none
	ref     *traces.Config    // the config.txt that was read; nil: none
	refCC   string            // its scheme
}

// ownNetwork is the key topology of a network that no file and no builder describes.
const ownNetwork = "made by the program"

// ownFlows is the key flows of a scenario to which a program has added some.
const ownFlows = "added by the program"

// UseNetwork makes the scenario use a network that a program has built, until its key topology is set again. A scenario
// file that is printed meanwhile lacks the network.
func (sc *Scenario) UseNetwork(t *topo.Topology) { sc.network, sc.Topology = t, ownNetwork }

// CC is a congestion-control scheme and the parameters that differ from its defaults; after
// Complete, all its parameters.
type CC struct {
	Name   string            `yaml:"name" doc:"see qbb schemes"`
	Params map[string]string `yaml:"params" doc:"see qbb schemes"`
}

// CreditSpec describes the credit flow control of InfiniBand, where a class is a virtual lane and
// class 0 the management lane, which has none.
type CreditSpec struct {
	Buffer core.Bytes    `yaml:"buffer" doc:"buffer of a port for each lane, at most 128KiB"`
	Update core.Bytes    `yaml:"update" doc:"what must become free before the neighbour is told, rounded down to blocks of 64 bytes; 0B: a full packet. A switch tells as often as that happens, a host once for all that has become free while it was sending"`
	Tick   core.Duration `yaml:"tick" doc:"unit of the counters port_xmit_wait and port_xmit_cong_time"`
}

// WatchdogSpec has the times of PFC watchdogs.
type WatchdogSpec struct {
	Detection   core.Duration `yaml:"detection" doc:"time between looks at a class of a port while it is paused: if it has held packets since the last look, they are dropped, and so is what comes for it; 0s: there are no watchdogs. SONiC begins with 200ms"`
	Restoration core.Duration `yaml:"restoration" doc:"time without a pause after which a class is served again; 0s: as detection"`
}

// ConWeaveSpec has the times of ConWeave. The default of resume is ours.
type ConWeaveSpec struct {
	Reply    core.Duration `yaml:"reply" doc:"theta_reply: a request to the destination's switch that has no reply for longer than this makes a connection leave its path; 0s: the network's longest base round trip"`
	PathBusy core.Duration `yaml:"path_busy" doc:"theta_path_busy: how long no connection moves to a path that has marked a packet; 0s: the network's longest base round trip"`
	Resume   core.Duration `yaml:"resume" doc:"theta_resume: how much longer than estimated the destination's switch waits for the last packet on the old path, before it lets those of the new one go"`
	Inactive core.Duration `yaml:"inactive" doc:"theta_inactive: time without a packet, or without an answer that all of the old path has come, after which a connection may move again; 0s: resume and two of the network's longest base round trips"`
}

// DCMSSpec describes the congestion manager. The thresholds are for what happens in one sweep. The
// defaults are those of the paper, whose sweeps took somewhat more than a second, except for t_d,
// which it does not give.
type DCMSSpec struct {
	Sweep   core.Duration `yaml:"sweep" doc:"time between readings of the switches' counters; 0s: there is no manager"`
	TC      int64         `yaml:"t_c" doc:"a port with more ticks of port_xmit_cong_time is congested"`
	TW      int64         `yaml:"t_w" doc:"a port with more ticks of port_xmit_wait is a victim, and congested if it leads to a host"`
	TD      int64         `yaml:"t_d" doc:"a drop of port_xmit_data by more words means that victim flows have gone"`
	TI      int           `yaml:"t_i" doc:"most sweeps for which a marking rate stays low"`
	Default int           `yaml:"default" doc:"marking rate of ports without victims, also at the start"`
	Low     int           `yaml:"low" doc:"marking rate of congested ports with victims"`
}

// ECN says where and from which queue on packets are marked.
type ECN struct {
	Mark       string      `yaml:"mark" doc:"dequeue, enqueue or off"`
	Scale      bool        `yaml:"scale" doc:"link rates without thresholds take the first ones, scaled to the rate; false: they are an error"`
	Thresholds []Threshold `yaml:"thresholds" doc:"Kmin, Kmax and Pmax by link rate, such as {rate: 25Gbps, kmin: 100KB, kmax: 400KB, pmax: 0.2}; none: those of the scheme (qbb schemes) or, if it ignores marks, of the first of cc_by_tag that does not"`
}

// Threshold is the marking law of a link rate: no marks up to KMin, all packets above KMax, in
// between with a probability that rises to PMax.
type Threshold struct {
	Rate core.Rate  `yaml:"rate" doc:"of the link"`
	KMin core.Bytes `yaml:"kmin" needed:"true" doc:"no marks up to this queue"`
	KMax core.Bytes `yaml:"kmax" needed:"true" doc:"every packet is marked above this queue"`
	PMax float64    `yaml:"pmax" needed:"true" doc:"probability of a mark at kmax"`
}

// LinkChange takes one link down or up.
type LinkChange struct {
	At   core.Time `yaml:"at" doc:"when"`
	Down string    `yaml:"down" doc:"the link that fails, as node-node; the second of parallel links is node-node/2"`
	Up   string    `yaml:"up" doc:"the link that returns"`
}

// LinkLoss gives a link a loss probability of its own.
type LinkLoss struct {
	Link string  `yaml:"link" doc:"the link, as node-node"`
	Loss float64 `yaml:"loss" needed:"true" doc:"probability that a packet is lost, each way"`
}

// SamplingSpec says when queue depths are sampled.
type SamplingSpec struct {
	Interval core.Duration `yaml:"interval" doc:"time between samples; 0s: none"`
	Start    core.Time     `yaml:"start" doc:"first sample"`
	End      core.Time     `yaml:"end" doc:"no sample after this; never: to the end of the run"`
	Bin      core.Bytes    `yaml:"bin" doc:"width of a histogram bin; every port takes 8 bytes of memory for each bin up to its deepest queue"`
	Events   bool          `yaml:"events" doc:"samples are events with a place in the order of scheduling"`
	Dump     core.Duration `yaml:"dump" doc:"time between blocks of files.queues; needs events; 0s: none"`
}

// Files names the text outputs.
type Files struct {
	FCT    string `yaml:"fct" doc:"fct.txt"`
	PFC    string `yaml:"pfc" doc:"pfc.txt"`
	Queues string `yaml:"queues" doc:"qlen.txt"`
	Events string `yaml:"events" doc:"mix.tr, the packets of the traced nodes"`
	// EventsText is separate from Events, since a name does not show the form.
	EventsText string `yaml:"events_text" doc:"the same as lines of text"`
}

// HostSpec describes the hosts' interfaces.
type HostSpec struct {
	Header      core.Bytes    `yaml:"header" doc:"bytes of a data packet other than the message and what the scheme adds"`
	AckHeader   core.Bytes    `yaml:"ack_header" doc:"bytes of an acknowledgement other than what the scheme adds"`
	MinPacket   core.Bytes    `yaml:"min_packet" doc:"least bytes of an acknowledgement, and the size of a CNP or grant"`
	Window      string        `yaml:"window" doc:"on: hosts give flows a window of one bandwidth-delay product; off: only the scheme may limit what is in flight; empty: on with selective recovery, as in IRN, which keeps TCP from filling a queue, otherwise as the profile and the scheme have it"`
	GlobalRTT   bool          `yaml:"global_rtt" doc:"base round trip and bandwidth-delay product are the network's largest, not the pair's"`
	ScaleWindow bool          `yaml:"scale_window" doc:"the hosts' window shrinks with the rate"`
	Paced       bool          `yaml:"paced" doc:"packets are spaced by the flow's rate; false: by the line rate"`
	AckPrio0    bool          `yaml:"ack_prio0" doc:"hosts send acknowledgements even while their class is paused; in switches they are of the flow's class, and under credits they need those of that class"`
	AckEvery    int           `yaml:"ack_every" doc:"data packets to an acknowledgement: one in so many asks for it (AckReq; in 256 with Linux' driver of ConnectX), besides the last of a message, and at least two in a window; those that come twice, leave or fill a gap are answered anyway. An acknowledgement brings round trip and telemetry of the packet that asks, and the echo of a mark of any since the one before. Up to ack_every - 1 packets that have arrived still count as in flight: see docs/theory.md for what a window then carries. Schemes that need an acknowledgement of every packet refuse it"`
	Delay       core.Duration `yaml:"delay" doc:"time from the arrival of a data packet at a host to its acknowledgement, which reports it (Swift); base round trips count it, ideal times do not"`
	Service     core.Duration `yaml:"service" doc:"time that a host takes to process a data packet; those that arrive meanwhile wait, without limit and outside the port's buffer: they hold no credits"`
	NackEvery   core.Duration `yaml:"nack_every" doc:"least time between two NACKs for the same byte, each of which makes go-back-n return to it: if below a round trip, queues included, one loss does so several times; if longer than any time-out, once per gap, as in InfiniBand, where at most one NAK is outstanding"`
	Chunk       int64         `yaml:"chunk" doc:"chunk of go-back-0, bytes"`
	Recovery    nic.Recovery  `yaml:"recovery" doc:"what is sent again after a loss: go-back-n everything from the lost byte on, go-back-0 from the start of its chunk, selective only what was lost (IRN), while less than the scheme's window, if it has one, is in the network (RFC 6675), as TCP expects of lossy classes"`
	Reordering  int64         `yaml:"reordering" doc:"with selective recovery, how many later packets may overtake one that does not count as lost: NACKs before that are acknowledgements, and the loss of one of a flow's last packets takes a time-out"`
	Entropy     nic.Entropy   `yaml:"entropy" doc:"how a packet's source port is chosen, by which switches choose among equal-cost paths (switch.load_balance ecmp): flow that of the flow; random another for every packet; reps those whose packets have just come through without a mark of congestion, or random ones (REPS, Bonato et al., 2024); plb that of the flow until its packets have been marked for long, or a time-out, and then another one at random (PLB, Qureshi et al., 2022). But for flow, packets overtake each other, with plb only where a path is left: see reordering"`
	Connections int           `yaml:"connections" doc:"queue pairs that carry the messages from one host to another, in turn, such as 1, the default of Huawei's collectives (HCCL_RDMA_QPS_PER_CONNECTION): messages of one queue pair are sent one after another and share its source port and so, where switches choose by hash, its path, its congestion control and its windows; sequence numbers, recovery and time-outs remain those of a message. Queue pairs are those of a class and scheme; messages whose ports a file gives share one if the ports are the same. 0: every message has a queue pair of its own"`
	PLBThresh   float64       `yaml:"plb_threshold" doc:"with entropy plb, share of a round trip's acknowledgements that bring the echo of a mark, or tell of a trimmed packet, from which on it is congested: K of the paper; 0.5 is Linux's tcp_plb_cong_thresh. Where two flows share a link, dcqcn and dctcp-window keep below that, nscc does not"`
	PLBRounds   int           `yaml:"plb_rounds" doc:"with entropy plb, congested round trips in a row after which a flow changes its path: N of the paper; 12 is Linux's tcp_plb_rehash_rounds. With nothing in flight three are enough (M of the paper, tcp_plb_idle_rehash_rounds)"`
	RTOLow      core.Duration `yaml:"rto_low" doc:"with selective recovery, the time-out while at most three packets are in flight, which TCP lengthens as it does options.rto; with more in flight that one applies. Round trips through queues should be shorter, or flows with so little in flight send again what is on its way"`
}

// SwitchSpec describes the switches.
type SwitchSpec struct {
	Reserve       core.Bytes        `yaml:"reserve" doc:"buffer kept for each port, and for each lossy class of a port; like headroom, it is kept once for all lossless classes of a port, and each of them may use it"`
	Resume        core.Bytes        `yaml:"resume" doc:"a pause ends this much below the threshold"`
	AlphaShift    uint8             `yaml:"alpha_shift" doc:"most that a lossless class of an ingress port at the rate of the slowest host may hold before it is paused: free buffer >> alpha_shift; twice as much for each doubling of the rate"`
	LossyShift    uint8             `yaml:"lossy_shift" doc:"most that an egress queue of a lossy class may hold, unless sharing says otherwise: free buffer >> lossy_shift"`
	Sharing       switching.Sharing `yaml:"sharing" doc:"most that an egress queue of a lossy class may hold: dynamic free buffer >> lossy_shift (dynamic thresholds, Choudhury and Hahne, 1998); complete whatever is free; abm that of dynamic, times the part of the port that the classes which wait leave to its own, over the number of queues of its class in the switch that hold at least 9/10 of theirs (active buffer management, Addanki et al., 2022, who use lossy_shift 1). Lossless classes have dynamic thresholds in any case"`
	FirstAlpha    uint16            `yaml:"first_alpha" doc:"with sharing abm, multiplies the free buffer for packets of a message's first bandwidth-delay product (the network's largest), as lossy_shift divides it for others: those that a flow sends in its first round trip. Packets that are sent again are others"`
	Trim          bool              `yaml:"trim" doc:"switches cut the payload of packets of lossy classes that find no room, instead of dropping them (NDP, Ultra Ethernet): the headers take no buffer and go first, ten for one packet of other classes that waits, and hosts, which need selective recovery, send such packets again at once. Acknowledgements of these classes are of class 0, of which nothing is dropped"`
	Strict        string            `yaml:"strict" doc:"classes that go first at a port whenever packets of them wait, the highest of them before others, such as 5,6: strict priority (802.1Q). Flows of other classes get what is left, if anything. The queue pairs of a host take turns whatever their classes. Empty: none"`
	Weights       map[string]uint8  `yaml:"weights" doc:"shares of a port that classes have while packets of several wait, such as {1: 1, 3: 9}: enhanced transmission selection (802.1Q), by deficit round robin, in rounds in which the heaviest class may send mtu bytes; other classes have 1. None: classes are served in turn, a packet each"`
	LoadBalance   switching.Balance `yaml:"load_balance" doc:"how switches choose among equal-cost paths: ecmp by hash of hosts and ports, which are the flow's unless host.entropy says otherwise; spray at random for every packet; flowlet at random whenever a flow has paused for flowlet_gap (LetFlow, Vanini et al., 2017); drill for every packet the least loaded of two random ones and the best of last time (Ghorbani et al., 2017); adaptive the least loaded for every packet; conga, at switches with hosts, the least congested path whenever a flow has paused for flowlet_gap, as measured at every link and told by the destination's switch, and elsewhere by hash (Alizadeh et al., 2014); conweave at the sender's switch, which sends a connection on another path when its own is slow, while the receiver's switch puts its packets back in order (section conweave). Load is the time that a port needs for what it still has to send"`
	FlowletGap    core.Duration     `yaml:"flowlet_gap" doc:"time without a packet after which a flow may take another path, with load_balance flowlet or conga"`
	ExactHeadroom bool              `yaml:"exact_headroom" doc:"PFC headroom by IEEE 802.1Qbb; false: three link delays"`
	INTMulti      int               `yaml:"int_multi" doc:"multiplies the units of short INT records"`
}

// Default is the built-in run: WebSearch at half load on the 16-host fat-tree, HPCC, 10 ms of
// arrivals, until all flows have ended.
func Default() *Scenario {
	sc := &Scenario{
		Seed: 1, Topology: "fat-tree:thesis", Load: 0.5, Duration: 10 * core.Millisecond,
		CC: CC{Name: "hpcc"}, MTU: 1000, FlowControl: "pfc", ECN: ECN{Mark: "dequeue", Scale: true},
		Stop: core.Never, Out: "out", Credits: CreditSpec{Buffer: 64 << 10, Tick: 22 * core.Nanosecond},
		ConWeave: ConWeaveSpec{Resume: 200 * core.Microsecond},
		DCMS:     DCMSSpec{TC: 8_000_000, TW: 27_400_000, TD: 50_000_000, TI: 12, Default: 128},
		Sampling: SamplingSpec{Interval: 100 * core.Nanosecond, End: core.Never, Bin: 1000},
	}
	sc.useProfile(sim.Native())
	return sc
}

// setProfile sets the options that a profile stands for, unless it is the one that the scenario has.
func (sc *Scenario) setProfile(name string) error {
	i := slices.Index(profileNames(), name)
	switch {
	case i < 0:
		return fmt.Errorf("profile %q is not known: use %s", name, oneOf(profileNames()))
	case name != sc.Profile:
		sc.forgetSections(sc.usual())
		sc.useProfile(profiles[i])
	}
	return nil
}

// usual is the default scenario in the profile that the scenario has.
func (sc *Scenario) usual() *Scenario {
	usual := Default()
	usual.useProfile(profiles[slices.Index(profileNames(), sc.Profile)])
	return usual
}

var profiles = [...]sim.Profile{sim.Native(), sim.NS3()}

func profileNames() (names []string) {
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	return names
}

func (sc *Scenario) useProfile(p sim.Profile) {
	sc.Profile, sc.Options = p.Name, p
	sc.Host, sc.Switch, sc.Series = nativeHost(), nativeSwitch(), defaultSeries()
	if p.Name == "ns3" {
		sc.Host, sc.Switch, sc.Series.Interval = refHost(), refSwitch(), 0
	}
}

// nativeHost has the frames of RoCEv2: Ethernet 14 and 4, IPv4 20, UDP 8, BTH 12 and ICRC 4
// bytes; an acknowledgement has an AETH of 4 bytes besides (InfiniBand 1.2.1 annex A17).
func nativeHost() HostSpec {
	return HostSpec{
		Header: 62, AckHeader: 66, MinPacket: 64, GlobalRTT: true, Paced: true, AckEvery: 1,
		NackEvery: 500 * core.Microsecond, Chunk: 4000, RTOLow: 100 * core.Microsecond,
		PLBThresh: nic.DefaultPLB().Threshold, PLBRounds: nic.DefaultPLB().Rounds,
	}
}

// flowletGap is above the round trips of a data centre, queues included, so that flowlets seldom overtake each other.
const flowletGap = 100 * core.Microsecond

// firstAlpha is that of unscheduled packets in the paper of ABM (Addanki et al., SIGCOMM 2022).
const firstAlpha = 64

func nativeSwitch() SwitchSpec {
	return SwitchSpec{Reserve: 4096, Resume: 3072, AlphaShift: 3, FirstAlpha: firstAlpha, FlowletGap: flowletGap, ExactHeadroom: true, INTMulti: 1}
}
