package nic_test

import (
	"math"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

const ever = math.MaxInt64

// Bytes that a flow has never sent take their time at the line rate, whatever it retransmits. A flow that can be given
// up will not be before its time-out.
func TestMinDrainTime(t *testing.T) {
	for name, c := range map[string]struct {
		rto, low core.Duration
		retries  int
		patience [3]core.Duration // after 500 ns, 3.5 us and 30 us, when all has been sent
	}{
		"no timer":       {0, 0, 0, [3]core.Duration{ever, ever, ever}},
		"never gives up": {8 * core.Microsecond, 0, 0, [3]core.Duration{ever, ever, ever}},
		"gives up":       {8 * core.Microsecond, 0, 3, [3]core.Duration{8 * core.Microsecond, 8 * core.Microsecond, 0}},
		"few in flight":  {8 * core.Microsecond, 5 * core.Microsecond, 3, [3]core.Duration{5 * core.Microsecond, 5 * core.Microsecond, 0}},
	} {
		cfg := config(1)
		cfg.RTO, cfg.RTOLow, cfg.Retries = c.rto, c.low, c.retries
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{ID: 9, Size: 10_000})
		for i, at := range []int64{500, 3500, 30_000} {
			r.Run(core.AtNanos(at))
			unsent, patience := r.h.MinDrainTime(qp)
			if want := []core.Duration{9000, 7000, 0}[i] * core.Nanosecond; unsent != want || patience != c.patience[i] {
				t.Errorf("%s, at %d ns: %v and %v, want %v and %v", name, at, unsent, patience, want, c.patience[i])
			}
			if i == 0 {
				r.arrive(2600, 0, r.ack(qp, 1000, core.Nack)) // the second and third packets are sent again
			}
		}
	}
}

// A flow that has timed out may be given up at any time.
func TestMinDrainTimeAfterTimeout(t *testing.T) {
	cfg := config(1)
	cfg.RTO, cfg.Retries = core.Microsecond/2, 9
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{ID: 9, Size: 100_000})
	r.Run(core.AtNanos(3000))
	if _, patience := r.h.MinDrainTime(qp); patience != 0 {
		t.Errorf("not before %v, want 0", patience)
	}
}

// A port needs the time of everything that its queue pairs have not sent, except for those that may be given up at any
// time. Of several ports the one that needs most counts.
func TestMinDrainTimeOfAll(t *testing.T) {
	for retries, want := range map[int]core.Duration{0: 14_000, 9: 8000} { // at a byte a nanosecond; or the shortest time-out
		cfg := config(2)
		cfg.Retries = retries
		r := newRig(t, cfg)
		for _, f := range []nic.Flow{
			{Size: 9000, SrcPort: 0, RTO: 50 * core.Microsecond}, {Size: 6000, SrcPort: 0, RTO: 8 * core.Microsecond}, {Size: 4000, SrcPort: 1},
		} {
			r.open(0, f)
		}
		first := r.sent[0].port
		for _, d := range r.sent {
			if d.SrcQP == 1 && d.port != first {
				t.Fatal("the first two flows have different ports")
			}
		}
		r.Run(core.AtNanos(500)) // a packet of each port is being sent
		if lasts, looks := r.h.MinDrainTimeOfAll(); lasts != want*core.Nanosecond || looks != 3 {
			t.Errorf("retries %d: %v after looks at %d pairs, want %dns after 3", retries, lasts, looks, want)
		}
	}
	cfg := config(1)
	cfg.RTO, cfg.Retries = 2*core.Microsecond, 9
	r := newRig(t, cfg)
	r.open(0, nic.Flow{Size: 100_000, Window: 1000})
	r.Run(core.AtNanos(3000)) // it has timed out
	if lasts, looks := r.h.MinDrainTimeOfAll(); lasts != 0 || looks != 1 {
		t.Errorf("%v of a flow that has timed out", lasts)
	}
}
