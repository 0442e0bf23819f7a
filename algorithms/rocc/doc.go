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
// first with F >= Fmax/(2r). F is sent to all flows of the port's table, those that have a packet in the
// queue, unless it is Fmax: a queue without congestion sends nothing. With flow_timeout the table
// has the flows that have sent a packet within that time.
//
// # Reaction point
//
// A rate limiter, at first none. A fair rate is accepted if it is not above the current rate or
// if it is from the congestion point that the current rate is from; one of the line rate or more
// ends the limit. If none is accepted for recovery_timer the rate is doubled, until that passes
// the line rate.
//
// # Links of any rate
//
// The paper's q_ref of 75, 150 and 300 KB at 10, 40 and 100 Gb/s are on a straight line: 50 KB and what the link
// sends in 20 us, half of its period of 40 us, as its section 5.2 advises. At each of them q_mid is 2 q_ref and q_max
// 60 KB more. That is the rule here for any rate. The gains are those for 40 Gb/s up to that rate, and those for
// 100 Gb/s above: the stability of the loop depends on gains, period and number of flows, not on the rate of the link
// (section 5.1). It holds for some 200 flows, as the gains fall no further below Fmax/32.
//
// The period should be one to two round trips. A longer one needs smaller gains, in proportion to 1/period, and a longer
// q_ref: with round trips of 400 us six flows of 25 Gb/s use 70 % of the link by default, and 99 % with period=400us,
// alpha=0.03, beta=0.15 and q_ref=650KB.
//
// After a queue above q_max, F rises from Fmin: with the gains of algorithm 1 for 2 ms if 24 flows or more share the
// link, and for 5 ms if 3 do (the paper reports 2 ms for any number). If the line rate is not above min_rate, F is the line rate.
//
// # Differs from the paper in
//
//   - There is no timer in the switch. A period's end is worked out when the next packet
//     arrives or leaves; the result is the same, as only these change the queue. The
//     notifications wait for that packet.
//   - A fair rate of Fmax is not sent: a flow that was limited a little below it waits for its recovery_timer.
//   - recovery_timer is not published: five periods do not end between two notifications. A doubled rate that reaches
//     the line rate ends the limit at once, not at the next expiry.
//   - A notification has 18 bits of rate and 14 of the congestion point's name, a hash of its node
//     and port: two points have the same name with probability 2^-14.
package rocc
