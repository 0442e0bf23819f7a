package topo

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// baselineLinks reads the links of a topology file of the reference simulator, which follow two
// other lines.
func baselineLinks(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open("../../testdata/baselines/" + name + "/topology.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, strings.TrimSpace(s.Text()))
	}
	return lines
}

func asFile(net *Topology) []string {
	var switches []string
	for id, k := range net.Kinds {
		if k == Switch {
			switches = append(switches, fmt.Sprint(id))
		}
	}
	lines := []string{
		fmt.Sprintf("%d %d %d", len(net.Kinds), len(switches), len(net.Links)),
		strings.Join(switches, " "),
	}
	for _, l := range net.Links {
		lines = append(lines, fmt.Sprintf("%d %d %v %.0fns %f", l.A, l.B, l.Rate, l.Delay.Nanos(), l.Loss))
	}
	return lines
}

func TestBuildersMatchBaselines(t *testing.T) {
	for _, c := range []struct{ spec, baseline string }{
		{"fat-tree:thesis", "fat16-ws30-dcqcn"},
		{"dumbbell:n=4,right=1", "dumbbell4-hpcc"},
		{"star:n=61", "star61-incast60-dcqcn"},
	} {
		got, want := asFile(mustParse(t, c.spec)), baselineLinks(t, c.baseline)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.spec, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// shape counts what a reader of the papers would count.
type shape struct {
	hosts, switches, access, fabric int
	hops                            int // of the longest path
	ways                            int // product of the equal-cost choices on it
}

func shapeOf(net *Topology) shape {
	var s shape
	for _, l := range net.Links {
		if net.Kinds[l.A] == Switch && net.Kinds[l.B] == Switch {
			s.fabric++
		} else {
			s.access++
		}
	}
	s.hosts = len(net.Hosts())
	s.switches = len(net.Kinds) - s.hosts
	r := NewRoutes(net, nil, AscendingID)
	s.ways = 1
	last := core.NodeID(s.hosts - 1)
	for at := core.NodeID(0); at != last; s.hops++ {
		ports := r.Next(at, last)
		s.ways *= len(ports)
		at = r.ports[at][ports[0]].Peer
	}
	return s
}

func TestBuilderShapes(t *testing.T) {
	for _, c := range []struct {
		spec string
		want shape
	}{
		{"fat-tree:k=4", shape{16, 20, 16, 32, 6, 4}},
		{"fat-tree:k=8", shape{128, 80, 128, 256, 6, 16}},
		{"fat-tree:k=36", shape{11664, 1620, 11664, 23328, 6, 324}},
		{"fat-tree:k=4,hosts=10", shape{80, 20, 80, 32, 6, 4}},
		{"fat-tree:thesis", shape{16, 10, 16, 16, 6, 8}},
		{"fat-tree:hpcc", shape{320, 56, 320, 160, 6, 16}},
		{"leaf-spine:leaves=4,spines=3,hosts=8", shape{32, 7, 32, 12, 4, 3}},
		{"rail-optimized:servers=4", shape{32, 16, 64, 32, 4, 4}},
		{"rail-optimized:servers=4,spines=3,nvlink=none", shape{32, 11, 32, 24, 4, 3}},
		{"dumbbell:n=3", shape{6, 2, 6, 1, 3, 1}},
		{"star:n=5", shape{5, 1, 5, 0, 2, 1}},
	} {
		if got := shapeOf(mustParse(t, c.spec)); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.spec, got, c.want)
		}
	}
}

