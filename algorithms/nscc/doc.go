// Package nscc is NSCC, the network signal-based congestion control of Ultra Ethernet (Ultra Ethernet
// Specification 1.0, section 3.6.13), which grew out of SMaRTT (Bonato et al., arXiv 2404.01630): a window by
// ECN marks and delay together, made for packets that take many paths.
//
// # Rule
//
// Each packet's ACK tells its mark and its queueing delay d: its round trip less the time in the receiving host and
// less base, the least such round trip. With the target t, for the n bytes that have arrived:
//
//	no mark, d < t     proportional increase: inc += alpha n (t - d)
//	no mark, d >= t    fair increase: inc += fi n
//	mark, d < t        nothing: a queue begins to grow, or one path of many has it
//	mark, d >= t       if the mean delay D > t, once in base: cwnd *= max(1 - gamma (D-t)/D, max_md_jump)
//
// Increases are gathered. They are applied when more than adjust_bytes_threshold bytes have arrived or
// adjust_period_threshold has passed, and then, at the latter, eta comes on top:
//
//	cwnd += inc/cwnd
//
// so that for a window of bytes cwnd grows by fi, or by alpha (t - d), whatever it is. Once more than a window in a row
// has met no queue, fast increase takes the place of proportional increase, until a packet does or the window falls:
//
//	cwnd += fi_scale n
//
// A new flow's window is max_wnd. It is at least MTU and, once it has grown, at most max_wnd base/(base round trip).
//
// A lost packet takes its bytes off the window, if quick adapt does not act: at the end of each period of base + t in
// which less than max_wnd/2^qa_gate has arrived, if there has been a loss or d > qa_threshold,
//
//	cwnd = the bytes that have arrived in the period
//
// and then marked packets are ignored until as much has arrived or been lost as was in flight.
//
// # Constants
//
// The specification says what t, alpha, qa_threshold and max_wnd are. The others, and the scaling, are those of htsim,
// the public simulator of its authors, as descriptions of that give them:
//
//	scaling_a = bandwidth-delay product / (100 Gb/s 12 us)    scaling_b = t / 12 us
//
// Switches mark from 0.2 to 0.8 bandwidth-delay products, as section 3.6.17 recommends, at 12 us. In networks with
// another base round trip ecn.thresholds should say so. Where switches trim packets, section 3.6.13.3 wants
// target_qdelay to be 0.75 base round trips, and qa_threshold out of reach.
//
// All flows of a network should have one target. By default they do, as the host's base round trip is the network's
// largest. With host.global_rtt off set target_qdelay, or flows of short paths give way to those of long ones: on a link
// of 10 Gb/s two flows with base round trips of 7 us have 0.2 Gb/s each beside two of 87 us, and 1.4 Gb/s each with a
// target of 88 us.
//
// # Differs from the specification in
//
//   - The mean delay, which it leaves open, is over about one base round trip: a packet moves it by MTU/cwnd of the
//     difference, times its round trip over base. "Delay about 0" is one below zero_qdelay: both are readings.
//   - A packet counts as lost each time that it is trimmed. The loss that the NACK of a packet beyond a gap reports counts
//     once for every first byte that is missing, which host.reordering puts off. After a time-out all counts as lost that
//     window and flow allow to be in flight.
//   - Bytes are those of payload, without headers.
//   - The host sends while less than the window is in flight, so a fraction of a packet above one lets a whole
//     packet go.
//   - No probe measures the base round trip of a flow that finds a queue: it is the host's (host.global_rtt) until a
//     shorter one is seen.
//   - Receivers do not slow their senders down (Rcv_Cwnd_Pend), and an ACK is no longer than that of other schemes.
//   - Which paths packets take is no part of it: hosts choose them (host.entropy; REPS by marks), or switches do
//     (switch.load_balance), which do not hear of marks.
package nscc
