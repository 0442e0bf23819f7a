package tcp

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// The first sample R gives SRTT = R and RTTVAR = R/2 (RFC 6298, eq. 2.2), so RTO = 3 R. While round trips stay the
// same, RTTVAR falls to three quarters with each, and RTO with it, down to two round trips. If a round trip has several
// samples, each has its share in that.
func TestTimeoutOfConstantRoundTrips(t *testing.T) {
	const r = 8e-3
	for _, share := range []float64{1, 0.1} {
		var tr trips
		for n, left := 0, 1.0; n < 30; n, left = n+1, left*(1-share/4) {
			tr.sample(r, share)
			if want := r + max(r, 2*r*left); tr.srtt != r || !near(tr.rttvar, r/2*left, 1e-12) || !near(tr.timeout().Seconds(), want, 1e-11) {
				t.Errorf("after %d samples of %v s: SRTT %v, RTTVAR %v, RTO %v; want RTO %v s", n+1, r, tr.srtt, tr.rttvar, tr.timeout(), want)
			}
		}
	}
}

// R and then 2 R: RTTVAR = 3/4 R/2 + 1/4 R = 5/8 R, from the SRTT before, SRTT = 7/8 R + 2/8 R, and RTO = 29/8 R
// (RFC 6298, eqs. 2.3), whatever the share.
func TestTimeoutOfALongerRoundTrip(t *testing.T) {
	var tr trips
	tr.sample(8, 1)
	if tr.sample(16, 0.1); tr.rttvar != 5 || tr.srtt != 9 || tr.timeout() != 29*core.Second {
		t.Errorf("RTTVAR %v, SRTT %v, RTO %v; want 5, 9 and 29 s", tr.rttvar, tr.srtt, tr.timeout())
	}
}

// The share of an ACK is what it acknowledges of what was in flight before it, all of it where a sender has gone back
// behind it.
func TestShareOfASample(t *testing.T) {
	for inFlight, share := range map[core.Bytes]float64{0: 1, 3000: 0.25, -2000: 1} {
		var tr, want trips
		want.sample(100e-6, 1)
		want.sample(100e-6, share)
		for range 2 {
			s := ack(1000)
			s.InFlight = inFlight
			tr.hear(s)
		}
		if tr != want {
			t.Errorf("%v left in flight: %+v, want %+v", inFlight, tr, want)
		}
	}
}

// A sample is an acknowledgement of something new, even a negative one, whichever transmission it answers. Before the
// first sample the time-out is the host's. A time-out does not change it: the host does the backing off.
func TestSamples(t *testing.T) {
	for name, s := range map[string]algorithms.Scheme{
		"reno": algotest.Make(t, NewReno, RenoDefaults()), "cubic": algotest.Make(t, NewCubic, CubicDefaults()),
		"vegas": algotest.Make(t, NewVegas, VegasDefaults()), "dctcp": algotest.Make(t, NewDCTCP, DCTCPDefaults()),
	} {
		m, c := s.NewSender(), new(algorithms.Control)
		m.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, MTU: 1000, BaseRTT: 100 * us, Timeout: 700 * us}, c)
		step := func(what string, sig *algorithms.Signal, want core.Duration) {
			t.Helper()
			if m.Step(sig, c); !near(float64(c.Timeout), float64(want), 2) {
				t.Errorf("%s: after %s: %v, want %v", name, what, c.Timeout, want)
			}
		}
		nothing, gap := ack(0), nack(2000)
		nothing.Bytes = 0
		gap.Bytes, gap.RTT = 1000, 200*us
		step("nothing", timeout(0), 700*us)
		step("an ACK of nothing new", nothing, 700*us)
		step("an ACK", ack(1000), 300*us)
		step("a NACK of something new", gap, 362_500*core.Nanosecond)
		step("a NACK of nothing new", nack(2000), 362_500*core.Nanosecond)
		step("a time-out", timeout(2000), 362_500*core.Nanosecond)
		m.Start(0, &algorithms.Flow{Line: 10 * core.Gbps, MTU: 1000, BaseRTT: 100 * us}, c)
		step("another start", timeout(0), 0)
	}
}
