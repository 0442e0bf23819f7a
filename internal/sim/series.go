package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/series"
)

// SeriesSpec says which time series are recorded.
type SeriesSpec struct {
	Interval core.Duration // between samples, at first; 0: none are recorded
	Points   int           // most points of a series
	Ports    []PortRef
	Flows    []int // in ascending order
	Fairness core.Duration
}

// PortRef names a port.
type PortRef struct {
	Node core.NodeID
	Port int
}

// Metric is the quantity of a series.
type Metric uint8

// Metrics of ports, of flows, and of the whole network.
const (
	PortQueue      Metric = iota // bytes; the largest value is exact, not only that of samples
	PortThroughput               // bit/s sent since the last sample
	PortMarks                    // packets marked since the last sample, per second
	PortPaused                   // share of the time since the last sample, summed over classes
	PortWait                     // share of the time since the last sample with something to send, none of which might be sent

	FlowRate    // bit/s that the scheme allows
	FlowGoodput // bit/s acknowledged since the last sample
	FlowWindow  // bytes, 0 for none
	FlowFlight  // bytes in flight
	FlowRTT     // ns, of the last acknowledgement

	NetFlows    // flows that are running
	NetFairness // Jain's index of the goodput of the flows that ran all the time since the last sample
)

// Widths of the tracks.
const (
	portMetrics = int(PortWait) + 1
	flowMetrics = int(FlowRTT-FlowRate) + 1
)

// Series is one quantity of one thing over time.
type Series struct {
	Metric   Metric
	Node     core.NodeID // of a port; otherwise -1
	Port     int         // of a port; otherwise -1
	Flow     int         // -1 if it is not a flow's
	From     core.Time
	Interval core.Duration // between samples at first
	track    *series.Track
	quantity int
}

// Point is a part of a series: Span from At on.
type Point struct {
	At             core.Time
	Span           core.Duration
	Min, Mean, Max float64
}

// Len returns the number of points.
func (s *Series) Len() int { return s.track.Bins() }

// Point returns the i-th point.
func (s *Series) Point(i int) Point {
	n, before := s.track.Span(i)
	p := Point{At: s.From.Add(core.Duration(before) * s.Interval), Span: core.Duration(n) * s.Interval}
	p.Min, p.Mean, p.Max = s.track.At(i, s.quantity)
	return p
}

// Series lists what has been recorded so far: of the network, of ports, of flows. Series that have
// always been zero are left out. The interval under way is included where it cannot change any more: for flows that
// have ended, and for ports if the run is over.
func (n *Network) Series() []Series {
	if n.recorder == nil {
		return nil
	}
	return n.recorder.list()
}
