package switching

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// uplinks routes destinations below 10 to port 0, and all others to a set of ports.
type uplinks []uint16

func (u uplinks) Next(_, dst core.NodeID) []uint16 {
	if dst < 10 {
		return []uint16{0}
	}
	return u
}

// balanced is a switch with ports of 8 Gb/s, on which a byte takes a nanosecond, that balances load.
func balanced(way Balance, ports uplinks, random core.Random) *Switch {
	cfg := Config{
		ID: 7, Pool: core.NewPool(5), Router: ports, Timing: core.Exact, MTU: 1000,
		Buffer:  BufferConfig{Total: 10_000_000},
		Balance: BalanceConfig{Way: way, Gap: core.Microsecond, Random: random},
	}
	for i := range slices.Max(ports) + 1 {
		cfg.Ports = append(cfg.Ports, PortConfig{Rate: 8 * core.Gbps, ToHost: i == 0, KMin: core.Unlimited, KMax: core.Unlimited})
	}
	if way == CONGA { // nodes below 10 are of the switch's own leaf, ten others of each other one
		cfg.Balance.Leaves = make([]int32, 100)
		for id := range cfg.Balance.Leaves {
			cfg.Balance.Leaves[id] = int32(id / 10)
		}
	}
	return New(cfg)
}

// script is a generator that returns given indices below 4.
type script []uint32

func (s *script) Float64() float64 { panic("not asked for") }

func (s *script) Uint32() uint32 {
	next := (*s)[0] << 30
	*s = (*s)[1:]
	return next
}

// port is the port by which a switch sends a packet for a node.
func (s *Switch) portFor(t *testing.T, now core.Time, p *core.Packet) uint16 {
	t.Helper()
	out, ok := s.route(&core.Turn{Instant: core.Instant{Now: now}}, p)
	if !ok {
		t.Fatalf("no route for %+v", p)
	}
	return uint16(out)
}

// Packets of one flow are spread evenly by every way that chooses for each of them; a single path takes no draw.
func TestPacketsAreSpread(t *testing.T) {
	const packets = 30_000
	ports := uplinks{2, 3, 5}
	for _, way := range []Balance{Spray, DRILL, Adaptive} {
		s := balanced(way, ports, core.NewStream(1, core.StreamBalance, 7))
		sent := make(map[uint16]int)
		for i := range packets {
			at := core.AtNanos(int64(1000 * i))
			if way != Spray { // ports that have just sent something are busy
				for _, out := range ports {
					s.ports[out].free = max(s.ports[out].free, at)
				}
			}
			out := s.portFor(t, at, &core.Packet{Dst: 10})
			s.ports[out].free = at.Add(2 * core.Microsecond)
			sent[out]++
		}
		for _, out := range ports {
			if n := sent[out]; n < packets/3-500 || n > packets/3+500 {
				t.Errorf("way %d: %d of %d packets leave by port %d", way, n, packets, out)
			}
		}
		s.cfg.Balance.Random = new(script)
		if out := s.portFor(t, 0, &core.Packet{Dst: 3}); out != 0 {
			t.Errorf("way %d: the only port is 0, not %d", way, out)
		}
	}
}

// A flow keeps its port until it has paused for longer than the gap, as in a table that is never swept; and the table is
// no larger than twice the flows that have sent within the gap, or a constant.
func TestFlowletsAgainstPlainTable(t *testing.T) {
	ports := uplinks{2, 3, 5, 6, 8}
	s := balanced(Flowlets, ports, core.NewStream(3, core.StreamBalance, 7))
	plain, moved, kept := make(map[int]flowlet), 0, 0
	twin := &Switch{cfg: Config{Balance: BalanceConfig{Random: core.NewStream(3, core.StreamBalance, 7)}}}
	rng := rand.New(rand.NewPCG(1, 9))
	now := core.Time(0)
	for step := range 200_000 {
		now = now.Add(core.Duration(rng.Int64N(3)) * core.Nanosecond)
		flows := 30_000
		if step/1000%2 == 0 {
			flows = 300
		}
		n := rng.IntN(flows)
		p := core.Packet{Src: core.NodeID(n % 5), Dst: core.NodeID(10 + n/5%6), SrcPort: uint16(n / 30 % 10), DstPort: uint16(n / 300)}
		f, ok := plain[n]
		if !ok || now-f.last > core.Time(core.Microsecond) {
			was := f.port
			f.port = ports[twin.draw(len(ports))]
			if ok && f.port != was {
				moved++
			}
		} else {
			kept++
		}
		f.last = now
		plain[n] = f
		if got := s.portFor(t, now, &p); got != f.port {
			t.Fatalf("step %d: port %d, want %d", step, got, f.port)
		}
		if n := len(s.balancer.flowlets); n > 2*2000+leastSweep {
			t.Fatalf("step %d: the table has %d flowlets", step, n)
		}
	}
	if moved < 10_000 || kept < 10_000 || len(plain) < 25_000 {
		t.Errorf("%d flowlets of %d flows moved, %d kept their port: this tests too little", moved, len(plain), kept)
	}
}

