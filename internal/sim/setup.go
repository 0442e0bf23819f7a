package sim

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
)

// Setup is a run with every choice made: what the network is built from.
type Setup struct {
	Profile  Profile
	Seed     uint64
	Topology *topo.Topology
	Flows    []Flow // those that wait for nothing in the order of their start; other order is a mistake of the caller
	// Schemes are the congestion-control schemes in use; Flow.Scheme is an index.
	Schemes []algorithms.Scheme
	Links   []LinkEvent // in the order of time
	// Stop is the end of the run: events after this time do not run, and in the order of scheduling
	// those of this time that were scheduled in the run. core.Never: until all flows have ended.
	// None is later than MostTime.
	Stop core.Time

	MTU       core.Bytes // payload of a full packet
	Header    core.Bytes // bytes of a data packet besides payload and what the scheme adds
	AckHeader core.Bytes // bytes of an ACK besides what the scheme adds
	MinPacket core.Bytes // least bytes of an ACK

	Buffer  core.Bytes // of a switch
	Reserve core.Bytes // of it, for each port
	Resume  core.Bytes // a pause ends this much below the threshold
	NoPFC   bool       // no class is paused, nor has headroom
	// Watchdog has the times of PFC watchdogs; 0: there are none.
	Watchdog switching.WatchdogConfig
	// Lossy is the set of classes, one bit each, that are dropped instead of paused. What a queue of
	// such a class may hold depends on Sharing: at most free buffer >> LossyShift, unless it is another.
	Lossy      uint8
	LossyShift uint8
	Sharing    switching.Sharing
	FirstAlpha uint16 // with switching.ABM, of packets of the first bandwidth-delay product, the network's largest, of a message
	Trim       bool   // what finds no room in these classes is trimmed, not dropped: their Recovery is nic.Selective; their ACKs go in class 0
	// Strict is the set of classes, one bit each, that go before all others at a switch's port, the highest first.
	Strict uint8
	// Weights are the shares of a switch's port that other classes have while several wait; 0 counts as 1.
	// All 0: classes are served in turn, a packet each.
	Weights [8]uint8
	// Balance is how switches choose among equal-cost paths. FlowletGap is for switching.Flowlets and CONGA. With
	// switching.ConWeave, for which every host has one link, a time of 0 is chosen by those of the network; Fabric is.
	Balance    switching.Balance
	FlowletGap core.Duration
	ConWeave   switching.ConWeaveConfig
	Entropy    nic.Entropy // how hosts do, by source ports
	PLB        nic.PLB     // for nic.Protective
	// Connections is the number of queue pairs that carry the messages from one host to another, in turn; those of a
	// class and scheme share a [nic.Flow.Connection]. 0: every message has a queue pair of its own.
	Connections int
	// Credits replaces PFC and the switches' shared memory; nil: it does not.
	// Refresh is chosen by Build, and Update if it is 0.
	Credits *core.CreditConfig
	// ExactHeadroom computes headroom as twice the propagation delay, three frames and the
	// reaction time; otherwise it is three times the bytes that the link holds.
	ExactHeadroom bool
	AlphaShift    uint8 // dynamic threshold of a port at host rate: free buffer >> AlphaShift

	ECN          func(core.Rate) (kmin, kmax core.Bytes, pmax float64, ok bool)
	ECNOff       bool
	ECNAtEnqueue bool

	INTMulti    int // multiplies the units of a short INT record
	Windows     WindowRule
	AckEvery    int // data packets to an acknowledgement that hosts ask for; 0 means 1
	AckPrio0    bool
	Unpaced     bool
	HostDelay   core.Duration // of a receiving host, for every data packet
	HostService core.Duration // time in which it deals with one
	NackEvery   core.Duration
	Chunk       int64
	Recovery    [8]nic.Recovery // by class
	Reordering  int64           // with selective recovery, how many packets may overtake one that is not lost
	RTOLow      core.Duration   // with selective recovery and few packets in flight
	LossPerLink float64         // of every link that has no loss of its own

	Sampling Sampling
	Series   SeriesSpec
	Manager  ManagerSpec
	Trace    []core.NodeID // nodes whose packet events are recorded; nil: none
	Capture  bool          // packet events of all nodes are recorded
	Notes    []string      // of the input: what a reader of the results should know
	// ClosedLoop lets flows be added while the run is under way ([Network.Add]): it stays in one part, and does not end when its
	// flows have, if the time to which it is to go is known.
	ClosedLoop bool
	// Programs are the applications of hosts, by node; nil: there are none. Those of different hosts may run in parallel. The run
	// does not end before they have nothing more to do at a time of their own.
	Programs []Program
	// Threads is the most threads that run parts of the network in parallel; 0: one. Results do
	// not depend on it. UsefulThreads says whether several are faster than one, and Network.Parts how many parts there are.
	Threads int
}

