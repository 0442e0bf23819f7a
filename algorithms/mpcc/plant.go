package mpcc

import "math"

// plant is the model of a path: how the queue at its state switch follows this sender's
// window, on the assumption that the other flows there have the same one.
type plant struct {
	p       *Params
	packet  float64 // of a full packet on the wire
	bdp     float64 // bytes: line rate times base RTT
	line    float64 // of the sender's NIC, bit/s
	baseRTT float64 // s
}

// view is what an ACK says of the state switch.
type view struct {
	queue float64 // bytes
	flows float64
	line  float64 // of the egress link, bit/s
	delay float64 // in all queues of the path, s
}

// fair returns the window that keeps the queue of a link as it is: W_f of eq. 3.4.
func (m *plant) fair(line, flows float64) float64 { return m.bdp * (line / m.line) / flows }

// gain returns B of eq. 3.5 for one ACK: the bytes of queue per byte of window above the fair
// one. With the control step dt = packet RTT/W (eq. A.1), B = dt N line/(8 BDP) is
// N packet/W times the RTT over its queue-free value.
func (m *plant) gain(v *view, window float64) float64 {
	b := v.flows * m.packet / window
	if m.p.DtUsesQueue {
		b *= 1 + v.delay/m.baseRTT
	}
	return b
}

// delay returns tau1 + tau2 of eq. 3.5, the ACKs from a window to its effect in the telemetry:
// the packets in flight.
func (m *plant) delay(window float64) int64 { return int64(math.Round(window / m.packet)) }

// control returns the window for a congested path: the first move of the optimum over the
// horizon, for the queue as it will be when the window takes effect (eq. 3.7).
func (m *plant) control(v *view, window float64, past *past) float64 {
	fair := m.fair(v.line, v.flows)
	b := m.gain(v, window)
	x0 := v.queue
	if m.p.Delay {
		tau := m.delay(window)
		x0 = max(0, x0+float64(b*(float64(past.last(tau))-float64(float64(tau)*fair))))
	}
	q := problem{
		horizon: m.p.Horizon, wq: m.p.WQ, wr: m.p.WR, b: b * float64(m.p.Every), x0: x0,
		lb: -fair, ub: m.bdp - fair,
		qmin: 0, qmax: max((v.flows-1)*m.bdp, x0),
	}
	u, ok := q.first()
	if !ok { // no moves keep the queue from running empty: the link is faster than all flows
		u = q.ub
	}
	return fair + u
}
