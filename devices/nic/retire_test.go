package nic_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// heavy is a scheme for which the test can see whether its senders are forgotten.
type heavy struct {
	scheme
	made []weak.Pointer[heavySender]
}

type heavySender struct {
	sender
	_ [4096]byte
}

func (s *heavy) NewSender() algorithms.Sender {
	m := &heavySender{sender: sender{&s.scheme}}
	s.made = append(s.made, weak.Make(m))
	return m
}

// A flow that has ended, or has been given up, keeps only what is reported about it: a run may have millions.
func TestEndedFlowsAreForgotten(t *testing.T) {
	cfg := config(1)
	cfg.RTO, cfg.Retries = 10*core.Microsecond, 1
	r := newRig(t, cfg)
	s := &heavy{}
	done := r.open(0, nic.Flow{Size: 1000, Scheme: s})
	failed := r.open(0, nic.Flow{Size: 1000, Scheme: s})
	runs := r.open(0, nic.Flow{Size: 1 << 40, Scheme: s, RTO: core.Second})
	r.arrive(5000, 0, r.ack(done, 1000, core.Ack))
	r.Run(core.AtNanos(200_000))
	if got := append(r.ended(core.FlowDone), r.ended(core.FlowFailed)...); len(got) != 2 {
		t.Fatalf("ended: %v", got)
	}
	runtime.GC()
	for qp, want := range map[int32]bool{done: false, failed: false, runs: true} {
		if kept := s.made[qp].Value() != nil; kept != want {
			t.Errorf("queue pair %d keeps its machine: %v, want %v", qp, kept, want)
		}
	}
	if acked, ended, _, st := r.h.Flow(done); acked != 1000 || !ended || st.Timeouts != 0 {
		t.Errorf("told of an ended flow: %d bytes, done %v, %+v", acked, ended, st)
	}
	runtime.KeepAlive(r)
}
