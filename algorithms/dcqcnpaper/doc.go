// Package dcqcnpaper is DCQCN as published: Zhu et al., Congestion Control for Large-Scale
// RDMA Deployments (SIGCOMM 2015). Package dcqcn is the algorithm as NIC firmware runs it.
//
// # Congestion point
//
// The switch marks data packets by RED on the instantaneous queue. The paper's thresholds, 5 KB, 200 KB
// and 1 % at 40 Gb/s and in proportion at other rates, are the default of the preset paper; the others
// have those of the HPCC authors.
//
// # Notification point
//
// The receiving NIC answers a marked packet with a CNP, at most one per flow and cnp_interval
// N: at once if the flow has had none for N; otherwise at the end of the interval, if a marked
// packet came in it. A port makes at most one CNP per cnp_gap; flows that must wait take
// turns and ask once each. A CNP leaves cnp_delay after it is made.
//
// # Reaction point
//
// Current rate R and target rate Rt start at the line rate, alpha at initial_alpha.
//
//	CNP                     Rt = R; R = max(min_rate, R (1 - alpha/2));
//	                        alpha = (1-g) alpha + g; T = BC = 0; all counters restart
//	alpha_timer without CNP alpha = (1-g) alpha
//	every rate_timer        T + 1, increase
//	every byte_counter sent BC + 1, increase
//	increase                Rt += 0                      max(T, BC) < F  (fast recovery)
//	                        Rt += i hai, i = min - F     min(T, BC) > F  (hyper)
//	                        Rt += ai                     otherwise       (additive)
//	                        Rt <= line; R = (R + Rt) / 2
//
// with F = fast_recovery. With alpha_first alpha is updated before the decrease. With
// stage_ge hyper increase begins at min(T, BC) = F and i is one more. With clamp_target off
// only a decrease that follows an increase moves Rt.
//
// The timers of a flow stand still until its first CNP, and the rate timer whenever rate and
// target are the line rate. Decays of alpha matter only at the next CNP and are caught up
// then.
//
// # Presets
//
//	paper      the published values, timers, bytes and steps as DCQCN+ reports them in table 1
//	connectx4  ConnectX-4 as in DCQCN+, table 1 and appendix: timer 300 us, 2 MB, steps of 5
//	           and 40 Mb/s, CNPs limited only to one per us and port
//	hpcc-sim   the HPCC authors' settings, for this machine: timer 300 us, no byte counter and
//	           so no hyper increase, F = 2, that is one cycle of fast recovery; their least time
//	           between decreases, 4 us, is cnp_interval here
//
// # Speeds
//
// Timers, bytes and steps are the same at every line rate; the paper's are for 40 Gb/s, and it does not
// say how they scale (ai=auto and hai=auto are in proportion to the line, and 8 and 80 Mb/s at 40 Gb/s).
// A flow gets at most one CNP per packet: one whose share is a packet per rate_timer or less, 150 Mb/s
// with packets of 1000 B and 55 us, regains between two CNPs what each takes off. So 64 flows at 1 Gb/s
// keep the switch full, as two do at 10 Mb/s (this is where DCQCN+ starts from).
//
// # Differs from the paper in
//
//   - i of a hyper increase is min(T, BC) - F: the paper counts hyper increases without
//     saying which of the two counters' cycles count.
//   - Rt is capped at the line rate, as R is.
//   - min_rate, the limits of CNPs per port and their delay are not in the paper.
package dcqcnpaper
