package switching

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Config describes a switch. Times follow Timing everywhere.
type Config struct {
	ID       core.NodeID
	Pool     *core.Pool
	Router   core.Router
	ECMPSeed uint32 // of the network: core.ECMPPort
	Balance  BalanceConfig
	Timing   core.Timing
	Buffer   BufferConfig
	Pause    PauseConfig
	Watchdog WatchdogConfig // for PFC
	// Credits replaces the shared memory and PFC by credit flow control: every port has a buffer
	// of its own for each class. Nil: not.
	Credits *core.CreditConfig
	ECN     ECNConfig
	INT     core.INTFormat
	// Strict is the set of classes, one bit each, that are served before all others but class 0, the highest first: strict
	// priority (802.1Q, 8.6.8.1).
	Strict uint8
	// Weights are the shares that classes 1 to 7, but for those of Strict, have of a port while several wait; 0 counts as 1.
	// All 0: they are served in turn, a packet each.
	Weights [numQueues]uint8
	// Mark supplies the draws of ECN. With PauseTakesDraw every PFC frame takes one of its
	// numbers too, as in the reference, where each frame opens a random stream.
	Mark           core.Random
	PauseTakesDraw bool
	// Shared is the run's common stream for congestion points, where a profile has one.
	Shared core.Random
	MaxRTT core.Duration // largest base round trip of the network
	MTU    core.Bytes
	// Markers are the schemes that have congestion points; Packet.Marker is 1 + index.
	Markers   []algorithms.Scheme
	NoticeLen int32 // bytes of a congestion notification message on the wire
	// FirstBytes is what counts as sent in the first round trip of a message, a bandwidth-delay product: see
	// BufferConfig.FirstAlpha.
	FirstBytes uint32
	Meter      MeterConfig
	Ports      []PortConfig
}

// PortConfig describes one port and its link.
type PortConfig struct {
	Rate     core.Rate
	ToHost   bool       // the link leads to a host
	Headroom core.Bytes // PFC headroom of the port's ingress, which each lossless priority may use but that is set aside once
	Shift    uint8      // dynamic threshold = rest of the shared pool >> Shift
	KMin     core.Bytes // ECN: no marking up to here
	KMax     core.Bytes // ECN: every packet above
	PMax     float64    // ECN: probability at KMax
	Random   core.Random
}

// PauseConfig says how PFC behaves.
type PauseConfig struct {
	Off      bool   // no PFC: packets over the threshold may be dropped
	Quanta   uint16 // pause time in units of 512 bit times; 0: a pause lasts until the resume
	FrameLen int32  // bytes of a PFC frame on the wire
}

// ECNConfig says how packets are marked.
type ECNConfig struct {
	Off       bool
	AtEnqueue bool // decide on the queue found on arrival; otherwise on the queue left behind
	Any       bool // mark packets that are not ECN-capable too
}
