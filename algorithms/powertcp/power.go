package powertcp

import (
	"math"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

type scheme struct{ p Params }

// New returns PowerTCP with the given parameters, or says which of them is wrong.
func New(p Params) (algorithms.Scheme, error) {
	if err := algorithms.CheckParams("powertcp", &p); err != nil {
		return nil, err
	}
	return &scheme{p}, nil
}

// The telemetry is HPCC's: 64 bits a hop, and 16 bits of hop count.
const (
	headerBytes = 2
	hopBytes    = 8
)

func (s *scheme) Traits() algorithms.Traits {
	return algorithms.Traits{
		Name:        "powertcp",
		Hears:       algorithms.Hears(algorithms.Ack, algorithms.Path),
		Needs:       algorithms.INT,
		HeaderBytes: headerBytes,
		HopBytes:    hopBytes,
	}
}

func (s *scheme) NewSender() algorithms.Sender     { return &sender{p: &s.p} }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

type sender struct {
	p      *Params
	window window
	hops   []core.Hop // the records of the previous ACK
	known  bool       // hops are filled
	stale  int64      // ACKs up to it may be from a former path
	format core.INTFormat
}

// Start allocates the records per hop, once.
func (s *sender) Start(_ core.Time, f *algorithms.Flow, c *algorithms.Control) {
	hops := s.hops
	if cap(hops) < f.INT.MaxHops {
		hops = make([]core.Hop, f.INT.MaxHops)
	}
	*s = sender{p: s.p, hops: hops[:f.INT.MaxHops], stale: -1, format: f.INT}
	s.window.start(s.p, f, c)
	s.stamp(c)
}

func (s *sender) Step(sig *algorithms.Signal, c *algorithms.Control) {
	switch sig.Kind {
	case algorithms.Ack:
		s.onAck(sig, c)
	case algorithms.Path:
		s.known, s.stale = false, sig.Next
	}
}

func (s *sender) onAck(sig *algorithms.Signal, c *algorithms.Control) {
	hops := sig.Hops[:min(len(sig.Hops), len(s.hops))]
	if len(hops) == 0 || sig.Acked <= s.stale {
		return
	}
	if !s.known {
		copy(s.hops, hops)
		s.known = true
		return
	}
	var power, dt float64
	for i := range hops {
		if p, d := s.read(&hops[i], &s.hops[i]); p > power || dt == 0 {
			power, dt = p, d
		}
	}
	s.window.measure(power, dt)
	s.window.update(s.sentUnder(sig.Aux))
	s.window.answer(c)
	s.stamp(c)
}

// stamp has packets remember the window that they are sent under.
func (s *sender) stamp(c *algorithms.Control) { c.Stamp = math.Float64bits(s.window.cwnd) }

// sentUnder returns the window of a packet's stamp, or for one without the present window.
func (s *sender) sentUnder(stamp uint64) float64 {
	if old := math.Float64frombits(stamp); old > 0 && old <= s.window.bdp {
		return old
	}
	return s.window.cwnd
}

// read returns the normalised power of a hop since its old record and the time, in s, over
// which it was measured, and replaces the old record, but by none that is older.
func (s *sender) read(h, old *core.Hop) (power, dt float64) {
	if dt = s.format.Elapsed(h, old).Seconds(); dt < 0 {
		return 0, 0
	}
	sent := float64(s.format.TxBytes(h, old))
	queue := float64(s.format.QueueBytes(h))
	growth := queue - float64(s.format.QueueBytes(old))
	*old = *h
	if dt == 0 {
		return 0, 0
	}
	b := float64(h.Line) / 8
	return normPower((growth+sent)/dt, queue, b, s.window.tau, s.p.MinArrival), dt
}

// normPower returns the power of a link of b byte/s into which lambda byte/s arrive and at
// which queue bytes wait, relative to b^2 tau.
func normPower(lambda, queue, b, tau, minArrival float64) float64 {
	lambda = max(lambda, minArrival*b)
	return lambda * (queue + float64(b*tau)) / (b * b * tau)
}
