// Package mpcc is MPCC: model predictive congestion control (Zheng, Model Predictive
// Congestion Control in RDMA-Enabled High-Speed Datacenter Network, University of Alberta,
// 2024).
//
// # Rule
//
// Every packet brings, for each hop, the egress queue Q, the number N of flows active in it,
// and the rate of its link. With W the window, BDP the line rate R_in times the base round
// trip, and p the bytes of a packet on the wire, the queue of a hop follows
//
//	Q(k+1) = Q(k) + B (W(k-tau) - Wf)               eq. 3.5, one step an ACK
//	B      = dt N R_in / (8 BDP) = N p/W            dt = p RTT/W, eq. A.1
//	Wf     = R_out BDP / (R_in N)                   the fair window; R_out is the link's rate
//	tau    = W/p                                    ACKs from input to telemetry
//
// The state switch is the hop with the largest Q, the first of equals (algorithm 1). Its queue
// when the next window takes effect is (eq. 3.7)
//
//	x(0) = max(0, Q + B sum of (W(k-i) - Wf), i = 1..tau)
//
// The moves u(j) = W - Wf of the next P ACKs solve (eqs. 4.2, 4.3, 4.10)
//
//	minimise  sum of wq x(j)^2, j = 1..P, and of wr u(j)^2, j = 0..P-1
//	with      x(j+1) = x(j) + B u(j),  -Wf <= u <= BDP - Wf,  0 <= x <= (N-1) BDP
//
// and the first is applied: W = Wf + u(0), within [min_window, BDP]. W starts at BDP.
//
// The optimum is found exactly. Where the bounds allow u = 0 and x(0) is within its own, it
// is u(0) = max(-Wf, -K x(0)); K is that of the unconstrained problem, by a Riccati recursion
// of P multiplications (problem.go says why this is the optimum). Elsewhere, as on a link that
// is faster than all its flows together, it comes from dynamic programming on the piecewise
// linear derivative of the cost-to-go, O(P^2); if the queue is short there too, the optimum is
// the largest window, found in O(1).
//
// If all queues are empty the optimum is u = 0, W = Wf, with the least Wf of the path: idle =
// fair. With probe a window below it grows by one packet per ACK, and with keep it stays.
//
// A fair window is an equal share of a link for every flow counted there, even if some of them
// are held back elsewhere: unused shares are not redistributed.
//
// The congestion point counts flows per egress port: a flow counts from its first packet until
// it has been silent for flow_timeout.
//
// # Differs from the paper in
//
//   - idle is fair by default; the paper keeps the window, which then never grows again when a
//     flow has left and no queue remains.
//   - The rate of the bottleneck is read from the telemetry, not from a table of hop counts for
//     one topology (algorithm 2). Only a hop with a queue is ever controlled for, so R_out is
//     the link's rate (table 3.1).
//   - dt contains no queueing delay unless dt_uses_queue is set, while the paper's RTT in eq. A.1 is
//     that of eq. 2.2, which has it; tau is rounded to whole ACKs.
//     Past windows are compared with the present fair window, not that of their time: what counts
//     is how the flows that compete now will be served.
//   - The least window is a packet: at 0 no ACK would ever come back, and B is undefined.
//   - x(0) above (N-1) BDP lifts that bound to x(0), or no moves would be allowed. If no moves keep
//     x from falling below 0, the link is faster than its flows, and W is BDP.
//   - The model counts bytes on the wire and the host bytes of payload: the host's window is W
//     times the payload's share of a full packet.
//   - pace, on by default, also spaces packets at line W/BDP, which is the model's assumption on the
//     input rate; the paper describes only a window.
//   - A departing packet restarts its flow's timer too, so that flows waiting in a queue longer
//     than the time-out are counted; and the time-out, which the paper leaves open, is two
//     round trips.
//   - every = n > 1 controls once in n ACKs, with B n times larger.
//
// In a profile with short telemetry records the queue comes in the units of that format.
package mpcc
