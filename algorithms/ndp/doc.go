// Package ndp is the receiver-driven transport of NDP (Handley et al., Re-architecting datacenter networks and stacks for
// low latency and high performance, SIGCOMM 2017), for switches that trim packets.
//
// # Rule
//
// A sender begins with a window of packets at its line rate, unasked. From then on it sends what is pulled: a packet for
// each pull, one that was trimmed before a new one.
//
// The receiver answers every packet at once, a trimmed one by a NACK. And for every packet, trimmed or not, it
// puts a pull of its flow into the pull queue of the port. The queue serves its flows in turn, a pull each, at the times
//
//	t, t + packet/(pull_rate line), ...
//
// at which packets of full length that answer the pulls fill the port's link, or a part of it. So after the first round
// trip no more packets come to a receiver than its link carries, whatever the number of senders; a flow has as many packets
// and pulls on their way as its first window had; and flows that compete for the receiver have equal shares.
//
// A pull tells by how many packets its flow has been pulled so far, so the next one makes good for a pull that is lost.
//
// When a flow's last packet has come, trimmed or not, the receiver knows what is missing, and keeps no more pulls
// than packets.
//
// # Lost packets
//
// A packet that is lost, not trimmed, is not pulled again. When the time-out finds that, the sender gets back the credit
// of the packets in the network, up to a first window, or of one packet if there are none and a pull may
// have been lost. A packet that arrives all the same costs the credit that it was given back for.
//
// # A network for it
//
// Published are queues of eight packets, switches that trim, and packets that take all paths: testdata/ndp.yaml. The
// hosts recover selectively and allow for any reordering. They have no window (host.window) there: it counts from the first
// byte that is missing, and would leave pulls unanswered.
//
// A first window of a bandwidth-delay product has nothing left for queues: in that network a permutation of 8 MB with REPS
// takes 796 us, and 696 us with 1.5 products, where 650 us are those of the packets on a link.
//
// # Differs from the paper in
//
//   - Switches trim the packet that arrives, never the last one of the queue, and no header is returned to its sender: they
//     drop none.
//   - Senders choose paths at random for every packet (host.entropy) and keep no scores of them. The paper's take all
//     paths in turn, in random orders, and avoid those on which packets are lost or trimmed more than on others.
//   - No flow goes before others in the pull queue. Flows with other parameters have another one, with a pacer of its own.
//   - A pull asks for a packet, whatever its length: flows of short packets leave a part of the link unused.
//   - The headers, ACKs and pulls that come to a receiver take a part of its link that its pulls do not leave free, unless
//     pull_rate does.
//   - A time-out counts as lost all that is in flight, as it does for every scheme with selective recovery, where the
//     paper's packets have a timer each.
//   - The time-out also finds pulls that were lost, and takes a flow's wait for its turn for that if it is longer: of 3300 flows
//     that send to one host packets of 4 KB at 100 Gb/s, which take 1.07 ms for a turn of all, each has 19 with an rto of 1 ms,
//     and of 2600 none has any. Choose rto by the number of flows.
//   - Our readings: how the sender finds its credit again after a loss; that a packet which is trimmed while its first
//     window is still being sent takes a part of that; that pulls for which a host has nothing to send, or which a pause
//     keeps it from answering, are answered later; that of several ports of a receiver each pulls for what comes there.
package ndp
