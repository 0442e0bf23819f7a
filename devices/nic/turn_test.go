package nic_test

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// Flows are served in turn after the one served last, also when one has ended meanwhile and left the list. In the
// reference the turn stays at its index in the list, which is then that of another flow.
func TestTurnAfterEnd(t *testing.T) {
	for _, c := range []struct {
		forAll bool
		want   []int32
	}{
		{false, []int32{1, 2, 3}},
		{true, []int32{2, 3, 1}},
	} {
		cfg := config(1)
		cfg.WakeForAll = c.forAll
		r := newRig(t, cfg)
		for _, size := range []int64{1000, 3000, 3000, 3000} {
			r.open(0, nic.Flow{Size: size, Window: 1000, Prio: 3})
		}
		r.arrive(10_000, 0, r.ack(0, 1000, core.Ack))
		r.arrive(20_000, 0, r.Pause(3, 0, true))
		for qp := range int32(3) {
			r.arrive(20_000, 0, r.ack(qp+1, 1000, core.Ack))
		}
		r.arrive(30_000, 0, r.Pause(3, 0, false))
		r.Run(core.AtNanos(40_000))
		var got []int32
		for i := range r.sent[4:] {
			got = append(got, r.sent[4+i].SrcQP)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("for all %v: served %v, want %v", c.forAll, got, c.want)
		}
	}
}

// A flow that starts while none may send comes after the one served last, also if another has ended meanwhile and the
// one served last was the last of the list.
func TestTurnOfNewFlow(t *testing.T) {
	for _, flows := range []int{2, 100} { // with and without a tournament
		r := newRig(t, config(1))
		for range flows {
			r.open(0, nic.Flow{Size: 2000, Window: 1000, Prio: 3})
		}
		last := int32(flows) - 1
		r.arrive(1_000_000, 0, r.Pause(3, 0, true))
		r.arrive(1_001_000, 0, r.ack(0, 2000, core.Ack))
		r.arrive(1_002_000, 0, r.ack(last, 1000, core.Ack))
		r.open(1_003_000, nic.Flow{Size: 1000, Prio: 3})
		r.arrive(1_004_000, 0, r.Pause(3, 0, false))
		r.Run(core.AtNanos(2_000_000))
		var got []int32
		for i := range r.sent[flows:] {
			got = append(got, r.sent[flows+i].SrcQP)
		}
		if want := []int32{last + 1, last}; !slices.Equal(got, want) {
			t.Errorf("%d flows: served %v, want %v", flows, got, want)
		}
	}
}
