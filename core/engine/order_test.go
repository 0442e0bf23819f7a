package engine

import (
	"fmt"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// pair is two relays joined by a link, and a third with links to the second.
func pair(order Order, log *[]occasion) (*Engine, []*relay) {
	e := New(order, core.NewPool(1), []int{2, 1, 1})
	e.Connect(e.Port(0, 0), e.Port(1, 0), 100)
	e.Connect(e.Port(0, 1), e.Port(2, 0), 100)
	var relays []*relay
	for i, n := range []int{2, 1, 1} {
		r := newRelay(core.NodeID(i), n, 10, e.Pool, log)
		relays = append(relays, r)
		e.Attach(core.NodeID(i), r)
	}
	return e, relays
}

// Two packets that arrive at the same time come in the order in which they were sent, or in the
// order of the ports that sent them.
func TestOrderOfEqualTimes(t *testing.T) {
	for order, want := range map[Order][2]int64{BySchedule: {2, 1}, ByEntity: {1, 2}} {
		var log []occasion
		e, relays := pair(order, &log)
		for _, id := range []core.NodeID{2, 1} {
			relays[id].Send(e.Turn(), 0, relays[id].packet(int64(id), 5, 0))
			e.CarryOut(id)
		}
		log = nil
		e.Run(core.Never, 10)
		if len(log) != 2 || log[0].seq != want[0] || log[1].seq != want[1] || log[0].at != 150 || log[1].at != 150 {
			t.Errorf("order %d: got %+v, want packets %v at 150 ps", order, log, want)
		}
	}
}

// act is a process that does something once.
type act func(now core.Time)

// Run implements Process.
func (f act) Run(now core.Time) { f(now) }

// A packet that is offered before the end of a transmission leaves at the end; one that is
// offered at the end leaves then, whichever event comes first; one that is offered later leaves
// at once.
func TestKick(t *testing.T) {
	for _, order := range []Order{ByEntity, BySchedule} {
		for _, c := range []struct{ offered, sent core.Time }{{0, 50}, {30, 50}, {50, 50}, {60, 60}} {
			for _, early := range []bool{false, true} { // the offer is scheduled before the transmission, or after
				var log []occasion
				e, relays := pair(order, &log)
				offer := e.AddProcess(act(func(core.Time) {
					relays[1].Send(e.Turn(), 0, relays[1].packet(2, 5, 0))
					e.CarryOut(1)
				}))
				if early {
					e.ScheduleProcess(offer, c.offered)
				}
				relays[1].Send(e.Turn(), 0, relays[1].packet(1, 5, 0))
				e.CarryOut(1)
				if !early {
					e.ScheduleProcess(offer, c.offered)
				}
				for e.Run(core.Never, 1) > 0 {
				}
				var at []core.Time
				for _, o := range log {
					if o.what == "send" {
						at = append(at, o.at)
					}
				}
				if len(at) != 2 || at[0] != 0 || at[1] != c.sent {
					t.Errorf("order %d: offered at %v: sent at %v, want 0 and %v", order, c.offered, at, c.sent)
				}
			}
		}
	}
}

// A node that asks twice to be called when its port is free is called once.
func TestKickTwice(t *testing.T) {
	for _, order := range []Order{ByEntity, BySchedule} {
		var log []occasion
		e, relays := pair(order, &log)
		relays[1].Send(e.Turn(), 0, relays[1].packet(1, 5, 0))
		e.Turn().Kick(0)
		e.Turn().Kick(0)
		e.CarryOut(1)
		if n := e.Run(core.Never, 100); n != 2 { // the end of the transmission and the arrival
			t.Errorf("order %d: %d events, want 2", order, n)
		}
	}
}

// A node that asks to be called when a port is free that has been so for some time is called at once.
func TestKickOfAFreePort(t *testing.T) {
	for _, order := range []Order{ByEntity, BySchedule} {
		var log []occasion
		e, relays := pair(order, &log)
		relays[1].Send(e.Turn(), 0, relays[1].packet(1, 5, 0))
		e.CarryOut(1)
		e.ScheduleProcess(e.AddProcess(act(func(core.Time) {
			relays[1].ports[0].queue.Push(relays[1].packet(2, 5, 0))
			e.Turn().Kick(0)
			e.CarryOut(1)
		})), 60)
		e.Run(core.Never, 1)
		if last := log[len(log)-1]; last.what != "send" || last.at != 60 || last.seq != 2 {
			t.Errorf("order %d: %+v, want packet 2 sent at 60", order, last)
		}
	}
}

// A link that is down loses what arrives in that time, and only that; the host is notified.
func TestDownLink(t *testing.T) {
	var log []occasion
	e, relays := pair(ByEntity, &log)
	var lost []int64
	e.Lost = func(from PortID, p *core.Packet) {
		if lost = append(lost, p.Seq); from != e.Port(1, 0) {
			t.Errorf("packet %d was sent by port %d, not %d", p.Seq, e.Port(1, 0), from)
		}
	}
	set := func(at core.Time, up bool) {
		e.ScheduleProcess(e.AddProcess(act(func(core.Time) { e.SetLink(e.Port(1, 0), up) })), at)
	}
	// Packets are sent at 0, 50, 100, 150 and arrive 150 later; the link is down from 140 to 190,
	// so the first is lost, and so is the last, which is in the queue at 140.
	for i := range int64(4) {
		relays[1].Send(e.Turn(), 0, relays[1].packet(1+i, 5, 0))
		e.CarryOut(1)
	}
	set(140, false)
	set(190, true)
	for e.Run(core.Never, 1) > 0 {
	}
	var received []int64
	for _, o := range log {
		if o.what == "receive" {
			received = append(received, o.seq)
		}
	}
	if fmt.Sprint(received) != "[2 3]" || fmt.Sprint(lost) != "[1]" || e.Pool.Live() != 0 {
		t.Errorf("received %v, lost %v, %d packets alive", received, lost, e.Pool.Live())
	}
}

// A lossy link loses exactly the packets that its generator picks.
func TestLossyLink(t *testing.T) {
	var log []occasion
	e, relays := pair(ByEntity, &log)
	e.Lossy(e.Port(1, 0), 0.25, core.NewStream(4, core.StreamLoss, 5))
	const n = 4000
	for i := range int64(n) {
		relays[1].Send(e.Turn(), 0, relays[1].packet(i, 5, 0))
		e.CarryOut(1)
	}
	for e.Run(core.Never, n) == n {
	}
	chance := core.NewStream(4, core.StreamLoss, 5)
	var want []int64
	for i := range int64(n) {
		if chance.Float64() >= 0.25 {
			want = append(want, i)
		}
	}
	k := 0
	for _, o := range log {
		if o.what != "receive" {
			continue
		}
		if k >= len(want) || o.seq != want[k] {
			t.Fatalf("packet %d arrived as number %d of %d", o.seq, k, len(want))
		}
		k++
	}
	if k != len(want) || e.Hops() != int64(k) {
		t.Errorf("%d arrived, %d counted, want %d", k, e.Hops(), len(want))
	}
}

// Frames of the link itself are no hops.
func TestHops(t *testing.T) {
	var log []occasion
	e, relays := pair(ByEntity, &log)
	kinds := []core.Kind{core.Data, core.Ack, core.Pause, core.Credit, core.Datagram}
	for _, kind := range kinds {
		p := relays[1].packet(1, 5, 0)
		p.Kind = kind
		relays[1].Send(e.Turn(), 0, p)
		e.CarryOut(1)
	}
	if e.Run(core.Never, 100); e.Hops() != 3 || len(log) != 2*len(kinds) {
		t.Errorf("%d hops, %d occasions", e.Hops(), len(log))
	}
}

// A deadline in the past is a bug of the node.
func TestWakeInThePast(t *testing.T) {
	var log []occasion
	e, _ := pair(ByEntity, &log)
	e.Run(100, 1)
	defer func() {
		if got, want := recover(), "engine: node 1 asked at 100ps to be woken at 99ps"; got != want {
			t.Errorf("panics with %v, want %s", got, want)
		}
	}()
	e.Turn().SetWake(0, 99)
	e.CarryOut(1)
}

func TestEngineDoesNotAllocate(t *testing.T) {
	for _, order := range []Order{ByEntity, BySchedule} {
		log := make([]occasion, 0, 1<<20)
		e, relays := pair(order, &log)
		for i := range int64(20) {
			relays[0].Send(e.Turn(), int(i%2), relays[0].packet(i, 5, 1<<40))
			e.CarryOut(0)
		}
		e.Run(core.Never, 10_000)
		if a := testing.AllocsPerRun(20, func() { log = log[:0]; e.Run(core.Never, 1000) }); a != 0 {
			t.Errorf("order %d: %v allocations in 1000 events, want 0", order, a)
		}
	}
}
