package ibcc

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// point drives a congestion point with a lane of 64 KiB and threshold 15: congested from 4096 B.
type point struct {
	m   *marker
	now core.Time
}

func newPoint(change func(*Params), toHost bool) *point {
	p := Defaults()
	p.Threshold = 15
	change(&p)
	m := &marker{p: &p}
	m.Start(0, &algorithms.Port{Lane: 64 << 10, ToHost: toHost, Random: core.NewStream(1, core.StreamMarker, 0)})
	return &point{m: m}
}

// leave makes a packet enter a queue, which then holds the given bytes, and leave it after a microsecond, and reports
// whether it is marked.
func (p *point) leave(queue, size core.Bytes, starved bool) bool {
	return p.pass(queue, size, starved, us)
}

func (p *point) pass(queue, size core.Bytes, starved bool, wait core.Duration) bool {
	var k algorithms.Mark
	q := algorithms.Sight{
		Now: p.now, Enqueue: true, Own: true, Class: queue - size,
		Packet: &core.Packet{Kind: core.Data, Size: int32(size), Prio: 3},
	}
	p.m.Step(&q, &k)
	p.now = p.now.Add(wait)
	q.Now, q.Enqueue, q.Starved = p.now, false, starved
	p.m.Step(&q, &k)
	return k.CE
}

// The destination notifies the source of every packet that arrives marked, and of no other (annex A10: a CN for each
// FECN).
func TestNotifications(t *testing.T) {
	p := Defaults()
	p.BECN = "cn"
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	var r algorithms.Reply
	n := s.NewReceiver()
	n.Start(0, &algorithms.Port{}, &r)
	for i, marked := range []bool{true, true, false, true} {
		n.Step(&algorithms.Arrival{QP: int32(i), CE: marked}, &r)
		if r.Send != marked || marked && (r.QP != int32(i) || r.Kind != core.CNP) {
			t.Errorf("packet %d, marked %v: %+v", i, marked, r)
		}
	}
}

// Check case 11.3: marking rate 0 marks every packet, 1 every other, 128 one in 129.
func TestMarkingRate(t *testing.T) {
	const n = 129 * 1000
	for _, c := range []struct {
		marking     string
		rate        int
		least, most int
	}{{"counter", 0, n, n}, {"random", 0, n, n}, {"counter", 1, n / 2, n / 2}, {"random", 1, 64_000, 65_000}, {"counter", 128, 1000, 1000}, {"random", 128, 900, 1100}} {
		p := newPoint(func(p *Params) { p.Marking, p.MarkingRate = c.marking, c.rate }, false)
		marks := 0
		for range n {
			if p.leave(8192, 2088, false) {
				marks++
			}
		}
		if marks < c.least || marks > c.most {
			t.Errorf("%s, marking rate %d: %d of %d packets, want %d to %d", c.marking, c.rate, marks, n, c.least, c.most)
		}
	}
	p := newPoint(func(p *Params) { p.MarkingRate = 1 << 16 }, false)
	p.m.SetMarkingRate(0)
	if !p.leave(8192, 2088, false) {
		t.Error("a marking rate set meanwhile does not hold")
	}
}

// Packets are marked from the threshold on, unless they are small, and never with threshold 0.
func TestEligible(t *testing.T) {
	plain := func(p *Params) { p.PacketSize = 2 }
	off := func(p *Params) { p.Threshold = 0 }
	for _, c := range []struct {
		change      func(*Params)
		queue, size core.Bytes
		want        bool
	}{
		{plain, 4095, 1000, false}, {plain, 4096, 1000, true}, {plain, 4096, 127, false}, {plain, 4096, 128, true},
		{off, 1 << 20, 1000, false},
	} {
		if got := newPoint(c.change, false).leave(c.queue, c.size, false); got != c.want {
			t.Errorf("queue %d, packet %d: marked %v, want %v", c.queue, c.size, got, c.want)
		}
	}
}

// A port without credits is a victim until its queue is short again; one in the victim mask is
// still a root.
func TestVictim(t *testing.T) {
	for _, c := range []struct {
		mask   string
		toHost bool
		root   bool
	}{{"hosts", false, false}, {"hosts", true, true}, {"none", true, false}, {"all", false, true}} {
		p := newPoint(func(p *Params) { p.VictimMask = c.mask }, c.toHost)
		got := [4]bool{p.leave(8192, 1000, false), p.leave(8192, 1000, true), p.leave(8192, 1000, false)}
		p.leave(2000, 1000, false)
		got[3] = p.leave(8192, 1000, false)
		if want := [4]bool{true, c.root, c.root, true}; got != want {
			t.Errorf("victim_mask=%s, to a host %v: marked %v, want %v", c.mask, c.toHost, got, want)
		}
	}
}

