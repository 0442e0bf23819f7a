// Package xcp is XCP, the eXplicit Control Protocol (Katabi, Handley and Rohrs, Congestion Control
// for High Bandwidth-Delay Product Networks, SIGCOMM 2002): a packet carries its sender's window and
// round trip and the change of window that it asks for, which every router on its way may lower, and
// its ACK brings that change back. What a link gives in all (efficiency) and who gets it (fairness)
// are decided separately.
//
// # Congestion point
//
// Per egress port, every control interval, which is as long as the mean round trip d of its traffic,
// from the packets that have arrived in it, of s bytes with cwnd and rtt in their headers:
//
//	d    = sum(rtt (rtt s/cwnd)) / sum(rtt s/cwnd)
//	phi  = alpha d S - beta Q          efficiency: what all windows should grow by
//	h    = max(0, gamma y - |phi|)     shuffled traffic: taken from all and given back
//	xi_p = (h + max(phi, 0)) / (d sum(rtt s/cwnd))
//	xi_n = (h + max(-phi, 0)) / (d sum s)
//
// S is the capacity of the link less what arrived, Q the persistent queue, the shortest one of the
// interval, y what arrived in d. A packet that leaves in the next interval gets as its feedback
//
//	xi_p rtt^2 s/cwnd - xi_n rtt s
//
// or keeps what it carries already, if that is less. So the windows of equal round trips grow by equal
// amounts, and shrink in proportion: additive increase, multiplicative decrease. An interval gives
// no more than it has, however many packets leave in it: sum(feedback/rtt) is at most (h +
// max(phi, 0))/d for increases and (h + max(-phi, 0))/d for decreases. Where a packet carries less
// than a port would give it, the difference counts as a decrease as long as the port has some left to
// make, and otherwise remains for others.
//
// # Reaction point
//
//	cwnd = max(cwnd + feedback, a full packet)
//
// at every ACK, paced at cwnd/rtt. A packet asks for (desired_rate rtt - cwnd)/(packets in cwnd).
//
// # Header
//
// The header is simulated as three fields of 32 bits, a width that is our choice: 12 bytes on every data
// packet and ACK. A packet of the simulator carries 64 bits (algorithms.Control.Stamp, core.Packet.Aux):
// cwnd in bytes and rtt in ns, each with 5 bits of exponent and 11 of fraction, exact below 4096 and
// above that to 1/4096 of the value, up to 2^42; and the feedback in bytes as an IEEE 754 number of
// 32 bits.
//
// # Differs from the paper in
//
//   - A new flow knows its base round trip; in the paper it says 0 until it has measured one.
//   - The window is at most line rate times round trip.
//   - Losses change nothing: in a lossless class they come from broken links, not from congestion.
//   - Q is the shortest queue of a control interval, not of the last propagation delay.
//   - The first interval is the largest base round trip of the network. An interval without packets
//     leaves nothing to give, and d unchanged.
//   - Where d changes from one interval to the next, the sums are scaled with it.
//   - There is no timer in the switch: an interval's end is worked out when the next packet arrives
//     or leaves. The result is the same, as only these change the queue.
package xcp
