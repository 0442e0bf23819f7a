package nic

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Config describes a host's interface.
type Config struct {
	ID       core.NodeID
	Pool     *core.Pool
	Router   core.Router
	ECMPSeed uint32 // of the network: core.ECMPPort
	Timing   core.Timing
	Ports    []core.Rate // rate of each port
	MTU      core.Bytes  // payload of a full packet
	Header   int32       // bytes of a data packet before payload and what the scheme adds
	AckLen   int32       // bytes of an ACK before what the scheme adds
	MinLen   int32       // least bytes of an ACK, and size of a CNP or grant
	INT      core.INTFormat
	// Receivers are the schemes that have notification points; Flow.Receiver is 1 + index.
	Receivers []algorithms.Scheme
	// Credits replaces the reaction to PFC by credit flow control; nil: not.
	Credits *core.CreditConfig
	MaxRTT  core.Duration // largest base round trip of the network
	Seed    uint64        // of the notification points' streams

	// Delay and Service are the time that a host takes before it answers a data packet: it processes
	// one packet per Service, and answers Delay after that. ACKs report their sum and the wait.
	Delay   core.Duration
	Service core.Duration

	// AckPrio0 sends acknowledgements whatever class is paused.
	AckPrio0 bool
	// AckClass is the class whose pause holds back all acknowledgements, as in the
	// reference; 0: each waits for its own.
	AckClass uint8
	// AckControl are the classes, one bit each, whose acknowledgements are control packets: they travel in class 0, as in
	// NDP and Ultra Ethernet, so that switches drop none.
	AckControl uint8
	// NackEvery is the least time between two NACKs for the same byte.
	NackEvery core.Duration
	// AckEvery is the number of data packets in at least one of which a sender asks for an acknowledgement; the others
	// have none without need, see ackreq.go. 0 means 1.
	AckEvery int
	// AckDuplicates answers a packet that was received before with an ACK. Without it, and
	// without a retransmission timer, the loss of a last ACK leaves a flow unfinished.
	AckDuplicates bool
	// SkipAcked never sends again what has been acknowledged since the sender went back.
	// Without it, as profile ns3 reads the reference, a window counts as full until the sender has caught up:
	// the bytes in flight are unsigned.
	SkipAcked bool
	Recovery  [8]Recovery // of each class
	// Reordering is how many later packets may overtake one: with selective recovery it counts as lost when one has
	// arrived that is numbered more than that after it.
	Reordering int64
	// Entropy is how packets choose among equal-cost paths; Chance draws for all ways but OfFlow.
	Entropy Entropy
	Chance  core.Random
	PLB     PLB // with Protective
	// Chunk is the unit of GoBack0: positions fall back to a multiple of it after a loss.
	Chunk int64
	// RTO is the time without progress after which a flow goes back to its first unacknowledged byte, unless it
	// has a time-out of its own or a longer one from its scheme; it doubles each time up to 16 RTO. 0: no timer.
	RTO core.Duration
	// RTOLow is the same for at most three packets in flight, with selective recovery.
	RTOLow core.Duration
	// Retries is the number of time-outs in a row after which a flow is given up, with go-back-0 also if it gets no
	// farther for as long as these last; 0: any number.
	Retries int
	// Unpaced computes the gap after a packet with the line rate, not the flow's rate.
	Unpaced bool
	// WakeForAll includes flows stopped by their window or by a pause when the next wake-up is
	// computed, and does not move a pending wake-up, as in the reference: if a stopped flow is due,
	// or the port waits for a slow one, there is no wake-up for the others. And when no flow may send, and finished
	// ones are removed from the list, the index of the flow served last stays as it is, so that others miss a turn.
	WakeForAll bool
	// KeepOrder tracks what the reference's hash table would hold, for the order in which queue
	// pairs are put back after a link failure.
	KeepOrder bool
}

// Flow is what a sender is told to send.
type Flow struct {
	ID      int32
	Dst     core.NodeID
	SrcPort uint16
	DstPort uint16
	Prio    uint8
	Marker  uint8 // 1 + index of the scheme's congestion points in the switches; 0: none
	// Receiver is 1 + index of the scheme's notification points in the hosts; 0: none.
	Receiver uint8
	DstQP    int32 // number of the queue pair at Dst
	// Connection is 1 + the number of a connection of this host, whose messages all have the same addresses, ports, class
	// and scheme; 0: the message has a queue pair of its own.
	Connection int32
	Size       int64 // bytes, at least 1
	Scheme     algorithms.Scheme
	BaseRTT    core.Duration // what the host at the end takes included
	RTO        core.Duration // 0: Config.RTO
	FirstRTO   core.Duration // for schemes with time-outs of their own: algorithms.Flow.Timeout
	Hops       int
	// Window is the host's window, 0 for none; it applies beside the scheme's own.
	// ScaleWindow multiplies it by rate/line rate.
	Window      core.Bytes
	ScaleWindow bool
	Random      core.Random
	Shared      core.Random
}
