package sim

import (
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/series"
)

// recorder takes the samples of time series, from the start of traffic until it has ended and nothing
// is sent any more. It only looks: results do not depend on it. Time is counted in intervals of the
// spec, from a multiple of them.
type recorder struct {
	n       *Network
	spec    *SeriesSpec
	begin   core.Time
	seen    core.Time // of the last sample of the ports
	tick    int64     // of the present look
	next    int64     // at which the ports are sampled next
	due     int64     // of the next look, for ports, flows or fairness
	ports   []portTrack
	flows   []flowTrack
	of      []int32 // by flow: 1 + index into flows; 0: not recorded
	live    []int32 // indices into flows of those that run
	fair    fairness
	quiet   quiet
	whole   *recorder // of a run that was over at wholeAt: with its last interval
	wholeAt core.Time
}

type portTrack struct {
	PortRef
	last  core.Gauge
	peak  core.Bytes // largest queue since the last sample, up to when complete looked: the port's gauge then began anew
	track *series.Track
}

type flowTrack struct {
	flow  int
	from  int64 // tick of the start
	next  int64 // when the next sample is due
	acked int64 // at the last sample
	ended bool
	track *series.Track
}

// never is a tick that does not come.
const never = math.MaxInt64

// maxPortPoints bounds the memory of all ports' series together: 16 MB.
const maxPortPoints = 1 << 17

// addRecorder registers the recorder, if anything is to be recorded.
func (n *Network) addRecorder() {
	spec := &n.Setup.Series
	if spec.Interval <= 0 {
		return
	}
	begin := n.Setup.begin()
	r := &recorder{n: n, spec: spec, begin: begin - begin%core.Time(spec.Interval)}
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
	r.next = 1
	n.recorder = r
	r.watch(1)
}

// watch makes the next look come at a tick.
func (r *recorder) watch(tick int64) {
	r.due = tick
	r.n.Watch(r, r.time(tick))
}

func (r *recorder) time(tick int64) core.Time {
	if tick == never {
		return core.Never
	}
	return r.begin + core.Time(tick*int64(r.spec.Interval))
}

// ticks is the number of whole intervals that have passed at a time.
func (r *recorder) ticks(at core.Time) int64 { return int64(at-r.begin) / int64(r.spec.Interval) }

// over reports whether all flows have ended.
func (r *recorder) over() bool { return r.n.Ended() == len(r.n.flows) }

// Look implements engine.Watcher. Parts that run in parallel report the start of a flow only when they
// meet; the flow's first sample is due at the next tick.
func (r *recorder) Look(now core.Time) core.Time {
	r.tick = r.ticks(now)
	sampled := r.tick == r.next || r.tick == r.fair.next
	if r.tick == r.next {
		r.samplePorts(now)
	}
	r.fair.look(r.tick)
	if sampled {
		r.noteQuiet()
	}
	r.due = min(r.next, r.fair.next)
	running := r.live[:0]
	for _, i := range r.live {
		f := &r.flows[i]
		if f.next == r.tick {
			r.sampleFlow(f)
			if f.ended {
				continue
			}
		}
		running = append(running, i)
		r.due = min(r.due, f.next)
	}
	r.live = running
	if r.of != nil && len(r.n.parts) > 1 && !r.over() {
		r.due = r.tick + 1
	}
	return r.time(r.due)
}

// span is the time of so many ticks, in seconds.
func (r *recorder) span(ticks int) float64 { return float64(ticks) * r.spec.Interval.Seconds() }

func (r *recorder) samplePorts(now core.Time) {
	r.next, r.seen = never, now // without ports
	idle := r.over() && !r.n.Setup.ClosedLoop && r.n.packets() == 0 && !r.n.notifies()
	for i := range r.ports {
		p := &r.ports[i]
		g, seconds := r.n.gauge(p.PortRef, now), r.span(p.track.Step())
		g.Peak, p.peak = max(g.Peak, p.peak), 0
		s := p.track.Next()
		s.SetPeak(int(PortQueue), float64(g.Queue), float64(g.Peak))
		s.Set(int(PortThroughput), float64(g.TxBytes-p.last.TxBytes)*8/seconds)
		s.Set(int(PortMarks), float64(g.Marked-p.last.Marked)/seconds)
		s.Set(int(PortPaused), (g.PausedFor-p.last.PausedFor).Seconds()/seconds)
		s.Set(int(PortWait), (g.Waited-p.last.Waited).Seconds()/seconds)
		idle = idle && g.TxBytes == p.last.TxBytes
		p.last = g
		r.next = r.tick + int64(p.track.Step())
	}
	if idle {
		r.next = never
	}
}

