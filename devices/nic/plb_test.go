package nic_test

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// guarded is a host with one flow that leaves congested paths, of source port 9999 and then 1, 2, 3 and so on, and has a
// window of some packets. Each of them takes 1 us.
type guarded struct {
	*rig
	acked, nanos int64
}

func guard(t *testing.T, window core.Bytes, rto core.Duration) *guarded {
	cfg := selective(1)
	cfg.RTO, cfg.RTOLow = rto, rto
	cfg.Entropy, cfg.Chance, cfg.PLB = nic.Protective, new(numbered), nic.DefaultPLB()
	g := &guarded{rig: newRig(t, cfg)}
	g.open(0, nic.Flow{Size: 1 << 40, SrcPort: 9999, Scheme: &scheme{start: algorithms.Control{Window: 1000 * window}}})
	return g
}

// next acknowledges the next packet, ten microseconds after the last one.
func (g *guarded) next(flags core.Flags) {
	g.acked, g.nanos = g.acked+1000, g.nanos+10_000
	a := g.ack(0, g.acked, core.Ack)
	a.Flags = flags
	g.arrive(g.nanos, 0, a)
	g.Run(core.AtNanos(g.nanos + 5000))
}

// round acknowledges four packets, of which the first ones are marked, and returns the port of the last packet sent. With a window
// of five packets that is a round trip, whose last acknowledgement is of the newest packet that had been sent when it began.
func (g *guarded) round(marked int) uint16 {
	for i := range 4 {
		flags := core.Flags(0)
		if i < marked {
			flags = core.ECE
		}
		g.next(flags)
	}
	return g.sent[len(g.sent)-1].SrcPort
}

// A flow changes its path once half of the acknowledgements or more have been marked in each of twelve round trips in a
// row: not after eleven, and one round trip of fewer marks is enough to begin anew.
func TestPathStaysCongested(t *testing.T) {
	g := guard(t, 5, 0)
	g.next(0)
	for path := range uint16(5) {
		want := path
		if path == 0 {
			want = 9999
		}
		for _, marked := range []int{2, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 4, 2, 2, 3} {
			if got := g.round(marked); got != want {
				t.Fatalf("path %d: port %d, want %d", path, got, want)
			}
		}
		if got := g.round(2); got != path+1 {
			t.Fatalf("after twelve congested round trips in a row the port is %d, want %d", got, path+1)
		}
	}
}

// With nothing in flight three round trips are enough: no packet can be overtaken.
func TestIdlePathIsLeftSooner(t *testing.T) {
	g := guard(t, 1, 0)
	for i, c := range []struct {
		flags core.Flags
		want  uint16
	}{{core.ECE, 9999}, {core.ECE, 9999}, {0, 9999}, {core.ECE, 9999}, {core.ECE, 9999}, {core.ECE, 1}, {core.ECE, 1}, {core.ECE, 1}, {core.ECE, 2}} {
		g.next(c.flags)
		if got := g.sent[len(g.sent)-1].SrcPort; got != c.want {
			t.Errorf("acknowledgement %d: port %d, want %d", i, got, c.want)
		}
	}
}

// A packet that was trimmed counts as marked.
func TestTrimmedPacketsCountAsMarked(t *testing.T) {
	g := guard(t, 5, 0)
	g.next(0)
	for range 12 {
		if got := g.sent[len(g.sent)-1].SrcPort; got != 9999 {
			t.Fatalf("port %d too early", got)
		}
		for range 4 {
			g.arrive(g.nanos+5000, 0, g.trimmed(0, g.acked+4000, g.acked))
		}
		g.round(0)
	}
	if got := g.sent[len(g.sent)-1].SrcPort; got != 1 {
		t.Errorf("port %d, want 1", got)
	}
}

// After a time-out the path changes at once, and round trips are counted anew.
func TestPathOfTimeoutIsLeft(t *testing.T) {
	g := guard(t, 5, 50*core.Microsecond)
	g.next(0)
	for range 11 {
		if got := g.round(4); got != 9999 {
			t.Fatalf("port %d too early", got)
		}
	}
	g.nanos += 52_000
	g.Run(core.AtNanos(g.nanos))
	if got := g.sent[len(g.sent)-1]; got.SrcPort != 1 || got.Flags&core.Rtx == 0 {
		t.Fatalf("after a time-out: %+v", got)
	}
	g.next(core.ECE) // five packets were in flight
	for i := range 12 {
		if got := g.round(4); (got == 1) != (i < 11) {
			t.Errorf("port %d after %d round trips", got, i+1)
		}
	}
}

// Messages of a connection leave congested paths as one message of all their packets would: round trips are those of the
// connection, and it is idle if nothing of any message is in flight.
func TestPathOfConnection(t *testing.T) {
	ports := func(messages, packets int64) (list []uint16) {
		cfg := selective(1)
		cfg.Entropy, cfg.Chance, cfg.PLB = nic.Protective, new(numbered), nic.DefaultPLB()
		r := newRig(t, cfg)
		for range messages {
			r.open(0, nic.Flow{Size: 1000 * packets, SrcPort: 9999, Scheme: &scheme{start: algorithms.Control{Window: 5000}}, Connection: 1})
		}
		for i := range int64(120) {
			a := r.ack(int32(i/packets), 1000*(i%packets+1), core.Ack)
			a.Flags = core.ECE
			r.arrive(10_000*(i+1), 0, a)
		}
		for i := range r.sent {
			list = append(list, r.sent[i].SrcPort)
		}
		return list
	}
	want := ports(1, 120)
	if slices.Max(want) != 9999 || want[len(want)-1] != 2 {
		t.Errorf("one message takes ports %v", want)
	}
	for _, packets := range []int64{1, 2, 4, 60} {
		if got := ports(120/packets, packets); !slices.Equal(got, want) {
			t.Errorf("messages of %d packets take ports %v, one of all takes %v", packets, got, want)
		}
	}
}
