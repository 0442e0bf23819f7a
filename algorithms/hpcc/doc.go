// Package hpcc is HPCC: high precision congestion control from in-band telemetry
// (Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019), in a
// rate form and, as hpcc-window, in the paper's own.
//
// # Rule
//
// Every ACK brings one record per hop: egress line B, time t, bytes sent tx, queue q. With
// T the base round trip that the host says (the network's largest, as in the paper, unless
// host.global_rtt is off), W the window of the line rate, and ' the hop's previous record:
//
//	tau    = t - t'
//	txRate = 8 (tx - tx') / tau
//	u      = txRate/B + min(q, q') line/B/W
//
// The hop with the largest u decides; with its tau, at most T:
//
//	U = (U (T - tau) + u tau) / T             U starts at 1
//	k = U / target
//	k >= 1 or stage >= mi_thresh:  R = Rc/k + ai,  stage = 0
//	otherwise:                     R = Rc + ai,    stage + 1
//	R within [min_rate, line]; window = R T
//
// Once a round trip (the ACK passes what was next to be sent at the previous such update)
// the update is full and Rc and stage take the new values. Every other ACK, if fast_react
// is on, makes a fast update: U and the records move, R is computed from the Rc that
// stays. The first ACK only stores the records.
//
// With multi_rate every hop has U, Rc and stage of its own, and the least R is used. With
// sample_feedback a fast update leaves out hops without a queue, whose records stay; if no hop is left,
// nothing changes.
//
// # Differs from the paper in
//
//   - The state is a rate, not a window: R = W/T, in whole bit/s.
//   - The queue term uses the line rate and window of the sender's NIC, which equals the
//     paper's q/(B T) if T is the same for all flows.
//   - mi_thresh is 0, so that every update is multiplicative; the paper's maxStage is 5.
//   - A record that is no newer than the one before it is ignored.
//   - A Path signal discards the records: counters of different ports must not be
//     subtracted. ACKs of packets sent before it are ignored.
//
// # hpcc-window
//
// [NewWindow] is the paper's own form. Its state is a window of bytes: with W_c in the place of
// Rc and the paper's W_AI and max_stage = 5,
//
//	U >= target or stage >= max_stage:  W = W_c target/U + W_AI,  stage = 0
//	otherwise:                          W = W_c + W_AI,           stage + 1
//	W within [min_rate T, BDP];  rate = W/T;  W_AI = BDP (1 - target)/flows
//
// U starts at 1. Only the rate form has multi_rate and sample_feedback.
package hpcc
