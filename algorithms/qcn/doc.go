// Package qcn is Quantized Congestion Notification, IEEE 802.1Qau (IEEE 802.1Q, clauses 30
// to 33), and its variants, which change who is notified of congestion or when rates rise:
//
//	qcn      the standard                                  cp=plain  rp=counters
//	af-qcn   Kabbani et al., HotI 2010                     cp=af     rp=counters
//	fqcn     Zhang and Ansari, INFOCOM 2011                cp=fqcn   rp=counters
//	qcn-abc  Hayashi et al., ICDCSW 2011                   cp=plain  rp=adaptive
//	qcn-t    Shu et al., Computer Networks 2017, our       cp=plain  rp=timer
//	         reconstruction: see below
//
// # Congestion point
//
// An egress port samples the data packets of its QCN flows as they arrive: a sample is the packet
// with which the bytes since the last one exceed an interval. With q the queue, that packet
// included, and q' the queue at the last sample,
//
//	Fb   = -(q - set_point) - w (q - q')           w = 2^weight
//	Fmax = set_point (2w + 1)
//	Fq   = 0 if Fb >= 0; 63 if Fb < -Fmax; else floor(63 |Fb| / Fmax)
//
// and if Fq > 0 the port sends a CNM with Fq to the source of the sample. The next interval is
// sample_base times 1, 1/2, 1/3, 1/4, 1/5, 1/6, 43/300 or 37/300, by the three leading bits
// of Fq, varied at random by up to sample_jitter.
//
// With cp=af the port counts the bytes of each flow, halved every fair_window, and a
// congested sample of a flow at rate r with fair share f reports
// floor((1-a) Fq + a 63 max(0, 1 - f/r)), a = fair_gain.
//
// With cp=fqcn the port counts the bytes A of each flow since the last sample; flows with at
// least an equal share are overrated, and each of them gets floor(Fq A / sum of A over the
// overrated).
//
// # Reaction point
//
// A flow sends at the line rate without a limiter until its first CNM, and again when its
// rate R is back at the line rate. A CNM moves the target rate Rt to R if a byte cycle has
// ended since the last CNM (or as target says), and then
//
//	R = max(R (1 - 2^-gd Fq), R min_dec_fac, min_rate)
//
// A CNM restarts the timer's cycle, and the byte cycle if it moves the target.
// Cycles end whenever byte_reset bytes have been sent, and every time_reset; after threshold
// cycles of a counter its cycles are half as long, and their length varies at random by up
// to jitter. With b byte cycles and t timer cycles since the last CNM, the end of a cycle is
//
//	fast recovery             b, t <= threshold
//	active increase           Rt += ai               one of them above
//	hyper-active increase     Rt += i hai            both above; i = min(b, t) - threshold
//	extra fast recovery       Rt /= 8 instead        b or t is 1, and Rt > 10 R
//	always                    Rt <= line; R = (R + Rt) / 2
//
// With stage_rule=8021Q "above" means "at or above" and i is one more. With rp=adaptive a
// byte cycle is what R sends in byte_time, at least an MTU. With rp=timer there is no byte
// counter: the timer's cycle is period, half of it after threshold cycles; increase is active
// after threshold cycles and hyper-active after hyper_after, with i = t - hyper_after.
//
// # Speeds
//
// The standard's bytes and rates do not grow with the line. The preset scaled keeps them up
// to 10 Gb/s and multiplies them by line / 10 Gb/s above, so that all times stay as they are
// at 10 Gb/s; the preset mib keeps them at all speeds. On slow links they are too coarse: at 10 Mb/s 150 KB
// between samples are 120 ms, in which the timer ends eight cycles, and min_rate is half of the line: four
// flows of 4 MB make a queue of 9.6 MB there.
//
// # Differs from its sources in
//
//   - The queue is that of all data classes of the port, and one limiter serves one flow.
//   - A CNM carries no Qoff, Qdelta or encapsulated header: no reaction point reads them.
//   - The target is capped at the line rate, as the current rate is.
//   - AF-QCN: the gain and the window of the rate estimate are not published; the feedback is
//     mixed only when the queue is congested, and all flows have the same weight.
//   - FQCN: a flow with exactly the equal share is overrated; otherwise equal flows, or a lone
//     flow, would go unpunished.
//   - QCN-T: it is published that one modified timer replaces byte counter and timer, and with
//     which aims: the same probability of an increase for all flows, and larger steps. Period,
//     its halving and hyper_after are ours.
package qcn
