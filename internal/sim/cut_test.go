package sim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/devices/switching"
)

// Parts have about equally many ports, hosts are with their switch if there are enough switches, and few links are cut.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		spec  string
		least int
		best  int
		want  int     // parts
		most  float64 // ports of the largest part over the mean
		cut   int     // links
	}{
		{"fat-tree:k=8", 2, 2, 2, 1.02, 64},
		{"fat-tree:k=8", 4, 4, 4, 1.02, 96},
		{"fat-tree:k=4", 3, 3, 3, 1.3, 16},
		{"leaf-spine:leaves=4,spines=2,hosts=8", 2, 2, 2, 1.02, 4},
		{"dumbbell:n=16", 2, 2, 2, 1.02, 1},
		{"star:n=32", 2, 2, 2, 1.02, 32},
		{"fat-tree:k=8", 2, 8, 8, 1.02, 112},
		{"fat-tree:k=4", 2, 8, 8, 1.3, 32},
		{"dumbbell:n=16", 2, 8, 2, 1.02, 1},
		{"star:n=2", 8, 8, 1, 1, 0},
		{"star:n=1000", 1000, 4000, 255, 127.5, 1000},
		{"star:n=32,delay=0s", 2, 2, 1, 1, 0},
		{"star:n=2", 3, 3, 3, 1.5, 2},
		{"leaf-spine:leaves=300,spines=1,hosts=1", 2, 4000, 255, 85, 300},
	} {
		network, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		ports := network.Ports()
		part, parts := cutNetwork(network, ports, new(Setup).Delay, c.least, c.best)
		if parts != c.want {
			t.Errorf("%s: %d parts of at best %d, want %d", c.spec, parts, c.best, c.want)
		}
		if parts == 1 {
			continue
		}
		load, cut := make([]int, parts), 0
		for id, p := range ports {
			load[part[id]] += len(p)
		}
		for _, l := range network.Links {
			if part[l.A] != part[l.B] {
				cut++
			}
		}
		for _, n := range load {
			if over := float64(n*parts) / float64(2*len(network.Links)); over > c.most {
				t.Errorf("%s: ports %v, want at most %v of the mean", c.spec, load, c.most)
			}
		}
		if cut > c.cut {
			t.Errorf("%s: %d links are cut, want at most %d", c.spec, cut, c.cut)
		}
	}
}

// Hosts are with the peer of their first port, and other switches where their links lead. Only a link with delay is cut.
func TestCutOfSmallNetworks(t *testing.T) {
	link := func(a, b core.NodeID) topo.Link { return topo.Link{A: a, B: b, Delay: core.Microsecond} }
	for name, c := range map[string]struct {
		hosts int
		links []topo.Link
		parts int
		want  []uint8
	}{
		"hosts without delay":  {4, []topo.Link{{A: 0, B: 4}, {A: 1, B: 4}, {A: 2, B: 5}, {A: 3, B: 5}, link(4, 5)}, 2, []uint8{0, 0, 1, 1, 0, 1}},
		"trunk without delay":  {4, []topo.Link{link(0, 4), link(1, 4), link(2, 5), link(3, 5), {A: 4, B: 5}}, 2, nil},
		"two links per host":   {4, []topo.Link{link(0, 4), link(1, 4), link(2, 5), link(3, 5), link(0, 5), link(1, 5), link(2, 4), link(3, 4)}, 2, []uint8{0, 0, 1, 1, 0, 1}},
		"a row of switches":    {2, []topo.Link{link(0, 2), link(1, 3), link(2, 3), link(3, 4), link(4, 5)}, 2, []uint8{0, 1, 0, 1, 1, 1}},
		"as near to both":      {2, []topo.Link{link(0, 2), link(1, 3), link(2, 4), link(3, 4)}, 2, []uint8{0, 1, 0, 1, 0}},
		"hosts without switch": {2, []topo.Link{link(0, 1)}, 2, nil},
		"too few nodes":        {2, []topo.Link{link(0, 1)}, 3, nil},
	} {
		network := &topo.Topology{Kinds: make([]topo.Kind, c.hosts), Links: c.links}
		for _, l := range c.links {
			for int(max(l.A, l.B)) >= len(network.Kinds) {
				network.Kinds = append(network.Kinds, topo.Switch)
			}
		}
		part, parts := cutNetwork(network, network.Ports(), new(Setup).Delay, c.parts, c.parts)
		if whole := c.want == nil; !slices.Equal(part, c.want) || whole != (parts == 1) || !whole && parts != c.parts {
			t.Errorf("%s: %d parts: %v, want %v", name, parts, part, c.want)
		}
	}
}

// A network that has a host without links stays whole.
func TestCutOfLonelyHost(t *testing.T) {
	network, err := topo.Parse("star:n=8")
	if err != nil {
		t.Fatal(err)
	}
	network.Kinds = append(network.Kinds, topo.Host)
	if part, parts := cutNetwork(network, network.Ports(), new(Setup).Delay, 2, 2); parts != 1 {
		t.Errorf("%d parts: %v", parts, part)
	}
}

