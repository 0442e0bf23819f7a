// Package rocc is RoCC (Taheri, Menikkumbura, Vanini, Fahmy, Eugster and Edsall, RoCC: Robust
// Congestion Control for RDMA, CoNEXT 2020): switches compute the fair rate of a queue.
//
// # Congestion point
//
// Per egress port, every period, from the queue Q in units of 600 B and the one a period before,
// the fair rate F in units of 10 Mb/s:
//
//	Q >= q_max and F > Fmax/8              F = Fmin
//	Q - Qold >= q_mid and F > Fmax/8       F = F/2
//	otherwise                              F -= a (Q - q_ref) + b (Q - Qold)
//	                                       a = alpha/r, b = beta/r
//
// within [Fmin, Fmax], Fmax being the line rate. The gains are tuned to F: r is 1, 2, 4 .. 32, the
// first with F >= Fmax/(2r). F is sent to all flows of the port's table, those that have sent in the
// last flow_timeout, unless it is Fmax: a queue without congestion has nothing to say.
//
// # Reaction point
//
// A rate limiter, at first none. A fair rate is accepted if it is not above the current rate or
// if it is from the congestion point that the current rate is from; one of the line rate or more
// ends the limit. If none is accepted for recovery_timer the rate is doubled, until that passes
// the line rate.
//
// # Differs from the paper in
//
//   - There is no timer in the switch. A period's end is worked out when the next packet
//     arrives or leaves; the result is the same, as only these change the queue. The
//     notifications wait for that packet.
//   - The paper gives the thresholds and gains of 40 and 100 Gb/s: links of up to 40 Gb/s use the
//     former, faster ones the latter.
//   - recovery_timer and flow_timeout are not published.
//   - A notification has 18 bits of rate and 14 of the congestion point's name, a hash of its node
//     and port: two points have the same name with probability 2^-14.
package rocc
