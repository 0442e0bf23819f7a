package topo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

var (
	testSizes = Sizes{Payload: 1000, Packet: 1048, Ack: 60}
	slowHost  = Sizes{Payload: 1000, Packet: 1048, Ack: 60, Host: 3*core.Microsecond + 999}
)

// plainPair is the brute-force twin of Pair. It computes one link at a time, straight from the
// definition, over its own routes.
func plainPair(t *Topology, next [][][]uint16, tm core.Timing, src, dst core.NodeID) Path {
	var p Path
	ports := t.Ports()
	bottleneck := core.Rate(math.MaxInt64)
	for at := src; at != dst; p.Hops++ {
		if len(next[at][dst]) == 0 {
			return Path{}
		}
		port := ports[at][next[at][dst][0]]
		l := t.Links[port.Link]
		bottleneck = min(bottleneck, l.Rate)
		if tm == core.Exact {
			p.Delay += l.Delay
			p.Tx += tm.TxTime(testSizes.Packet, l.Rate) + tm.TxTime(testSizes.Ack, l.Rate)
		} else {
			p.Delay += core.AtNanos(int64(l.Delay / 1000)).Sub(0)
			p.Tx += core.Duration(int64(testSizes.Payload)*1e9*8/int64(l.Rate)) * core.Nanosecond
		}
		at = port.Peer
	}
	p.Bottleneck = bottleneck
	p.RTT = p.Delay + p.Delay + p.Tx + slowHost.Host
	if tm != core.Exact {
		p.RTT -= 999 // the part of the host's time
	}
	if tm == core.Exact {
		p.BDP = core.Bytes(float64(bottleneck) / 8 * (float64(p.RTT) / 1e12)) // checked to one byte
	} else {
		p.BDP = core.Bytes(uint64(p.RTT/core.Nanosecond) * uint64(bottleneck) / 1e9 / 8)
	}
	return p
}

func TestPathsEqualPlainLoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		net := randomTopology(rng)
		for i := range net.Links {
			net.Links[i].Delay += core.Duration(rng.IntN(3000)) // not whole nanoseconds
		}
		up := randomUp(rng, len(net.Links))
		for _, tm := range []core.Timing{core.Exact, core.FixedPointNanos} {
			comparePaths(t, net, up, tm)
		}
	}
}

func comparePaths(t *testing.T, net *Topology, up []bool, tm core.Timing) {
	t.Helper()
	next := plainRoutes(net, up, DescendingID)
	paths := NewPaths(NewRoutes(net, up, DescendingID), tm, slowHost)
	var most Most
	for _, src := range net.Hosts() {
		for _, dst := range net.Hosts() {
			if src == dst {
				continue
			}
			got, want := paths.Pair(src, dst), plainPair(net, next, tm, src, dst)
			if tm == core.Exact && max(got.BDP-want.BDP, want.BDP-got.BDP) <= 1 {
				want.BDP = got.BDP
			}
			if got != want {
				t.Fatalf("timing %d, %d to %d: got %+v, want %+v\n%+v", tm, src, dst, got, want, net)
			}
			most = Most{max(most.RTT, got.RTT), max(most.BDP, got.BDP), max(most.Hops, got.Hops)}
		}
	}
	if got := paths.Max(); got != most {
		t.Fatalf("timing %d: Max gives %+v, all pairs give %+v\n%+v", tm, got, most, net)
	}
}

// 400 Gb/s for 200 ms are more bits times nanoseconds than 64 bits hold: the ns3 form wraps.
func TestBDPOfLongPaths(t *testing.T) {
	net := &Topology{Kinds: []Kind{Host, Host, Switch}}
	for host := range core.NodeID(2) {
		net.Links = append(net.Links, Link{A: host, B: 2, Rate: 400 * core.Gbps, Delay: 50 * core.Millisecond})
	}
	for _, tm := range []core.Timing{core.Exact, core.FixedPointNanos} {
		comparePaths(t, net, nil, tm)
	}
}

