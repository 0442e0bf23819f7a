// Package dcqcn is DCQCN as NIC firmware runs it: the algorithm of Zhu et al., Congestion
// Control for Large-Scale RDMA Deployments (SIGCOMM 2015), on free-running timers that look
// at a "notified" bit, without a byte counter.
//
// # Rule
//
// The current rate R and the target rate Rt start at the line rate, alpha at 1.
//
//	notification          set both bits; the first one of a flow also sets alpha = 1, clears
//	                      alpha's bit, starts the alpha and decrease timers, and sets
//	                      Rt = R = first_rate R
//	every alpha_timer     alpha = (1-g) alpha, plus g if alpha's bit is set; clear it
//	every decrease_timer  if the decrease bit is set: Rt = R (only if stage != 0 or
//	                      clamp_target); R = max(min_rate, R (1 - alpha/2)); stage = 0;
//	                      clear the bit; restart the increase timer
//	every increase_timer  Rt += 0, ai or hai for a stage below, at or above fast_recovery,
//	                      at most the line rate; R = R/2 + Rt/2; stage + 1
//
// The decrease timer starts 1 ns late, so that alpha is up to date when both tick. With
// alpha = fixed10 alpha is a 10-bit fixed-point number, truncated after every tick, that
// starts at 1023/1024: the form that ConnectX documents for its parameters. A notification that
// finds it at 0 is forgotten after 1024 g ticks; hardware in which decreases 40 us apart still
// take effect keeps more of it (docs/reproduce.md, dcqcn-scale), as alpha = double does.
//
// # Lazy timers
//
// The timers tick for a flow's whole life, alpha's every microsecond, yet only a decrease
// with its bit set and an increase change the answer. Wake is for those two; ticks of the
// alpha timer are caught up, one multiplication each, when alpha is next needed, and idle
// ticks of the decrease timer are skipped in one step.
//
// # Slow flows
//
// A flow hears of at most one mark per packet: one whose share is a packet per increase_timer or less, 28 Mb/s
// with packets of 1000 B and 300 us, regains between two marks what each takes off. So 64 flows at 1 Gb/s keep
// the switch full, as two do at 10 Mb/s.
//
// # Differs from the paper in
//
//   - The free-running timers, and decreases at most once per decrease_timer, as above.
//   - No byte counter; the additive steps depend on one stage, and hai is not multiplied.
//   - The target rate is not lowered again by consecutive decreases.
//   - The notification is an ACK with the ECN echo; there is no CNP packet.
package dcqcn
