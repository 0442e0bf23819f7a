package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// drawn is a program that starts its flows at random and asks for random times, and checks when it runs.
type drawn struct {
	t     *testing.T
	name  string
	rng   *rand.Rand
	next  core.Time   // that it has asked for last
	flows map[int]int // all that begin or end at its host: how often it hears of them
	own   []int       // that it has not started
	last  core.Time   // at which it has run
	log   []string
}

// Run implements sim.Program. Times are round, so that several programs have the same one, or the present one.
func (d *drawn) Run(now core.Time, ended int, start []int) ([]int, core.Time) {
	d.last, d.log = now, append(d.log, fmt.Sprint(now, " ", ended))
	if now > d.next || ended == -1 && now != d.next || ended < -1 {
		d.t.Errorf("%s: at %v it runs for %d, and has asked for %v", d.name, now, ended, d.next)
	}
	if ended >= 0 {
		if d.flows[ended]--; d.flows[ended] < 0 {
			d.t.Errorf("%s: it hears of flow %d that is none of its own, or once more", d.name, ended)
		}
	}
	for len(d.own) > 0 && d.rng.IntN(3) == 0 {
		start, d.own = append(start, d.own[0]), d.own[1:]
	}
	const round = core.Time(2 * core.Microsecond)
	before, soon := d.next, (now/round+1+core.Time(d.rng.IntN(4)))*round
	if d.rng.IntN(8) == 0 {
		soon = now
	}
	switch {
	case now < before: // only an earlier time may replace it
		d.next = min(before, soon)
	case len(d.own) == 0 && d.rng.IntN(2) == 0:
		d.next = core.Never
	default:
		d.next = soon
	}
	return start, d.next
}

// Done implements sim.Program.
func (d *drawn) Done() (core.Time, bool) { return 0, true }

// Spent implements sim.Program.
func (d *drawn) Spent(core.Time) (_, _ core.Duration) { return 0, 0 }

// underPrograms runs flows that random programs on most hosts of a network start, and returns the programs.
func underPrograms(t *testing.T, seed uint64, order string, threads int) (*sim.Network, []*drawn) {
	t.Helper()
	s := setup(t, "0,1,1,0,\n", "options.order", order, "topology", "fat-tree:k=4,delay=100ns")
	s.Flows, s.Threads, s.Programs = nil, threads, make([]sim.Program, len(s.Topology.Kinds))
	programs := make([]*drawn, 12)
	for h := range programs {
		name := fmt.Sprintf("seed %d, order by %s, %d threads, host %d", seed, order, threads, h)
		programs[h] = &drawn{t: t, name: name, rng: rand.New(rand.NewPCG(seed, uint64(h))), flows: make(map[int]int)}
		s.Programs[h] = programs[h]
	}
	rng := rand.New(rand.NewPCG(seed, 99))
	for f := range 60 {
		src := rng.IntN(12)
		dst := (src + 1 + rng.IntN(15)) % 16
		s.Flows = append(s.Flows, sim.Flow{Src: core.NodeID(src), Dst: core.NodeID(dst), Bytes: 1 + rng.Int64N(20_000), Held: true, Prio: 3})
		programs[src].own = append(programs[src].own, f)
		for _, h := range []int{src, dst} {
			if h < len(programs) {
				programs[h].flows[f]++
			}
		}
	}
	n, err := sim.Build(s, nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for n.Step(core.Never, 1000) {
	}
	return n, programs
}

// A program runs at time 0, at the earliest time for which it has asked since it ran at one, and at the ends of the flows
// from and to its host, and at no other time, whatever the order of events and the number of parts. The run ends when all
// flows have ended, of which programs hear, and none asks for a time.
func TestPrograms(t *testing.T) {
	for seed := range uint64(8) {
		one, want := underPrograms(t, seed, "entity", 1)
		for _, c := range []struct {
			order   string
			threads int
		}{{"entity", 2}, {"entity", 3}, {"schedule", 1}} {
			n, programs := underPrograms(t, seed, c.order, c.threads)
			if n.Parts() < c.threads {
				t.Errorf("%d parts for %d threads", n.Parts(), c.threads)
			}
			if c.threads > 1 && (n.Engine.Events() != one.Engine.Events()) {
				t.Errorf("seed %d, %d threads: %d events, want %d", seed, c.threads, n.Engine.Events(), one.Engine.Events())
			}
			last := core.Time(0)
			for h, p := range programs {
				last = max(last, p.last)
				if p.next != core.Never {
					t.Errorf("%s: the run ends at %v, and it has asked for %v", p.name, n.Now(), p.next)
				}
				for f, more := range p.flows {
					if more != 0 {
						t.Errorf("%s: it has not heard of flow %d", p.name, f)
					}
				}
				if c.threads > 1 && !slices.Equal(p.log, want[h].log) {
					t.Errorf("%s: it ran at %v, want %v", p.name, p.log, want[h].log)
				}
			}
			if n.Now() != last || n.Expects(last) {
				t.Errorf("%s: the run ends at %v, want %v; more is to come: %v", c.order, n.Now(), last, n.Expects(last))
			}
		}
	}
}
