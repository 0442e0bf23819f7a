package scenario

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// A loss applies to the link that is named, also among parallel ones.
func TestLossOfOneLink(t *testing.T) {
	file := filepath.Join(t.TempDir(), "parallel.txt")
	write(t, file, "3 1 3\n1\n0 1 100Gbps 1us 0\n0 1 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")
	s, err := of(t, "topology", file, "workload", "none", "link_loss", "[{link: 1-0/2, loss: 10%}, {link: 1-2, loss: 1}]").Setup()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 0.1, 1} {
		if got := s.Topology.Links[i].Loss; got != want {
			t.Errorf("link %d loses %v, want %v", i, got, want)
		}
	}
}

// Flows are sorted by their start. A flow that waits for others comes after the last of them, and still waits for the
// same ones.
func TestSortFlows(t *testing.T) {
	s := &sim.Setup{Flows: []sim.Flow{{Bytes: 1, Start: 30}, {Bytes: 2, Start: 10}, {Bytes: 3, After: []int32{0}}, {Bytes: 4, After: []int32{1, 0}}, {Bytes: 5, Start: 20}}}
	sortFlows(s)
	want := []sim.Flow{{Bytes: 2, Start: 10}, {Bytes: 5, Start: 20}, {Bytes: 1, Start: 30}, {Bytes: 3, After: []int32{2}}, {Bytes: 4, After: []int32{0, 2}}}
	if !reflect.DeepEqual(s.Flows, want) {
		t.Errorf("got %+v, want %+v", s.Flows, want)
	}
}

// The flows of a file have other places in a set-up with flows of patterns as well; without these they have their own,
// also in a set-up that comes after such a one.
func TestPlaceOf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	write(t, file, "src,dst,bytes,start_ns\n0,1,100,0\n1,2,200,30\n")
	sc := of(t, "topology", "star:n=4", "workload", "none", "flows", file)
	for _, c := range []struct {
		patterns []string
		want     []int
	}{{nil, []int{0, 1}}, {[]string{"one-one:5KB"}, []int{2, 3}}, {nil, []int{0, 1}}} {
		sc.Patterns = c.patterns
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		for i, place := range c.want {
			if got := sc.PlaceOf(i); got != place || s.Flows[place].Bytes != int64(100*(i+1)) {
				t.Errorf("with patterns %q flow %d has place %d, want %d of %+v", c.patterns, i, got, place, s.Flows)
			}
		}
	}
}

// A flow whose last acknowledgement is on its way when a link failure cuts it off has the ideal time that it had.
func TestIdealOfCutOff(t *testing.T) {
	run := func(links ...sim.LinkEvent) sim.FlowRecord {
		s := withFlows(t, []sim.Flow{{Src: 0, Dst: 1, Bytes: 1000, Prio: 3, DstPort: 100}}, "topology", "star:n=2,delay=1us", "profile", "ns3", "stop", "1ms")
		s.Links = links
		_, q := play(t, s)
		if len(q.ends) != 1 || !q.ends[0].Finished {
			t.Fatalf("with %v: %+v", links, q.ends)
		}
		return q.ends[0]
	}
	want := run()
	got := run(sim.LinkEvent{At: core.Time(want.FCT - 500*core.Nanosecond), Link: 1})
	if got.FCT != want.FCT || got.Ideal != want.Ideal {
		t.Errorf("completion and ideal %v and %v, want %v and %v", got.FCT, got.Ideal, want.FCT, want.Ideal)
	}
}

// Parallel links share the flows, by hash; when one fails, its flows go on over the others, and
// when it comes back it is used again.
func TestParallelLinks(t *testing.T) {
	for _, profile := range []string{"native", "ns3"} {
		s := withFlows(t, nil, "topology", "dumbbell:n=8", "cc", "dctcp", "profile", profile, "options.rto", "300us", "options.ack_duplicates", "true", "stop", "20ms")
		left, right := core.NodeID(16), core.NodeID(17)
		var middle topo.Link
		for _, l := range s.Topology.Links {
			if l.A == left && l.B == right {
				middle = l
			}
		}
		first := len(s.Topology.Links)
		s.Topology.Links = append(s.Topology.Links, middle, middle)
		for round := range 8 {
			for i := range core.NodeID(8) {
				s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: 8 + (i+core.NodeID(round))%8, Bytes: 200_000, Start: core.Time(round) * 30_000_000, Prio: 3, DstPort: 100, Tag: "pair"})
			}
		}
		s.Links = []sim.LinkEvent{{At: 60_000_000, Link: first, Up: false}, {At: 150_000_000, Link: first, Up: true}}
		n, q := play(t, s)
		if len(q.ends) != len(s.Flows) {
			t.Errorf("%s: %d of %d flows ended", profile, len(q.ends), len(s.Flows))
		}
		for i := range q.ends {
			if r := &q.ends[i]; !r.Finished || r.Acked != 200_000 {
				t.Errorf("%s: %+v", profile, *r)
			}
		}
		used := 0
		for p, port := range n.Ports()[left] {
			if port.Peer != right {
				continue
			}
			used++
			if c := n.Counters(left, p); c.TxPackets < 1000 {
				t.Errorf("%s: link %d carried %d packets", profile, port.Link, c.TxPackets)
			}
		}
		if used != 3 || n.Lost()+n.Dropped() == 0 {
			t.Errorf("%s: %d links, %d packets lost and %d dropped", profile, used, n.Lost(), n.Dropped())
		}
	}
}

