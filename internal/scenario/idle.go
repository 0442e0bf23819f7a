package scenario

import (
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/sim"
)

// idle are keys that change nothing while others are as they are.
type idle struct {
	are  bool
	keys string // separated by blanks
	why  string // follows "changes nothing"
}

// noteIdle makes a note of keys that are not as the profile has them, and change nothing. Those of a config.txt are not all
// meant: it has them in any case.
func (sc *Scenario) noteIdle(s *sim.Setup) {
	usual := sc.usual()
	if sc.ECN.Scale {
		usual.ECN.Thresholds = []Threshold{sc.usualMarks()}
	}
	for _, r := range slices.Concat(sc.idleOutputs(), sc.idleNetwork(s), sc.idleHosts(s)) {
		for key := range strings.FieldsSeq(r.keys) {
			if r.are && sc.valueText(key) != usual.valueText(key) && (sc.ref == nil || sc.overridden(key)) {
				s.Notes = append(s.Notes, key+" changes nothing"+r.why)
			}
		}
	}
}

// idleOutputs are keys of traffic and of outputs.
func (sc *Scenario) idleOutputs() []idle {
	steady := sc.Workload == noWorkload
	return []idle{
		{steady, "load", ": there is no background traffic: name its sizes with workload"},
		{steady && sc.Incast == "", "duration", ": no flows arrive over time, by workload or incast; stop ends the run"},
		{sc.Sampling.Interval == 0, "queue_sampling.start queue_sampling.end queue_sampling.bin queue_sampling.events queue_sampling.dump",
			": no queue is sampled: give the time between samples with queue_sampling.interval, such as 100ns"},
		{sc.Series.Interval == 0, "series.points series.ports series.flows series.fairness",
			": no time series are recorded: give the time between samples with series.interval, such as 10us"},
		{sc.Pcap.File == "", "pcap.filter pcap.ring pcap.snap pcap.nanoseconds pcap.write",
			": no packets are captured: name the file with pcap.file"},
	}
}

// idleNetwork are keys of switches and links.
func (sc *Scenario) idleNetwork(s *sim.Setup) []idle {
	credits, lossless := s.Credits != nil, s.Credits == nil && !s.NoPFC
	only, lone := sc.onlyClass(s), ": all flows are of this class; class_by_tag and class_by_cc give others"
	return []idle{
		{s.Strict>>only&1 != 0, "switch.strict", lone},
		{s.Weights[only] != 0, "switch.weights", lone},
		{credits, "buffer", ": under credits each port has its own, credits.buffer"},
		{!credits, "credits.buffer credits.update", " without flow_control: credits"},
		{!lossless, "pfc_watchdog.detection", " without flow_control: pfc"},
		{!lossless || sc.Watchdog.Detection == 0, "pfc_watchdog.restoration", ": there are no watchdogs: give the time between their looks with pfc_watchdog.detection"},
		{!lossless, "switch.resume switch.alpha_shift switch.exact_headroom options.pause_quanta options.pause_size", " without flow_control: pfc"},
		{s.Manager.Sweep == 0, "dcms.t_c dcms.t_w dcms.t_d dcms.t_i dcms.default dcms.low", ": there is no congestion manager: give the time between its sweeps with dcms.sweep"},
		{s.Lossy == 0, "switch.lossy_shift", ": no class is lossy: set lossy, or flow_control: none"},
		{s.Sharing == switching.Complete, "switch.lossy_shift", " with switch.sharing: complete"},
		{s.Sharing != switching.ABM, "switch.first_alpha", " without switch.sharing: abm"},
		{s.Balance != switching.Flowlets && s.Balance != switching.CONGA, "switch.flowlet_gap", " without switch.load_balance: flowlet or conga"},
		{s.Balance != switching.ConWeave, "conweave.reply conweave.path_busy conweave.resume conweave.inactive", " without switch.load_balance: conweave"},
		{!s.Profile.ShortINT, "switch.int_multi", " without options.short_int: true"},
		{s.ECNOff, "ecn.scale ecn.thresholds", " with ecn.mark: off"},
	}
}

// idleHosts are keys of hosts.
func (sc *Scenario) idleHosts(s *sim.Setup) []idle {
	without := func(way nic.Recovery) bool { return !slices.Contains(s.Recovery[:], way) }
	blind := s.Balance == switching.Spray || s.Balance == switching.DRILL || s.Balance == switching.Adaptive
	return []idle{
		{blind, "host.entropy", ": switch.load_balance " + balanceNames[s.Balance] + " does not go by source ports"},
		{s.Entropy != nic.Protective, "host.plb_threshold host.plb_rounds", " without host.entropy: plb"},
		{without(nic.Selective), "host.reordering host.rto_low", " without host.recovery: selective"},
		{without(nic.GoBack0), "host.chunk", " without host.recovery: go-back-0"},
		{s.NoPFC, "host.ack_prio0 options.ack_class", ": nothing is paused with flow_control: none"},
		{s.Windows.Classes == 0, "host.scale_window", " without host.window: on"},
	}
}

// onlyClass returns the class of all flows; 0 if there are several, or may be.
func (sc *Scenario) onlyClass(s *sim.Setup) uint8 {
	if sc.mayGrow(s.Flows) || slices.ContainsFunc(s.Flows, func(f sim.Flow) bool { return f.Prio != s.Flows[0].Prio }) {
		return 0
	}
	return s.Flows[0].Prio
}
