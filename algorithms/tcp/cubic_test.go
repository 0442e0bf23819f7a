package tcp

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// Check case 16 CUBIC: W_max = 100 packets give K = 4.21716 s, W(0) = 70, W(8) = 121.653 (RFC 9438,
// section 4.2).
func TestCheckCaseCubic(t *testing.T) {
	p := CubicDefaults()
	u := &cubic{p: &p, conn: conn{cwnd: 70}, top: 100}
	u.begin(0)
	if !near(u.k, 4.21716, 5e-6) || !near(u.window(0), 70, 1e-9) || !near(u.window(8), 121.653, 5e-4) {
		t.Errorf("K = %v, W(0) = %v, W(8) = %v", u.k, u.window(0), u.window(8))
	}
}

// CUBIC after a loss: 0.7 of the window, and W_max, which falls further if the window had not
// returned to it (RFC 9438, sections 4.6 and 4.7).
func TestCubicLoss(t *testing.T) {
	p := CubicDefaults()
	u := &cubic{p: &p, conn: conn{cwnd: 100}, top: 90}
	u.shrink(nack(0))
	if u.top != 100 || u.cwnd != 70 || u.ssthresh != 70 || u.epoch != core.Never {
		t.Errorf("from above W_max: %+v", u)
	}
	u.shrink(nack(0))
	if u.top != 59.5 || !near(u.cwnd, 49, 1e-9) {
		t.Errorf("from below W_max: W_max = %v, window %v; want 59.5 and 49", u.top, u.cwnd)
	}
	u.cwnd, u.top = 70, 70
	if u.shrink(nack(0)); u.top != 70 {
		t.Errorf("from W_max: %v, want 70, as nothing was given up to others", u.top)
	}
	p.FastConvergence = false
	u.cwnd, u.top = 70, 100
	if u.shrink(nack(0)); u.top != 70 {
		t.Errorf("without fast convergence: W_max = %v, want 70", u.top)
	}
}

// CUBIC grows as Reno would while the cubic is behind, and towards the cubic beyond (RFC 9438,
// sections 4.3 and 4.4); at most by half a window a round trip.
func TestCubicGrowth(t *testing.T) {
	p := CubicDefaults()
	u := &cubic{p: &p, conn: conn{cwnd: 70}, prior: 100, top: 100, epoch: core.Never}
	u.avoid(0, 1)
	if want := 70 + 3*0.3/1.7/70; !near(u.cwnd, want, 1e-9) {
		t.Errorf("Reno-friendly: %v, want %v", u.cwnd, want)
	}
	before := u.cwnd
	u.avoid(core.Time(8*core.Second), 1)
	if want := before + (1.5*before-before)/before; !near(u.cwnd, want, 1e-9) {
		t.Errorf("far behind the cubic: %v, want %v", u.cwnd, want)
	}
	u.cwnd, u.reno = 120, 1
	u.avoid(core.Time(8*core.Second), 1)
	if want := 120 + (u.window(8)-120)/120; !near(u.cwnd, want, 1e-9) {
		t.Errorf("near the cubic: %v, want %v", u.cwnd, want)
	}
	before = u.cwnd
	u.avoid(core.Time(8*core.Second), 0.5)
	if want := before + 0.5*(u.window(8)-before)/before; !near(u.cwnd, want, 1e-9) {
		t.Errorf("near the cubic, half a packet: %v, want %v", u.cwnd, want)
	}
	u.cwnd = 130
	if u.avoid(core.Time(8*core.Second), 1); u.cwnd != 130 {
		t.Errorf("ahead of the cubic: %v, want 130", u.cwnd)
	}
}

// After a time-out CUBIC returns to a part of its window by slow start, and from there the cubic rises at once: K is 0,
// and W_max the window at which it begins (RFC 9438, section 4.8).
func TestCubicTimeout(t *testing.T) {
	p := CubicDefaults()
	u := &cubic{p: &p, conn: conn{cwnd: 100}, top: 120}
	if u.shrink(timeout(0)); u.cwnd != 1 || u.ssthresh != 70 {
		t.Errorf("window %v and threshold %v, want 1 and 70", u.cwnd, u.ssthresh)
	}
	u.cwnd = 70
	if u.begin(0); u.k != 0 || u.top != 70 || u.window(0) != 70 {
		t.Errorf("K = %v, W_max = %v; want 0 and 70", u.k, u.top)
	}
}

