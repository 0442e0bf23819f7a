// Package hpccpint is HPCC-PINT: HPCC fed by a probabilistic digest of one or two bytes
// instead of a record per hop (Ben Basat et al., PINT: Probabilistic In-band Network
// Telemetry, SIGCOMM 2020; Li et al., HPCC, SIGCOMM 2019).
//
// # Rule of the switch
//
// Every egress port smooths its own utilisation over a round trip T, the largest base round
// trip of the network. When a data packet leaves dt (at most T) after the previous packet,
// data or ACK, of s bytes, with q bytes still queued and B in whole byte/s:
//
//	u = (1 - dt/T) u + q dt/(B T^2) + s/(B T)
//
// The products are computed as in a switch, by adding logarithms: of an integer the 16 leading
// bits count, randomly rounded, and its base-2 logarithm is truncated to 1/32768; q is taken in
// units of 256 B, the previous u is rounded to 1/8192, and T and dt are in whole ns. So with n
// packets in a round trip u may be off by n/10000: a percent or less in a data center of 100 Gb/s,
// several on a long path or a faster link.
//
// The digest of u is p = log_base(max(1, ceil(512 u))), rounded up or down at random so that
// base^p is unbiased. A packet keeps the largest p of its hops. It takes 1 byte if
// log_base(512*512) fits 8 bits (log_base 1.05), otherwise 2 (1.01). A larger value, such as a u
// above 494 in a byte, is written as the largest digest; in NS-3's arithmetic it loses its high bits,
// as in the reference.
//
// # Rule of the sender
//
// An ACK is used with the given probability. Then
//
//	U = base^p / 512
//	k = U / target
//	k >= 1 or stage >= mi_thresh:  R = Rc/k + ai,  stage = 0
//	otherwise:                     R = Rc + ai,    stage + 1
//	R within [min_rate, line]; window = R T
//
// with full updates once per round trip and fast ones between, as in HPCC. The first ACK only
// begins the first round trip.
//
// # Several bottlenecks
//
// Every hop rounds its digest by itself, and the largest of several is not unbiased: of two links with the same u, in
// the mean by a sixth of log_base-1. A flow with more bottlenecks than others sees that much more, and has the rate at
// which ai makes up for it. On two links of 100 Gb/s, each shared with a flow of its own, it has 3.7 % of the line with
// the default log_base 40 ms after the start, and 19 % with HPCC; on three links 2.6 %, 13 % with a log_base of 1.01, and
// 18 % with HPCC.
//
// # Differs from the paper in
//
//   - The state is a rate, in whole bit/s.
//   - mi_thresh is 0, so that every update is multiplicative.
//   - The header takes 2 bytes even if the digest has 1.
//   - Switch and sender draw from the run's common stream where the profile has one.
//   - An ACK moves the time and size of the previous packet, but takes no sample, so
//     that u misses a little of what a port sends that data and ACKs share.
package hpccpint