// Which switches of a fat-tree are joined, in one whose numbers are all different: uplink i of aggregation switch j of
// a pod leads to core switch 2j+i of 5, modulo 5.
func TestFatTreeWiring(t *testing.T) {
	net := mustParse(t, "fat-tree:k=2,pods=2,hosts=1,edges=4,aggs=3,cores=5,uplinks=2")
	var got []string
	for _, l := range net.Links[8:] { // those of hosts come first: 8 hosts, 8 edge, 6 aggregation, 5 core switches
		got = append(got, fmt.Sprintf("%d-%d", l.A, l.B))
	}
	want := "8-16 8-17 8-18 9-16 9-17 9-18 10-16 10-17 10-18 11-16 11-17 11-18 " +
		"12-19 12-20 12-21 13-19 13-20 13-21 14-19 14-20 14-21 15-19 15-20 15-21 " +
		"16-22 16-23 17-24 17-25 18-26 18-22 19-22 19-23 20-24 20-25 21-26 21-22"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

// Which GPUs are joined in a server and which along a rail; others by way of the spine switch.
func TestRailWiring(t *testing.T) {
	net := mustParse(t, "rail-optimized:servers=2,gpus=3,spines=1,rate=200Gbps,fabric=800Gbps,delay=2us,nvlink=900Gbps,nvlink_delay=50ns")
	want := []string{"12 6 15", "6 7 8 9 10 11"}
	for gpu, end := range []string{"6 8", "6 9", "6 10", "7 8", "7 9", "7 10"} {
		server, rail, _ := strings.Cut(end, " ")
		want = append(want, fmt.Sprintf("%d %s 900Gbps 50ns 0.000000", gpu, server), fmt.Sprintf("%d %s 200Gbps 2000ns 0.000000", gpu, rail))
	}
	for leaf := 8; leaf <= 10; leaf++ {
		want = append(want, fmt.Sprintf("%d 11 800Gbps 2000ns 0.000000", leaf))
	}
	if got := asFile(net); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	r := NewRoutes(net, nil, AscendingID)
	for _, c := range []struct {
		src, dst core.NodeID
		port     uint16
	}{{0, 2, 0}, {0, 3, 1}, {0, 4, 1}} {
		if got := r.Next(c.src, c.dst); !slices.Equal(got, []uint16{c.port}) {
			t.Errorf("from GPU %d to %d by ports %v, want %d", c.src, c.dst, got, c.port)
		}
	}
}

// The lowest rate, no delay, and as many nodes as the limit are allowed.
func TestBuilderLimits(t *testing.T) {
	for _, l := range mustParse(t, "star:n=2,rate=1Kbps,delay=0s").Links {
		if l.Rate != core.Kbps || l.Delay != 0 {
			t.Errorf("got %v and %v", l.Rate, l.Delay)
		}
	}
	var v values
	if !v.fits(maxNodes-1, 1) || v.fits(maxNodes-1, 2) || v.err == nil {
		t.Errorf("%d nodes: %v", maxNodes+1, v.err)
	}
}

// In a k-ary fat-tree every switch has k ports.
func TestFatTreePorts(t *testing.T) {
	net := mustParse(t, "fat-tree:k=8")
	for id, ports := range net.Ports() {
		if net.Kinds[id] == Switch && len(ports) != 8 {
			t.Errorf("switch %d has %d ports, want 8", id, len(ports))
		}
	}
}

func TestBuilderParameters(t *testing.T) {
	net := mustParse(t, " leaf-spine:leaves=2, spines=1,hosts=1,rate=25Gbps,fabric=100Gbps,delay=600ns")
	want := []Link{
		{A: 0, B: 2, Rate: 25 * core.Gbps, Delay: 600 * core.Nanosecond},
		{A: 1, B: 3, Rate: 25 * core.Gbps, Delay: 600 * core.Nanosecond},
		{A: 2, B: 4, Rate: 100 * core.Gbps, Delay: 600 * core.Nanosecond},
		{A: 3, B: 4, Rate: 100 * core.Gbps, Delay: 600 * core.Nanosecond},
	}
	if !slices.Equal(net.Links, want) {
		t.Errorf("got %+v, want %+v", net.Links, want)
	}
	// Single parameters of a preset can be changed.
	net = mustParse(t, "fat-tree:thesis,delay=2us,fabric=200Gbps")
	if l := net.Links[20]; len(net.Links) != 32 || l.Delay != 2*core.Microsecond || l.Rate != 200*core.Gbps {
		t.Errorf("got %d links, the first of the fabric %+v", len(net.Links), l)
	}
	// Without fabric= the fabric runs at the rate of the hosts.
	if got := mustParse(t, "dumbbell:n=1,rate=40Gbps").Links[1].Rate; got != 40*core.Gbps {
		t.Errorf("got a bottleneck of %v, want 40Gbps", got)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"fattree:k=4", `unknown builder "fattree"; did you mean "fat-tree"? known: fat-tree, leaf-spine, rail-optimized, dumbbell, star`},
		{"", `unknown builder ""; known: fat-tree`},
		{"stop:n=4", `unknown builder "stop"; did you mean "star"? known: fat-tree`},
		{"smog:n=4", `unknown builder "smog"; known: fat-tree`}, // most letters of star differ
		{"fat-tree", `parameter "k" is missing (ports of a switch, even)`},
		{"fat-tree:k=5", `k=5 must be even`},
		{"fat-tree:k=1000", `k=1000 is out of range; use 2 to 256`},
		{"fat-tree:k=four", `k="four" is not a whole number`},
		{"fat-tree:k=200", `2050000 nodes are too many`}, // 2,000,000 hosts and 50,000 switches
		{"fat-tree:k=4,k=6", `parameter "k" is given twice`},
		{"fat-tree:tesis", `"tesis" is not key=value; did you mean "thesis"? known: thesis, hpcc, k`},
		{"fat-tree:k=4,uplinks=9", `uplinks=9 is above cores=4: an aggregation switch has one link to a core switch at most`},
		{"fat-tree:thesis,delay=1us,delay=2us", `parameter "delay" is given twice`},
		{"fat-tree:k=4,thesis", `"thesis" is not key=value`},
		{"star:n=4,", `"" is not key=value; known: n, rate, delay`},
		{"star:,n=4", `"" is not key=value; known: n, rate, delay`},
		{"star:n=4, ,rate=1Gbps", `"" is not key=value`},
		{"star:", `"" is not key=value`},
		{"fat-tree:thesis,", `"" is not key=value`},
		{"fat-tree:thesis,,delay=1us", `"" is not key=value`},
		{"star:n=4,rats=1Gbps", `star has no parameter "rats"; did you mean "rate"? known: n, rate, delay`},
		{"star:n=4,rate=", `parameter "rate" has no value`},
		{"star:n=4,rate=fast", `rate: "fast" is not a rate`},
		{"star:n=4,rate=0", `rate="0" is not above zero: write a rate such as 100Gbps`},
		{"star:n=4,rate=1bps", `rate="1bps" is below 1Kbps: write a unit, such as 25Gbps`},
		{"star:n=4,rate=9000000Tbps", `rate="9000000Tbps" is above 1000Tbps: write a rate such as 100Gbps`},
		{"star:n=4,delay=soon", `delay: "soon" is not a duration`},
		{"star:n=4,delay=-1us", `delay="-1us" is negative: write a duration such as 1us`},
		{"star:n=4,delay=100000s", `delay="100000s" is above 3600s: write a duration such as 1us`},
		{"star:n=1", `n=1 is out of range; use 2 to 65535`},
		{"star:n=99999999999999999999", `n=99999999999999999999 is out of range; use 2 to 65535`},
		{"leaf-spine:leaves=4096,spines=1,hosts=4096", `16781313 nodes are too many; the limit is 1048576`},
	} {
		_, err := Parse(c.spec)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.spec, err, c.want)
		} else if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), fmt.Sprintf("topology %q: ", c.spec)) {
			t.Errorf("%s: %v is not one line that names the text", c.spec, err)
		}
	}
}

