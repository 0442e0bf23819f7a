package tcp

import (
	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type dctcpScheme struct{ p DCTCPParams }

// NewDCTCP returns DCTCP with the given parameters, or says which of them is wrong.
func NewDCTCP(p DCTCPParams) (algorithms.Scheme, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &dctcpScheme{p}, nil
}

func (s *dctcpScheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:  "dctcp-window",
		Hears: algorithms.Hears(algorithms.Ack, algorithms.Loss),
		Needs: algorithms.ECN, AckEvery: s.p.AckEvery,
		Marks: algorithms.DCTCPMarks(),
	}
}

func (s *dctcpScheme) NewSender() algorithms.Sender     { return &dctcp{p: &s.p} }
func (s *dctcpScheme) NewReceiver() algorithms.Receiver { return &echoes{p: &s.p} }
func (s *dctcpScheme) NewMarker() algorithms.Marker     { return nil }

type dctcp struct {
	p *DCTCPParams
	conn
	alpha         float64
	acked, marked core.Bytes // in this window
	last          int64      // an ACK beyond it ends the window
	reduced       int64      // in reduction by an echo until an ACK passes it
}

func (d *dctcp) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	*d = dctcp{p: d.p, alpha: 1, reduced: -1}
	d.start(d.p.FirstWindow, d.p.AckEvery, f, c)
}

func (d *dctcp) Step(s *algorithms.Signal, c *algorithms.Control) {
	d.trips.hear(s)
	switch {
	case lost(s):
		if d.news(s) {
			d.reduce(s, 0.5)
			d.reduced = -1 // slow start after a time-out is not held back
		}
	case s.Kind == algorithms.Ack:
		d.onAck(s)
	}
	d.answer(c)
}

func (d *dctcp) onAck(s *algorithms.Signal) {
	n := d.hear(s)
	d.acked += s.Bytes
	d.marked += s.Marked
	if s.Acked > d.last {
		d.endWindow(s.Next)
	}
	switch echo := s.Flags&algorithms.ECE != 0; {
	case s.Acked <= d.reduced:
	case echo && s.Acked > d.recover: // the first sign of its window, losses included
		d.reduce(s, 1-float64(d.alpha/2))
		d.reduced, d.recover = s.Next, d.high
	case !echo && d.full:
		d.grow(n)
	}
}

// endWindow updates alpha (RFC 8257, section 3.3).
func (d *dctcp) endWindow(next int64) {
	if d.acked > 0 {
		share := float64(d.marked) / float64(d.acked)
		d.alpha = float64((1-d.p.G)*d.alpha) + float64(d.p.G*share)
	}
	d.acked, d.marked, d.last = 0, 0, next
}
