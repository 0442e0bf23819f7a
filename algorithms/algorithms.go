package algorithms

import (
	"cmp"

	"github.com/qbb-sim/qbb/core"
)

// Scheme makes the machines of one configured congestion-control scheme. It is immutable
// and may be shared by all flows.
type Scheme interface {
	Traits() Traits
	// NewSender returns a fresh reaction point.
	NewSender() Sender
	// NewReceiver returns a fresh notification point, or nil: plain ACKs are enough.
	NewReceiver() Receiver
	// NewMarker returns a fresh congestion point, or nil: the switch's ECN and INT are enough.
	NewMarker() Marker
}

// Sender is the reaction point of one flow.
type Sender interface {
	// Start resets the machine for a new flow and writes the whole of c.
	Start(now core.Time, f *Flow, c *Control)
	// Step digests one signal; c holds the previous answer.
	Step(s *Signal, c *Control)
}

// Receiver is the notification point of one NIC port. It serves all flows of its scheme
// that end there.
type Receiver interface {
	Start(now core.Time, p *Port, r *Reply)
	// Step digests the arrival of one data packet, or a Timer when r.Wake has come.
	Step(a *Arrival, r *Reply)
}

// Marker is the congestion point of one egress port.
type Marker interface {
	Start(now core.Time, p *Port)
	// Step digests one packet of the port's data queues. It sees every packet, those of other
	// schemes and acknowledgements included; Sight.Own marks the data packets of its own scheme.
	Step(q *Sight, m *Mark)
}

// Cleared is a Marker that works with the queue of its port between packets, and so must hear when a failed link
// has lost that. Packets that are lost so are shown to no congestion point.
type Cleared interface {
	// Clear tells that from now on all queues of the port are empty.
	Clear(now core.Time)
}

// Managed is a Marker with counters and settings that a subnet manager reads and writes while the
// run continues (InfiniBand).
type Managed interface {
	// Congested returns for how long the port has been congested up to now, a time not before
	// the last Step (PortXmitCongTime).
	Congested(now core.Time) core.Duration
	// SetMarkingRate sets the mean number of packets between two marked ones.
	SetMarkingRate(packets int)
}

// Signals is a set of signal kinds.
type Signals uint16

// Has reports whether k is in the set.
func (s Signals) Has(k SignalKind) bool { return s>>k&1 != 0 }

