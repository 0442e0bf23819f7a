package traces

import (
	"math"

	"github.com/qbb-sim/qbb/core"
)

// FCTRow is a flow of a run: a row of fct.parquet, or a line of fct.txt.
type FCTRow struct {
	FlowID             int64       `parquet:"flow_id" doc:"number of the flow, from 0 in the order of the flow file"`
	Src                core.NodeID `parquet:"src" unit:"node id" doc:"source host"`
	Dst                core.NodeID `parquet:"dst" unit:"node id" doc:"destination host"`
	SrcPort            int32       `parquet:"src_port" unit:"port" doc:"source port"`
	DstPort            int32       `parquet:"dst_port" unit:"port" doc:"destination port"`
	Priority           int32       `parquet:"priority" unit:"1 to 7" doc:"traffic class"`
	Tag                string      `parquet:"tag" doc:"tag of the flow file or generator, such as background or incast"`
	Scheme             string      `parquet:"scheme" doc:"congestion control of the flow"`
	SizeBytes          int64       `parquet:"size_bytes" unit:"B" doc:"size of the message"`
	StartNs            float64     `parquet:"start_ns" unit:"ns" doc:"start; -1 for a flow that waited in vain for another one (after), or for its schedule"`
	FCTNs              float64     `parquet:"fct_ns" unit:"ns" doc:"flow completion time: start to last acknowledgement; 0 if not finished"`
	IdealFCTNs         float64     `parquet:"ideal_fct_ns" unit:"ns" doc:"completion time of the flow alone in the network, at line rate, its packets and its acknowledgements each on the path that ECMP gives them, or with other load balancing on the first one; counts what its scheme adds to packets, such as telemetry; in profile ns3 standalone_fct, which goes by the first path"`
	Slowdown           float64     `parquet:"slowdown" unit:"ratio" doc:"max(1, fct_ns/ideal_fct_ns); 0 if not finished"`
	RetransmittedBytes int64       `parquet:"retransmitted_bytes" unit:"B" doc:"message bytes sent more than once"`
	ECNMarkedPackets   int64       `parquet:"ecn_marked_packets" unit:"packets" doc:"acknowledgements that echoed a congestion mark"`
	Finished           bool        `parquet:"finished" doc:"all bytes were acknowledged before the run ended"`
}

// Nanos returns picoseconds as nanoseconds in double precision. [PicosOf] gives them back
// exactly below 4398 s (1000*2^42 ps).
func Nanos[T ~int64](ps T) float64 { return float64(ps) / float64(core.Nanosecond) }

// PicosOf returns nanoseconds in whole picoseconds, rounded.
func PicosOf(ns float64) core.Duration {
	return core.Duration(math.Round(ns * float64(core.Nanosecond)))
}

// Slowdown returns how many times longer than ideal a flow took, at least 1; 0 for a flow
// that has not finished (fct 0).
func Slowdown(fct, ideal float64) float64 {
	if fct <= 0 || ideal <= 0 {
		return 0
	}
	return max(1, fct/ideal)
}
