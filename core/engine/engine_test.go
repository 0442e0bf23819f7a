package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// host is what Engine and its twin have in common.
type host interface {
	Turn() *core.Turn
	CarryOut(core.NodeID)
	AddProcess(Process) ProcessID
	ScheduleProcess(ProcessID, core.Time)
	SetLink(PortID, bool)
}

// wiring is a random network of relays with links in pairs of ports.
type wiring struct {
	ports  []int // of each node
	units  []core.Duration
	links  [][2]PortID
	delays []core.Duration
	loss   []float64 // by link
	inputs []input
}

// input is a packet put in, or a link taken down or up.
type input struct {
	at   core.Time
	node core.NodeID
	port int
	size int32
	hops uint64
	link int // -1: a packet
	up   bool
}

// randomWiring makes times multiples of 10, so that many are equal.
func randomWiring(rng *rand.Rand) *wiring {
	w := &wiring{}
	for range 2 * (1 + rng.IntN(3)) {
		w.ports = append(w.ports, 1+rng.IntN(4))
		w.units = append(w.units, core.Duration(5*(1+rng.IntN(2))))
	}
	var all []PortID
	for _, n := range w.ports {
		for range n {
			all = append(all, PortID(len(all)))
		}
	}
	if len(all)%2 == 1 {
		w.ports[0]++
		all = append(all, PortID(len(all)))
	}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for i := 0; i < len(all); i += 2 {
		w.links = append(w.links, [2]PortID{all[i], all[i+1]})
		w.delays = append(w.delays, core.Duration(10*rng.IntN(8)))
		w.loss = append(w.loss, []float64{0, 0, 0, 0.05}[rng.IntN(4)])
	}
	at := core.Time(0)
	for range 60 {
		at += core.Time(10 * rng.IntN(6))
		in := input{at: at, link: -1, node: core.NodeID(rng.IntN(len(w.ports))), size: 2 * int32(1+rng.IntN(3)), hops: uint64(rng.IntN(30))}
		in.port = rng.IntN(w.ports[in.node])
		if rng.IntN(8) == 0 {
			in.link, in.up = rng.IntN(len(w.links)), rng.IntN(3) > 0
		}
		w.inputs = append(w.inputs, in)
	}
	return w
}

// feeder is the process that puts the inputs in.
type feeder struct {
	w      *wiring
	e      host
	id     ProcessID
	relays []*relay
	next   int
}

// Run implements Process.
func (f *feeder) Run(now core.Time) {
	for ; f.next < len(f.w.inputs); f.next++ {
		in := &f.w.inputs[f.next]
		if in.at > now {
			f.e.ScheduleProcess(f.id, in.at)
			return
		}
		if in.link >= 0 {
			f.e.SetLink(f.w.links[in.link][0], in.up)
			continue
		}
		r := f.relays[in.node]
		r.Send(f.e.Turn(), in.port, r.packet(int64(f.next), in.size, in.hops))
		f.e.CarryOut(in.node)
	}
}

func (w *wiring) feed(e host, pool *core.Pool, log *[]occasion) []*relay {
	f := &feeder{w: w, e: e}
	for i, n := range w.ports {
		f.relays = append(f.relays, newRelay(core.NodeID(i), n, w.units[i], pool, log))
	}
	f.id = e.AddProcess(f)
	e.ScheduleProcess(f.id, w.inputs[0].at)
	return f.relays
}

// engine builds an Engine for the network; its relays write to log.
func (w *wiring) engine(order Order, log *[]occasion) *Engine {
	e := New(order, core.NewPool(1), w.ports)
	e.Actions = func(core.NodeID, *core.Action) {}
	for i, l := range w.links {
		e.Connect(l[0], l[1], w.delays[i])
		for _, end := range l {
			if w.loss[i] > 0 {
				e.Lossy(end, w.loss[i], core.NewStream(1, core.StreamLoss, uint64(end)))
			}
		}
	}
	for i, r := range w.feed(e, e.Pool, log) {
		e.Attach(core.NodeID(i), r)
	}
	return e
}

// plain runs the twin to its end and returns the log.
func (w *wiring) plain(order Order) (log []occasion) {
	pool := core.NewPool(1)
	e := &plain{order: order, drop: pool.Free}
	for i, n := range w.ports {
		e.first = append(e.first, PortID(len(e.ports)))
		for range n {
			e.ports = append(e.ports, plainPort{owner: core.NodeID(i)})
		}
	}
	for i, l := range w.links {
		for k, end := range l {
			p := &e.ports[end]
			p.peer, p.delay = l[1-k], w.delays[i]
			p.loss, p.chance = w.loss[i], core.NewStream(1, core.StreamLoss, uint64(end))
		}
	}
	for _, r := range w.feed(e, pool, &log) {
		e.nodes = append(e.nodes, r)
	}
	for e.step() {
	}
	return log
}

