// Package bolt is Bolt (Arslan, Li, Kumar and Dukkipati, Bolt: Sub-RTT Congestion Control for
// Ultra-Low Latency, NSDI 2023): switches send notifications straight back to the sources of a
// queue, and hand out what is left of the link's capacity packet by packet.
//
// # Congestion point
//
// A data packet asks for growth (INC), and says whether it is of its flow's first window (FIRST) or
// of its last one (LAST). Per egress port, on the arrival of a packet of s bytes, dt after the one
// before, to a queue q on a link of rate C:
//
//	supply = min(supply + C dt/8 - s, MTU)
//
// and then, for a data packet, the first of these lines that applies:
//
//	q >= threshold:  INC = 0, DEC = 1; notify the source, unless a hop before has set DEC
//	LAST:            ending += 1, unless FIRST is set too
//	INC:             INC stays if ending >= 1 (then ending -= 1) or supply >= MTU (then
//	                 supply -= MTU); otherwise INC = 0
//
// The first is sub-RTT control: the notification overtakes the packet, its ACK and all queues. The
// second is proactive ramp-up: the bandwidth of an ending flow is given away a round trip in advance,
// and only if the flow lasted longer than one. The third is supply matching.
//
// # Reaction point
//
// The window starts at line rate times base round trip T, which it never exceeds; it is at least
// a packet, and paced over T.
//
//	ACK with INC:         cwnd += 1 packet
//	once a round trip:    cwnd += 1 packet
//	notification:         cwnd -= 1 packet, if rtt_src/target_q has passed since the last time
//
// rtt_src is the time from the packet's departure to its notification, and target_q = q R/C, in packets,
// the flow's part of the queue, with R its rate: within one rtt_src the windows shrink by the whole queue.
//
// # Differs from the paper in
//
//   - The notification carries q/C, in ns, where the paper's has queue and link rate separately.
//   - Supply is compared with all packets that arrive, not only with data.
//   - A packet of the last window does not ask for growth.
//   - Rates are windows over the base round trip, not over a measured one.
//   - Losses change nothing: a notification has come long before.
//   - The threshold of a full packet is our choice, as are the 8 bytes of header.
package bolt
