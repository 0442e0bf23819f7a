package nic_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// An ECN echo is a notification too for a scheme that takes it for one, and for no other.
func TestEcho(t *testing.T) {
	for echo, want := range map[bool][]algorithms.SignalKind{false: {algorithms.Ack}, true: {algorithms.Notify, algorithms.Ack}} {
		var heard []algorithms.SignalKind
		s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Ack, algorithms.Notify), NotifyIsEcho: echo}}
		s.step = func(sig *algorithms.Signal, _ *algorithms.Control) { heard = append(heard, sig.Kind) }
		r := newRig(t, config(1))
		p := r.ack(r.open(0, nic.Flow{Size: 5000, Scheme: s}), 1000, core.Ack)
		p.Flags = core.ECE
		r.arrive(1500, 0, p)
		if !slices.Equal(heard, want) {
			t.Errorf("notify is echo %v: heard %v, want %v", echo, heard, want)
		}
	}
}

// What a data packet carries: of its flow, and of its place in it.
func TestDataPacket(t *testing.T) {
	cfg := config(1)
	cfg.Header = 48
	r := newRig(t, cfg)
	r.open(0, nic.Flow{Size: 1000})
	s := &scheme{traits: algorithms.Traits{Needs: algorithms.ECN, HeaderBytes: 8}, start: algorithms.Control{Stamp: 5}}
	r.open(0, nic.Flow{ID: 9, Dst: 3, SrcPort: 11, DstPort: 12, Prio: 5, Marker: 2, Receiver: 1, DstQP: 77, Size: 1500, Scheme: s})
	r.Run(core.AtNanos(9000))
	want := core.Packet{
		Kind: core.Data, Src: 1, Dst: 3, SrcPort: 11, DstPort: 12, SrcQP: 1, DstQP: 77, Prio: 5, Flags: core.ECT, Marker: 2, Scheme: 1,
		Size: 1056, Payload: 1000, Sent: core.AtNanos(1048), Aux: 5,
	}
	last := want
	last.Seq, last.Size, last.Payload, last.Flags, last.Sent = 1000, 556, 500, core.ECT|core.Last, core.AtNanos(1048+1056)
	if len(r.sent) != 3 || !reflect.DeepEqual(r.sent[1].Packet, want) || !reflect.DeepEqual(r.sent[2].Packet, last) {
		t.Errorf("sent\n%+v, want\n%+v\n%+v", r.sent, want, last)
	}
}
