// Package switching is the switch: a shared-buffer, output-queued 802.1Q bridge with
// priority flow control (802.1Qbb), ECN marking, in-band telemetry and port counters.
//
// A packet that arrives is routed (equal-cost paths by hash of its flow), admitted by the
// [Buffer], and put into one of the 8 queues of its egress port. Queue 0 is served first,
// then queues 1 to 7 in turn. When a packet leaves its queue, in this order: the buffer is
// released; ECN is decided on what is left in the queue; a pause that is no longer needed is
// ended; the packet gets its INT record and is shown to the congestion points; the port's byte
// counter advances.
//
// Frames that the switch itself makes (PFC, CNM) use queue 0, which is neither accounted nor
// paused.
//
// Files: config.go the parameters; switch.go arrivals and routing; port.go queues and the
// scheduler; buffer.go admission and PFC thresholds; pause.go PFC frames and timers; mark.go
// ECN; telemetry.go INT, congestion points, counters; meter.go queue-depth histograms.
package switching
