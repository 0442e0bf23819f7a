// Package powertcp is PowerTCP and theta-PowerTCP (Addanki, Michel and Schmid, PowerTCP:
// Pushing the Performance Limits of Datacenter Networks, NSDI 2022).
//
// # Common
//
// Power is what arrives at a link per second (current) times what is under way there (voltage):
// alone, the queue shows congestion too late, and its growth too coarsely. An ACK gives the power
// Gamma of the bottleneck, relative to that of a full link without a queue, and the time dt over
// which it was measured. With tau the base round trip and BDP the line rate times tau:
//
//	S    = (S (tau - dt) + Gamma dt) / tau                dt at most tau; S starts at 1
//	cwnd = g (old/S + beta) + (1-g) cwnd                  within [min_rate tau, BDP]
//	beta = BDP / flows
//
// old is the window under which the acknowledged packet was sent. The rate is cwnd/tau. cwnd
// starts at BDP. In equilibrium the queue is the sum of all betas, and shares are equal.
//
// # powertcp
//
// Every ACK brings one record per hop: egress rate b, time t, bytes sent tx, queue q. With '
// the hop's previous record, in bytes and seconds:
//
//	lambda = (q - q')/(t - t') + (tx - tx')/(t - t')      at least min_arrival b
//	Gamma  = lambda (q + b tau) / (b^2 tau)
//
// The hop with the largest Gamma decides, dt is its t - t', and every ACK makes an update. The
// first ACK only stores the records.
//
// Of several bottlenecks the largest Gamma of an ACK is above the mean of each, as a single measurement is coarse. A flow that
// has more of them than others keeps less, most of all with a small beta: on two links of 100 Gb/s, each shared with a flow
// of its own, 28 % of the line, on three 8 %, and 22 % with flows=10.
//
// # theta-powertcp
//
// Without telemetry, from the RTT theta and its growth since the ACK before, dt ago:
//
//	Gamma = (dtheta/dt + 1) theta/tau                     first factor at least min_arrival
//
// S follows every ACK; the window moves once per round trip. This tau includes the transmission of the time stamps in
// packets and ACKs: power that without a queue is too high by more than 1/flows keeps a lone flow below the line rate.
//
// # Differs from the paper in
//
//   - min_arrival is the floor of the authors' simulator; 0 is the paper, where a draining queue may bring the
//     power down to 0. With powertcp the floor is needed: between two packets of one burst a queue shrinks by
//     what the link sends, so that flows that start at the line rate may keep windows of BDP and their bursts.
//     Five of them over 100 Gb/s and 40 us keep a queue of 3 BDP with a floor of 0, of 2 BDP with 0.1, and of
//     five betas with 0.2 and more.
//   - The window under which a packet was sent, which a sender would keep for each packet in flight, is
//     the packet's stamp (algorithms.Control.Stamp), and takes no room on the wire. A host that
//     carries no stamps uses the present window.
//   - The paper has no number for flows, the N of its section 3.3: 100 makes beta a percent of BDP.
//   - The paper sets tau to the network's largest base round trip; here it is what the host says, which
//     is that unless host.global_rtt is off.
//   - A record that is no newer than the one before it is ignored.
//   - The base round trips of profile ns3 count neither headers nor ACKs, which theta-powertcp then takes for a queue:
//     over links of 1 us and 25 Gb/s a lone flow gets 74 % of its line there, at 100 Gb/s all of it.
//   - A Path signal discards the records, as counters of different ports must not be
//     subtracted. ACKs of packets sent before it are ignored.
package powertcp
