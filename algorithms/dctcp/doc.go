// Package dctcp is DCTCP (Alizadeh et al., Data Center TCP, SIGCOMM 2010; RFC 8257) turned
// into a rate-based scheme for RDMA, as in the simulations of the HPCC authors.
//
// # Rule
//
// A batch is what is in flight when it begins; it ends when an ACK passes what was next to
// be sent. At its end, with F the share of its packets whose ACK echoed congestion:
//
//	F     = min(1, echoes / batch)
//	alpha = (1-g) alpha + g F          alpha starts at 1
//
// Then, for every ACK:
//
//	in reduction, and the ACK passes its end      leave the reduction
//	echo, not in reduction                        R = max(min_rate, R (1 - alpha/2)), enter a
//	                                              reduction that ends with what is in flight
//	a batch has ended, not in reduction           R = min(line, R + ai)
//
// # Differs from RFC 8257 in
//
//   - The state is a rate that starts at the line rate; there is no slow start, and loss is
//     left to the transport. window keeps the bytes in flight to R times the base round trip.
//   - A reduction suppresses the increase of the batch in which it happens.
//   - F counts packets, not bytes, and the packets of a batch are computed from its bytes.
//   - Echoes of the first batch, before anything was measured, also count in the second.
package dctcp
