// Package swift is Swift (Kumar et al., Swift: Delay is Simple and Effective for Congestion
// Control in the Datacenter, SIGCOMM 2020).
//
// # Rule
//
// The RTT of an ACK is split into the delay of the endpoint, which the receiving host reports and
// which is smoothed, and the rest, the fabric's, which is not. Each has its own window, in packets, and
// the same rule; the smaller window counts. For n packets acknowledged with delay d and target t:
//
//	d < t, cwnd >= 1    cwnd += ai n / cwnd
//	d < t, cwnd < 1     cwnd += ai n
//	d >= t, once an RTT cwnd *= max(1 - beta (d-t)/d, 1 - max_mdf)
//
// within [min_cwnd, max_cwnd]. "Once an RTT" counts smoothed RTTs (the first one, then 1/8 of each)
// since the last decrease of that window, whatever its cause. The endpoint's delay is smoothed likewise,
// and its target is fixed. The fabric's is
//
//	t = base_target + hops per_hop + fs,   fs = a/sqrt(cwnd) + b within [0, fs_range]
//	a = fs_range / (1/sqrt(fs_min) - 1/sqrt(fs_max)),   b = -a/sqrt(fs_max)
//
// so that flows with small windows, of which there must be many, tolerate a longer queue.
//
// A loss found by a NACK, or by a switch that trimmed the packet, multiplies both windows by 1 - max_mdf, once an RTT;
// so does a time-out, but the retx_reset-th in a row without an answer sets them to min_cwnd.
//
// A window below one packet means one packet every RTT/cwnd; above, the window alone paces.
//
// # Differs from the paper in
//
//   - The paper says little of the constants of Google's network: of those here that name htsim, a public
//     simulator that calls them guesses, only the base target, 25 us in most of its experiments. On paths
//     too long for them base_target is the base round trip, and max_cwnd the bandwidth-delay product.
//   - hops are the links of a path. The paper counts by the TTL, which finds the switches: one less.
//   - As printed, algorithm 1 (line 27) also takes a window that stays the same for one that has fallen: then
//     every ACK above the target would put the next decrease off by an RTT.
//   - The gain of the endpoint's smoothed delay is not published; it is that of the RTT. The time that an ACK
//     waits at the sending host is 0.
//   - The paper does not say which RTT is that of RTT/cwnd: here the smoothed one, which a flow that sends rarely
//     updates as rarely. After 500 flows have begun together at 100 Gb/s, which makes RTTs of up to 2.3 ms, three of
//     them send a packet in 1.6 ms when the RTT has long been 80 us; in the second 10 ms the slowest flow has 0.7
//     times its share.
//   - A new flow begins with a bandwidth-delay product unless first_cwnd says otherwise.
//   - The host sends while less than the window is in flight, so a fraction of a packet above
//     one lets a whole packet go.
//   - A host's delay follows from the scenario's keys host.delay and host.service; without them
//     it is 0, and the endpoint's window stays at its maximum.
package swift