// Under every seed the same flows take the same paths, unless ECMP is seeded: then switches, and hosts of two ports,
// send other flows by each of their ports; where there is nothing to choose, they hash as without it.
func TestECMPSeeded(t *testing.T) {
	ways := func(seed, seeded string) (sent [][]int64) {
		s := unsampled(t, nil, "topology", "leaf-spine:leaves=4,spines=4,hosts=8", "seed", seed, "options.ecmp_seeded", seeded)
		s.Topology.Links = append(s.Topology.Links, s.Topology.Links[0]) // host 0 has two ports
		for i := range core.NodeID(64) {
			s.Flows = append(s.Flows, sim.Flow{Src: i % 32, Dst: (i%32 + 8 + i/32) % 32, Bytes: 10_000, Prio: 3, DstPort: 100})
		}
		for i := range core.NodeID(8) {
			s.Flows = append(s.Flows, sim.Flow{Dst: 8 + i, Bytes: 10_000, Prio: 3, DstPort: 100})
		}
		n, _ := play(t, s)
		for id, ports := range n.Ports() {
			var row []int64
			for p := range ports {
				row = append(row, n.Counters(core.NodeID(id), p).TxBytes)
			}
			sent = append(sent, row)
		}
		return sent
	}
	fixed, one, two := ways("1", "false"), ways("1", "true"), ways("2", "true")
	if again := ways("2", "false"); !reflect.DeepEqual(again, fixed) {
		t.Error("the seed has changed the ways of a run whose ECMP is not seeded")
	}
	if again := ways("1", "true"); !reflect.DeepEqual(again, one) {
		t.Error("one seed gives two ways")
	}
	const leaf = 32 // the first switch
	for _, node := range []int{0, leaf} {
		if reflect.DeepEqual(one[node], two[node]) && reflect.DeepEqual(one[node], fixed[node]) {
			t.Errorf("node %d sends %v by its ports, whatever the seed", node, fixed[node])
		}
	}
	if !reflect.DeepEqual(one[1], two[1]) {
		t.Errorf("a host of one port sends %v, and with another seed %v", one[1], two[1])
	}
}

// twoPlanes is a network of hosts with two ports each, one to each of two switches.
func twoPlanes(hosts int) *topo.Topology {
	network := &topo.Topology{Name: "two planes", Kinds: make([]topo.Kind, hosts+2)}
	network.Kinds[hosts], network.Kinds[hosts+1] = topo.Switch, topo.Switch
	for h := range hosts {
		for plane := range 2 {
			network.Links = append(network.Links, topo.Link{
				A: core.NodeID(h), B: core.NodeID(hosts + plane), Rate: 100 * core.Gbps, Delay: core.Microsecond,
			})
		}
	}
	return network
}

// Hosts with two ports use both; when the link of one fails, flows move to the other, whatever they
// were doing, and all finish.
func TestTwoPortedHosts(t *testing.T) {
	for _, cc := range []string{"none", "hpcc", "dcqcn-paper", "swift"} {
		t.Run(cc, func(t *testing.T) {
			const hosts = 6
			s := withFlows(t, nil, append(tight(cc), "topology", "star:n=6", "loss", "0.0005")...)
			s.Topology = twoPlanes(hosts)
			for i := range 60 {
				src := core.NodeID(i % hosts)
				dst := (src + 1 + core.NodeID(i/hosts%(hosts-1))) % hosts
				s.Flows = append(s.Flows, sim.Flow{Src: src, Dst: dst, Bytes: 150_000, Start: core.Time(i) * 1_300_000, Prio: 3, DstPort: 100, Tag: "pair"})
			}
			s.Links = []sim.LinkEvent{ // host 0 in plane 0, host 1 in plane 1
				{At: 30_000_000, Link: 0, Up: false}, {At: 45_000_000, Link: 3, Up: false},
				{At: 90_000_000, Link: 0, Up: true}, {At: 400_000_000, Link: 3, Up: true},
			}
			n, q := play(t, s)
			for i := range q.ends {
				if r := &q.ends[i]; !r.Finished || r.Timeouts > 6 {
					t.Errorf("%+v", *r)
				}
			}
			if len(q.ends) != len(s.Flows) || n.Lost() == 0 {
				t.Errorf("%d of %d flows ended, %d packets lost", len(q.ends), len(s.Flows), n.Lost())
			}
			for h := range core.NodeID(hosts) {
				for p := range 2 {
					if c := n.Counters(h, p); c.TxPackets < 300 {
						t.Errorf("host %d sent %d packets by port %d", h, c.TxPackets, p)
					}
				}
			}
		})
	}
}

