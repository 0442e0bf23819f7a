package sim

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/series"
)

// recorder takes the samples of time series. It only looks: results do not depend on it.
type recorder struct {
	n     *Network
	spec  *SeriesSpec
	ports []portTrack
	flows []flowTrack
	of    []int32 // by flow: 1 + index into flows; 0: not recorded
	live  []int32 // indices into flows of those that run
	fair  fairness
}

type portTrack struct {
	PortRef
	last  core.Gauge
	track *series.Track
}

type flowTrack struct {
	flow  int
	from  core.Time // of the first interval
	acked int64     // at the last sample
	track *series.Track
}

// maxPortPoints bounds the memory of all ports' series together: 26 MB.
const maxPortPoints = 1 << 18

// addRecorder registers the recorder, if anything is to be recorded.
func (n *Network) addRecorder() {
	spec := &n.Setup.Series
	if spec.Interval <= 0 {
		return
	}
	r := &recorder{n: n, spec: spec}
	points := min(spec.Points, maxPortPoints/max(1, len(spec.Ports)))
	for _, p := range spec.Ports {
		r.ports = append(r.ports, portTrack{PortRef: p, track: series.NewTrack(portMetrics, points)})
	}
	if len(spec.Flows) > 0 {
		r.of = make([]int32, len(n.flows))
	}
	for _, f := range spec.Flows {
		r.flows = append(r.flows, flowTrack{flow: f, track: series.NewTrack(flowMetrics, spec.Points)})
		r.of[f] = int32(len(r.flows))
	}
	r.fair.init(n, spec)
	n.recorder = r
	n.Engine.Watch(r, spec.Interval)
}

// Run implements engine.Process.
func (r *recorder) Run(now core.Time) {
	for i := range r.ports {
		r.samplePort(&r.ports[i], now)
	}
	for _, i := range r.live {
		r.sampleFlow(&r.flows[i])
	}
	r.fair.run(now)
}

func (r *recorder) samplePort(p *portTrack, now core.Time) {
	g := r.n.gauge(p.PortRef, now)
	seconds := r.spec.Interval.Seconds()
	s := p.track.Next()
	s[PortQueue].AddPeak(float64(g.Queue), float64(g.Peak))
	s[PortThroughput].Add(float64(g.TxBytes-p.last.TxBytes) * 8 / seconds)
	s[PortMarks].Add(float64(g.Marked-p.last.Marked) / seconds)
	s[PortPaused].Add(float64(g.PausedFor-p.last.PausedFor) / float64(r.spec.Interval))
	p.last = g
}

func (n *Network) gauge(p PortRef, now core.Time) core.Gauge {
	if h := n.hosts[p.Node]; h != nil {
		return h.Gauge(p.Port, now)
	}
	return n.switches[p.Node].Gauge(p.Port, now)
}

func (r *recorder) sampleFlow(f *flowTrack) {
	g := r.n.hosts[r.n.Setup.Flows[f.flow].Src].FlowGauge(r.n.flows[f.flow].qp)
	s := f.track.Next()
	s[0].Add(float64(g.Rate))
	s[FlowGoodput-FlowRate].Add(float64(g.Acked-f.acked) * 8 / r.spec.Interval.Seconds())
	s[FlowWindow-FlowRate].Add(float64(g.Window))
	s[FlowFlight-FlowRate].Add(float64(g.InFlight))
	s[FlowRTT-FlowRate].Add(float64(g.RTT) / float64(core.Nanosecond))
	f.acked = g.Acked
}

// started and ended tell of flows.
func (r *recorder) started(flow int, now core.Time) {
	r.fair.started(flow)
	if r.of == nil || r.of[flow] == 0 {
		return
	}
	f := &r.flows[r.of[flow]-1]
	f.from = now - now%core.Time(r.spec.Interval)
	r.live = append(r.live, r.of[flow]-1)
}

func (r *recorder) ended(flow int) {
	r.fair.ended(flow)
	if r.of == nil || r.of[flow] == 0 {
		return
	}
	for i, live := range r.live {
		if live == r.of[flow]-1 {
			r.live = append(r.live[:i], r.live[i+1:]...)
			return
		}
	}
}

// list makes the list of series.
func (r *recorder) list() []Series {
	var all []Series
	add := func(s Series, t *series.Track, first Metric, count int) {
		for k := range count {
			if s.Metric, s.track, s.quantity = first+Metric(k), t, k; !t.Zero(k) {
				all = append(all, s)
			}
		}
	}
	add(Series{Node: -1, Port: -1, Flow: -1, Interval: r.fair.every()}, r.fair.track, NetFlows, 2)
	for i := range r.ports {
		p := &r.ports[i]
		add(Series{Node: p.Node, Port: p.Port, Flow: -1, Interval: r.spec.Interval}, p.track, PortQueue, portMetrics)
	}
	for i := range r.flows {
		f := &r.flows[i]
		add(Series{Node: -1, Port: -1, Flow: f.flow, From: f.from, Interval: r.spec.Interval}, f.track, FlowRate, flowMetrics)
	}
	return all
}
