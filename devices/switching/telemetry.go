package switching

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// showLeaving shows a packet that is leaving to CONGA and to the congestion points of the port.
func (s *Switch) showLeaving(t *core.Turn, o *port, out int, p *core.Packet) {
	if s.conga != nil {
		s.conga.leave(t.Now, out, p)
	}
	for _, i := range s.atDeparture {
		s.show(t, o, out, i, p, false)
	}
}

// stampINT adds a hop record to the packet's INT stack.
func (s *Switch) stampINT(t *core.Turn, o *port, p *core.Packet) {
	f := &s.cfg.INT
	at := int(p.NHops)
	if at >= f.MaxHops {
		at %= f.MaxHops
	}
	f.Stamp(&p.INT[at], t.Now, o.sizes.Rate(), o.tx, o.depth+o.queues[0].bytes)
	p.NHops++
}

// show lets the congestion point of scheme i see a packet that arrives at its queue or leaves
// it.
func (s *Switch) show(t *core.Turn, o *port, out, i int, p *core.Packet, enqueue bool) {
	q := &s.sight
	q.Now, q.Enqueue, q.Own = t.Now, enqueue, p.Kind == core.Data && int(p.Marker) == i+1
	q.Queue, q.Class, q.Tx, q.Packet = o.depth+o.queues[0].bytes, o.queues[p.Prio&7].bytes, o.tx, p
	if s.lanes != nil {
		q.Starved = s.takeStarved(t.Now, out, p.Prio&7, !enqueue)
	}
	s.mark.Reset()
	s.markers[i][out].Step(q, &s.mark)
	if s.mark.SetAux {
		p.Aux = s.mark.Aux
	}
	if s.mark.CE {
		p.Flags |= core.CE
		o.count.Marked++
	}
	if s.mark.Notify {
		s.sendCNM(t, p, algorithms.Notice{To: p.Src, QP: p.SrcQP, Feedback: s.mark.Feedback}, p.Sent)
	}
	for _, other := range s.mark.Others {
		s.sendCNM(t, p, other, t.Now)
	}
	if s.mark.Flows != 0 && p.INT != nil {
		last := int(p.NHops-1) % s.cfg.INT.MaxHops
		p.INT[last].Flows = s.mark.Flows
	}
}

// clearMarkers tells the congestion points of a port that its queues are lost.
func (s *Switch) clearMarkers(now core.Time, at int) {
	for _, list := range s.markers {
		if m, ok := list[at].(algorithms.Cleared); ok {
			m.Clear(now)
		}
	}
}

// sendCNM sends a congestion notification message (802.1Q clause 33.4) to the source of a flow,
// in the class that is served first. It takes the path to that source from the destination of p, the
// packet that caused it. For the source of p itself, sent is when p was made.
func (s *Switch) sendCNM(t *core.Turn, p *core.Packet, n algorithms.Notice, sent core.Time) {
	m := s.pool.New()
	m.Kind, m.Size, m.Sent, m.Seq = core.CNM, s.cfg.NoticeLen, sent, int64(n.Feedback)
	m.Src, m.Dst, m.DstQP = s.cfg.ID, n.To, n.QP
	m.SrcPort, m.DstPort = p.DstPort, p.SrcPort
	s.sendOwn(t, m)
}

// sendOwn sends a packet of class 0 that the switch has made, if there is a route.
func (s *Switch) sendOwn(t *core.Turn, m *core.Packet) {
	out, ok := s.route(t, m)
	if !ok {
		s.pool.Free(m)
		return
	}
	s.ports[out].enqueue(t, &s.cfg, out, m)
	s.trySend(t, out)
}

// Counters returns the counters of a port at a time not before the last event.
func (s *Switch) Counters(at int, now core.Time) core.Counters {
	o := &s.ports[at]
	c := o.count
	c.RxPackets, c.RxBytes = o.ingress.packets, o.ingress.bytes
	c.TxPackets, c.TxBytes, c.MaxQueue = o.packets, int64(o.tx+o.control), max(o.deepest, o.count.MaxQueue)
	c.PausedFor, c.Waited = o.pauses.Total(now), o.waitedBy(now)
	for _, list := range s.markers {
		if m, ok := list[at].(algorithms.Managed); ok {
			c.Congested = max(c.Congested, m.Congested(now))
		}
	}
	return c
}

// Gauge returns what a port shows at a time not before the last event. It begins a new peak.
func (s *Switch) Gauge(at int, now core.Time) core.Gauge {
	o := &s.ports[at]
	peak := o.deepest
	o.count.MaxQueue, o.deepest = max(o.count.MaxQueue, peak), o.depth
	return core.Gauge{
		Queue: o.depth, Peak: peak, TxBytes: int64(o.tx + o.control), Marked: o.count.Marked,
		PausedFor: o.pauses.Total(now), Waited: o.waitedBy(now),
	}
}

// SetMarkingRate sets the mean number of packets between two marked ones at a port, where the
// schemes' congestion points know one.
func (s *Switch) SetMarkingRate(at, packets int) {
	for _, list := range s.markers {
		if m, ok := list[at].(algorithms.Managed); ok {
			m.SetMarkingRate(packets)
		}
	}
}

// Depth returns the bytes queued at a port, queue 0 excepted.
func (s *Switch) Depth(at int) core.Bytes { return s.ports[at].depth }

// Histogram returns the samples of a port's queue depth so far, one count per bin of
// MeterConfig.Bin bytes, up to the time now. The caller must not change it.
func (s *Switch) Histogram(at int, now core.Time) []uint64 {
	o := &s.ports[at]
	o.meter.change(now, o.depth)
	return o.meter.counts
}
