// Package algorithms is the contract between a congestion-control scheme and the device
// that hosts it. Every scheme has a folder of its own below; none of them is known here.
//
// A scheme consists of up to three machines, named after the roles of IEEE 802.1Qau and
// DCQCN:
//
//   - [Sender], the reaction point: one per flow; decides window, rate and gap.
//   - [Receiver], the notification point: one per NIC port; decides what goes back.
//   - [Marker], the congestion point: one per egress port; decides what it writes into packets.
//
// Machines are pure: no clock, no goroutine, no global, no call outwards. A machine digests
// one input per Step and writes its answer into a struct that its host owns. The
// same struct comes back at the next Step with the previous answer still in it, so a
// machine writes only what changes. It keeps no pointer to either.
//
// # Rules a host obeys
//
//   - After a packet of n wire bytes leaves at t, the flow's next packet leaves no earlier
//     than t + TxTime(n, Rate) + Gap, and only while InFlight < Window. During selective recovery a
//     host counts what it knows to be in the network instead (the pipe of RFC 6675).
//   - A Timer signal is sent once Wake has come. With Traits.LazyTimers the host need not
//     make an event of it: it sends the signal before it next uses Rate, Window or Gap.
//     Early or repeated Timer signals must be harmless.
//   - A data packet, or its retransmission, carries the Stamp in force when it is made.
//     Markers may change it on the way ([Mark].Aux); Signal.Aux of its ACK is what arrived.
//   - While a Window of 0 keeps a flow from sending what it has left, its retransmission timer runs as if something were
//     in flight: what would let it go on may have been lost.
//   - A retransmission timer expires no earlier than Control.Timeout after the last progress. A host that has no
//     such timer need not add one.
//   - A loss is heard of in three ways: as an Ack with IsNack, when a later packet has arrived; as a Loss with Timeout,
//     after which all that was in flight counts as lost; and as a Loss without, for every time that a switch has trimmed
//     a packet. The last is no round trip and acknowledges nothing, the host sends that packet again by itself, and many
//     may come for one window: a scheme that reduces once for the losses of a window must tell (Next says what was sent).
//   - Signals of one flow come in the order of time.
//   - Messages that a queue pair carries one after another are one flow to its machines, of unknown Size, whose bytes go on
//     counting. A message ends with a packet that has core.Last, which is always acknowledged.
//
// # Timers
//
// A machine with several timers keeps their deadlines itself; Wake is the earliest. Timers that are due
// at the same time fire in the order in which they were armed; [core.Instant.Fired] says whether one
// has fired.
//
// # Arithmetic
//
// Results are the same to the bit on every processor: a product that is added to something is written
// float64(x*y), and elementary functions are those of package core/portable.
//
// # Adding a scheme
//
// docs/add-a-scheme.md walks through it: params.go (a Params struct with `qbb` tags, Defaults,
// Validate), the machines, and doc.go with the rule in formulas and the differences from its
// paper; a row in algorithms/catalog; the conformance suite of algorithms/algotest.
package algorithms
