package switching_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// trimming is a switch of 5 ports whose class 1 is lossy and trimmed: a queue of it holds 5000 bytes, which is two packets.
func trimming() switching.Config {
	cfg := config(5)
	cfg.Buffer.Lossy, cfg.Buffer.Trim, cfg.Buffer.Reserve = 1<<1, true, 0
	cfg.Buffer.Total, cfg.Buffer.LossyShift = 500_000+80_000, 4
	return cfg
}

// burst has a packet of 2000 bytes and class 1 arrive on every port but 0, which it goes to, several times at once.
func (r *rig) burst(nanos int64, times int) {
	for i := range times {
		for port := 1; port < 5; port++ {
			p := r.packet(0, 2000, 1)
			p.Seq = int64(10*i + port)
			r.arrive(nanos, port, p)
		}
	}
}

// A packet of a lossy class that finds no room goes on without its payload, before what waits, in no class that is
// accounted. What is not data, or of a lossless class, is dropped as ever.
func TestTrim(t *testing.T) {
	r := newRig(t, trimming())
	r.burst(1000, 2)
	ack := r.packet(0, 2000, 1)
	ack.Kind = core.Ack
	r.arrive(1000, 1, ack)
	r.Run(core.AtNanos(20_000))
	type packet struct {
		at, seq       int64
		size, payload int32
		prio          uint8
		flags         core.Flags
	}
	var got []packet
	for i := range r.sent {
		d := &r.sent[i]
		got = append(got, packet{d.at.Nanos(), d.Seq, d.Size, d.Payload, d.Prio, d.Flags})
	}
	const cut = core.ECT | core.Trimmed
	want := []packet{
		{1000, 1, 2000, 1952, 1, core.ECT}, {3000, 4, 48, 0, 0, cut}, {3048, 11, 48, 0, 0, cut}, {3096, 12, 48, 0, 0, cut},
		{3144, 13, 48, 0, 0, cut}, {3192, 14, 48, 0, 0, cut}, {3240, 2, 2000, 1952, 1, core.ECT}, {5240, 3, 2000, 1952, 1, core.ECT},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for port, n := range []int64{0, 1, 1, 1, 2} {
		if c := r.sw.Counters(port, r.Turn.Now); c.Trimmed != n || (c.DroppedPackets != 0) != (port == 1) {
			t.Errorf("port %d: %+v", port, c)
		}
	}
}

// Ten trimmed packets go for one of another class that waits, and all others of class 0 before them, NACKs of trimmed
// packets too.
func TestTrimmedPacketsYield(t *testing.T) {
	r := newRig(t, trimming())
	r.burst(1000, 9) // one is sent, two wait, 33 are trimmed
	nack := r.packet(0, 66, 0)
	nack.Kind, nack.Payload, nack.Flags = core.Nack, 0, core.Trimmed
	r.arrive(1100, 1, nack)
	r.arrive(1100, 2, r.packet(0, 64, 0))
	r.Run(core.AtNanos(20_000))
	sizes := r.sizes(0)
	want := slices.Concat([]int32{2000, 66, 64}, slices.Repeat([]int32{48}, 10), []int32{2000}, slices.Repeat([]int32{48}, 10), []int32{2000}, slices.Repeat([]int32{48}, 13))
	if !slices.Equal(sizes, want) {
		t.Errorf("got  %v\nwant %v", sizes, want)
	}
}

// A link that fails takes the trimmed packets along.
func TestTrimmedPacketsOfFailedLink(t *testing.T) {
	r := newRig(t, trimming())
	r.burst(1000, 2)
	r.setLink(1500, 0, false)
	r.setLink(1600, 0, true)
	r.Run(core.AtNanos(20_000))
	if c := r.sw.Counters(0, r.Turn.Now); len(r.sent) != 1 || c.Flushed != 7 {
		t.Errorf("sent %d packets, flushed %d", len(r.sent), c.Flushed)
	}
	r.burst(30_000, 1)
	if r.Run(core.AtNanos(50_000)); len(r.sent) != 1+4 {
		t.Errorf("sent %d packets", len(r.sent))
	}
}
