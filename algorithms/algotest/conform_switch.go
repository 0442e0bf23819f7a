package algotest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// sights returns n packets as a port might see them, with small and large words: enqueue and dequeue in turn, unless the
// scheme sees only one of the two.
func sights(n int, sees algorithms.Sights) []algorithms.Sight {
	r := rand.New(rand.NewPCG(1, 3))
	list := make([]algorithms.Sight, n)
	now, tx := start, core.Bytes(0)
	for i := range list {
		now = now.Add(core.Duration(1+r.IntN(2000)) * core.Nanosecond)
		tx += 1048
		queue := core.Bytes(r.IntN(1 << 20))
		list[i] = algorithms.Sight{
			Now: now, Enqueue: sees == algorithms.Arrivals || sees != algorithms.Departures && i%2 == 0, Own: true, Queue: queue, Class: queue, Starved: i&64 != 0, Tx: tx,
			Packet: &core.Packet{Kind: core.Data, Flags: core.ECT, Size: 1048, Payload: 1000, SrcQP: int32(r.IntN(8)), Aux: r.Uint64() >> r.IntN(65)},
		}
	}
	return list
}

// testMarker checks the congestion point: a restart forgets, what is written has room in the packet, words of other
// schemes' packets are left alone, and nothing is allocated.
func testMarker(t *testing.T, s algorithms.Scheme) {
	used, fresh := s.NewMarker(), s.NewMarker()
	if used == nil {
		return
	}
	t.Run("marker", func(t *testing.T) {
		list := sights(4000, s.Traits().Sees)
		var a, b algorithms.Mark
		used.Start(start, newPort())
		for i := range list {
			used.Step(&list[i], &a)
		}
		used.Start(start, newPort())
		fresh.Start(start, newPort())
		for i := range list {
			a.Reset()
			b.Reset()
			used.Step(&list[i], &a)
			fresh.Step(&list[i], &b)
			if !sameMark(a, b) {
				t.Fatalf("packet %d: after a restart %+v, fresh %+v", i, a, b)
			}
			if b.SetAux && s.Traits().HeaderBytes == 0 {
				t.Fatalf("packet %d: the marker writes %#x into it, for which Traits.HeaderBytes leaves no room", i, b.Aux)
			}
		}
		if err := checkForeign(fresh, list); err != nil {
			t.Error(err)
		}
		i := 0
		fresh.Start(start, newPort())
		if n := testing.AllocsPerRun(len(list)-1, func() { b.Reset(); fresh.Step(&list[i], &b); i++ }); n != 0 {
			t.Errorf("%v allocations per packet, want none", n)
		}
	})
}

// checkForeign shows a marker packets of which every second one belongs to another scheme, and demands that
// it writes no word into those.
func checkForeign(m algorithms.Marker, list []algorithms.Sight) error {
	var mark algorithms.Mark
	m.Start(start, newPort())
	for i, q := range list {
		q.Own = i/2%2 == 0
		mark.Reset()
		if m.Step(&q, &mark); mark.SetAux && !q.Own {
			return fmt.Errorf("packet %d is of another scheme and carries %#x: the marker writes %#x", i, q.Packet.Aux, mark.Aux)
		}
	}
	return nil
}

func sameMark(a, b algorithms.Mark) bool {
	others := slices.Equal(a.Others, b.Others)
	a.Others, b.Others = nil, nil
	return others && reflect.DeepEqual(a, b)
}

// arrivals returns n data packets as a NIC port might see them.
func arrivals(n int) []algorithms.Arrival {
	r := rand.New(rand.NewPCG(1, 4))
	list := make([]algorithms.Arrival, n)
	now := start
	for i := range list {
		now = now.Add(core.Duration(1+r.IntN(2000)) * core.Nanosecond)
		list[i] = algorithms.Arrival{
			Instant: core.Instant{Now: now, Born: core.Never}, QP: int32(r.IntN(8)), CE: r.IntN(4) == 0, Bytes: 1000, Flows: 8, Missing: -1,
			Packet: core.Packet{Kind: core.Data, Flags: core.ECT, Size: 1048, Payload: 1000},
		}
	}
	return list
}

// portRig is a NIC port reduced to the rules that a receiver may rely on.
type portRig struct {
	receiver algorithms.Receiver
	reply    algorithms.Reply
	arrival  algorithms.Arrival
}

func (r *portRig) start() { r.receiver.Start(start, newPort(), &r.reply) }

// arrive serves the timer and then one packet.
func (r *portRig) arrive(t *testing.T, a *algorithms.Arrival) {
	for r.reply.Wake <= a.Now {
		due := r.reply.Wake
		r.arrival = algorithms.Arrival{Instant: core.Instant{Now: due, Born: core.Never}, Timer: true, Flows: a.Flows}
		r.step()
		if r.reply.Wake < due || r.reply.Wake == due && !r.reply.Send && !r.reply.Release {
			t.Fatalf("timer at %v leaves wake at %v", due, r.reply.Wake)
		}
	}
	r.arrival = *a
	r.step()
}

func (r *portRig) step() {
	r.reply.Send, r.reply.Hold, r.reply.Release = false, false, false
	r.receiver.Step(&r.arrival, &r.reply)
}

// testReceiver checks the notification point: a restart forgets, timers lie in the future,
// and nothing is allocated once its flows are known.
func testReceiver(t *testing.T, s algorithms.Scheme) {
	used, fresh := &portRig{receiver: s.NewReceiver()}, &portRig{receiver: s.NewReceiver()}
	if used.receiver == nil {
		return
	}
	t.Run("receiver", func(t *testing.T) {
		list := arrivals(4000)
		used.start()
		for i := range list {
			used.arrive(t, &list[i])
		}
		used.start()
		fresh.start()
		for i := range list {
			used.arrive(t, &list[i])
			fresh.arrive(t, &list[i])
			if used.reply != fresh.reply {
				t.Fatalf("packet %d: after a restart %+v, fresh %+v", i, used.reply, fresh.reply)
			}
		}
		fresh.start()
		i := 0
		step := func() { fresh.arrive(t, &list[i]); i++ }
		for range 100 {
			step()
		}
		if n := testing.AllocsPerRun(len(list)-102, step); n != 0 {
			t.Errorf("%v allocations per packet, want none", n)
		}
	})
}