// OnePath reports whether all packets of a flow take one path, while links stay as they are.
func (s *Setup) OnePath() bool { return s.Balance == switching.ECMP && s.Entropy == nic.OfFlow }

// WindowRule is the window that hosts give flows (Profile.HostWindow).
type WindowRule struct {
	Classes uint8 // whose flows get one bandwidth-delay product
	Global  bool  // of the whole network, as is the base RTT; otherwise the pair's
	Scale   bool  // times rate/line rate
}

// Sampling says when queue depths are sampled.
type Sampling struct {
	Interval core.Duration // 0: never
	Start    core.Time
	End      core.Time
	Bin      core.Bytes // width of a histogram bin
	// Events makes every sample an event with its place in the order of scheduling, as in the
	// reference; otherwise a sample sees what has happened before its time.
	Events bool
	Dump   core.Duration // time between dumps of the histograms, counted from time 0; 0: none
}

// Flow is one message.
type Flow struct {
	Src, Dst core.NodeID
	Bytes    int64
	Start    core.Time // with After, counted from the end of the last of these flows as the source knows it
	After    []int32   // indices of the earlier flows that must finish first, each once; others may share them
	Held     bool      // the program of its source starts it; Start is 0
	Prio     uint8
	SrcPort  uint16 // 0: the next one of the pair of hosts, from FirstSourcePort on, as many as there are Connections
	DstPort  uint16
	Scheme   uint8
	Group    int32 // number of the group of hosts of a pattern, from 1 on; 0: none
	Tag      string
}

// waits reports whether the flow starts at no given time.
func (f *Flow) waits() bool { return len(f.After) > 0 || f.Held }

// LinkEvent is the failure or return of a link.
type LinkEvent struct {
	At   core.Time
	Link int
	Up   bool
}

// FlowRecord is what became of a flow.
type FlowRecord struct {
	ID       int // index into Setup.Flows
	Flow     *Flow
	SrcPort  uint16
	Start    core.Time     // core.Never if it waits for the end of another flow, or for a program
	FCT      core.Duration // until the last byte was acknowledged; of an unfinished flow, until now
	Ideal    core.Duration // FCT without any other flow
	Started  bool
	Finished bool
	Failed   bool // given up after too many time-outs, or as long without progress
	// Abandoned: the flow for which it waited was given up.
	Abandoned bool
	Acked     int64
	Retx      int64 // bytes sent again
	Marked    int64 // acknowledgements with the ECN echo
	Timeouts  int64
}

// Slowdown is FCT over Ideal, at least 1.
func (r *FlowRecord) Slowdown() float64 {
	return max(1, float64(r.FCT)/float64(max(1, r.Ideal)))
}

// PauseRecord is the arrival of a PFC frame.
type PauseRecord struct {
	At      core.Time
	Node    core.NodeID
	Switch  bool
	Port    int // 0-based
	Classes uint8
	Pause   bool // else resume
}

// Observer hears what happens in a run, as it happens. Calls come from the goroutine that
// runs the simulation; records are valid during the call.
type Observer interface {
	FlowEnded(r *FlowRecord)
	PauseReceived(r *PauseRecord)
	// QueueDump is called at every Sampling.Dump with the histograms so far.
	QueueDump(at core.Time, n *Network)
	// Records hands over packet events.
	Records(records []core.Record)
}
