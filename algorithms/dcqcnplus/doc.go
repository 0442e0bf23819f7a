// Package dcqcnplus is DCQCN+ (Gao et al., ICNP 2018; Yang, Nanjing University, 2018): DCQCN
// whose receiver tells the senders, by the period of its CNPs, how many flows are congested,
// and whose senders scale their timers by that period and their steps by their rate.
//
// # Congestion point
//
// As for DCQCN: RED on the instantaneous queue.
//
// # Notification point
//
// A receiving port keeps a table of the flows that have been marked. A cursor looks at one
// of them per cnp_gap, the time in which the NIC can make a CNP, in turn:
//
//	marked since its last CNP, which is more than cnp_hold ago   send a CNP with
//	                                                             tau = cnp_gap * flows in the table
//	last CNP more than flow_hold ago                             remove it from the table
//
// A flow new to the table is notified at the first look. The CNP's Aux is tau in ps.
//
// # Reaction point
//
// Current rate R and target rate Rt start at the line rate, alpha at 1. F = fast_recovery.
//
//	CNP(tau)       base = max(tau, min_period, MTU / R);
//	               Rt = R; R = max(min_rate, R (1 - alpha/2)); alpha = (1-g) alpha + g;
//	               S = 0; alpha's timer = base; increase timer = lambda base
//	alpha's timer  alpha = (1-g) alpha
//	increase timer S + 1;
//	               S <= F:   fast recovery
//	               S <= 4F:  Rt += min(R/10, line/100)
//	               S > 4F:   Rt += min(R, (S-4F) line/100)
//	               always    Rt <= line; R = (R + Rt) / 2
//
// With step=simulator the second step is min(R/5, line/50) while alpha is above 0.1, and
// S-4F of the third is one more. With alpha_first alpha is updated before the decrease. With
// rescale the increase timer takes base from the rate at each of its starts.
//
// The decays of alpha show only at the next CNP or step and are made up for there.
//
// # Differs from the publications in
//
//   - Rl, which bounds the steps, is called a ratio there; a ratio cannot bound a rate, and the
//     authors' later simulator uses the line rate, as here.
//   - S = F and S = 4F belong to no stage there; here they end fast recovery and the additive
//     stage.
//   - lambda, cnp_hold and flow_hold are the later simulator's; min_rate is ours: a lower one
//     makes the way back from it longer, 4F lambda MTU / min_rate before hyper increase.
//   - Steps and timers in proportion to the rate keep large incasts calm but do not by
//     themselves make unequal rates equal: only the more frequent marks of faster flows do.
//     At 10 Gb/s sixteen flows come to equal shares, eighty do not, with short queues all the while.
package dcqcnplus
