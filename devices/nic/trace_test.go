package nic_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// The trace has every packet that arrives, every one that is queued, with the bytes before it in
// the queue of acknowledgements, and every one that leaves or is dropped, with those behind it. Data
// is made when it leaves.
func TestHostTrace(t *testing.T) {
	cfg := credits(1)
	cfg.Credits.Update = 64
	r := newRig(t, cfg)
	r.Turn.Trace = &core.Trace{}
	r.open(0, nic.Flow{Size: 1000, Prio: 4})
	r.arrive(100, 0, r.data(0))
	r.arrive(200, 0, r.data(1000))
	r.give(300, 9)
	r.Run(core.AtNanos(10_000))
	r.At(20_000)
	r.h.SetLink(&r.Turn, 0, false)
	r.arrive(20_000, 0, r.data(2000)) // arrived just before; its ACK stays
	r.h.SetLink(&r.Turn, 0, false)    // and is dropped
	r.arrive(20_001, 0, r.data(3000))
	var got []string
	for i := range r.Turn.Trace.Records {
		e := &r.Turn.Trace.Records[i]
		if e.Node != 1 || e.Port != 0 {
			t.Errorf("record %+v", e)
		}
		got = append(got, fmt.Sprint(e.At.Nanos(), " ", [...]string{"recv", "enqueue", "dequeue", "drop"}[e.Event], " ", e.Packet.Kind, " ", e.Packet.Seq, " queue ", e.Queue, " depth ", int(e.Depth)))
	}
	want := []string{
		"0 dequeue data 0 queue 4 depth 0",
		"100 recv data 0 queue 0 depth 0", "100 enqueue ack 1000 queue 0 depth 0",
		"200 recv data 1000 queue 0 depth 0", "200 enqueue ack 2000 queue 0 depth 60",
		"1000 dequeue credit 0 queue 0 depth 0",
		"1008 dequeue ack 1000 queue 0 depth 60", "1068 dequeue ack 2000 queue 0 depth 0",
		"1128 dequeue datagram 0 queue 1 depth 0",
		"20000 recv data 2000 queue 0 depth 0", "20000 enqueue ack 3000 queue 0 depth 0", "20000 drop ack 3000 queue 0 depth 0",
		"20001 recv data 3000 queue 0 depth 0", "20001 enqueue ack 4000 queue 0 depth 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}