// Where products wrap, a longer cable can make a product smaller.
func TestMaxWhereProductsWrap(t *testing.T) {
	net := mustParse(t, "star:n=8,rate=400Gbps")
	for host := range net.Links {
		net.Links[host].Delay = core.Duration(host+1) * 5 * core.Millisecond
	}
	comparePaths(t, net, nil, core.FixedPointNanos)
}

// The hosts of one switch differ only in the rate or the delay of their links: the largest figures are those of the
// third, whatever its position.
func TestMaxOfUnequalCables(t *testing.T) {
	for third := range core.NodeID(4) {
		for _, far := range []Link{{Rate: core.Gbps}, {Rate: 100 * core.Gbps, Delay: core.Microsecond}} {
			net := &Topology{Kinds: []Kind{Host, Host, Host, Host, Switch}}
			for host := range core.NodeID(4) {
				l := Link{Rate: 100 * core.Gbps}
				if host == third {
					l = far
				}
				l.A, l.B = host, 4
				net.Links = append(net.Links, l)
			}
			comparePaths(t, net, nil, core.Exact)
		}
	}
}

// The figures of the two hosts of a switch with the longest cables are the largest, in whatever order these come.
func TestMaxOfCablesInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		net := &Topology{Kinds: []Kind{Host, Host, Host, Host, Switch}}
		for host, delay := range rng.Perm(4) {
			net.Links = append(net.Links, Link{A: core.NodeID(host), B: 4, Rate: core.Gbps, Delay: core.Duration(delay) * core.Microsecond})
		}
		comparePaths(t, net, nil, core.Exact)
	}
}

// With cables of any length there is still one class for each edge switch, represented by its two
// longest.
func TestClassesOfUnequalCables(t *testing.T) {
	net := mustParse(t, "fat-tree:k=4,hosts=8")
	for host := range net.Hosts() {
		net.Links[host].Delay += core.Duration(host*5%8) * core.Nanosecond
	}
	r := NewRoutes(net, nil, AscendingID)
	if got := r.classes(true); len(got) != 8 || got[0] != (class{3, 6}) {
		t.Errorf("classes %v, want one for each of 8 edge switches, the first of hosts 3 and 6", got)
	}
	if got := r.classes(false); len(got) != 64 {
		t.Errorf("%d classes, want one for each of 64 hosts", len(got))
	}
	for _, tm := range []core.Timing{core.Exact, core.FixedPointNanos} {
		comparePaths(t, net, nil, tm)
	}
}

// All paths to a host together are followed over every node once, however long they are.
func TestPathsAreFollowedOnce(t *testing.T) {
	const switches = 100
	net := &Topology{}
	for i := range core.NodeID(switches) {
		net.Kinds = append(net.Kinds, Host, Switch)
		net.Links = append(net.Links, Link{A: 2 * i, B: 2*i + 1, Rate: core.Gbps})
		if i > 0 {
			net.Links = append(net.Links, Link{A: 2*i - 1, B: 2*i + 1, Rate: core.Gbps})
		}
	}
	f := newFunnel(NewPaths(NewRoutes(net, nil, AscendingID), core.Exact, testSizes))
	f.begin(0)
	followed := 0
	for _, host := range net.Hosts() {
		f.from(host)
		followed += len(f.way)
	}
	if followed != 2*switches-1 {
		t.Errorf("%d links followed for %d nodes", followed, 2*switches)
	}
}

// A host whose link is down does not represent any whose link is up: the others still have figures. Hosts that are
// alike form one class, represented by two of them.
func TestMaxBesideAHostThatIsCutOff(t *testing.T) {
	for down := range 3 {
		net := mustParse(t, "star:n=3")
		up := []bool{true, true, true}
		up[down] = false
		comparePaths(t, net, up, core.Exact)
	}
	if got := NewRoutes(mustParse(t, "fat-tree:k=4"), nil, AscendingID).classes(false); len(got) != 8 || got[1] != (class{2, 3}) {
		t.Errorf("classes %v, want one for each of 8 edge switches", got)
	}
}

