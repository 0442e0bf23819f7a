package traces

import "github.com/qbb-sim/qbb/core"

// SeriesRow is a point of a time series: a row of series.parquet.
type SeriesRow struct {
	Metric string      `parquet:"metric" doc:"what is measured; see below"`
	Node   core.NodeID `parquet:"node" unit:"node id" doc:"of the port; -1: not of a port"`
	Port   int32       `parquet:"port" unit:"port, from 0" doc:"egress port; -1: not of a port"`
	Flow   int32       `parquet:"flow" unit:"flow id" doc:"as in fct.parquet; -1: not of a flow"`
	TimeNs float64     `parquet:"time_ns" unit:"ns" doc:"start of the part of time that the point stands for"`
	SpanNs float64     `parquet:"span_ns" unit:"ns" doc:"its length"`
	Mean   float64     `parquet:"mean" unit:"of the metric" doc:"of the samples in that part"`
	Min    float64     `parquet:"min" unit:"of the metric" doc:"least sample"`
	Max    float64     `parquet:"max" unit:"of the metric" doc:"largest sample; of queue_bytes the largest at any moment"`
}

// Metric describes a metric of series.parquet.
type Metric struct{ Name, Unit, Doc string }

// Names of metrics.
const (
	MetricQueue      = "queue_bytes"
	MetricThroughput = "throughput_bps"
	MetricMarks      = "marks_per_s"
	MetricPaused     = "paused_share"
	MetricWait       = "tx_wait_share"
	MetricRate       = "rate_bps"
	MetricGoodput    = "goodput_bps"
	MetricWindow     = "window_bytes"
	MetricFlight     = "in_flight_bytes"
	MetricRTT        = "rtt_ns"
	MetricFlows      = "running_flows"
	MetricFairness   = "fairness"
)

// Metrics lists the metrics of series.parquet: of ports, of flows, of the network.
func Metrics() []Metric {
	return []Metric{
		{MetricQueue, "B", "port: bytes queued, without control packets; hosts have none"},
		{MetricThroughput, "bit/s", "port: bytes of packets whose transmission began"},
		{MetricMarks, "packets/s", "port: packets marked with congestion experienced"},
		{MetricPaused, "priorities", "port: priorities that PFC had paused, a mean over time: for one priority, the share of the time"},
		{MetricWait, "share", "port: time with something to send but paused or without credits, as tx_wait_ns in ports.parquet"},
		{MetricRate, "bit/s", "flow: rate that the scheme last allowed"},
		{MetricGoodput, "bit/s", "flow: message bytes acknowledged, less those that a NACK of go-back-0 takes back; may be negative"},
		{MetricWindow, "B", "flow: the smaller of the windows that scheme and host last allowed; 0: none"},
		{MetricFlight, "B", "flow: message bytes sent and not acknowledged"},
		{MetricRTT, "ns", "flow: round trip of the last acknowledgement; 0: there was none yet"},
		{MetricFlows, "flows", "network: flows that have started and not ended, every series.fairness"},
		{MetricFairness, "0 to 1", "network: Jain's index of the goodput of the flows that ran from one sample to the next; 1: all got the same, or, as in idle time, nothing; 1/n: one of n flows got everything"},
	}
}

// seriesColumns describes series.parquet: columns, then metrics.
func seriesColumns() []Column {
	columns := ColumnsOf[SeriesRow]()
	for _, m := range Metrics() {
		columns = append(columns, Column{m.Name, "metric", m.Unit, m.Doc})
	}
	return columns
}