// The load of a port is the rest of what it is sending and all that waits.
func TestLeastLoadedPort(t *testing.T) {
	ports := uplinks{1, 2, 3, 4}
	const now = core.Time(core.Microsecond)
	load := func(s *Switch, nanos ...int64) {
		for i, out := range ports {
			o := &s.ports[out]
			o.free, o.depth, o.queues[0].bytes = -1, 0, 0
			switch n := nanos[i]; { // in three ways, that a byte takes a nanosecond for
			case n%3 == 0:
				o.free = now.Add(core.Duration(n) * core.Nanosecond)
			case n%3 == 1:
				o.depth = core.Bytes(n)
			default:
				o.free, o.depth, o.queues[0].bytes = now.Add(core.Nanosecond), core.Bytes(n-2), 1
			}
		}
	}
	p := &core.Packet{Dst: 10}
	for name, c := range map[string]struct {
		way   Balance
		draws script // indices
		loads [][]int64
		want  []uint16
	}{
		"adaptive":        {Adaptive, script{2, 3, 2}, [][]int64{{9, 4, 5, 6}, {9, 7, 5, 6}, {9, 7, 5, 3}}, []uint16{2, 3, 4}},
		"adaptive, equal": {Adaptive, script{0, 1, 2, 3}, [][]int64{{6, 6, 6, 6}, {6, 6, 6, 6}, {6, 6, 7, 7}, {3, 6, 3, 6}}, []uint16{1, 2, 1, 1}},
		// The second choice is between ports 1, 4 and the last one, 2; the third between 4, 4 and 1; in the others the
		// last one is the best.
		"drill": {DRILL, script{0, 1, 0, 3, 3, 3, 0, 1, 2, 2},
			[][]int64{{9, 8, 0, 0}, {7, 8, 0, 9}, {8, 0, 0, 7}, {7, 8, 0, 6}, {0, 0, 7, 6}}, []uint16{2, 1, 4, 4, 4}},
	} {
		s := balanced(c.way, ports, &c.draws)
		for i, loads := range c.loads {
			load(s, loads...)
			if got := s.portFor(t, now, p); got != c.want[i] {
				t.Errorf("%s: choice %d is port %d, want %d", name, i, got, c.want[i])
			}
		}
		if len(c.draws) != 0 {
			t.Errorf("%s: %d draws are left", name, len(c.draws))
		}
	}
}

// sets routes by destination.
type sets map[core.NodeID][]uint16

func (s sets) Next(_, dst core.NodeID) []uint16 { return s[dst] }

// DRILL remembers a port for each set of equal-cost ones, and takes none that is not in the set.
func TestDRILLRemembersBySet(t *testing.T) {
	s := balanced(DRILL, uplinks{4}, &script{2, 2, 2, 2, 2, 2, 0, 0})
	s.cfg.Router = sets{10: {1, 2}, 11: {2, 3}, 12: {1, 3}}
	for i, depth := range []core.Bytes{1: 8, 2: 0, 3: 6} {
		s.ports[i].depth = depth
	}
	for i, c := range []struct {
		dst  core.NodeID
		want uint16
	}{{10, 2}, {11, 3}, {12, 3}, {12, 3}} {
		if got := s.portFor(t, 0, &core.Packet{Dst: c.dst}); got != c.want {
			t.Errorf("choice %d, towards %d: port %d, want %d", i, c.dst, got, c.want)
		}
	}
}

// A port that needs longer for its queue than a clock can hold is not the least loaded, whatever it is sending.
func TestLoadBeyondTheClock(t *testing.T) {
	s := balanced(Adaptive, uplinks{1, 2}, &script{0})
	for i := range s.ports {
		s.ports[i].rate = core.Kbps
	}
	const now = core.Time(core.Microsecond)
	s.ports[1].free, s.ports[1].depth = now.Add(core.Second), 2e9 // 185 days
	s.ports[2].depth = 1e6
	if got := s.portFor(t, now, &core.Packet{Dst: 10}); got != 2 {
		t.Errorf("port %d is chosen, not port 2, which has less to send", got)
	}
}

// With new routes a switch forgets ports that may not lead there any more.
func TestBalanceForgetsOldRoutes(t *testing.T) {
	p := &core.Packet{Dst: 10}
	for _, way := range []Balance{Spray, Flowlets, DRILL, Adaptive, CONGA} {
		s := balanced(way, uplinks{1, 2, 3, 4}, core.NewStream(1, core.StreamBalance, 7))
		for seed := range uint32(100) {
			s.portFor(t, 0, p)
			ports := uplinks{uint16(1 + seed%2), uint16(3 + seed/2%2)}
			s.SetRouter(ports)
			if out := s.portFor(t, 0, p); !slices.Contains(ports, out) {
				t.Fatalf("way %d: port %d is none of %v", way, out, ports)
			}
		}
	}
}

// Choices take no memory in steady state.
func TestBalanceAllocatesNothing(t *testing.T) {
	p := &core.Packet{Dst: 10}
	for _, way := range []Balance{Spray, Flowlets, DRILL, Adaptive, CONGA} {
		s := balanced(way, uplinks{1, 2, 3, 4}, core.NewStream(1, core.StreamBalance, 7))
		now := core.Time(0)
		round := func() {
			for range 3000 {
				p.SrcPort++
				p.SrcPort %= 2000
				now = now.Add(core.Nanosecond)
				s.route(&core.Turn{Instant: core.Instant{Now: now}}, p)
			}
		}
		round()
		if n := testing.AllocsPerRun(50, round); n != 0 {
			t.Errorf("way %d: %v allocations for 3000 packets", way, n)
		}
	}
}