// Hears makes a set of signal kinds.
func Hears(kinds ...SignalKind) Signals {
	var s Signals
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

// Needs is what a scheme wants the network to provide.
type Needs uint8

// Needs of a scheme.
const (
	ECN        Needs = 1 << iota // data packets are ECN-capable
	INT                          // switches append hop records to data packets
	AckPerData                   // one ACK for every data packet: hosts must not coalesce them
)

// Sights is a set of moments at which a congestion point is shown a packet.
type Sights uint8

// Moments of a packet at a queue.
const (
	Arrivals   Sights = 1 << iota // Sight.Enqueue set
	Departures                    // Sight.Enqueue not set
)

// Traits describe a scheme to its hosts. Devices never ask for its name.
type Traits struct {
	Name       string
	Hears      Signals
	Needs      Needs
	LazyTimers bool // Timer signals may wait until the flow's answer is next used
	// NotifyIsEcho: an ACK with the ECN echo is a congestion notification; the host sends
	// Notify before the Ack of the same packet. Otherwise Notify means a CNP.
	NotifyIsEcho bool
	// PerClass: all flows of a host's port and class share one sender, whose answer holds for
	// each of them.
	PerClass bool
	// Sees says which packets its congestion points are shown; 0: all.
	Sees Sights
	// SeesTrimmed: its receivers are shown the packets that switches have trimmed, too.
	SeesTrimmed bool
	// OneMessage: its receivers or congestion points take every message for a flow of its own, so that no queue pair may
	// carry several.
	OneMessage bool
	// HeaderBytes is what the scheme adds to every data packet and every ACK: HeaderBytes
	// once and HopBytes for each record of a hop that the packet has room for.
	HeaderBytes int
	HopBytes    int
	// AckEvery is the number of data packets that its receivers acknowledge with one ACK, unless they have
	// something to report; 0 means 1.
	AckEvery int
	// Reach is the round trip above which its rates fall although nothing waits; the zero value: there is none.
	Reach Reach
	// Marks is where switches are to mark its packets unless the user says otherwise. The zero value
	// stands for the HPCC authors' thresholds of DCQCN.
	Marks Marking
}

// Reach is a round trip, and the parameter that sets it.
type Reach struct {
	Param string
	RTT   core.Duration
}

// Marking is the law of ECN marks at a link of a rate. For other rates the queues are in proportion.
type Marking struct {
	Rate core.Rate
	KMin core.Bytes // no marks up to this queue
	KMax core.Bytes // every packet is marked above this queue
	PMax float64    // probability of a mark at KMax
}

// DCTCPMarks are DCTCP's in the HPCC authors' settings: a step.
func DCTCPMarks() Marking { return Marking{10 * core.Gbps, 30e3, 30e3, 1} }

// Marking returns Marks, or what stands for it: DCQCN's in the HPCC authors' settings.
func (t *Traits) Marking() Marking {
	return cmp.Or(t.Marks, Marking{25 * core.Gbps, 100e3, 400e3, 0.2})
}

// Bytes is what the scheme adds to every packet of a flow whose path has so many links.
func (t *Traits) Bytes(format *core.INTFormat, links int) core.Bytes {
	return core.Bytes(t.HeaderBytes + t.HopBytes*format.Records(links))
}

// Flow is what a sender must know of its flow.
type Flow struct {
	ID      int32
	Line    core.Rate     // of the NIC port
	MinRate core.Rate     // floor demanded by the host; 0 for none
	BaseRTT core.Duration // round trip without queueing, of packets without what the scheme adds to them
	Window  core.Bytes    // the host's window, Line*BaseRTT rounded its way; 0 if it sets none
	MTU     core.Bytes    // payload of a full packet
	Packet  core.Bytes    // a full packet on the wire; 0: not known
	Size    core.Bytes    // of the flow; 0: not known
	Hops    int           // links of the path
	INT     core.INTFormat
	Timing  core.Timing
	Random  core.Random // the flow's own stream
	Shared  core.Random // the run's common stream, where a profile has one; else Random
	// Timeout is for a scheme that sets Control.Timeout: a safe value until it has measured a round trip; 0: the
	// host's.
	Timeout core.Duration
}

// Floor returns the lowest rate that a sender may choose: the greater of the scheme's own
// floor and the host's; 1 % of the line where neither has one; never above the line.
func (f *Flow) Floor(own core.Rate) core.Rate {
	floor := max(own, f.MinRate)
	if floor == 0 {
		floor = f.Line / 100
	}
	return max(1, min(floor, f.Line))
}

// CutFloor is the lowest rate after a cut of a scheme that the reference simulator has too: Floor, but in
// NS-3's arithmetic a floor above the line stays, as there, and a cut then leads to it.
func (f *Flow) CutFloor(own core.Rate) core.Rate {
	if f.Timing == core.Exact {
		return f.Floor(own)
	}
	return max(f.Floor(own), own, f.MinRate)
}

// Control is a sender's answer.
type Control struct {
	Window core.Bytes    // most bytes in flight, or in the network during selective recovery; core.Unlimited for none; 0: send nothing before a grant
	Rate   core.Rate     // in (0, line rate]; above it only as Flow.CutFloor says
	Gap    core.Duration // fixed delay added after every packet (InfiniBand CCT, Swift's windows below a packet)
	Wake   core.Time     // when to send a Timer signal; core.Never for none
	Stamp  uint64        // what a data packet carries in Packet.Aux when it is made
	// Timeout is the least time without progress after which packets count as lost. A host never waits for
	// less; it may wait longer, and backs off by itself. 0: the host's own.
	Timeout core.Duration
	Do      Orders // one-shot orders; the host clears them
}

// Orders are one-shot requests of a sender to its host.
type Orders uint8

// Orders.
const (
	// Repace moves the gap that is running since the last packet to the new rate and the new fixed delay.
	Repace Orders = 1 << iota
	// Probe asks for a packet now, window or not.
	Probe
)

// SignalKind is what a Signal reports.
type SignalKind uint8

// Kinds of signal.
const (
	Timer  SignalKind = iota
	Sent              // a data packet has left: Bytes on the wire
	Ack               // an ACK or NACK has arrived
	Notify            // CNP, BECN, or an ACK's ECN echo (Traits.NotifyIsEcho): Aux
	Switch            // CNM from a congestion point: Feedback
	Grant             // receiver's grant: Aux
	Loss              // the retransmission timer has found a loss (Timeout), or a switch has trimmed a packet
	Path              // the path has changed: ACKs up to Next may tell of the former one
)

// SignalFlags qualify a signal.
type SignalFlags uint8

// Flags of a signal.
const (
	ECE     SignalFlags = 1 << iota // the acknowledged packet carried CE
	IsNack                          // the acknowledgement is negative
	Timeout                         // the loss was found by the retransmission timer
)

// Signal is one thing that a sender hears. The host owns it and fills it in place.
type Signal struct {
	core.Instant // time and order: Now, Fired
	Kind         SignalKind
	Flags        SignalFlags
	Bytes        core.Bytes    // Ack: newly acknowledged; Sent: bytes on the wire
	Marked       core.Bytes    // Ack: of these, marked by ECN
	Acked        int64         // Ack: next byte the receiver expects, as the packet says; Loss, Path: first unacknowledged byte
	Next         int64         // next byte to be sent
	InFlight     core.Bytes    // Next - first unacknowledged byte
	SentAt       core.Time     // Ack, Switch: when the (first) packet that it answers was created; else when the notification itself was
	RTT          core.Duration // Ack: Now - SentAt
	HostTime     core.Duration // Ack: time spent in the receiving host, where reported
	Feedback     int32         // Switch: quantised feedback of the Mark or Notice
	Aux          uint64        // Ack: what the acknowledged packet carried when it arrived; else CNP field, grant
	Hops         []core.Hop    // Ack: INT of the acknowledged packet; valid during the Step
}

// Port is what a Receiver or a Marker must know of its port.
type Port struct {
	Node   core.NodeID
	Port   int
	Line   core.Rate
	MaxRTT core.Duration // largest base round trip of the network
	MTU    core.Bytes
	Timing core.Timing
	ToHost bool        // the link leads to a host
	Lane   core.Bytes  // buffer for each class under credit flow control; 0: there is none
	Random core.Random // the port's own stream
	Shared core.Random // the run's common stream, where a profile has one; else Random
}

// Arrival is one data packet as a Receiver sees it, or a Timer.
type Arrival struct {
	core.Instant
	Timer  bool        // no packet: Reply.Wake has come
	QP     int32       // the receiver's queue pair
	CE     bool        // congestion was experienced
	Bytes  core.Bytes  // payload
	Packet core.Packet // the packet's header
	Flows  int         // flows now open at the port
	// Missing is how many packets of the flow have not arrived, this one not counted unless it was trimmed; -1 as long as
	// its last one has not been seen.
	Missing int64
}

// Reply is what a Receiver wants done. The host owns it, and clears Send, Hold and Release
// before a Step.
// A receiver that has several notifications to send at one instant leaves Wake at Now: the
// host serves such a Wake at once.
type Reply struct {
	Send bool      // send one notification to the source of queue pair QP
	QP   int32     // of the notification, and of Release
	Kind core.Kind // CNP or Grant
	Aux  uint64    // its content
	Wake core.Time // when to be called with Timer; core.Never for none
	// Hold keeps the ACK of the packet that has just arrived back, with the echo of that
	// packet's mark, until a later packet of the queue pair is acknowledged, which makes it
	// superfluous, or until Release. The last packet of a flow, and one that fills a gap of a receiver that keeps
	// what is beyond it, are acknowledged all the same.
	Hold bool
	// Release sends the ACK that is held back for QP, before that of the packet that has just
	// arrived.
	Release bool
}

// Sight is one packet as a Marker sees it.
type Sight struct {
	Now     core.Time
	Enqueue bool         // at enqueue, before the packet is counted; otherwise at dequeue, after
	Own     bool         // a data packet of a flow of the marker's scheme
	Queue   core.Bytes   // bytes queued at the port (all queues, that of frames and notifications too)
	Class   core.Bytes   // bytes queued of the packet's class
	Starved bool         // packets of the class have had to wait for credits alone
	Tx      core.Bytes   // bytes sent by the port before this packet
	Packet  *core.Packet // its header, to be read during the call; Aux is the stamp or digest carried so far
}

// Mark is what a Marker wants done to the packet. The host resets it before a Step.
type Mark struct {
	CE       bool     // set congestion experienced
	SetAux   bool     // write Aux into the packet
	Aux      uint64   // the new digest
	Notify   bool     // send the packet's source a CNM, which tells when the packet was created
	Feedback int32    // its quantised feedback
	Others   []Notice // CNMs to the sources of other flows, appended by the marker
	Flows    uint32   // at dequeue: write into the hop record that the packet got here; 0: leave it
}

// Reset clears the mark and keeps the memory of Others.
func (m *Mark) Reset() {
	m.CE, m.SetAux, m.Aux, m.Notify, m.Feedback, m.Others, m.Flows = false, false, 0, false, 0, m.Others[:0], 0
}

// Notice is a CNM to the source of a flow that has passed the port: node To is Packet.Src
// of its data packets, QP their Packet.SrcQP.
type Notice struct {
	To       core.NodeID
	QP       int32
	Feedback int32 // as Mark.Feedback
}
