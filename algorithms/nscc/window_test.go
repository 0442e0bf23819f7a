package nscc

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

// reference is a flow of the reference network, 100 Gb/s and 12 us, with packets of 1000 bytes: scaling_a and scaling_b
// are 1, alpha 4000 bytes in 12 us, fi 5000, eta 150, and the largest window 225,000 bytes.
func reference() *algorithms.Flow {
	return &algorithms.Flow{Line: 100 * core.Gbps, BaseRTT: 12 * us, MTU: 1000}
}

// started is a flow whose window is then set.
func started(t *testing.T, f *algorithms.Flow, p Params, cwnd float64) (*sender, *algorithms.Control) {
	t.Helper()
	s, c := algotest.Make(t, New, p).NewSender().(*sender), new(algorithms.Control)
	s.Start(0, f, c)
	if cwnd != 0 {
		s.cwnd = cwnd
	}
	return s, c
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// The constants grow with the bandwidth-delay product: at 400 Gb/s and 12 us, with packets of 4096 bytes, four times those
// at 100 Gb/s, which are fi = 20 KB, eta = 614 B, fi_scale = 0.25 (htsim, as described). alpha t is 4 packets, times
// both scalings (UE 1.0, section 3.6.13.3).
func TestScaling(t *testing.T) {
	for _, c := range []struct {
		line                                    core.Rate
		rtt, target                             core.Duration
		perTarget, fi, eta, fiScale, most, zero float64
	}{
		{100 * core.Gbps, 12 * us, 0, 4 * 4096, 5 * 4096, 614.4, 0.25, 225e3, 1e6},
		{400 * core.Gbps, 12 * us, 0, 16 * 4096, 20 * 4096, 2457.6, 1, 900e3, 1e6},
		{800 * core.Gbps, 6 * us, 0, 8 * 4096, 20 * 4096, 2457.6, 1, 900e3, 5e5},
		{400 * core.Gbps, 12 * us, 9 * us, 12 * 4096, 20 * 4096, 2457.6, 1, 900e3, 1e6},
	} {
		p := Defaults()
		p.TargetQDelay = c.target
		r := newRules(&p, &algorithms.Flow{Line: c.line, BaseRTT: c.rtt, MTU: 4096})
		target := c.target
		if target == 0 {
			target = c.rtt
		}
		if r.target != target || r.extreme != 4*target || r.period != c.rtt || r.batch != 8*4096 || float64(r.zero) != c.zero {
			t.Errorf("%v, %v: target %v, qa_threshold %v, period %v, batch %v, zero %v", c.line, c.rtt, r.target, r.extreme, r.period, r.batch, r.zero)
		}
		for _, v := range [][2]float64{
			{r.alpha * r.target.Seconds(), c.perTarget}, {r.fi, c.fi}, {r.eta, c.eta}, {r.fiScale, c.fiScale}, {r.mostEver, c.most},
		} {
			if !near(v[0], v[1]) {
				t.Errorf("%v, %v, target %v: got %v, want %v", c.line, c.rtt, target, v[0], v[1])
			}
		}
	}
}

// What is given is taken as it is.
func TestGivenConstants(t *testing.T) {
	p := Params{
		TargetQDelay: 5 * us, Alpha: 7, FI: 8, FIScale: 9, Eta: 10, ZeroQDelay: 11, AdjustBytes: 12, AdjustPeriod: 13,
		QAThreshold: 14, MaxWnd: 15_000,
	}
	r := newRules(&p, reference())
	r.Params = nil
	want := rules{
		mtu: 1000, base: 12 * us, target: 5 * us, zero: 11, period: 13, extreme: 14, batch: 12, alpha: 7, fi: 8, eta: 10,
		fiScale: 9, mostEver: 15_000,
	}
	if r != want {
		t.Errorf("got %+v\nwant %+v", r, want)
	}
}

// A new flow has the largest window, at least a packet (UE 1.0, table of the source's state).
func TestFirstWindow(t *testing.T) {
	for most, want := range map[core.Bytes]core.Bytes{0: 225_000, 1: 1000, 80_000: 80_000} {
		p := Defaults()
		p.MaxWnd = most
		if _, c := started(t, reference(), p, 0); c.Window != want || c.Rate != 100*core.Gbps || c.Wake != core.Never {
			t.Errorf("max_wnd=%v: %+v, want %v", most, c, want)
		}
	}
}

// The four cases, for 9000 bytes that arrive at a window of 100,000: alpha 9000 (12-3 us)/W = 270; fi 9000/W = 450; nothing;
// and, with a mean delay of twice the target, 1 - 0.8/2 of the window, rounded down (UE 1.0, section 3.6.13).
func TestCases(t *testing.T) {
	for _, c := range []struct {
		delay  core.Duration
		marked bool
		want   core.Bytes
	}{
		{3 * us, false, 100_270}, {12*us - 1, false, 100_000}, {12 * us, false, 100_450}, {50 * us, false, 100_450},
		{0, true, 100_000}, {12*us - 1, true, 100_000}, {12 * us, true, 60_000}, {24 * us, true, 60_000},
	} {
		s, _ := started(t, reference(), Defaults(), 100_000)
		s.avgDelay, s.cut, s.received = float64(24*us), -core.Time(13*us), 9000
		s.react(0, 9000, c.delay, c.marked)
		if s.adjust(0); s.bytes() != c.want {
			t.Errorf("delay %v, marked %v: window %v, want %v", c.delay, c.marked, s.bytes(), c.want)
		}
	}
}

// A decrease leaves 1 - gamma (D-t)/D of the window: all of it at the target, 73.3 % at 1.5 targets, 60 % at 2, and at
// least max_md_jump and a packet.
func TestDecrease(t *testing.T) {
	for _, c := range []struct{ window, targets, want float64 }{
		{90_000, 0.5, 90_000}, {90_000, 1, 90_000}, {90_000, 1.5, 66_000}, {90_000, 2, 54_000}, {90_000, 2.6, 90_000 * (1 - 0.8*1.6/2.6)},
		{90_000, 3, 45_000}, {90_000, 100, 45_000}, {1500, 10, 1000},
	} {
		s, _ := started(t, reference(), Defaults(), c.window)
		s.avgDelay = c.targets * float64(12*us)
		s.decrease(core.Time(13 * us))
		if !near(s.cwnd, c.want) {
			t.Errorf("%v targets: %v of %v, want %v", c.targets, s.cwnd, c.window, c.want)
		}
	}
}

// The window falls once in a base round trip, and only later than that after the last time.
func TestOneDecreaseInARoundTrip(t *testing.T) {
	s, _ := started(t, reference(), Defaults(), 64_000)
	s.avgDelay = float64(48 * us)
	for _, c := range []struct {
		at   core.Duration
		want float64
	}{{12 * us, 64_000}, {12*us + 1, 32_000}, {24*us + 1, 32_000}, {24*us + 2, 16_000}} {
		if s.decrease(core.Time(c.at)); s.cwnd != c.want {
			t.Errorf("at %v: %v, want %v", c.at, s.cwnd, c.want)
		}
	}
}

// Increases wait until more than 8 packets have arrived or a base round trip has passed, which alone brings eta.
func TestAdjustment(t *testing.T) {
	s, _ := started(t, reference(), Defaults(), 100_000)
	s.inc = 1e6
	for _, c := range []struct {
		at             core.Duration
		received, want float64
	}{
		{us, 8000, 100_000}, {us, 8001, 100_010}, {12*us - 1, 8001, 100_010}, {12 * us, 1, 100_160}, {24*us - 1, 9000, 100_160},
		{24 * us, 1, 100_310},
	} {
		s.received = c.received
		if s.adjust(core.Time(c.at)); s.cwnd != c.want {
			t.Errorf("%v, %v received: %v, want %v", c.at, c.received, s.cwnd, c.want)
		}
	}
	s.cwnd, s.inc = 224_990, 0
	if s.adjust(core.Time(36 * us)); s.cwnd != 225_000 || s.received != 0 {
		t.Errorf("window %v with %v received, want the largest, and none", s.cwnd, s.received)
	}
}

// Once more than a window in a row has met no queue, the window grows by a quarter of what arrives, up to the largest,
// until a packet meets a queue or the window falls.
func TestFastIncrease(t *testing.T) {
	s, _ := started(t, reference(), Defaults(), 10_000)
	s.avgDelay = float64(24 * us)
	feed := func(n float64, delay core.Duration, fast bool, want float64) {
		t.Helper()
		s.react(0, n, delay, false)
		if s.fast != fast || s.cwnd != want {
			t.Errorf("%v bytes after %v: fast %v, window %v; want %v, %v", n, delay, s.fast, s.cwnd, fast, want)
		}
	}
	feed(10_000, us-1, false, 10_000)
	if s.inc == 0 {
		t.Error("before that, the increase is proportional")
	}
	s.inc = 0
	feed(1, 0, true, 10_000.25)
	feed(4000, us-1, true, 11_000.25)
	if s.inc != 0 {
		t.Error("fast increase is instead of proportional increase")
	}
	feed(4000, us, false, 11_000.25)
	feed(11_000, 0, false, 11_000.25)
	feed(1000, 0, true, 11_250.25)
	s.react(core.Time(13*us), 0, 12*us, true)
	if s.fast || s.idle != 0 || s.cwnd != 11_250.25*0.6 {
		t.Errorf("after a decrease: fast %v, window %v", s.fast, s.cwnd)
	}
	feed(6000, 0, false, 11_250.25*0.6)
	feed(1e6, 0, true, 225_000)
}

// A mark without delay, a delay without mark, and a window that outgrows the bytes that have met no queue leave fast
// increase as it is.
func TestFastIncreaseGoesOn(t *testing.T) {
	s, _ := started(t, reference(), Params{Gamma: 0.8, MaxMDJump: 0.5, FIScale: 2}, 10_000)
	s.fast, s.idle = true, 10_000
	s.react(0, 1000, 0, true)
	s.react(0, 1000, 12*us, false)
	if !s.fast || s.cwnd != 10_000 {
		t.Errorf("fast %v, window %v", s.fast, s.cwnd)
	}
	s.react(0, 1000, 0, false)
	s.react(0, 1000, 0, false)
	if !s.fast || s.cwnd != 14_000 {
		t.Errorf("fast %v, window %v, want 14,000", s.fast, s.cwnd)
	}
}

// The base round trip is the least measured one, and the largest window is in proportion to it, but at least a packet.
func TestBaseRTT(t *testing.T) {
	s, _ := started(t, reference(), Defaults(), 0)
	for _, c := range []struct {
		rtt, delay, base core.Duration
		most             float64
	}{
		{15 * us, 3 * us, 12 * us, 225_000}, {8 * us, 0, 8 * us, 150_000}, {15 * us, 7 * us, 8 * us, 150_000}, {0, 0, 0, 1000}, {us, us, 0, 1000},
	} {
		if delay := s.measure(c.rtt); delay != c.delay || s.baseRTT != c.base || !near(s.most, c.most) {
			t.Errorf("round trip %v: delay %v, base %v, largest window %v; want %+v", c.rtt, delay, s.baseRTT, s.most, c)
		}
	}
}

// The mean delay is over the packets of a base round trip: each moves it by MTU/cwnd of the difference, times round trips
// over base round trips; with a window of a packet it is the last delay.
func TestMeanDelay(t *testing.T) {
	s, _ := started(t, reference(), Defaults(), 100_000)
	for _, c := range []struct {
		window float64
		delay  core.Duration
		want   float64
	}{
		{100_000, 12 * us, 0.02 * 12}, {100_000, 0, 0.99 * 0.24}, {1000, 0, 0}, {100_000, 1188 * us, 1188}, {1000, 7 * us, 7},
	} {
		s.cwnd = c.window
		if s.average(c.delay); math.Abs(s.avgDelay/float64(us)-c.want) > 1e-9 {
			t.Errorf("window %v, delay %v: mean %v us, want %v", c.window, c.delay, s.avgDelay/float64(us), c.want)
		}
	}
}
