package core

import "math"

// Kind is what a packet is.
type Kind uint8

// Kinds of packet.
const (
	Data     Kind = iota
	Ack           // positive acknowledgement up to Seq
	Nack          // negative acknowledgement: Seq is expected next
	Pause         // 802.1Qbb PFC frame: Aux is a PauseWord; never routed
	CNP           // congestion notification packet (RoCEv2 A17, or IB CN): receiver to sender
	CNM           // congestion notification message (802.1Qau): switch to sender
	Grant         // receiver's grant of a window or rate
	Credit        // InfiniBand flow-control packet: never routed
	Datagram      // packet of a host's other protocols: Aux is the sender's number
	ConWeave      // answer of a destination's switch to a source's, which takes it: Aux is its content, DstQP the source's queue pair
)

// String returns the lower-case name of the kind.
func (k Kind) String() string {
	names := [...]string{"data", "ack", "nack", "pause", "cnp", "cnm", "grant", "credit", "datagram", "conweave"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Flags are one-bit properties of a packet.
type Flags uint8

// Flags of a packet.
const (
	ECT      Flags = 1 << iota // ECN-capable transport
	CE                         // congestion experienced (RFC 3168), FECN in InfiniBand
	ECE                        // echo of CE to the sender, BECN in InfiniBand
	Last                       // last packet of its flow
	Rtx                        // retransmission
	NoAckReq                   // data: does not ask for an acknowledgement: AckReq of the BTH is 0
	Trimmed                    // data: a switch has cut the payload off; NACK: Sack names such a packet
)

// Packet is a packet on its way. A packet has one owner at a time, who must pass it on or give
// it back to its pool. To hand one over by value, copy its fields and the contents of INT.
type Packet struct {
	// What a switch looks at comes first: 64 bytes.
	Flight  Flight  // owned by the host that moves the packet over a link, as Landing is
	Landing int32   // that host's number of the port at which the packet arrives
	Fabric  uint16  // what switches that choose paths by congestion tell one another
	next    *Packet // in a queue or the free list, owned by whoever owns the packet
	Src     NodeID
	Dst     NodeID
	Size    int32 // bytes on the wire, without preamble and gap
	SrcPort uint16
	DstPort uint16
	InPort  uint16 // owned by the switch that holds the packet
	Kind    Kind
	Prio    uint8 // traffic class, 0 to 7
	Flags   Flags
	NHops   uint8 // hops recorded in the INT stack, modulo 256
	Marker  uint8 // 1 + index of the scheme whose congestion points digest it; 0 for none
	Scheme  uint8 // 1 + index of the scheme whose notification point at Dst hears of it; 0 for none

	INT     []Hop  // the INT stack: room for all records; nil if the packet carries none
	Sent    Time   // data: when the source created it; its ACK or CNM echoes it
	Seq     int64  // data: offset of the first byte; ACK, NACK: next byte expected; CNM: its feedback
	Aux     uint64 // by Kind: stamp or digest of a scheme, PauseWord, CreditWord, content of a CNP or grant
	SrcQP   int32  // queue pair at Src, known to Src only
	DstQP   int32  // queue pair at Dst, known to Dst only
	Payload int32  // bytes of the message
	// HostNanos is the time that the receiving host has taken before it acknowledged, ns; of data between switches that balance
	// load by ConWeave, a time stamp.
	HostNanos uint32
	Sack      int64 // NACK of selective recovery: offset of the packet that has arrived, or was trimmed; data between such switches: their label
}

// Flight is the place in the order of events of a packet's arrival.
type Flight struct {
	At   Time   // of the arrival
	Born Time   // when it was scheduled, as Instant has it
	Key  uint64 // order among events of equal time
}

// PauseWord is the content of a PFC frame. Bits 0 to 7 are the class-enable vector; bits 8 to 23 the pause time of these
// classes in quanta of 512 bit times, 0 to resume; bit 24 says "until resumed", a pause without expiry, as profile ns3
// sends it. The frame of 802.1Qbb has a time for each class, which would not fit 64 bits; our devices send one class
// a frame.
type PauseWord uint64

// NewPause builds the word of a frame for one class.
func NewPause(class uint8, quanta uint16, forever bool) PauseWord {
	w := PauseWord(1)<<class | PauseWord(quanta)<<8
	if forever {
		w |= untilResumed
	}
	return w
}

const untilResumed PauseWord = 1 << 24

// UntilResumed returns the word of a pause of the same classes that does not expire.
func (w PauseWord) UntilResumed() PauseWord { return PauseWord(w.Classes()) | untilResumed }

// Classes returns the class-enable vector.
func (w PauseWord) Classes() uint8 { return uint8(w) }

// Quanta returns the pause time in quanta of 512 bit times.
func (w PauseWord) Quanta() uint16 { return uint16(w >> 8) }

// PauseQuantum is the unit of pause times: 512 bit times.
const PauseQuantum Bytes = 512 / 8

// Lasts returns the pause time at a port of the given rate; the longest if it lasts until a resume.
func (w PauseWord) Lasts(rate Rate) Duration {
	if w.Forever() {
		return math.MaxInt64
	}
	return exactTxTime(Bytes(w.Quanta())*PauseQuantum, rate)
}

// Forever reports whether the pause lasts until a resume.
func (w PauseWord) Forever() bool { return w&untilResumed != 0 }

// Resume reports whether the frame ends a pause.
func (w PauseWord) Resume() bool { return w.Quanta() == 0 && !w.Forever() }