// W_est grows as fast as Reno beyond the window at the loss, which with fast convergence is larger than W_max (RFC
// 9438, section 4.3).
func TestCubicGrowsAsRenoBeyondThePriorWindow(t *testing.T) {
	p := CubicDefaults()
	for estimate, alpha := range map[float64]float64{90: 0.9 / 1.7, 99: 0.9 / 1.7, 100: 1, 110: 1} {
		u := &cubic{p: &p, conn: conn{cwnd: 100}, top: 120}
		u.shrink(nack(0))
		u.begin(0)
		u.reno = estimate
		if u.avoid(0, 7); u.top != 85 || !near(u.reno, estimate+alpha*7/70, 1e-9) {
			t.Errorf("from %v packets, W_max = %v: %v, want %v more for each window", estimate, u.top, u.reno, alpha)
		}
	}
}

// Time in which something else limits a flow does not count for its cubic (RFC 9438, section 5.8), starting with the
// round trip after the last one with a full window.
func TestCubicStandsStill(t *testing.T) {
	s, err := NewCubic(CubicDefaults())
	m, c := begin(t, s, err)
	u := m.(*cubic)
	u.cwnd, u.ssthresh, u.top = 70, 70, 100
	step := func(at core.Duration, flight core.Bytes) {
		s := ack(int64(at / core.Second * 1000))
		s.Now, s.Next, s.InFlight = core.Time(at), s.Acked, flight // the next ACK ends a round trip
		m.Step(s, c)
	}
	step(1*core.Second, 69_000) // the cubic begins
	step(2*core.Second, 69_000)
	for i := range core.Duration(10) {
		step((3+i)*core.Second, 68_000)
	}
	if step(13*core.Second, 69_000); u.epoch != core.Time(10*core.Second) {
		t.Errorf("the cubic begins at %v, want 10 s: of 12 s, 9 do not count", u.epoch)
	}
}

// The window moves to where the cubic will be a smoothed round trip later (RFC 9438, section 4.2; RFC 6298, section 2).
func TestCubicSmoothsTheRoundTrip(t *testing.T) {
	p := CubicDefaults()
	u := &cubic{p: &p}
	u.trips.sample(8, 1)
	if u.trips.sample(16, 1); u.trips.srtt != 9 {
		t.Errorf("8 s, then 16 s: %v s, want 9", u.trips.srtt)
	}
	u.cwnd, u.top = 90, 90
	u.begin(0)
	u.reno = 1
	if u.avoid(0, 1); !near(u.cwnd, 90.5, 1e-9) { // W(9 s) = 381.6 is beyond 1.5 windows
		t.Errorf("window %v, want 90.5", u.cwnd)
	}
	u.trips.srtt, u.cwnd = 4, 90
	if u.avoid(0, 1); !near(u.cwnd, 90+0.4*64/90, 1e-9) {
		t.Errorf("window %v, want a 90th of the way to W(4 s)", u.cwnd)
	}
}

// The cubic is compared with Reno as they are now, not a round trip later (RFC 9438, section 4.3).
func TestCubicComparesWithRenoNow(t *testing.T) {
	p := CubicDefaults()
	u := &cubic{p: &p, conn: conn{cwnd: 90, trips: trips{srtt: 4}}, top: 90}
	u.begin(0)
	u.reno = 95 // between W(0) = 90 and W(4 s) = 115.6
	if u.avoid(0, 1); !near(u.cwnd, 95+1./90, 1e-12) {
		t.Errorf("window %v, want Reno's 95 and a 90th", u.cwnd)
	}
	u.cwnd, u.reno = 120, 100
	if u.avoid(0, 1); u.cwnd != 120 {
		t.Errorf("window %v, want 120, which Reno has not reached", u.cwnd)
	}
}
