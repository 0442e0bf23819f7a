//go:build cgo

package main

// #define QBB_TYPES_ONLY
// #include "qbb.h"
import "C"

import "github.com/qbb-sim/qbb/core"

//export qbb_node_counters
func qbb_node_counters(handle C.qbb_node, port C.uint32_t, now C.int64_t, out *C.qbb_counters) (code C.int) {
	defer guard(&code)
	d, f := enter(handle)
	if f != nil {
		return report(f)
	}
	defer d.leave()
	if f := d.port(port); f != nil {
		return report(f)
	}
	at, f := instant(now, now, d.turn.Now)
	if f != nil {
		return report(f)
	}
	if out == nil {
		return report(null("counters"))
	}
	*out = countersOf(d.counters(int(port), at.Now))
	return 0
}

func (d *node) counters(port int, now core.Time) core.Counters {
	if d.nic != nil {
		return d.nic.Counters(port, now)
	}
	return d.sw.Counters(port, now)
}

func countersOf(c core.Counters) C.qbb_counters {
	return C.qbb_counters{
		tx_bytes: C.int64_t(c.TxBytes), tx_packets: C.int64_t(c.TxPackets),
		rx_bytes: C.int64_t(c.RxBytes), rx_packets: C.int64_t(c.RxPackets),
		max_queue: C.int64_t(c.MaxQueue), marked: C.int64_t(c.Marked),
		dropped_packets: C.int64_t(c.DroppedPackets), dropped_bytes: C.int64_t(c.DroppedBytes),
		pauses_sent: C.int64_t(c.PausesSent), resumes_sent: C.int64_t(c.ResumesSent),
		pauses_received: C.int64_t(c.PausesReceived), resumes_received: C.int64_t(c.ResumesReceived),
		paused_for: C.int64_t(c.PausedFor), waited: C.int64_t(c.Waited),
		link_bytes: C.int64_t(c.LinkBytes), congested: C.int64_t(c.Congested),
		no_route: C.int64_t(c.NoRoute), flushed: C.int64_t(c.Flushed), trimmed: C.int64_t(c.Trimmed),
	}
}
