package traces

import "github.com/qbb-sim/qbb/core"

// PortRow holds the counters of a port at the end of a run: a row of ports.parquet.
type PortRow struct {
	Node            core.NodeID `parquet:"node" unit:"node id" doc:"the device"`
	NodeKind        string      `parquet:"node_kind" doc:"host or switch"`
	Port            int32       `parquet:"port" unit:"port, from 0" doc:"number of the port, in the order of the node's links"`
	Peer            core.NodeID `parquet:"peer" unit:"node id" doc:"the device at the other end"`
	RateBps         int64       `parquet:"rate_bps" unit:"bit/s" doc:"rate of the link"`
	TxBytes         int64       `parquet:"tx_bytes" unit:"B" doc:"bytes sent, all kinds of packet"`
	TxPackets       int64       `parquet:"tx_packets" unit:"packets" doc:"packets sent"`
	RxBytes         int64       `parquet:"rx_bytes" unit:"B" doc:"bytes received"`
	RxPackets       int64       `parquet:"rx_packets" unit:"packets" doc:"packets received"`
	ECNMarked       int64       `parquet:"ecn_marked" unit:"packets" doc:"packets that the port marked with congestion experienced, those already marked by an earlier one included; twice, if its queue and a congestion point of a scheme both mark it"`
	DroppedPackets  int64       `parquet:"dropped_packets" unit:"packets" doc:"packets dropped on arrival at this port for lack of buffer or route; of a host, also its answers to packets from this port for which it has no route"`
	DroppedBytes    int64       `parquet:"dropped_bytes" unit:"B" doc:"their bytes"`
	NoRoutePackets  int64       `parquet:"no_route_packets" unit:"packets" doc:"of dropped_packets, those for lack of a route"`
	FlushedPackets  int64       `parquet:"flushed_packets" unit:"packets" doc:"packets that were waiting to be sent and were dropped when the link failed, or by a PFC watchdog"`
	TrimmedPackets  int64       `parquet:"trimmed_packets" unit:"packets" doc:"packets whose payload was cut on arrival at this port for lack of buffer (switch.trim)"`
	PausesSent      int64       `parquet:"pauses_sent" unit:"frames" doc:"PFC pause frames sent"`
	PausesReceived  int64       `parquet:"pauses_received" unit:"frames" doc:"PFC pause frames received"`
	ResumesSent     int64       `parquet:"resumes_sent" unit:"frames" doc:"PFC resume frames sent"`
	ResumesReceived int64       `parquet:"resumes_received" unit:"frames" doc:"PFC resume frames received"`
	PausedNs        float64     `parquet:"paused_ns" unit:"ns" doc:"time paused, summed over the priorities"`
	TxWaitNs        float64     `parquet:"tx_wait_ns" unit:"ns" doc:"time with something to send but paused or without credits"`
	MaxQueueBytes   int64       `parquet:"max_queue_bytes" unit:"B" doc:"most bytes queued at once, without control packets; 0 for a host"`
	// InfiniBand's names of counters, in its units.
	PortXmitWait     int64 `parquet:"port_xmit_wait" unit:"credits.tick" doc:"tx_wait_ns in ticks"`
	PortXmitData     int64 `parquet:"port_xmit_data" unit:"32-bit words" doc:"sent, in packets other than those of flow control"`
	PortXmitCongTime int64 `parquet:"port_xmit_cong_time" unit:"credits.tick" doc:"time in the congestion state of ib-cc"`
}
