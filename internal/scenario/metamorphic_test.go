package scenario

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/engine"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// crowd is traffic from hosts 0 to n-2 to host n-1 and some between the others, no two at the same
// time, all starting within 20 us.
func crowd(n int) (flows []sim.Flow) {
	rng := rand.New(rand.NewPCG(4, 12))
	for i := range 3 * n {
		f := sim.Flow{Src: core.NodeID(i % (n - 1)), Dst: core.NodeID(n - 1), Bytes: 1 + rng.Int64N(100_000), Prio: 3, DstPort: 100, Tag: "crowd"}
		if i%5 == 4 {
			f.Dst = (f.Src + 1) % core.NodeID(n-1)
		}
		f.Start = core.Time(rng.Int64N(20_000_000))
		flows = append(flows, f)
	}
	slices.SortFunc(flows, func(a, b sim.Flow) int { return int(a.Start - b.Start) })
	return flows
}

// outcome is everything by which a run is judged: the outcome of each flow, and the counters of
// each port.
type outcome struct {
	flows []sim.FlowRecord
	ports [][]core.Counters
}

func outcomeOf(n *sim.Network) (o outcome) {
	for i := range n.Setup.Flows {
		r := n.Record(i)
		r.Flow = nil
		o.flows = append(o.flows, r)
	}
	for id, ports := range n.Ports() {
		var list []core.Counters
		for p := range ports {
			list = append(list, n.Counters(core.NodeID(id), p))
		}
		o.ports = append(o.ports, list)
	}
	return o
}

func sameOutcome(t *testing.T, got, want outcome) {
	t.Helper()
	for i := range want.flows {
		if got.flows[i] != want.flows[i] {
			t.Fatalf("flow %d:\ngot  %+v\nwant %+v", i, got.flows[i], want.flows[i])
		}
	}
	if !reflect.DeepEqual(got.ports, want.ports) {
		t.Errorf("counters:\ngot  %+v\nwant %+v", got.ports, want.ports)
	}
}

// tight makes a small buffer and low thresholds, so that there are pauses and marks.
func tight(cc string) []string {
	return []string{
		"cc", cc, "buffer", "2MB", "ecn.scale", "true", "ecn.thresholds", "{rate: 100Gbps, kmin: 10KB, kmax: 100KB, pmax: 0.3}",
		"options.rto", "300us",
	}
}

// credits makes small buffers under credit flow control, so that ports wait for them.
func credits(cc string) []string {
	return append(tight(cc), "flow_control", "credits", "credits.buffer", "8KB")
}

// waker calls Wake for every port of every node now and then, at its own times.
type waker struct {
	n     *sim.Network
	id    engine.ProcessID
	calls int
}

// Run implements engine.Process.
func (w *waker) Run(now core.Time) {
	for id, ports := range w.n.Ports() {
		for p := range ports {
			w.n.Node(core.NodeID(id)).Wake(w.n.Engine.Part(0).Turn(), p)
			w.n.Engine.Part(0).CarryOut(core.NodeID(id))
			w.calls++
		}
	}
	if w.n.Ended() < len(w.n.Setup.Flows) {
		w.n.Engine.Part(0).ScheduleProcess(w.id, now+700_001)
	}
}

// Early calls of Wake are harmless, whatever timers a scheme has.
func TestEarlyWakesChangeNothing(t *testing.T) {
	cases := map[string][]string{"credits": credits("ib-cc")}
	for _, e := range catalog.All() {
		cases[e.Name] = tight(e.Name)
	}
	for name, spec := range cases {
		t.Run(name, func(t *testing.T) {
			s := withFlows(t, crowd(6), append(spec, "topology", "star:n=6", "loss", "0.001")...)
			plain, _ := play(t, s)
			n, _ := begin(t, s)
			w := &waker{n: n}
			w.id = n.Engine.Part(0).AddProcess(w)
			n.Engine.Part(0).ScheduleProcess(w.id, 350_003)
			for n.Step(core.Never, 1<<20) {
			}
			sameOutcome(t, outcomeOf(n), outcomeOf(plain))
			if w.calls < 500 || plain.Lost() == 0 {
				t.Errorf("%d calls, %d losses: too few to mean much", w.calls, plain.Lost())
			}
		})
	}
}

// How a run is cut, by events or by time, changes nothing.
func TestStepsChangeNothing(t *testing.T) {
	s := withFlows(t, crowd(6), append(tight("dcqcn"), "topology", "star:n=6", "loss", "0.001")...)
	plain, q := play(t, s)
	marked := int64(0)
	for p := range 6 {
		marked += plain.Counters(6, p).Marked
	}
	if q.pauses == 0 || marked == 0 || plain.Lost() == 0 {
		t.Errorf("%d pauses, %d marks, %d losses: the case is too quiet", q.pauses, marked, plain.Lost())
	}
	rng := rand.New(rand.NewPCG(5, 13))
	n, _ := begin(t, s)
	until := core.Time(0)
	for n.Step(until, 1+rng.IntN(50)) {
		if rng.IntN(4) == 0 || n.Engine.Now() == until {
			until += core.Time(rng.Int64N(300_000))
		}
	}
	sameOutcome(t, outcomeOf(n), outcomeOf(plain))
}

