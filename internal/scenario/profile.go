package scenario

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
)

// Profile is a set of named options by which the same devices behave like the reference
// simulator or as we think is right. There is no second implementation of anything.
type Profile struct {
	Name   string
	Order  engine.Order // of events of equal time
	Timing core.Timing  // of transmissions
	ECMP   topo.Order   // of equal-cost next hops
	// CommonRandom draws from the reference's sequences, which the whole run shares; otherwise
	// every entity has a stream of its own.
	CommonRandom bool
	// ShortINT is the 64-bit hop record of at most 5 hops; otherwise records are complete.
	ShortINT bool

	PauseQuanta   uint16 // PFC pause time; 0: until resumed
	PauseSize     int32  // bytes of a PFC frame
	MarkAny       bool   // ECN marks packets that are not ECN-capable
	Wrap32        bool   // thresholds in 32-bit arithmetic
	KeepOnFlush   bool   // a failed link's packets stay accounted
	RTO           core.Duration
	Retries       int
	AckDuplicates bool
	SkipAcked     bool
	WakeForAll    bool
	KeepOrder     bool
	// ForgetReceiver deletes the receiving side when the sender has finished.
	ForgetReceiver bool
	// StartChain starts a flow by two further events at the same time.
	StartChain bool
	// StandaloneFCT measures slowdown against base RTT plus bytes at the bottleneck; otherwise
	// against the exact completion time of a flow that is alone.
	StandaloneFCT bool
	// HostWindow lets hosts, not schemes, set windows.
	HostWindow bool
}

// NS3 is the profile of the reference simulator.
func NS3() Profile {
	return Profile{
		Name: "ns3", Order: engine.BySchedule, Timing: core.FixedPointNanos, ECMP: topo.DescendingID,
		CommonRandom: true, ShortINT: true, PauseSize: 43, MarkAny: true, Wrap32: true, KeepOnFlush: true,
		WakeForAll: true, KeepOrder: true, ForgetReceiver: true, StartChain: true, StandaloneFCT: true,
		HostWindow: true,
	}
}

// Native is the profile of the simulator's own choice: a picosecond clock, exact rates, PFC with
// expiry, retransmission timers so that every run ends, and nothing that is global.
func Native() Profile {
	return Profile{
		Name: "native", Order: engine.ByEntity, Timing: core.Exact, ECMP: topo.AscendingID,
		PauseQuanta: 0xffff, PauseSize: 64, RTO: 4 * core.Millisecond, Retries: 12,
		AckDuplicates: true, SkipAcked: true,
	}
}
