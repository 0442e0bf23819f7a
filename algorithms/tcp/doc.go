// Package tcp holds the windows of classic TCPs: Reno (RFC 5681), CUBIC (RFC 9438), Vegas
// (Brakmo et al., TCP Vegas: New Techniques for Congestion Detection and Avoidance, SIGCOMM
// 1994) and DCTCP (RFC 8257). They belong in a lossy class, beside the RDMA classes of a run; in a
// lossless one nothing but ECN or delay would ever stop them.
//
// # Common
//
// The window cwnd, in packets here, starts at first_window. It grows only while it limits the flow:
// a flow limited by the line rate keeps it (for RFC 2861's reason). Below ssthresh, n packets
// acknowledged let it grow by n (slow start). One ACK counts for at most as many packets, here and below,
// as its receiver acknowledges at once, 1 or ack_every (RFC 5681, eq. 2; RFC 3465, section 2.3): most of
// what it acknowledges when it fills a hole had arrived before. A loss found by a NACK ends slow start:
//
//	reno, vegas, dctcp-window    ssthresh = cwnd = max(cwnd/2, 2)
//	cubic                        ssthresh = cwnd = max(beta cwnd, 2)
//
// once for all that was sent until then; a time-out sets ssthresh in the same way and cwnd to 1, and a further
// one of the same packet changes nothing. There is no pacing: the rate is the line rate.
//
// # Time-out
//
// Each ACK of new data gives a round trip R, from the making of the packet that it answers, the first of several
// if the ACK was delayed. With W bytes in flight before it acknowledged n of them (RFC 6298, section 2):
//
//	RTTVAR += 1/4 (|SRTT - R| - RTTVAR)         R/2 at first; n/W of that if it falls (RFC 7323, appendix G)
//	SRTT   += 1/8 (R - SRTT)                    R at first
//	RTO     = SRTT + max(SRTT, 4 RTTVAR)
//
// The host waits for RTO without progress, but no less than options.rto, or host.rto_low where that applies; for twice
// as long after each time-out in a row, up to 16 times; and for RTO again after progress. Before the first sample RTO
// is the time of a round trip through the longest queue that a switch may have, unless options.rto is set: then that is
// the time-out. If it is 0s there is no timer.
//
// # reno
//
//	cwnd += n/cwnd
//
// # cubic
//
// With t the time in congestion avoidance since the last loss, in seconds, without that in which the window did
// not limit the flow; RTT the smoothed round trip; cwnd_prior the window before the loss; and W_max the same, or
// cwnd_prior (1+beta)/2 if that window was below the previous W_max (fast convergence), or after a time-out
// the window with which congestion avoidance begins:
//
//	K       = cbrt((W_max - cwnd at t = 0)/C)
//	W(t)    = C (t-K)^3 + W_max
//	W_est  += 3 (1-beta)/(1+beta) n/cwnd        what Reno would have; n/cwnd from cwnd_prior on
//	cwnd    = W_est                             if W(t) < W_est
//	cwnd   += n (target - cwnd)/cwnd            else; target = W(t + RTT), within [cwnd, 1.5 cwnd]
//
// # vegas
//
// Once a round trip, with RTT the least of its samples and base the least ever:
//
//	diff = (cwnd/base - cwnd/RTT) base          packets of its own in the queue
//	slow start:  cwnd doubles every other round trip; diff > gamma ends it
//	diff < alpha:  cwnd += 1;    diff > beta:  cwnd -= 1
//
// This is the paper's expected and actual rate; Linux takes cwnd (RTT - base)/base, which overestimates the
// packets in a queue that is long compared with the path.
//
// # dctcp-window
//
// The receiver delays ACKs, one for ack_every packets or ack_delay, but not those of packets that fill a gap
// (RFC 5681, section 4.2), and echoes the mark exactly: when the mark changes it first acknowledges what came
// before, with the old echo, and then the packet itself, with the new. Once a window, with F the share of its acknowledged bytes that
// were marked:
//
//	alpha = (1-g) alpha + g F                   alpha starts at 1
//
// The first echo of a window: cwnd = ssthresh = max(cwnd (1 - alpha/2), 2), and no growth until
// what was in flight is acknowledged, or a time-out. Otherwise as Reno. A window is reduced once for its
// losses and marks together, except for a time-out. Switches should mark by a step K, more than C RTT/7
// (SIGCOMM 2010, equation 13): the default, 30 KB per 10 Gb/s, is enough for round trips of up to 168 us.
//
// # Differs from the RFCs in
//
//   - Losses are found by a NACK, or told by a switch that trimmed the packet, not by three duplicate ACKs; so there is
//     no inflated window and no partial ACK. With selective recovery packets are sent while less than the window is in
//     the network, as in RFC 6675 except for its step 4.3: the first retransmission waits too, since it comes before third
//     duplicates and would find the queue as full as it was. Go-back-N sends a window at once, at the line
//     rate, which short buffers lose again.
//   - The loss of the very packet after those that a reduction covers is no news, with selective recovery too: so
//     RFC 6582 (section 3.2, step 2), and not RFC 6675, which ends recovery when all of them are acknowledged.
//   - RTO is at least two round trips. RFC 6298 has G, the granularity of the clock, in place of the SRTT in the
//     maximum, and at least 1 s in all. With neither, constant round trips would bring RTO down to SRTT, and every
//     ACK that waits for one packet more would be late.
//   - RTTVAR rises with every sample and falls as with one per round trip; RFC 6298 does not say what to do with
//     many of them. If it fell with each, a flow would forget within a window what it has seen of the path; if SRTT
//     and the rise of RTTVAR were as slow, RTO would lag behind a queue that doubles in a round trip.
//   - Before the first sample RTO is not 1 s: there is no handshake to give one.
//   - Retransmissions are samples too: ACKs tell which transmission they answer, as with time stamps.
//   - A loss cuts cwnd, not what is in flight: a window that is not used does not grow, except in slow start to
//     twice what is in flight.
//   - ACKs let the window grow during recovery too: with selective recovery by 1/cwnd for every hole that is filled,
//     with go-back-N by one packet in the round trip in which everything is sent again.
//   - The windows may be fractions of a packet; the host sends while less than the window is in
//     flight.
//   - Tests for spurious retransmission, HyStart and the like are left out.
//   - ack_form = one is RFC 8257's other receiver: a change of the mark is acknowledged by one
//     ACK, with the new echo for what came before too.
package tcp
