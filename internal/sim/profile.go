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
	Order  engine.Order `yaml:"order" doc:"events of equal time run in the order of entities, or in that of scheduling"`
	Timing core.Timing  `yaml:"timing" doc:"times of transmission: exact picoseconds, or NS-3's nanoseconds"`
	ECMP   topo.Order   `yaml:"ecmp" doc:"order of equal-cost next hops, by node"`
	// ECMPSeeded lets the seed of the run vary which of equal-cost paths flows take.
	ECMPSeeded bool `yaml:"ecmp_seeded" doc:"which of equal-cost paths flows take varies with the seed"`
	// CommonRandom draws from the reference's sequences, which the whole run shares; otherwise
	// every entity has a stream of its own.
	CommonRandom bool `yaml:"common_random" doc:"random numbers from sequences that the whole run shares"`
	// ShortINT is the 64-bit hop record of at most 5 hops; otherwise records are complete.
	ShortINT bool `yaml:"short_int" doc:"INT records of 64 bits, five hops at most, that do not tell when the path changes"`

	PauseQuanta   uint16  `yaml:"pause_quanta" doc:"pause time in units of 512 bit times; 0: until resumed"`
	PauseSize     int32   `yaml:"pause_size" doc:"bytes of a PFC frame"`
	MarkAny       bool    `yaml:"mark_any" doc:"packets that are not ECN-capable are marked too"`
	Wrap32        bool    `yaml:"wrap32" doc:"thresholds of the buffer in unsigned 32-bit arithmetic"`
	KeepOnFlush   bool    `yaml:"keep_on_flush" doc:"packets lost with a link stay accounted in the buffer"`
	RTO           Timeout `yaml:"rto" doc:"least time without progress until a flow sends again, which TCP lengthens with its round trips; auto: in lossless classes what a round trip through full switches takes, at least 4ms, or with selective recovery through one, as IRN has it; in lossy ones 4ms, or two round trips if these are more, and TCP begins with one through the longest queue; 0s: never"`
	Retries       int     `yaml:"retries" doc:"time-outs in a row after which a flow is given up; 0: any number"`
	AckClass      uint8   `yaml:"ack_class" doc:"class for which all acknowledgements of a host wait when it is paused; 0: each for its own"`
	AckDuplicates bool    `yaml:"ack_duplicates" doc:"packets that come twice are acknowledged"`
	SkipAcked     bool    `yaml:"skip_acked" doc:"what was acknowledged meanwhile is not sent again"`
	WakeForAll    bool    `yaml:"wake_for_all" doc:"a stopped flow that is due, or a slow one that is waited for, keeps the others from being woken"`
	KeepOrder     bool    `yaml:"keep_order" doc:"after a link failure queue pairs stand in the order of NS-3's hash table"`
	// ForgetReceiver deletes the receiving side when the sender has finished.
	ForgetReceiver bool `yaml:"forget_receiver" doc:"the receiving side of a flow is deleted when the sender has finished"`
	// StartChain starts a flow by two further events at the same time.
	StartChain bool `yaml:"start_chain" doc:"flows start by two further events of the same time"`
	// StandaloneFCT measures slowdown against base RTT plus bytes at the bottleneck; otherwise
	// against the exact completion time of a flow that is alone.
	StandaloneFCT bool `yaml:"standalone_fct" doc:"ideal_fct is base RTT plus bytes at the bottleneck; else exact"`
	// FirstHost takes the rate of the first host's port for that of the hosts; otherwise it is that of the
	// slowest, which does not depend on how nodes are numbered.
	FirstHost bool `yaml:"first_host" doc:"the host rate of switch.alpha_shift is that of the first host, else of the slowest"`
	// HostWindow lets hosts, not schemes, set windows.
	HostWindow bool `yaml:"host_window" doc:"windows are the hosts', not the schemes'"`
}

// InOrder reports whether events of equal time run in the order of scheduling.
func (p *Profile) InOrder() bool { return p.Order == engine.BySchedule }

// NS3 is the profile of the reference simulator.
func NS3() Profile {
	return Profile{
		Name: "ns3", Order: engine.BySchedule, Timing: core.FixedPointNanos, ECMP: topo.DescendingID,
		CommonRandom: true, ShortINT: true, PauseSize: 43, MarkAny: true, Wrap32: true, KeepOnFlush: true, AckClass: 3,
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
