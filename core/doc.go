// Package core is the vocabulary of qbb: units, packets, telemetry hops, rings,
// pools, random streams, and the contract between a device and whatever drives it.
// Of the project it imports only core/portable.
//
// # Feed, drain, ask
//
// A device (a NIC, a switch) is a pure state machine, a [Node]. Its host, which is
// our own engine or NS-3, feeds it one event at a time: a packet has arrived, a port
// has finished sending, a deadline has come. Every feed is a [Turn]: the host fills in
// the time, the node appends what must now happen ([Action]), the host carries that
// out in order. A node never calls its host, reads no clock, owns no goroutine, and
// keeps no pointer to the turn.
//
// The life of a data packet:
//
//	nic.Open(flow)            the sender's scheme says how fast it may go
//	nic.TxDone | nic.Wake     appends Transmit{packet, end}
//	host                      TxDone at end, Receive at the peer at end+delay
//	switching.Receive         routes, admits (PFC), queues; appends Transmit when the port is free
//	switching.TxDone          schedules, releases the buffer, marks ECN, stamps INT; appends Transmit
//	nic.Receive (receiver)    turns the packet round into its own ACK
//	nic.Receive (sender)      fills one algorithms.Signal, obeys the algorithms.Control
//
// # Time and order
//
// [Time] counts picoseconds in every profile; the profile called ns3 rounds durations
// to whole nanoseconds ([FixedPointNanos]) as NS-3 does. Time zero is a valid instant,
// so "none" is [Never].
//
// A port that has been told to transmit is busy. The host calls TxDone only if the
// node asked for it, by [Action].More in the Transmit or by a later Kick; a port with
// nothing to send costs no event. If a transmission ends at the very time of an event,
// [Turn.Busy] says whether it ended before that event.
package core