// Each thread has several parts; a single thread has one for every 256 ports, at most eight, but only one in the order of
// scheduling.
func TestBestParts(t *testing.T) {
	for _, c := range []struct{ threads, links, want int }{
		{1, 10, 0}, {1, 127, 0}, {1, 128, 1}, {0, 255, 1}, {0, 256, 2}, {1, 8 * 128, 8}, {1, 9 * 128, 8}, {2, 10, 8}, {3, 9 * 128, 12},
	} {
		n := &Network{Setup: &Setup{Threads: c.threads, Topology: &topo.Topology{Links: make([]topo.Link, c.links)}}}
		if got := n.bestParts(); got != c.want {
			t.Errorf("%d threads, %d links: %d parts, want %d", c.threads, c.links, got, c.want)
		}
		if n.Setup.Profile = NS3(); c.threads > 1 {
			continue
		}
		if got := n.bestParts(); got != 1 {
			t.Errorf("%d threads, %d links, in the order of scheduling: %d parts", c.threads, c.links, got)
		}
	}
}

// Anything that acts on all nodes at once, or is recorded in one order for all, keeps a network
// whole.
func TestSeparable(t *testing.T) {
	for name, change := range map[string]func(s *Setup){
		"":                   func(*Setup) {},
		"common random":      func(s *Setup) { s.Profile.CommonRandom = true },
		"forgotten receiver": func(s *Setup) { s.Profile.ForgetReceiver = true },
		"manager":            func(s *Setup) { s.Manager.Sweep = 1 },
		"trace":              func(s *Setup) { s.Trace = []core.NodeID{} },
		"capture":            func(s *Setup) { s.Capture = true },
		"closed loop":        func(s *Setup) { s.ClosedLoop = true },
		"sampling events":    func(s *Setup) { s.Sampling.Events = true },
		"a third host":       func(s *Setup) { s.Flows[1] = Flow{Src: 2, Dst: 3, After: []int32{0}} },
		"one third host":     func(s *Setup) { s.Flows[3].After = []int32{0, 1} },
	} {
		s := &Setup{Profile: Native(), Flows: []Flow{{Src: 0, Dst: 1}, {Src: 1, Dst: 2, After: []int32{0}}, {Src: 1, Dst: 3, After: []int32{0, 1}}, {Src: 0, Dst: 3, After: []int32{0}}}}
		change(s)
		if n := (&Network{Setup: s}); n.separable() != (name == "") {
			t.Errorf("%q: separable: %v", name, n.separable())
		}
	}
}

// In the order of scheduling, with the reference's profile, whatever draws at once from a sequence that all share, or may meet
// a receiver after its flow has ended, keeps a network whole. With streams of their own, and receivers that are not forgotten, it may.
func TestSeparableInOrder(t *testing.T) {
	for name, change := range map[string]func(s *Setup, n *Network){
		"":                func(*Setup, *Network) {},
		"sampling events": func(s *Setup, _ *Network) { s.Sampling.Events = true },
		"!manager":        func(s *Setup, _ *Network) { s.Manager.Sweep = 1 },
		"!links":          func(s *Setup, _ *Network) { s.Links = make([]LinkEvent, 1) },
		"!programs":       func(s *Setup, _ *Network) { s.Programs = make([]Program, 4) },
		"!trace":          func(s *Setup, _ *Network) { s.Trace = []core.NodeID{} },
		"!flow that waits": func(s *Setup, _ *Network) {
			s.Flows = append(s.Flows, Flow{Src: 1, Dst: 2, After: []int32{0}})
		},
		"!link without delay": func(s *Setup, _ *Network) { s.Topology.Links[1].Delay = core.Nanosecond - 1 },
		"!losses":             func(s *Setup, _ *Network) { s.LossPerLink = 0.1 },
		"!losses of a link":   func(s *Setup, _ *Network) { s.Topology.Links[1].Loss = 0.1 },
		"!congestion points":  func(_ *Setup, n *Network) { n.points.Markers = make([]algorithms.Scheme, 1) },
		"!notification points": func(_ *Setup, n *Network) {
			n.points.Receivers = make([]algorithms.Scheme, 1)
		},
		"!losses before receivers are forgotten": func(s *Setup, _ *Network) { s.Profile.CommonRandom, s.LossPerLink = false, 0.1 },
		"!losses from a common sequence":         func(s *Setup, _ *Network) { s.Profile.ForgetReceiver, s.LossPerLink = false, 0.1 },
		"!closed loop":                           func(s *Setup, _ *Network) { s.ClosedLoop = true },

		"!without PFC": func(s *Setup, _ *Network) { s.NoPFC = true },
		"!lossy class": func(s *Setup, _ *Network) { s.Lossy = 1 << 3 },
		"!time-outs":   func(s *Setup, _ *Network) { s.Profile.RTO = 1 },
		"!spraying":    func(s *Setup, _ *Network) { s.Balance = switching.Spray },
		"own streams": func(s *Setup, n *Network) {
			s.Profile.CommonRandom, s.Profile.ForgetReceiver = false, false
			s.LossPerLink, s.Profile.RTO, s.Balance = 0.1, FitTimeout, switching.Spray
			n.points.Markers, n.points.Receivers = make([]algorithms.Scheme, 1), make([]algorithms.Scheme, 1)
		},
	} {
		links := []topo.Link{{Delay: core.Microsecond}, {Delay: core.Microsecond}, {Delay: core.Microsecond}}
		s := &Setup{Profile: NS3(), Flows: []Flow{{Src: 0, Dst: 1}}, Topology: &topo.Topology{Links: links}}
		n := &Network{Setup: s}
		change(s, n)
		if want := !strings.HasPrefix(name, "!"); n.separable() != want {
			t.Errorf("%q: separable: %v", name, n.separable())
		}
	}
}