// A victim stays one until a packet finds credits and a short queue, be it one that arrives or one that leaves.
func TestEndOfAVictim(t *testing.T) {
	for _, c := range []struct {
		enqueue, starved bool
		queue            core.Bytes // with the packet that arrives, or without the one that leaves
		victim           bool
	}{
		{true, false, 4095, false}, {true, true, 4095, true}, {true, false, 4096, true},
		{false, false, 4095, false}, {false, true, 4095, true}, {false, false, 4096, true},
	} {
		p := newPoint(func(*Params) {}, false)
		p.leave(8192, 1000, true)
		q := algorithms.Sight{
			Now: p.now, Enqueue: c.enqueue, Own: true, Starved: c.starved, Class: c.queue,
			Packet: &core.Packet{Kind: core.Data, Size: 1000, Prio: 3},
		}
		if c.enqueue {
			q.Class -= 1000
		}
		p.m.Step(&q, new(algorithms.Mark))
		p.now = p.now.Add(us)
		if marked := p.leave(8192, 1000, false); marked == c.victim {
			t.Errorf("%+v: then a packet that leaves a long queue is marked: %v", c, marked)
		}
	}
}

// Of two classes each is congested, and a victim, by its own queue.
func TestClassesApart(t *testing.T) {
	p := newPoint(func(*Params) {}, false)
	pass := func(class uint8, queue core.Bytes, starved bool) bool {
		q := algorithms.Sight{
			Now: p.now, Enqueue: true, Own: true, Class: queue - 1000,
			Packet: &core.Packet{Kind: core.Data, Size: 1000, Prio: class},
		}
		p.m.Step(&q, new(algorithms.Mark))
		p.now = p.now.Add(us)
		var k algorithms.Mark
		q.Now, q.Enqueue, q.Class, q.Starved = p.now, false, queue, starved
		p.m.Step(&q, &k)
		return k.CE
	}
	for i, c := range []struct {
		class   uint8
		queue   core.Bytes
		starved bool
		marked  bool
	}{
		{5, 8192, false, true}, {3, 2000, false, false}, {3, 8192, false, true}, {6, 2000, false, false},
		{5, 8192, true, false}, {3, 8192, false, true}, {5, 8192, false, false}, {3, 2000, false, false},
	} {
		if got := pass(c.class, c.queue, c.starved); got != c.marked {
			t.Errorf("packet %d, %+v: marked %v", i, c, got)
		}
	}
}

// Congested time counts from the packet that fills the queue to the one that empties it, except
// while the port is a victim.
func TestCongestedTime(t *testing.T) {
	p := newPoint(func(*Params) {}, false)
	p.leave(1000, 1000, false)
	p.leave(10_000, 1000, false) // congested, until now for 1 us
	p.leave(10_000, 1000, false)
	if got := p.m.Congested(p.now.Add(us / 2)); got != 5*us/2 {
		t.Errorf("%v, want 2.5 us", got)
	}
	p.leave(10_000, 1000, true) // after 3 us a victim
	p.leave(10_000, 1000, false)
	p.leave(4000, 1000, false) // neither full nor a victim now
	p.leave(4500, 1000, false) // congested until it leaves
	if got := p.m.Congested(p.now.Add(us)); got != 4*us {
		t.Errorf("%v, want 4 us", got)
	}
}

// A queue that a failed link has lost is not congestion, and nobody's victim.
func TestLostQueue(t *testing.T) {
	p := newPoint(func(*Params) {}, false)
	p.leave(10_000, 1000, false) // congested from 0 us on
	p.m.Clear(p.now.Add(us))
	if got := p.m.Congested(p.now.Add(core.Second)); got != 2*us {
		t.Errorf("congested for %v, want 2 us, until the link failed", got)
	}
	p.leave(10_000, 1000, true)
	p.m.Clear(p.now)
	p.leave(10_000, 1000, false)
	if got := p.m.Congested(p.now); got != 4*us {
		t.Errorf("congested for %v, want 4 us: the port is no longer a victim", got)
	}
}

// A packet that passes straight through is not congestion, however large, and is not marked; one
// that waits is.
func TestLonePacket(t *testing.T) {
	p := newPoint(func(*Params) {}, false)
	if p.pass(5000, 5000, false, 0) || p.m.Congested(p.now.Add(us)) != 0 {
		t.Errorf("a lone packet is marked, or congested for %v", p.m.Congested(p.now.Add(us)))
	}
	if !p.pass(5000, 5000, false, 1) {
		t.Error("a packet that waits is not marked")
	}
}

// Packets of other schemes and arrivals are not marked, but they count.
func TestOthers(t *testing.T) {
	p := newPoint(func(*Params) {}, false)
	var k algorithms.Mark
	q := algorithms.Sight{Now: core.Time(us), Enqueue: true, Own: true, Class: 4000, Packet: &core.Packet{Size: 1000}}
	p.m.Step(&q, &k)
	if k.CE || p.m.Congested(core.Time(3*us)) != 2*us {
		t.Errorf("on arrival: marked %v, congested for %v; want no mark, 2 us", k.CE, p.m.Congested(core.Time(3*us)))
	}
	q.Now, q.Enqueue, q.Own, q.Class = core.Time(4*us), false, false, 8000
	if p.m.Step(&q, &k); k.CE {
		t.Error("a packet of another scheme is marked")
	}
}