// Nor does it matter, for any scheme, how the network is cut into parts that run in parallel.
func TestPartsChangeNothing(t *testing.T) {
	cases := map[string][]string{"credits": credits("ib-cc"), "selective": append(tight("none"), "host.recovery", "selective")}
	for _, e := range catalog.All() {
		cases[e.Name] = tight(e.Name)
	}
	for name, spec := range cases {
		for _, net := range []string{"star:n=6", "fat-tree:k=4", "fat-tree:k=4 in order"} {
			t.Run(name+" "+net, func(t *testing.T) {
				order := "entity"
				net, inOrder := strings.CutSuffix(net, " in order")
				if inOrder {
					order = "schedule"
				}
				s := withFlows(t, crowd(6), append(spec, "topology", net, "loss", "0.001", "options.order", order)...)
				whole, _ := play(t, s)
				for threads := 2; threads < 4; threads++ {
					s.Threads = threads
					cut, _ := play(t, s)
					sameOutcome(t, outcomeOf(cut), outcomeOf(whole))
					if cut.Parts() < threads || cut.Now() != whole.Now() || cut.Engine.Events() != whole.Engine.Events() {
						t.Errorf("%d parts on %d threads: ended at %v after %d events, the whole at %v after %d",
							cut.Parts(), threads, cut.Now(), cut.Engine.Events(), whole.Now(), whole.Engine.Events())
					}
				}
			})
		}
	}
}

// A large network is cut even for one thread, and nothing changes.
func TestLargeInParts(t *testing.T) {
	s := withFlows(t, crowd(6), append(tight("hpcc"), "topology", "fat-tree:k=24")...)
	cut, _ := play(t, s)
	s.Capture = true
	whole, _ := play(t, s)
	sameOutcome(t, outcomeOf(cut), outcomeOf(whole))
	if cut.Parts() < 3 || whole.Parts() != 1 || cut.Now() != whole.Now() {
		t.Errorf("%d parts ended at %v, %d at %v", cut.Parts(), cut.Now(), whole.Parts(), whole.Now())
	}
}

// The same under credits.
func TestStepsChangeNothingUnderCredits(t *testing.T) {
	s := withFlows(t, crowd(6), append(credits("ib-cc"), "topology", "star:n=6", "loss", "0.001", "dcms.sweep", "20us")...)
	plain, _ := play(t, s)
	n, _ := begin(t, s)
	for n.Step(core.Never, 7) {
	}
	sameOutcome(t, outcomeOf(n), outcomeOf(plain))
}

// The hosts of a star differ only in the lengths of their cables, and in one case in the rates of three: if they
// exchange their numbers, and no two events are at the same time, every flow fares as before.
//
// Under credits, events would be at the same time if the cables were alike. A port that waits for credits sends when
// they arrive, which is a constant time after another port has sent, and the credits that it gives back start a third
// one: soon all ports send in step, and two ACKs from two receivers reach the switch in one picosecond and leave for
// one sender in the order of their ports, which is that of the hosts' numbers.
func TestHostsRenumbered(t *testing.T) {
	const hosts = 7
	for name, spec := range map[string][]string{
		"none": tight("none"), "hpcc": tight("hpcc"), "dctcp": tight("dctcp"), mixedRates: append(tight("none"), "buffer", "1MB"),
		"none, credits": credits("none"), "hpcc, credits": credits("hpcc"), "dctcp, credits": credits("dctcp"),
		"ib-cc, credits": credits("{name: ib-cc, params: {marking: counter}}"),
	} {
		spec = append(spec, "topology", "star:n=7")
		same := make([]int, hosts)
		for i := range same {
			same[i] = i
		}
		perm := rand.New(rand.NewPCG(6, 14)).Perm(hosts)
		slow := 0
		if name == mixedRates {
			slow = 3
			if slices.Index(perm, 0) < slow {
				t.Fatal("the first host is a slow one before and after")
			}
		}
		want, got := outcomeOf(renumbered(t, same, slow, spec)), outcomeOf(renumbered(t, perm, slow, spec))
		moved := slices.Clone(want.ports)
		moved[hosts] = slices.Clone(want.ports[hosts])
		for h := range hosts {
			moved[perm[h]], moved[hosts][perm[h]] = want.ports[h], want.ports[hosts][h]
		}
		want.ports = moved
		t.Run(name, func(t *testing.T) { sameOutcome(t, got, want) })
	}
}

// mixedRates is a case of TestHostsRenumbered.
const mixedRates = "none, hosts of two rates"

