// Package dcms is the Dynamic Congestion Management System of Mizero, Veeraraghavan, Liu, Russell
// and Dennis (A Dynamic Congestion Management System for InfiniBand Networks, Supercomputing
// Frontiers and Innovations, 2016): a program on a separate server that reads the counters of all
// switch ports at equal intervals, in sweeps, and sets the Marking_Rate of those that are
// congested. It is a state machine: it takes the counters and returns the settings to make.
//
// # Rule
//
// W, D and C are the counters PortXmitWait, PortXmitData and PortXmitCongTime, d their growth since
// the last sweep. For every switch port (s, p), V is the set of its victim ports and I counts sweeps.
//
//	sweep (algorithm 1)    read the counters; algorithm 2; algorithm 3
//
//	algorithm 2            a port (s, p) is congested if dC > T_C, or if its neighbour is a host
//	                       and dW > T_W. Then, for each port (r, q) of another switch whose link
//	                       ends at s and which is not in V: if dW(r, q) > T_W, add it to V; if
//	                       the port is not low: Marking_Rate = low, I = 1
//
//	algorithm 3            every port with victims that was not set low in this sweep: I + 1;
//	                       if I <= T_I, remove from V the ports of which dD is by more than T_D
//	                       less than in the sweep before;
//	                       if V is empty, or I = T_I: Marking_Rate = default
//
// # Differs from the paper in
//
//   - Algorithm 3 as printed skips ports with I = 1, which would be for ever, as nothing else
//     counts I up: "not set in this sweep" is meant.
//   - V is cleared when T_I ends a low marking rate. As printed its members would stay, and the
//     same victim could not make the port low again, as it does in the second scenario of the
//     paper.
//   - I = T_I is tested as I >= T_I, so that a T_I of 1 ends too.
//   - T_I is in sweeps here; the experiments give it as 12 s and 6 s, and neither the interval of
//     sweeps nor T_D. The sweep of the second experiment was somewhat more than a second.
package dcms
