// Package rcc is a reconstruction, rcc-recon, of RCC (Zhang et al., Receiver-Driven RDMA
// Congestion Control by Differentiating Congestion Types in Datacenter Networks, ICNP 2021;
// IEEE/ACM ToN 2023). What is public is the idea: the receiver tells congestion of its own link
// from congestion in the network; it assigns fair windows at once in the one case, and in the
// other adjusts each window by a PID controller on the delay, whose output a tanh limits. The
// gains, the error, the thresholds and the messages are ours.
//
// # Receiver
//
// A flow is active until it has been silent for two of the largest base round trips T. The rate
// of arrivals at the port is measured over every T. Every flow is granted a window once a T, when
// a packet of it arrives:
//
//	arrivals >= saturation line      W = line T / (8 N)             N active flows
//	otherwise                        W = W (1 + step tanh(u))       within [MTU, line T / 8]
//	                                 u = kp e + ki sum(e) + kd (e - previous e)
//	                                 e = (ref_delay - d) / ref_delay
//
// d is the packet's one-way delay less the least one of its flow. The sum is kept within 10 and
// begins anew after every assignment. While the port is saturated, a change of N is granted at
// once to each flow whose packet comes next.
//
// # Sender
//
// Its window is the payload of the latest grant, which is bytes on the wire, at first and at most that of its own
// bandwidth-delay product.
//
// # Differs from the paper in
//
//   - Whatever the public texts leave open, see above.
//   - Grants are packets of their own, not a field of the ACK.
package rcc