// Every number of a builder may have the minimum and the maximum that its error names, and nothing beyond.
func TestBuilderRanges(t *testing.T) {
	for _, c := range []struct {
		spec        string // with a verb for the number
		least, most int
	}{
		{"star:n=%d", 2, 65535},
		{"dumbbell:n=%d,right=1", 1, 65534},
		{"dumbbell:n=1,right=%d", 1, 65534},
		{"leaf-spine:leaves=%d,spines=1,hosts=2", 1, 4096},
		{"leaf-spine:leaves=1,spines=%d,hosts=2", 1, 4096},
		{"leaf-spine:leaves=2,spines=1,hosts=%d", 1, 4096},
		{"fat-tree:k=2,hosts=2,pods=%d", 1, 4096},
		{"fat-tree:k=2,edges=%d", 1, 4096},
		{"fat-tree:k=2,aggs=%d", 1, 4096},
		{"fat-tree:k=2,cores=%d", 1, 65536},
		{"fat-tree:k=2,hosts=%d", 1, 4096},
		{"fat-tree:k=2,cores=4096,uplinks=%d", 1, 4096},
	} {
		for _, n := range []int{c.least, c.most} {
			if _, err := Parse(fmt.Sprintf(c.spec, n)); err != nil {
				t.Error(err)
			}
		}
		for _, n := range []int{c.least - 1, c.most + 1} {
			want := fmt.Sprintf("=%d is out of range; use %d to %d", n, c.least, c.most)
			if _, err := Parse(fmt.Sprintf(c.spec, n)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf(c.spec+": got %v, want an error with %q", n, err, want)
			}
		}
	}
}

