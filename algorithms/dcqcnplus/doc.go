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
// Decays of alpha matter only at the next CNP or step and are caught up there.
//
// # Differs from the publications in
//
//   - Rl, which bounds the steps, is called a ratio there; but a ratio cannot bound a rate, and
//     the authors' later simulator uses the line rate, as here.
//   - S = F and S = 4F belong to no stage there; here they end fast recovery and the additive
//     stage.
//   - lambda, cnp_hold and flow_hold are the later simulator's, and so are alpha's timer, whose period is not
//     published, and the rate in base, that before the decrease; min_rate is ours: a lower one
//     takes longer to leave, 4F lambda MTU / min_rate before hyper increase.
//
// # Shares
//
// Where the fair share is near MTU/min_period (160 Mb/s with the defaults and packets of 1000 B)
// flows split into two groups, while queues are short. A flow whose MTU/R is above tau takes
// longer steps than the others, is cut again before its sixth, the first that raises the target,
// and ends at min_rate. Eight hosts that send ten flows each over a link of 10 Gb/s have a fairness
// index of 0.7 after 0.2 s and 0.3 after 1 s, eighty hosts with a flow each 0.3 after 0.2 s; with
// sixteen flows it is 0.97, and with eighty and a min_period of 200us 0.96.
//
// On links of 100 Mb/s and below a packet takes longer than cnp_hold, so that every marked one is notified, and
// a few halve the rate down to min_rate, where the increase timer takes lambda MTU / min_rate. Four flows of 300 KB to one
// host on links of 10 Mb/s, which take 1 s at line rate, take 16 s, and 1.6 s with a min_rate of 1 Mb/s.
package dcqcnplus
