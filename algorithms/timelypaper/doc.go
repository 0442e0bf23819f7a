// Package timelypaper is TIMELY as its authors define it (Mittal et al., TIMELY: RTT-based
// Congestion Control for the Datacenter, SIGCOMM 2015, and the reference snippet that they
// released with it), and Patched TIMELY (Zhu et al., ECN or Delay: Lessons Learnt from Analysis
// of DCQCN and TIMELY, CoNEXT 2016). Package timely is a third form, that of the HPCC authors'
// simulations.
//
// # Common
//
// Whenever a segment has been acknowledged, with the RTT of its last packet, less the time that
// the packet's payload takes at the line rate:
//
//	diff     = (1-ewma) diff + ewma (rtt - previous rtt)     0 for the first RTT
//	gradient = diff / min_rtt
//
// The rate R starts at first_rate and stays within [min_rate, line].
//
// # timely-paper
//
//	df = min(1, time since the last evaluation / min_rtt)
//	rtt < t_low      R += ai df
//	rtt > t_high     R *= 1 - beta df (1 - t_high/rtt)
//	gradient <= 0    R += N ai df      N = 5 from the fifth falling RTT in a row, else 1
//	otherwise        R *= 1 - beta gradient
//
// and one evaluation at most halves R. df keeps small segments from acting more than large ones:
// the authors recommend t_low = 0 and packet pacing, which are the defaults here, or t_low = 50 us
// with bursts of 64 KB.
//
// # timely-patched
//
//	rtt < t_low      R += ai
//	rtt > t_high     R *= 1 - beta (1 - t_high/rtt)
//	otherwise        R = ai (1-w) + R (1 - beta_p w (rtt - t_low)/t_low)
//	                 w = 2 gradient + 1/2, within [0, 1]
//
// The absolute RTT in the last line gives all flows one fixed point, where their shares are
// equal.
//
// Base round trips are to be shorter than t_low: a lone flow of 10 Gb/s with 50 us of t_low and round trips of 82 us gets a
// fifth of its link.
//
// # Start
//
// Flows that begin together at the line rate make a long queue, and all they have in it tells each of them to fall. As a slow
// flow has a segment acknowledged rarely, it rises by ai as rarely: four flows over 10 Gb/s and 6 us, at 1 % of the line after
// the queue, fill the link 45 ms later. With first_rate at their share it is full from the start: the paper has a host's flows
// begin at a part of the line, but senders that meet elsewhere do not know of each other.
//
// # Differs from the papers in
//
//   - Packets are always paced one by one; a segment is only the unit of feedback.
//   - df and the bound of one half are the snippet's alone. So is what N counts: algorithm 1 of the paper takes 5
//     after five negative gradients.
//   - ai grows with the line rate: 10 Mb/s at 10 Gb/s. The patched form's segment does not, so that above 10 Gb/s
//     rates change more often in a round trip than in the paper: at 100 Gb/s two flows swing between an empty
//     queue and twice the promised one, and lose 1 to 4 %. With 16 KB per 10 Gb/s they settle where promised.
package timelypaper
