package nic_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// A port's gauge shows how much it has sent and how long it was paused; a flow's gauge shows the
// bytes acknowledged and in flight, the last round trip, and the window that binds: the scheme's,
// or the host's.
func TestGauges(t *testing.T) {
	for name, c := range map[string]struct {
		flow    nic.Flow
		control algorithms.Control
		window  core.Bytes
	}{
		"none":           {nic.Flow{}, algorithms.Control{Rate: line / 2}, 0},
		"host":           {nic.Flow{Window: 9000}, algorithms.Control{Rate: line / 2}, 9000},
		"host, scaled":   {nic.Flow{Window: 9000, ScaleWindow: true}, algorithms.Control{Rate: line / 2}, 4500},
		"scheme alone":   {nic.Flow{}, algorithms.Control{Rate: line / 2, Window: 7000}, 7000},
		"scheme":         {nic.Flow{Window: 9000}, algorithms.Control{Rate: line / 2, Window: 7000}, 7000},
		"scheme, scaled": {nic.Flow{Window: 9000, ScaleWindow: true}, algorithms.Control{Rate: line / 2, Window: 4000}, 4000},
		"both":           {nic.Flow{Window: 9000, ScaleWindow: true}, algorithms.Control{Rate: line / 2, Window: 7000}, 4500},
	} {
		r := newRig(t, config(1))
		c.flow.Size, c.flow.Prio, c.flow.Scheme = 4000, 3, &scheme{start: c.control}
		qp := r.open(0, c.flow)
		r.At(2500) // two packets are out
		p := r.ack(qp, 1000, core.Ack)
		p.Sent = 0
		r.arrive(2500, 0, p)
		want := nic.FlowGauge{Acked: 1000, InFlight: 1000, Rate: line / 2, Window: c.window, RTT: 2500 * core.Nanosecond}
		if got := r.h.FlowGauge(qp); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
		r.arrive(3000, 0, r.Pause(3, 0, true))
		if got, want := r.h.Gauge(0, core.AtNanos(3500)), (core.Gauge{TxBytes: 2000, PausedFor: 500 * core.Nanosecond, Waited: r.h.Counters(0, core.AtNanos(3500)).Waited}); got != want {
			t.Errorf("%s: port shows %+v, want %+v", name, got, want)
		}
	}
}

// For a stalled flow the host reports the port, and since when its class is paused there.
func TestPausedSince(t *testing.T) {
	cfg := config(2)
	cfg.Router = fan{1}
	r := newRig(t, cfg)
	qp := r.open(0, nic.Flow{ID: 40, Size: 4000, Prio: 3})
	r.arrive(500, 1, r.Pause(4, 0, true))
	if port, since := r.h.PausedSince(qp); port != 1 || since != core.Never {
		t.Errorf("waits at port %d since %v, want 1, never", port, since)
	}
	r.arrive(700, 1, r.Pause(3, 0, true))
	if port, since := r.h.PausedSince(qp); port != 1 || since != core.AtNanos(700) {
		t.Errorf("waits at port %d since %v, want 1, 700ns", port, since)
	}
	if r.h.FlowID(qp) != 40 || r.h.FlowID(qp+1) != -1 {
		t.Errorf("flows %d and %d, want 40 and none", r.h.FlowID(qp), r.h.FlowID(qp+1))
	}
}
