package bolt

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

const ns = core.Nanosecond

// newPort is a congestion point of 8 Gb/s, where a byte takes a nanosecond, for packets of 1000 bytes.
func newPort() *marker {
	p := Defaults()
	m := &marker{p: &p}
	m.Start(0, &algorithms.Port{Line: 8 * core.Gbps, MTU: 1000})
	return m
}

// arrive shows a packet of 1000 bytes to the port and returns its mark.
func arrive(m *marker, at core.Duration, queue core.Bytes, aux uint64) (k algorithms.Mark, now uint64) {
	m.Step(&algorithms.Sight{
		Now: core.Time(at), Enqueue: true, Own: true, Queue: queue, Packet: &core.Packet{Kind: core.Data, Size: 1000, Aux: aux},
	}, &k)
	if k.SetAux {
		return k, k.Aux
	}
	return k, aux
}

// Once a packet is queued, only the first hop notifies the source, with the time that the queue takes, and nothing
// grows (NSDI 2023).
func TestQueue(t *testing.T) {
	for _, c := range []struct {
		queue     core.Bytes
		aux, want uint64
		drain     int32 // 0: no notification
	}{
		{1000, present | inc | first, present | dec | first, 1000},
		{123_456, present | inc, present | dec, 123_456},
		{5000, present | dec, present | dec, 0},
		{5000, present | last, present | last | dec, 5000},
		{999, present | last, present | last, 0},
		{1 << 40, present | inc, present | dec, 1<<31 - 1},
		{5000, 0, 0, 0},
	} {
		m := newPort()
		k, got := arrive(m, 0, c.queue, c.aux)
		if got != c.want || k.Notify != (c.drain > 0) || k.Feedback != c.drain || m.ending != 0 && c.queue >= 1000 {
			t.Errorf("queue %v, packet %b: now %b, %+v; want %b and a feedback of %d", c.queue, c.aux, got, k, c.want, c.drain)
		}
	}
}

// Every packet of a last window allows one packet of another flow that asks for growth to pass; a packet of a flow's
// only window does not.
func TestProactiveRampUp(t *testing.T) {
	m := newPort()
	grown := 0
	for _, aux := range []uint64{last, last, last | first, inc, inc, inc, last, inc, inc} {
		if _, now := arrive(m, 0, 0, present|aux); now&inc != 0 {
			grown++
		}
	}
	if grown != 3 || m.ending != 0 {
		t.Errorf("%d packets keep their request, want 3; tokens left: %d", grown, m.ending)
	}
}

// Capacity that the link did not use is given away: all packets keep their request at half the load, half of them at
// two thirds, none at full load; an overload has to be made good first.
func TestSupplyMatching(t *testing.T) {
	for _, c := range []struct {
		every core.Duration
		debt  float64
		want  int
	}{{2000 * ns, 0, 100}, {1500 * ns, 0, 50}, {1000 * ns, 0, 0}, {500 * ns, 0, 0}, {2000 * ns, -40_000, 60}, {10_000 * ns, 0, 100}} {
		m := newPort()
		m.supply = c.debt
		grown := 0
		for i := range 100 {
			if _, now := arrive(m, core.Duration(i+1)*c.every, 0, present|inc); now&inc != 0 {
				grown++
			}
		}
		if grown != c.want {
			t.Errorf("a packet every %v, debt %v: %d of 100 keep their request, want %d", c.every, c.debt, grown, c.want)
		}
	}
}

// However long a link has been idle, it gives away one packet's worth.
func TestSupplyAfterAPause(t *testing.T) {
	m := newPort()
	for i, want := range []uint64{inc, 0} {
		if _, now := arrive(m, core.Second+core.Duration(i)*ns, 0, present|inc); now&inc != want {
			t.Errorf("packet %d after a second without traffic: %b", i, now)
		}
	}
}

// A packet that asks for no growth, or no longer, takes nothing of what there is to give.
func TestNoRequest(t *testing.T) {
	m := newPort()
	arrive(m, 0, 0, present|last)
	arrive(m, core.Second, 0, present)
	if m.ending != 1 || m.supply != m.mtu {
		t.Errorf("left: %d tokens and a supply of %v, want 1 and %v", m.ending, m.supply, m.mtu)
	}
}

// Packets of other schemes use up the supply, and are not written to.
func TestOthers(t *testing.T) {
	m := newPort()
	var k algorithms.Mark
	m.Step(&algorithms.Sight{Now: core.Time(1500 * ns), Queue: 1 << 20, Packet: &core.Packet{Size: 1000, Aux: present | inc}}, &k)
	if k.SetAux || k.Notify || m.supply != 500 {
		t.Errorf("%+v, supply %v; want nothing, and 500 bytes", k, m.supply)
	}
}

func BenchmarkMarker(b *testing.B) {
	m := newPort()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		arrive(m, core.Duration(i)*1500*ns, core.Bytes(i&1)*2000, present|inc)
	}
}
