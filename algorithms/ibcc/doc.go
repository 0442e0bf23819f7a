// Package ibcc is the congestion control of InfiniBand (IBTA volume 1, annex A10). The text of
// the annex is not public: this follows what OpenSM, the Intel fabric manager and drivers, and the
// experiments of Gran et al. (IPDPS 2010) and Mizero et al. (A Dynamic Congestion Management
// System for InfiniBand Networks, 2016) say about it. It belongs to networks with credit flow
// control, and runs on others too.
//
// # Congestion point
//
// A class (virtual lane) of an egress port is congested while its queue takes at least
//
//	(16 - threshold)/16 of the buffer that a port has for a lane
//
// and the port is a root of congestion, not a victim. It becomes a victim when a packet has had to
// wait only for credits, and stops being one when a packet finds credits and the queue below the
// threshold; a port in victim_mask is always a root. Of the packets that have waited and leave a
// congested class, except those smaller than packet_size, one in marking_rate + 1 gets FECN. The
// counter PortXmitCongTime is the time with a congested class.
//
// # Notification point
//
// FECN comes back as BECN in the packet's acknowledgement, or with becn=cn in a congestion
// notification packet of its own, as unreliable transports need.
//
// # Reaction point
//
// A flow has an index, at first ccti_min, into the congestion control table, whose entry is the
// gap after every packet, Tp being the time that a full packet takes on the host's link:
//
//	BECN                     CCTI = min(CCTI + ccti_increase, ccti_limit), start the timer
//	                         unless it runs
//	every ccti_timer         CCTI = CCTI - 1, while it is above ccti_min
//	gap                      (Tp >> shift) mult
//	relative rate            2^shift / (2^shift + mult)
//
// Gaps and timer go by the sender's clock, which is off by up to clock_tolerance. A clock is drawn for
// every flow, with scope=sl for every port and class; no two of a host share one. Without that,
// equal senders can fall into step: in the testbed of the preset dcms three of them with marking
// rate 0 get 2.2 Gb/s together instead of 3.0, with gaps of up to 1.4 ms, once these repeat, and
// had not left that state 40 s later.
//
// # Table
//
//	linear     mult i = most i/limit; shift is 3 and most = (max_delay << shift)/Tp, with the
//	           largest shift up to 3 for which that fits 14 bits (Intel's fabric manager)
//	quadratic  mult i = most (i/limit)^2; a public flit-level model has 3300 ns at 83, that is a
//	           max_delay of 7726ns at limit 127
//	list       the pairs shift:mult of entries, the last one for all that follow (as cc_cct of
//	           OpenSM)
//
// # Presets
//
//	intel  defaults of Intel's fabric manager
//	gran   Gran et al.: threshold 15, an increase of 1, timer 150
//	dcms   the testbed of Mizero et al.: threshold 15, marking rate 128, an increase of 1, timer 75;
//	       its table is not published: max_delay is 1.6 ms, the one of 1.2, 1.4 and 1.6 ms whose six
//	       rates of contributors at marking rate 0 are nearest to the paper's by least squares
//	       (docs/reproduce.md; packets of 2048 B, lanes of 64 KiB)
//
// # Speeds
//
// The lowest rate is line/(1 + max_delay/Tp), so that more flows than 1 + max_delay/Tp fill the lane
// in front of their host whatever they hear: with intel's 8 us 13 flows with packets of 8 KB at
// 100 Gb/s, 95 with packets of 1000 B, and 10 of these at 10 Gb/s. Conversely, every marked packet is a
// step up of ccti_increase, while a step down takes ccti_timer: where a lane holds many packets, a
// burst takes a flow to the end of the table. The preset intel is for 100 Gb/s and packets of 8 KB,
// with which two flows use 61 % of a link and eight 97 %; with packets of 1000 B they use 10 and 37 %,
// and with marking_rate=64,ccti_increase=1 98 and 100 %.
//
// # Differs from the annex in
//
//   - Packets wait in queues per output; the buffer that the threshold refers to is that of one
//     input port and lane, while packets for an output may have come from several inputs.
//   - Real thresholds are the vendor's choice; the annex only demands that they decrease evenly.
//   - Switches here store and forward: a packet that finds its link idle does not count as waiting.
//   - A root that lacks credits for a moment is a victim until its queue has been short: the annex
//     as reported decides at every packet, which would then depend on how finely credits come.
//   - After shorter packets, too, the gap is that after a full packet.
//   - ccti_limit 0 means 127: the testbed of Mizero et al. reports 0, which by the annex would
//     leave one entry, no delay.
//   - Credit starvation (credit_mask, cs_threshold, cs_return_delay) and the event log of
//     trigger_threshold are left out.
package ibcc
