// Package switching is the switch: a shared-buffer, output-queued 802.1Q bridge with
// priority flow control (802.1Qbb), ECN marking, in-band telemetry and port counters.
//
// A packet that arrives is routed (equal-cost paths by hash of its flow, or as balance.go says), admitted by the
// buffer (buffer.go), and put into one of the 8 queues of its egress port. Queue 0 is served first,
// then those of strict priority, then the rest of 1 to 7 in turn or by weights. Lossless classes have dynamic thresholds;
// what a queue of a lossy class may hold is a choice (sharing.go). A packet of a lossy class that finds no room is dropped, or trimmed: its header goes on in queue
// 0, but after all else there; after ten of these a packet of another queue goes first (trim.go). When a packet leaves its
// queue, in this order: the buffer is released; ECN is decided on what is left in the queue; a pause that is no longer needed
// is ended; the packet gets its INT record and is shown to the congestion points; the port's byte counter advances.
//
// Under credit flow control (InfiniBand) a class is a virtual lane: every port has a buffer for each,
// instead of the shared memory, and sends what its neighbour has given credits for. Packets still
// wait in the queues of their egress ports, so that none waits behind a packet for another port;
// a queue is served in the order of arrival, whatever the ingress port.
//
// Frames that the switch itself makes (PFC, credits, CNM) use queue 0, too, which is neither accounted nor
// paused.
//
// Files: config.go the parameters; switch.go arrivals and links; paths.go routing; balance.go load balancing, conga.go
// that by the congestion of paths, conweave.go and those that begin so that of ConWeave; port.go queues; scheduler.go which is
// served; buffer.go admission and PFC thresholds; sharing.go thresholds of lossy classes; trim.go what loses its payload for
// want of room; pause.go PFC frames and timers; watchdog.go what is done about pauses that do not end; credit.go credit flow
// control; mark.go ECN; telemetry.go INT, congestion points, counters; meter.go queue-depth histograms; inspect.go what
// explains a stalled network.
package switching
