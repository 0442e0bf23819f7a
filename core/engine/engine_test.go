package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// host is the common interface of Engine and its twin.
type host interface {
	Turn() *core.Turn
	CarryOut(core.NodeID)
	AddProcess(Process) ProcessID
	ScheduleProcess(ProcessID, core.Time)
	SetLink(PortID, bool)
}

// wiring is a random network of relays whose links join pairs of ports.
type wiring struct {
	ports  []int // of each node
	units  []core.Duration
	links  [][2]PortID
	delays []core.Duration
	loss   []float64 // by link
	inputs []input
	blind  bool // relays are blind
}

// input is an injected packet, or a link taken down or up.
type input struct {
	at   core.Time
	seq  int64
	node core.NodeID
	port int
	size int32
	hops uint64
	link int // -1: a packet
	up   bool
}

// randomWiring makes all times multiples of 10, so that many are equal.
func randomWiring(rng *rand.Rand) *wiring {
	w := &wiring{}
	for range 2 * (1 + rng.IntN(3)) {
		w.ports = append(w.ports, 1+rng.IntN(4))
		w.units = append(w.units, core.Duration(5*rng.IntN(3)))
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
		in := input{at: at, seq: int64(len(w.inputs)), link: -1, node: core.NodeID(rng.IntN(len(w.ports))), size: 2 * int32(1+rng.IntN(3)), hops: uint64(rng.IntN(30))}
		in.port = rng.IntN(w.ports[in.node])
		if rng.IntN(8) == 0 {
			in.link, in.up = rng.IntN(len(w.links)), rng.IntN(3) > 0
		}
		w.inputs = append(w.inputs, in)
	}
	return w
}

// feeder is the process that injects the inputs.
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
		r.Send(f.e.Turn(), in.port, r.packet(in.seq, in.size, in.hops))
		f.e.CarryOut(in.node)
	}
}

func (w *wiring) feed(e host, pool *core.Pool, log *[]occasion) []*relay {
	f := &feeder{w: w, e: e}
	for i, n := range w.ports {
		f.relays = append(f.relays, newRelay(core.NodeID(i), n, w.units[i], pool, log))
		f.relays[i].blind = w.blind
	}
	f.id = e.AddProcess(f)
	e.ScheduleProcess(f.id, w.inputs[0].at)
	return f.relays
}

// noteDrops returns what notes the packets that nodes drop, and thereby when their requests are carried out.
func noteDrops(t *core.Turn, log *[]occasion) func(core.NodeID, *core.Action) {
	return func(node core.NodeID, a *core.Action) {
		*log = append(*log, occasion{t.Now, t.Born, node, int(a.Port), "drop", a.Packet.Seq})
	}
}

// engine builds an Engine for the network; its relays write to log.
func (w *wiring) engine(order Order, log *[]occasion) *Engine {
	e := New(order, core.NewPool(1), w.ports)
	e.Actions = noteDrops(e.Turn(), log)
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
	e.dropped = noteDrops(e.Turn(), &log)
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

func sameLog(t *testing.T, name string, got, want []occasion) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%s: occasion %d: got %+v, want %+v", name, i, got[min(i, len(got)):min(i+1, len(got))], want[min(i, len(want)):min(i+1, len(want))])
		}
	}
}

// The engine's shortcuts change nothing: nodes see the same as if every event were in a list.
func TestEngineAgainstPlain(t *testing.T) {
	longest := 0
	for seed := range uint64(100) {
		w := randomWiring(rand.New(rand.NewPCG(seed, 2)))
		w.blind = seed%3 == 0
		for _, order := range []Order{ByEntity, BySchedule} {
			want := w.plain(order)
			var got []occasion
			e := w.engine(order, &got)
			for e.Run(core.Never, 1000) == 1000 {
			}
			sameLog(t, fmt.Sprintf("seed %d, order %d", seed, order), got, want)
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

// A run cut into pieces, by numbers of events, by Halt, and by times with and without events, has
// the history of an uncut one.
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
