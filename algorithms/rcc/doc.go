// Package rcc is a reconstruction, rcc-recon, of RCC (Zhang et al., Receiver-Driven RDMA
// Congestion Control by Differentiating Congestion Types in Datacenter Networks, ICNP 2021;
// IEEE/ACM ToN 2023). The idea is public: the receiver distinguishes congestion of its own link
// from congestion in the network; for the first it assigns fair windows at once, for the second it
// adjusts each window by a PID controller on the delay, whose output a tanh limits. The gains, the
// error, the thresholds and the messages are ours.
//
// # Receiver
//
// A flow is active until it has been silent for two of the largest base round trips T. The rate
// of arrivals at the port is measured over every T. Every flow is granted a window once per T, when
// a packet of it arrives:
//
//	arrivals >= saturation line      W = max(MTU, line T / (8 N))   N active flows
//	otherwise                        W = W (1 + step tanh(u))       within [MTU, line T / 8]
//	                                 u = kp e + ki sum(e) + kd (e - previous e)
//	                                 e = (ref_delay - d) / ref_delay
//
// d is the packet's one-way delay less the least one of its flow, which counts a path that has become longer as a queue.
// The sum is kept within 10 and restarts after every assignment. When the port becomes saturated, and when N changes while it is,
// every flow is granted its new window with its next packet.
//
// # Sender
//
// Its window is the payload of the latest grant, which counts bytes on the wire. It starts at, and never exceeds,
// the payload of the sender's own bandwidth-delay product.
//
// # Differs from the paper in
//
//   - Whatever the public texts leave open, see above.
//   - Grants are packets of their own, not a field of the ACK.
package rcc
