package nic_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// told is a scheme whose notification points keep what they are told at the start.
type told struct {
	*scheme
	ports *[]algorithms.Port
}

func (s told) NewReceiver() algorithms.Receiver { return toldReceiver{receiver{s.scheme}, s.ports} }

type toldReceiver struct {
	receiver
	ports *[]algorithms.Port
}

func (r toldReceiver) Start(now core.Time, p *algorithms.Port, reply *algorithms.Reply) {
	*r.ports = append(*r.ports, *p)
	r.receiver.Start(now, p, reply)
}

// Every notification point is told of its port, and has a random stream of its own.
func TestNotificationPointsAtTheStart(t *testing.T) {
	var got []algorithms.Port
	s := told{&scheme{}, &got}
	for id := range core.NodeID(2) {
		cfg := config(2)
		cfg.ID, cfg.MaxRTT, cfg.Receivers = id, 9*core.Microsecond, []algorithms.Scheme{s, s}
		newRig(t, cfg)
	}
	drawn := make(map[uint32]bool)
	for i, p := range got {
		drawn[p.Random.Uint32()] = true
		p.Random, p.Shared = nil, nil
		if want := (algorithms.Port{Node: core.NodeID(i / 4), Port: i / 2 % 2, Line: line, MaxRTT: 9 * core.Microsecond, MTU: 1000}); p != want {
			t.Errorf("told %+v, want %+v", p, want)
		}
	}
	if len(got) != 8 || len(drawn) != 8 {
		t.Errorf("%d notification points draw %d different numbers, want 8 and 8", len(got), len(drawn))
	}
}