// withoutSends leaves out when packets were sent: a node that has to Kick sends later in the turn.
func withoutSends(log []occasion) (short []occasion) {
	for _, o := range log {
		if o.what != "send" {
			short = append(short, o)
		}
	}
	return short
}

func sameLog(t *testing.T, name string, got, want []occasion) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%s: occasion %d: got %+v, want %+v", name, i, got[min(i, len(got)):min(i+1, len(got))], want[min(i, len(want)):min(i+1, len(want))])
		}
	}
}

// The engine's shortcuts change nothing: nodes live through what they would live through if every
// event were in a list.
func TestEngineAgainstPlain(t *testing.T) {
	longest := 0
	for seed := range uint64(100) {
		w := randomWiring(rand.New(rand.NewPCG(seed, 2)))
		for _, order := range []Order{ByEntity, BySchedule} {
			want := w.plain(order)
			var got []occasion
			e := w.engine(order, &got)
			for e.Run(core.Never, 1000) == 1000 {
			}
			sameLog(t, fmt.Sprintf("seed %d, order %d", seed, order), withoutSends(got), withoutSends(want))
			if !e.Idle() || e.Pool.Live() != 0 {
				t.Fatalf("seed %d: idle %v with %d packets alive", seed, e.Idle(), e.Pool.Live())
			}
			longest = max(longest, len(want))
		}
	}
	if longest < 1000 {
		t.Errorf("the longest history has %d occasions; too few to mean much", longest)
	}
}

// halter ends Run at some times.
type halter struct {
	e  *Engine
	id ProcessID
}

// Run implements Process.
func (h *halter) Run(now core.Time) {
	h.e.Halt()
	if now < 5000 {
		h.e.ScheduleProcess(h.id, now.Add(70))
	}
}

// A run cut into pieces, by numbers of events, by times at which there are events and others, and
// by Halt, has the history of one that is not.
func TestEngineInPieces(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w := randomWiring(rng)
		for _, order := range []Order{ByEntity, BySchedule} {
			var want, got []occasion
			whole := w.engine(order, &want)
			events := whole.Run(core.Never, 1<<30)
			e := w.engine(order, &got)
			halts := 0
			if seed%2 == 1 {
				h := &halter{e: e}
				h.id = e.AddProcess(h)
				e.ScheduleProcess(h.id, 35)
			}
			ran := 0
			for !e.Idle() {
				limit, n := core.Never, []int{1, 1, 2, 7, 1 << 30}[rng.IntN(5)]
				if rng.IntN(2) == 0 {
					limit = e.Now().Add(core.Duration(5 * rng.IntN(20)))
				}
				k := e.Run(limit, n)
				ran += k
				switch {
				case k > n:
					t.Fatalf("seed %d: %d events of %d", seed, k, n)
				case e.Now() > limit:
					t.Fatalf("seed %d: at %v, limit %v", seed, e.Now(), limit)
				case k < n && e.Now() != limit && !e.Idle():
					halts++
				}
			}
			if seed%2 == 0 && (ran != events || halts != 0) || seed%2 == 1 && halts == 0 {
				t.Errorf("seed %d: %d events, want %d; %d halts", seed, ran, events, halts)
			}
			if seed%2 == 0 && (e.Events() != int64(ran) || e.Hops() != whole.Hops()) {
				t.Errorf("seed %d: counted %d events, want %d; %d hops, want %d", seed, e.Events(), ran, e.Hops(), whole.Hops())
			}
			sameLog(t, fmt.Sprintf("seed %d, order %d", seed, order), got, want)
		}
	}
}

// pair is two relays joined by a link, and a third with links to the second.
func pair(order Order, log *[]occasion) (*Engine, []*relay) {
	e := New(order, core.NewPool(1), []int{2, 1, 1})
	e.Actions = func(core.NodeID, *core.Action) {}
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

// Two packets that arrive at one time come in the order in which they were sent, or in that of
// the ports they were sent from.
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

// A link that is down loses what arrives in that time, and only that; the host is told.
func TestDownLink(t *testing.T) {
	var log []occasion
	e, relays := pair(ByEntity, &log)
	var lost []int64
	e.Lost = func(_ PortID, p *core.Packet) { lost = append(lost, p.Seq) }
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

// A lossy link loses the packets for which its generator says so.
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

// A deadline in the past is a bug of the node.
func TestWakeInThePast(t *testing.T) {
	var log []occasion
	e, _ := pair(ByEntity, &log)
	e.Run(100, 1)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
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
