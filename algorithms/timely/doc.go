// Package timely is TIMELY (Mittal et al., TIMELY: RTT-based Congestion Control for the
// Datacenter, SIGCOMM 2015) as it is evaluated in the simulations of the HPCC authors: once
// a round trip, per packet, without bursts.
//
// # Rule
//
// Once a round trip (the ACK passes what was next to be sent at the previous evaluation),
// on the newest RTT:
//
//	diff     = (1-ewma) diff + ewma (rtt - previous rtt)     diff starts at 0
//	gradient = diff / min_rtt
//	rtt < t_low     R += step
//	rtt > t_high    R *= 1 - beta (1 - t_high/rtt)
//	gradient <= 0   R += step
//	otherwise       R *= max(0, 1 - beta gradient)
//
// step is ai for the first hai_after increases since the last decrease, then hai. R starts
// at the line rate and stays within [min_rate, line]. The first ACK only stores its RTT.
//
// # Differs from the paper in
//
//   - One evaluation a round trip, not one per segment of 16 to 64 KB.
//   - hai_after counts all increases, not only those with a negative gradient.
//   - The factor of a gradient decrease cannot fall below 0.
//   - The RTT includes the serialisation of its own packet.
package timely