func (n *Network) gauge(p PortRef, now core.Time) core.Gauge {
	if h := n.hosts[p.Node]; h != nil {
		return h.Gauge(p.Port, now)
	}
	return n.switches[p.Node].Gauge(p.Port, now)
}

func (r *recorder) sampleFlow(f *flowTrack) {
	g := r.n.hosts[r.n.Setup.Flows[f.flow].Src].FlowGauge(r.n.flows[f.flow].qp)
	seconds := r.span(f.track.Step())
	s := f.track.Next()
	s.Set(0, float64(g.Rate))
	s.Set(int(FlowGoodput-FlowRate), float64(g.Acked-f.acked)*8/seconds)
	s.Set(int(FlowWindow-FlowRate), float64(g.Window))
	s.Set(int(FlowFlight-FlowRate), float64(g.InFlight))
	s.Set(int(FlowRTT-FlowRate), float64(g.RTT)/float64(core.Nanosecond))
	f.acked = g.Acked
	f.next = r.tick + int64(f.track.Step())
}

// started and ended report the start and the end of a flow.
func (r *recorder) started(flow int, now core.Time) {
	r.fair.started(flow, now == r.time(r.fair.seen))
	if flow >= len(r.of) || r.of[flow] == 0 {
		return
	}
	f := &r.flows[r.of[flow]-1]
	f.from = r.ticks(now)
	f.next = f.from + 1
	r.live = append(r.live, r.of[flow]-1)
	if f.next < r.due {
		r.watch(f.next)
	}
}

// ended keeps a flow among those that live until its last interval is over.
func (r *recorder) ended(flow int) {
	r.fair.ended(flow)
	if flow < len(r.of) && r.of[flow] != 0 {
		r.flows[r.of[flow]-1].ended = true
	}
}

// complete returns what has been recorded and the interval under way, in which nothing more will happen: of
// flows that have ended, and of ports and the network if the run is over.
func (r *recorder) complete() *recorder {
	over := r.n.over() && r.over()
	if over && r.whole != nil && r.wholeAt == r.n.Now() {
		return r.whole
	}
	r.whole = nil // copies do not keep each other
	c := r.copy()
	for _, i := range c.live {
		if f := &c.flows[i]; f.ended {
			c.sampleFlow(f)
		}
	}
	if !over {
		return c
	}
	if now := r.n.Now(); r.next != never && r.seen < now {
		c.samplePorts(now)
		for i := range r.ports {
			r.ports[i].peak = c.ports[i].last.Peak
		}
	}
	if next := c.fair.next; next != never {
		c.fair.look(next)
	}
	r.whole, r.wholeAt = c, r.n.Now()
	return c
}

// list makes the list of series.
func (r *recorder) list() []Series {
	if before := r.quietEnd(); before != nil {
		r = before
	} else {
		r = r.complete()
	}
	var all []Series
	add := func(s Series, t *series.Track, first Metric, count int) {
		for k := range count {
			if s.Metric, s.track, s.quantity = first+Metric(k), t, k; !t.Zero(k) {
				all = append(all, s)
			}
		}
	}
	add(Series{Node: -1, Port: -1, Flow: -1, From: r.begin, Interval: core.Duration(r.fair.ticks()) * r.spec.Interval}, r.fair.track, NetFlows, 2)
	for i := range r.ports {
		p := &r.ports[i]
		add(Series{Node: p.Node, Port: p.Port, Flow: -1, From: r.begin, Interval: r.spec.Interval}, p.track, PortQueue, portMetrics)
	}
	for i := range r.flows {
		f := &r.flows[i]
		add(Series{Node: -1, Port: -1, Flow: f.flow, From: r.time(f.from), Interval: r.spec.Interval}, f.track, FlowRate, flowMetrics)
	}
	return all
}
