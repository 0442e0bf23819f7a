package nic_test

import (
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// What a flow has never sent takes its time at the line rate, whatever it sends again; but a flow that
// may be given up names no time beyond its time-out.
func TestUnsent(t *testing.T) {
	for name, c := range map[string]struct {
		rto, low core.Duration
		retries  int
		want     [3]int64 // ns: after 500 ns, 3.5 us, and 30 us, when all has been sent
	}{
		"no timer":       {0, 0, 0, [3]int64{9000, 7000, 0}},
		"never gives up": {8 * core.Microsecond, 0, 0, [3]int64{9000, 7000, 0}},
		"gives up":       {8 * core.Microsecond, 0, 3, [3]int64{8000, 7000, 0}},
		"few in flight":  {8 * core.Microsecond, 5 * core.Microsecond, 3, [3]int64{5000, 5000, 0}},
	} {
		cfg := config(1)
		cfg.RTO, cfg.RTOLow, cfg.Retries = c.rto, c.low, c.retries
		r := newRig(t, cfg)
		qp := r.open(0, nic.Flow{ID: 9, Size: 10_000})
		for i, at := range []int64{500, 3500, 30_000} {
			r.Run(core.AtNanos(at))
			if got := r.h.Unsent(qp); got != core.Duration(c.want[i])*core.Nanosecond {
				t.Errorf("%s, at %d ns: %v, want %d ns", name, at, got, c.want[i])
			}
			if i == 0 {
				r.arrive(2600, 0, r.ack(qp, 1000, core.Nack)) // the second and third packets are sent again
			}
		}
	}
}

// A flow that has timed out may be given up at any time.
func TestUnsentAfterTimeout(t *testing.T) {
	cfg := config(1)
	cfg.RTO, cfg.Retries = core.Microsecond/2, 9
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{ID: 9, Size: 100_000})
	r.Run(core.AtNanos(3000))
	if got := r.h.Unsent(qp); got != 0 {
		t.Errorf("got %v, want 0", got)
	}
}