// Products of 128 bits are divided, and a result that exceeds 63 bits becomes the largest value.
func TestMulDiv(t *testing.T) {
	for _, c := range [][4]uint64{
		{7, 3, 2, 10}, {1 << 40, 1 << 40, 1 << 20, 1 << 60}, {1 << 63, 3, 3, math.MaxInt64}, {1 << 62, 3, 6, 1 << 61},
		{1 << 63, 2, 1, math.MaxInt64}, {1 << 63, 4, 2, math.MaxInt64}, {math.MaxUint64, math.MaxUint64, 1, math.MaxInt64},
	} {
		if got := mulDiv(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%d*%d/%d: got %d, want %d", c[0], c[1], c[2], got, c[3])
		}
	}
}

// In the ns3 form a packet of 1000 bytes takes 8 s at 1 kb/s, to the nanosecond.
func TestSlowestLink(t *testing.T) {
	paths := NewPaths(NewRoutes(mustParse(t, "star:n=2,rate=1Kbps"), nil, AscendingID), core.FixedPointNanos, testSizes)
	if got := paths.Pair(0, 1).Tx; got != 16*core.Second {
		t.Errorf("two links take %v", got)
	}
}

// The links of a path may be iterated in part.
func TestFirstLink(t *testing.T) {
	paths := NewPaths(NewRoutes(mustParse(t, "dumbbell:n=2"), nil, AscendingID), core.Exact, testSizes)
	for link := range paths.links(1, 3, First) {
		if link != 1 {
			t.Errorf("the first link from host 1 is %d", link)
		}
		break
	}
}

// The figures of the 16-host fat-tree: six links, 100 Gb/s at both ends, 400 Gb/s between.
func TestPathsOfThesisFatTree(t *testing.T) {
	net := mustParse(t, "fat-tree:thesis")
	r := NewRoutes(net, nil, DescendingID)

	got := NewPaths(r, core.FixedPointNanos, testSizes).Pair(0, 15)
	tx := core.Duration(2*80+4*20) * core.Nanosecond
	want := Path{Hops: 6, Bottleneck: 100 * core.Gbps, Delay: 6 * core.Microsecond, Tx: tx, RTT: 12*core.Microsecond + tx, BDP: 153000}
	if got != want {
		t.Errorf("ns3 form: got %+v, want %+v", got, want)
	}

	got = NewPaths(r, core.Exact, testSizes).Pair(0, 15)
	tx = 2*(83840+4800) + 4*(20960+1200)
	want = Path{Hops: 6, Bottleneck: 100 * core.Gbps, Delay: 6 * core.Microsecond, Tx: tx, RTT: 12*core.Microsecond + tx, BDP: 153324}
	if got != want {
		t.Errorf("exact form: got %+v, want %+v", got, want)
	}
}

func TestNewPathsAfterLinkDownLeaveOldOnesAlone(t *testing.T) {
	net := diamond()
	net.Links[2].Rate = 400 * core.Gbps
	for _, i := range []int{0, 5, 8} {
		net.Links[i].Rate = 400 * core.Gbps // 0-2-3-6-1 is all 400 Gb/s
	}
	old := NewPaths(NewRoutes(net, nil, AscendingID), core.Exact, testSizes)
	up := slices.Repeat([]bool{true}, len(net.Links))
	up[2] = false
	now := NewPaths(NewRoutes(net, up, AscendingID), core.Exact, testSizes)
	if a, b := old.Pair(0, 1).Bottleneck, now.Pair(0, 1).Bottleneck; a != 400*core.Gbps || b != 100*core.Gbps {
		t.Errorf("bottleneck before %v and after %v, want 400Gbps and 100Gbps", a, b)
	}
}

func TestPairDoesNotAllocate(t *testing.T) {
	p := NewPaths(NewRoutes(diamond(), nil, AscendingID), core.Exact, testSizes)
	if n := testing.AllocsPerRun(100, func() { p.Pair(0, 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func mustParse(t testing.TB, spec string) *Topology {
	t.Helper()
	net, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return net
}
