package traces

import "github.com/qbb-sim/qbb/core"

// ManagerRow is a marking rate that the congestion manager has set: a row of dcms.parquet.
type ManagerRow struct {
	TimeNs      float64     `parquet:"time_ns" unit:"ns" doc:"of the sweep"`
	Node        core.NodeID `parquet:"node" unit:"node id" doc:"the switch"`
	Port        int32       `parquet:"port" unit:"port, from 0" doc:"the congested port"`
	MarkingRate int32       `parquet:"marking_rate" unit:"packets" doc:"from now on, between two marked ones"`
	Reason      string      `parquet:"reason" doc:"victim found, victims gone, or time is up"`
	VictimNode  core.NodeID `parquet:"victim_node" unit:"node id" doc:"victim found: the switch of the victim port; else -1"`
	VictimPort  int32       `parquet:"victim_port" unit:"port, from 0" doc:"victim found: the victim port; else -1"`
}

// SweepRow is what a sweep of the congestion manager found at a port: a row of
// dcms_counters.parquet.
type SweepRow struct {
	TimeNs           float64     `parquet:"time_ns" unit:"ns" doc:"of the sweep"`
	Node             core.NodeID `parquet:"node" unit:"node id" doc:"the switch"`
	Port             int32       `parquet:"port" unit:"port, from 0" doc:"the port"`
	PortXmitWait     int64       `parquet:"port_xmit_wait" unit:"credits.tick" doc:"growth since the last sweep"`
	PortXmitData     int64       `parquet:"port_xmit_data" unit:"32-bit words" doc:"growth since the last sweep"`
	PortXmitCongTime int64       `parquet:"port_xmit_cong_time" unit:"credits.tick" doc:"growth since the last sweep"`
	MarkingRate      int32       `parquet:"marking_rate" unit:"packets" doc:"in force after the sweep"`
	Victims          int32       `parquet:"victims" unit:"ports" doc:"victim ports of the port"`
}