// Routes that go up and then down cannot wait for one another in a circle. When two links have failed, routes go down
// and up again, and PFC deadlocks (Hu et al., Tagger, CoNEXT 2017), but not where queues stay short.
func TestDeadlockOfRoutesThatBounce(t *testing.T) {
	var flows []sim.Flow
	for i := range core.NodeID(32) { // of each leaf's hosts, two each, to those of the leaf beside it
		from := i / 2
		flows = append(flows, sim.Flow{Src: from, Dst: (from^4)&^3 + (from+i)%4, Bytes: 4_000_000, Start: core.Time(2 * core.Microsecond),
			Prio: 3, SrcPort: uint16(1000 + 7*i), DstPort: 100})
	}
	for _, c := range []struct {
		cc, links string
		deadlock  bool
	}{
		{"none", "[]", false},
		{"none", "[{at: 0s, down: 16-20}, {at: 0s, down: 17-21}]", true},
		{"hpcc", "[{at: 0s, down: 16-20}, {at: 0s, down: 17-21}]", false},
	} {
		s := unsampled(t, flows, "topology", "leaf-spine:leaves=4,spines=2,hosts=4,rate=40Gbps", "cc", c.cc, "buffer", "1MB",
			"links", c.links, "stop", "40ms")
		n, q := play(t, s)
		cycle, _ := n.Deadlock()
		if got := len(cycle) > 0; got != c.deadlock || !got && len(q.ends) != len(flows) {
			t.Errorf("%s, links %s: deadlock %v, %d of %d flows have ended", c.cc, c.links, got, len(q.ends), len(flows))
		}
	}
}

// A link loses packets both ways, whichever of its ends is named first.
func TestLossBothWays(t *testing.T) {
	for _, line := range []string{"0 2", "2 0"} {
		file := filepath.Join(t.TempDir(), "topology.txt")
		write(t, file, "3 1 2\n2\n"+line+" 100Gbps 1us 0.01\n1 2 100Gbps 1us 0\n")
		flows := []sim.Flow{
			{Src: 0, Dst: 1, Bytes: 1_000_000, Prio: 3, DstPort: 100}, {Src: 1, Dst: 0, Bytes: 1_000_000, Prio: 3, DstPort: 100},
		}
		n, q := play(t, withFlows(t, flows, "topology", file, "cc", "none", "options.rto", "100us"))
		for i := range q.ends {
			if r := &q.ends[i]; !r.Finished || r.Retx == 0 {
				t.Errorf("link %s: %+v", line, *r)
			}
		}
		if len(q.ends) != 2 || n.Lost() == 0 {
			t.Errorf("link %s: %d flows ended, %d packets lost", line, len(q.ends), n.Lost())
		}
	}
}

// A change that changes nothing is probably a mistake; a note reports it.
func TestLinkChangesThatChangeNothing(t *testing.T) {
	s, err := of(t, "topology", "star:n=2", "links", "[{at: 1us, up: 0-2}, {at: 2us, down: 0-2}, {at: 3us, down: 1-2}, {at: 4us, down: 2-0}, {at: 5us, up: 0-2}, {at: 6us, up: 0-2}]").Setup()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"links.0 changes nothing: link 0-2 is up at 1us already",
		"links.3 changes nothing: link 2-0 is down at 4us already",
		"links.5 changes nothing: link 0-2 is up at 6us already",
	}
	if !slices.Equal(s.Notes, want) {
		t.Errorf("notes %q, want %q", s.Notes, want)
	}
}

// In profile ns3 a flow that ends after a failure is measured by the slowest link of its new path, with the round trip of the
// old one; a flow that has ended before by the old path alone.
func TestStandaloneAfterFailure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "detour.txt")
	write(t, file, "5 3 5\n2 3 4\n0 2 100Gbps 1us 0\n2 3 100Gbps 1us 0\n2 4 25Gbps 1us 0\n4 3 25Gbps 1us 0\n3 1 100Gbps 1us 0\n")
	flow := sim.Flow{Src: 0, Dst: 1, Bytes: 100_000, Prio: 3, DstPort: 100}
	later := flow
	later.Start = core.Time(core.Millisecond)
	_, q := play(t, unsampled(t, []sim.Flow{flow, later}, "profile", "ns3", "topology", file, "links", "[{at: 500us, down: 2-3}]"))
	if len(q.ends) != 2 {
		t.Fatalf("%d flows have ended", len(q.ends))
	}
	const (
		trip = 6240     // ns: 3 links of 1 us there and back, and 3 times 1000 B at 100 Gb/s
		fast = 8384     // 100 packets of 1048 B at 100 Gb/s
		slow = 4 * fast // at 25 Gb/s
	)
	for i, want := range [...]core.Duration{(trip + fast) * core.Nanosecond, (trip + slow) * core.Nanosecond} {
		if got := q.ends[i].Ideal; got != want {
			t.Errorf("flow %d: %v, want %v", i, got, want)
		}
	}
}