// Where links are short for their number and rates, several threads are of no use, and one thread runs a large network whole.
func TestShortWindows(t *testing.T) {
	for _, c := range []struct {
		spec   string
		ns3    bool
		useful int // of two threads
		parts  int // of one thread
	}{
		{"fat-tree:k=8", false, 2, 3},
		{"fat-tree:k=8,delay=200ns", false, 2, 1},
		{"fat-tree:k=8,delay=100ns", false, 2, 1},
		{"fat-tree:k=8,delay=50ns", false, 1, 1},
		{"fat-tree:k=8,delay=100ns,rate=400Gbps", false, 2, 3},
		{"fat-tree:k=16,delay=200ns", false, 2, 8},
		{"fat-tree:k=16,delay=100ns", false, 2, 1},
		{"fat-tree:k=16,delay=5ns", false, 1, 1},
		{"leaf-spine:leaves=16,spines=8,hosts=16,delay=1ns", false, 1, 1},
		{"star:n=300,delay=0s", false, 2, 1},
		{"leaf-spine:leaves=16,spines=8,hosts=8", false, 2, 2},
		{"fat-tree:k=8,delay=200ns", true, 2, 1},
		{"fat-tree:k=8,delay=100ns", true, 1, 1},
	} {
		network, err := topo.Parse(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		s := &Setup{Profile: Native(), Topology: network, MTU: 1000, Header: 48}
		if c.ns3 {
			s.Profile = NS3()
		}
		if got := s.UsefulThreads(2); got != c.useful {
			t.Errorf("%s: %d threads are useful, want %d", c.spec, got, c.useful)
		}
		n := &Network{Setup: s, wiring: newWiring(network)}
		if got := n.chooseParts(); got != c.parts || (got == 1) != (n.cut == nil) {
			t.Errorf("%s: one thread runs %d parts, want %d; cut: %v", c.spec, got, c.parts, n.cut != nil)
		}
		if s.ClosedLoop = true; n.chooseParts() != 1 {
			t.Errorf("%s: a closed loop has several parts", c.spec)
		}
		if s.UsefulThreads(1) != 1 {
			t.Errorf("%s: one thread is of no use", c.spec)
		}
	}
}

// Links carry packets with their headers, in both directions.
func TestCarries(t *testing.T) {
	s := &Setup{Topology: &topo.Topology{Links: []topo.Link{{Rate: 100 * core.Gbps}, {Rate: 25 * core.Gbps}}}, MTU: 1000, Header: 250}
	if got := s.carries(core.Microsecond); got != 25 {
		t.Errorf("links of 100 and 25 Gb/s carry %v packets of 1250 bytes in a microsecond, want 25", got)
	}
}

// It is the links between two parts that count, and in the order of scheduling all of them.
func TestWindowOfParts(t *testing.T) {
	network, err := topo.Parse("star:n=3")
	if err != nil {
		t.Fatal(err)
	}
	for i := range network.Links {
		network.Links[i].Delay = core.Duration(5+i) * core.Nanosecond
	}
	s, part := &Setup{Profile: Native(), Topology: network}, make([]uint8, len(network.Kinds))
	if got := s.window(part); got != math.MaxInt64 {
		t.Errorf("nothing is cut: %v", got)
	}
	for i := 2; i >= 0; i-- {
		l := &network.Links[i]
		host := l.A
		if network.Kinds[host] != topo.Host {
			host = l.B
		}
		part[host] = 1
		if got := s.window(part); got != l.Delay {
			t.Errorf("links from %d on are cut: %v, want %v", i, got, l.Delay)
		}
	}
	part = make([]uint8, len(network.Kinds))
	s.Profile = NS3()
	if got := s.window(part); got != 5*core.Nanosecond {
		t.Errorf("in the order of scheduling: %v", got)
	}
}