// renumbered runs a crowd in a star whose host h has the number number[h] and its own cable length;
// the first slow hosts have a quarter of the others' rate.
func renumbered(t *testing.T, number []int, slow int, spec []string) *sim.Network {
	t.Helper()
	flows := crowd(len(number))
	for i := range flows {
		f := &flows[i]
		f.Src, f.Dst = core.NodeID(number[f.Src]), core.NodeID(number[f.Dst])
	}
	s := withFlows(t, flows, spec...)
	rng := rand.New(rand.NewPCG(6, 15))
	var extra []core.Duration
	for range number {
		extra = append(extra, core.Duration(rng.Int64N(1_000_000)))
	}
	for i := range s.Topology.Links {
		l := &s.Topology.Links[i]
		h := slices.Index(number, int(min(l.A, l.B)))
		l.Delay += extra[h]
		if h < slow {
			l.Rate /= 4
		}
	}
	n, _ := play(t, s)
	return n
}

// Events on a separate island change nothing elsewhere.
func TestIsland(t *testing.T) {
	for _, e := range catalog.All() {
		t.Run(e.Name, func(t *testing.T) {
			flows := crowd(6)
			s := withFlows(t, flows, append(tight(e.Name), "topology", "star:n=6", "loss", "0.001", "stop", "5ms")...)
			plain, _ := play(t, s)
			want := outcomeOf(plain)
			shore := core.NodeID(len(s.Topology.Kinds))
			both := &topo.Topology{
				Name: "two stars", Kinds: append(slices.Clone(s.Topology.Kinds), s.Topology.Kinds...), Links: slices.Clone(s.Topology.Links),
			}
			for _, l := range s.Topology.Links {
				l.A, l.B = l.A+shore, l.B+shore
				both.Links = append(both.Links, l)
			}
			last := flows[len(flows)-1].Start
			for _, f := range crowd(6) {
				f.Src, f.Dst, f.Start = f.Src+shore, f.Dst+shore, last+1+f.Start/3
				flows = append(flows, f)
			}
			s.Topology, s.Flows = both, flows
			n, _ := play(t, s)
			got := outcomeOf(n)
			sameOutcome(t, outcome{got.flows[:len(want.flows)], got.ports[:shore]}, want)
		})
	}
}

// Flows that start when all others have ended change nothing of these, though they are between the same hosts, some of
// whose flows wait for others.
func TestLateFlowsChangeNothing(t *testing.T) {
	flows := crowd(16)
	for i := range flows {
		if i%3 == 2 {
			flows[i].After = []int32{int32(i - 1)}
		}
	}
	run := func(flows []sim.Flow) outcome {
		n, _ := play(t, withFlows(t, flows, append(tight("dcqcn"), "topology", "leaf-spine:leaves=4,spines=3,hosts=4", "stop", "20ms")...))
		return outcomeOf(n)
	}
	want, late, at := run(flows), slices.Clone(flows), core.Time(10*core.Millisecond)
	for _, f := range flows {
		f.Start, f.After = at, nil
		late = append(late, f)
	}
	got := run(late)
	for i, r := range want.flows {
		if !r.Finished || r.Start.Add(r.FCT) > at {
			t.Fatalf("flow %d has not ended before the late ones start: %+v", i, r)
		}
	}
	sameOutcome(t, outcome{got.flows[:len(flows)], nil}, outcome{want.flows, nil})
}

// With every scheme an incast of eight ends without a loss, within a few times what the link takes
// to carry it.
func TestIncastOfEveryScheme(t *testing.T) {
	const senders, size = 8, 500_000
	var flows []sim.Flow
	for i := range senders {
		flows = append(flows, sim.Flow{Src: core.NodeID(i), Dst: senders, Bytes: size, Prio: 3, DstPort: 100, Tag: "incast"})
	}
	for _, e := range catalog.All() {
		for _, profile := range []string{"native", "ns3"} {
			t.Run(e.Name+" "+profile, func(t *testing.T) {
				n, q := play(t, withFlows(t, flows, "topology", "star:n=9", "cc", e.Name, "profile", profile, "stop", "1s"))
				if len(q.ends) != senders || n.Dropped() != 0 || n.Lost() != 0 {
					t.Fatalf("%d flows ended, %d packets dropped", len(q.ends), n.Dropped())
				}
				last := core.Duration(0)
				for i := range q.ends {
					r := &q.ends[i]
					if !r.Finished || r.Acked != size || profile == "native" && r.FCT < r.Ideal || r.Retx != 0 {
						t.Errorf("flow %d: %+v", r.ID, *r)
					}
					last = max(last, r.FCT)
				}
				least := core.Exact.TxTime(senders*size, 100*core.Gbps)
				if last < least || last > 20*least {
					t.Errorf("took %v; the link carries the bytes in %v", last, least)
				}
				if got := n.Counters(senders, 0).RxPackets; got < senders*size/1000 {
					t.Errorf("the receiver got %d packets, fewer than there were", got)
				}
			})
		}
	}
}