// Every builder can be used as its own help describes it.
func TestBuildersDescribeThemselves(t *testing.T) {
	for _, b := range Builders() {
		fields := []string{}
		for _, p := range b.Params {
			value := p.Default
			if value == "" {
				value = "2"
			}
			fields = append(fields, p.Name+"="+value)
		}
		specs := []string{b.Name + ":" + strings.Join(fields, ",")}
		for _, p := range b.Presets {
			specs = append(specs, b.Name+":"+p.Name)
		}
		for _, spec := range specs {
			if net := mustParse(t, spec); net.Name != spec {
				t.Errorf("%s: the name is %q", spec, net.Name)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"fat-tree:k=4", "fat-tree:thesis", "star:n=3,rate=1Gbps", "dumbbell:n=2,right=3,delay=0", "leaf-spine:leaves=2,spines=2,hosts=2", "x:=,="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		if len(spec) > 100 || strings.ContainsAny(spec, "456789") {
			return // keeps the networks small
		}
		net, err := Parse(spec)
		if err != nil {
			if strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("error of several lines: %v", err)
			}
			return
		}
		if err := net.Validate(); err != nil {
			t.Errorf("%q was built but is not valid: %v", spec, err)
		}
	})
}

func BenchmarkRoutesOfLargeFatTree(b *testing.B) {
	net := mustParse(b, "fat-tree:k=36")
	b.ReportAllocs()
	for b.Loop() {
		NewRoutes(net, nil, DescendingID)
	}
}

func BenchmarkMaxOfLargeFatTree(b *testing.B) {
	p := NewPaths(NewRoutes(mustParse(b, "fat-tree:k=36"), nil, DescendingID), core.Exact, testSizes)
	for b.Loop() {
		p.Max()
	}
}

// Nodes are numbered hosts first, then switches by their distance from the nearest host.
func TestOrderOfNodes(t *testing.T) {
	for _, spec := range []string{"star:n=3", "dumbbell:n=2,right=3", "leaf-spine:leaves=3,spines=2,hosts=4", "fat-tree:k=4", "fat-tree:thesis", "fat-tree:hpcc"} {
		net, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		distance := make([]int, len(net.Kinds))
		reached := slices.Clone(net.Hosts())
		for len(reached) > 0 {
			id := reached[0]
			reached = reached[1:]
			for _, p := range net.Ports()[id] {
				if net.Kinds[p.Peer] == Switch && distance[p.Peer] == 0 {
					distance[p.Peer] = distance[id] + 1
					reached = append(reached, p.Peer)
				}
			}
		}
		if !slices.IsSorted(distance) {
			t.Errorf("%s: distances from hosts %v", spec, distance)
		}
	}
}
