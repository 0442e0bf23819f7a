package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
)

// Profile is a set of named options by which the same devices behave like the reference
// simulator or as we think is right. There is no second implementation of anything.
type Profile struct {
	Name   string
	Order  engine.Order `yaml:"order" doc:"events of equal time run in the order of entities or of scheduling"`
	Timing core.Timing  `yaml:"timing" doc:"times of transmission: exact picoseconds, or NS-3's nanoseconds"`
	ECMP   topo.Order   `yaml:"ecmp" doc:"order of equal-cost next hops, by node"`
	// ECMPSeeded lets the seed of the run vary which of equal-cost paths flows take.
	ECMPSeeded bool `yaml:"ecmp_seeded" doc:"the seed varies which of the equal-cost paths flows take"`
	// CommonRandom draws from the reference's sequences, which the whole run shares; otherwise
	// every entity has a stream of its own.
	CommonRandom bool `yaml:"common_random" doc:"random numbers from sequences that the whole run shares"`
	// ShortINT is the 64-bit hop record of at most 5 hops; otherwise records are complete.
	ShortINT bool `yaml:"short_int" doc:"INT records of 64 bits, for at most five hops, which do not show when the path changes"`

	PauseQuanta   uint16  `yaml:"pause_quanta" doc:"pause time in units of 512 bit times, repeated after half of it while it is needed: a half should hold a packet; 0: until resumed"`
	PauseSize     int32   `yaml:"pause_size" doc:"bytes of a PFC frame"`
	MarkAny       bool    `yaml:"mark_any" doc:"packets that are not ECN-capable are marked too"`
	Wrap32        bool    `yaml:"wrap32" doc:"thresholds of the buffer in unsigned 32-bit arithmetic"`
	KeepOnFlush   bool    `yaml:"keep_on_flush" doc:"packets lost with a link stay accounted in the buffer"`
	QuietFlush    bool    `yaml:"quiet_flush" doc:"the event trace leaves out packets lost with a link, and those for which their host has no route"`
	RTO           Timeout `yaml:"rto" doc:"least time without progress until a flow sends again; TCP lengthens it with its round trips. auto: in lossless classes the time of a round trip through full switches, at least 4ms, or with selective recovery through one full switch, as in IRN; in lossy classes 4ms, or with selective recovery less if a round trip through the longest queue takes less, but at least two round trips, and TCP begins with a round trip through the longest queue. 0s: never"`
	Retries       int     `yaml:"retries" doc:"time-outs in a row after which a flow is given up; go-back-0 is given up if it gets no farther for as long, and a flow of which packets are trimmed if none arrives for as long; 0: any number"`
	AckClass      uint8   `yaml:"ack_class" doc:"class whose pause holds back all acknowledgements of a host; 0: each waits for its own class"`
	AckDuplicates bool    `yaml:"ack_duplicates" doc:"packets that come twice are acknowledged"`
	SkipAcked     bool    `yaml:"skip_acked" doc:"what was acknowledged meanwhile is not sent again; false: a sender that has gone back sends all of it again, even when its flow has ended"`
	WakeForAll    bool    `yaml:"wake_for_all" doc:"the port is not woken for other flows while a stopped flow is due, or while it waits for a slow one; flows that have ended may cost others a turn"`
	KeepOrder     bool    `yaml:"keep_order" doc:"after a link failure queue pairs are in the order of NS-3's hash table"`
	// ForgetReceiver deletes the receiving side when the sender has finished.
	ForgetReceiver bool `yaml:"forget_receiver" doc:"the receiving side of a flow is deleted when the sender has finished"`
	// StartChain starts a flow by two further events at the same time.
	StartChain bool `yaml:"start_chain" doc:"flows start by two further events of the same time"`
	// StandaloneFCT measures slowdown against base RTT plus bytes at the bottleneck; otherwise
	// against the exact completion time of a flow that is alone.
	StandaloneFCT bool `yaml:"standalone_fct" doc:"ideal_fct is base RTT plus bytes at the bottleneck; false: exact"`
	// FirstHost takes the rate of the first host's port as that of the hosts; otherwise it is that of the
	// slowest, which does not depend on how nodes are numbered.
	FirstHost bool `yaml:"first_host" doc:"the host rate of switch.alpha_shift is that of the first host; false: of the slowest"`
	// HostWindow lets hosts, not schemes, set windows.
	HostWindow bool `yaml:"host_window" doc:"windows are set by the hosts, not by the schemes"`
}

// InOrder reports whether events of equal time run in the order of scheduling.
func (p *Profile) InOrder() bool { return p.Order == engine.BySchedule }

// NS3 is the profile of the reference simulator.
func NS3() Profile {
	return Profile{
		Name: "ns3", Order: engine.BySchedule, Timing: core.FixedPointNanos, ECMP: topo.DescendingID,
		CommonRandom: true, ShortINT: true, PauseSize: 43, MarkAny: true, Wrap32: true, KeepOnFlush: true, QuietFlush: true, AckClass: 3,
		WakeForAll: true, KeepOrder: true, ForgetReceiver: true, StartChain: true, StandaloneFCT: true,
		FirstHost: true, HostWindow: true,
	}
}

// Native is the profile of the simulator's own choice: a picosecond clock, exact rates, PFC with
// expiry, retransmission timers so that every run ends, and nothing that is global.
func Native() Profile {
	return Profile{
		Name: "native", Order: engine.ByEntity, Timing: core.Exact, ECMP: topo.AscendingID,
		PauseQuanta: 0xffff, PauseSize: 64, RTO: FitTimeout, Retries: 12,
		AckDuplicates: true, SkipAcked: true,
	}
}
