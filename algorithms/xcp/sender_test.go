package xcp

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// started is a flow of 10 Gb/s and 10 us, with packets of 1060 bytes on the wire, of which 1000 are
// payload: line rate times base round trip is 12,500 bytes.
func started(t *testing.T, change func(*Params)) (algorithms.Sender, *algorithms.Control) {
	t.Helper()
	p := Defaults()
	p.RTTGain = 1
	change(&p)
	scheme := algotest.Make(t, New, p)
	s, c := scheme.NewSender(), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, BaseRTT: 10 * us, MTU: 1000, Packet: 1060}, c)
	return s, c
}

// The window changes by the feedback of the ACK, between a packet and line rate times round trip;
// rate and header follow.
func TestSender(t *testing.T) {
	s, c := started(t, func(*Params) {})
	for _, step := range []struct {
		feedback float64
		rtt      core.Duration
		cwnd     float64
	}{
		{0, 10 * us, 1060},
		{4240, 10 * us, 5300},
		{-1060, 10 * us, 4240},
		{-1e30, 10 * us, 1060},
		{1e30, 10 * us, 12_500},
		{0, 20 * us, 12_500},
		{1e30, 20 * us, 25_000},
		{0, 10 * us, 12_500},
		{math.NaN(), 10 * us, 12_500},
		{math.Inf(-1), 10 * us, 1060},
	} {
		s.Step(&algorithms.Signal{Kind: algorithms.Ack, RTT: step.rtt, Aux: withFeedback(0, step.feedback)}, c)
		rate := core.Rate(8 * step.cwnd / step.rtt.Seconds())
		if window := core.Bytes(step.cwnd / 1.06); c.Window != window || max(c.Rate-rate, rate-c.Rate) > 1 {
			t.Errorf("feedback %v: %+v, want %v and %v", step.feedback, c, window, rate)
		}
		h, ok := unpack(c.Stamp)
		asks := (1.25e9*step.rtt.Seconds() - step.cwnd) / (step.cwnd / 1060)
		checkShort(t, "cwnd", step.cwnd, h.cwnd)
		if !ok || math.Abs(h.rtt-step.rtt.Seconds()) > step.rtt.Seconds()/4096 || math.Abs(h.feedback-asks) > 1e-3 {
			t.Errorf("feedback %v: packets say %+v, want a request of %v", step.feedback, h, asks)
		}
	}
}

// A window of one packet is at least a byte of payload, though 49 (1/49) is less than 1 in floating point.
func TestWindowOfAByte(t *testing.T) {
	s, c := algotest.Make(t, New, Defaults()).NewSender(), new(algorithms.Control)
	if s.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, BaseRTT: 10 * us, MTU: 1, Packet: 49}, c); c.Window != 1 {
		t.Errorf("window %v, want 1B", c.Window)
	}
}

// A new rate moves the running gap; the same rate does not, nor does another signal.
func TestOrders(t *testing.T) {
	s, c := started(t, func(*Params) {})
	for _, step := range []struct {
		kind     algorithms.SignalKind
		feedback float64
		do       algorithms.Orders
	}{{algorithms.Ack, 0, 0}, {algorithms.Ack, 1000, algorithms.Repace}, {algorithms.Loss, 1000, 0}} {
		c.Do = 0
		s.Step(&algorithms.Signal{Kind: step.kind, RTT: 10 * us, Aux: withFeedback(0, step.feedback)}, c)
		if c.Do != step.do {
			t.Errorf("feedback %v gives orders %b, want %b", step.feedback, c.Do, step.do)
		}
	}
}

func TestParameters(t *testing.T) {
	_, c := started(t, func(p *Params) { p.FirstWindow, p.DesiredRate = 5300, 2*core.Gbps })
	if h, _ := unpack(c.Stamp); c.Window != 5000 || math.Abs(h.feedback-(2500-5300)/5.) > 1e-3 {
		t.Errorf("window %v, packets say %+v; want 5KB and a request of -560", c.Window, h)
	}
	_, c = started(t, func(p *Params) { p.FirstWindow, p.DesiredRate = 5300, 20*core.Gbps })
	if h, _ := unpack(c.Stamp); math.Abs(h.feedback-(12_500-5300)/5.) > 1e-3 {
		t.Errorf("twice the line rate desired: packets say %+v, want a request of 1440, for the line", h)
	}
	s, c := started(t, func(p *Params) { p.RTTGain = 0.25 })
	s.Step(&algorithms.Signal{Kind: algorithms.Ack, RTT: 14 * us}, c)
	if h, _ := unpack(c.Stamp); math.Abs(h.rtt-11e-6) > 11e-6/4096 {
		t.Errorf("a round trip of 14us after 10us counts as %v, want 11us", h.rtt)
	}
}
