// Package rcp is RCP, the Rate Control Protocol (Dukkipati, Kobayashi, Zhang-Shen and McKeown,
// Processor Sharing Flows in the Internet, IWQoS 2005): every router has one rate for all flows that
// pass it, and writes it into each of their packets.
//
// # Congestion point
//
// Per egress port, every period T, from the rate y of what has arrived in it and the queue q at its
// end, with C the rate of the link and d the round trip:
//
//	R = R (1 + (T/d) (alpha (C - y) - beta q/d)/C)
//
// within [min_rate, C]; R starts at C. A data packet that leaves carries the least R of its hops,
// 32 bits in units of 1 kb/s.
//
// # Reaction point
//
// The rate is what the latest ACK brings back.
//
// # Differs from the paper in
//
//   - d is the largest base round trip of the network, not the mean of the RTTs that packets carry.
//   - No handshake brings a new flow its first rate: it is first_rate.
//   - window also limits what is in flight to rate times base round trip: a flow whose ACKs stop, stops.
//   - There is no timer in the switch. A period's end is worked out when the next packet arrives
//     or leaves; the result is the same, as only these change the queue.
//
// # New flows
//
// At the line rate, the default of first_rate, n flows that begin together make a queue of n bandwidth-delay products.
// At 1kbps a flow with window sends one packet and waits for its ACK, as in the paper's handshake: the queue of n flows
// that join m others is n/m products. That costs a round trip, which short flows notice; but where most flows are of a
// few products, those at the line rate take from the others what the port's rate is meant to share. Poisson arrivals
// of 300 KB at a link of 10 Gb/s, 60 % busy, with round trips of 100 us: flows above 1 MB take 9.5 times as long as alone
// by default, and 3.9 times with 1kbps.
//
// # Stability
//
// A flow learns of a new rate from its own ACKs, after d and the time between two of its packets. The loop is stable
// while alpha (1 + N packet/(C d)) is below pi/2: with the default alpha, for up to 2.9 flows for every packet of
// the bandwidth-delay product. With more, R would fall to its least value again and again, and half of the link be
// used. So the least value is a packet per round trip, which flows learn at once; below it windows of a packet limit
// them: then the link is full and shared equally, and what the path does not hold is a queue. Without window that
// queue would have no bound, and the least value is C/1000.
package rcp
