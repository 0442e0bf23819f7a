package workloads

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

func network(t testing.TB, spec string) *topo.Topology {
	t.Helper()
	net, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

const second = core.Time(core.Second)

func poissonFlows(t testing.TB, p Poisson, spec string, seed uint64) []Flow {
	t.Helper()
	flows, err := p.Flows(network(t, spec), seed)
	if err != nil {
		t.Fatal(err)
	}
	return flows
}

// The bytes sent are a compound Poisson sum: their standard deviation is
// sqrt(flows * mean square size).
func TestPoissonLoad(t *testing.T) {
	for _, name := range []string{"WebSearch", "FbHadoop"} {
		sizes := mustNamed(t, name)
		p := Poisson{Sizes: sizes, Load: 0.3, From: 2 * second, To: 2*second + second/4, Prio: 3}
		flows := poissonFlows(t, p, "star:n=16,rate=10Gbps", 1)
		got := 0.0
		for _, f := range flows {
			got += float64(f.Bytes)
		}
		want := 0.3 * 16 * 10e9 / 8 * 0.25
		deviation := math.Sqrt(want / sizes.Mean() * secondMoment(sizes))
		if math.Abs(got-want) > 4*deviation {
			t.Errorf("%s: %.4g bytes, want %.4g, standard deviation %.2g", name, got, want, deviation)
		}
	}
}

// A host has the rates of all its links but faster ones, whichever end of the link it is and whichever comes first.
func TestHostRates(t *testing.T) {
	net := network(t, "dumbbell:n=1,right=3,rate=10Gbps")
	const left, right = 4, 5
	net.Links = append([]topo.Link{{A: left, B: 3, Rate: 25 * core.Gbps}}, append(net.Links,
		topo.Link{A: 1, B: left, Rate: 10 * core.Gbps},
		topo.Link{A: right, B: 2, Rate: 25 * core.Gbps}, topo.Link{A: 2, B: left, Rate: 10 * core.Gbps})...)
	want := []core.Rate{10 * core.Gbps, 20 * core.Gbps, 20 * core.Gbps, 10 * core.Gbps}
	if rates := hostRates(net, net.Hosts()); !slices.Equal(rates, want) {
		t.Errorf("hosts have %v, want %v", rates, want)
	}
	net = network(t, "rail-optimized:servers=2,gpus=2")
	if rates := hostRates(net, net.Hosts()); !slices.Equal(rates, slices.Repeat([]core.Rate{400 * core.Gbps}, 4)) {
		t.Errorf("GPUs have %v", rates)
	}
}

// What hosts are offered is what they are sent: in a network of equal hosts the load, in a network with a slow host
// among fast ones more, which a mean over all hosts does not show.
func TestMostOffered(t *testing.T) {
	mixed := network(t, "star:n=8,rate=100Gbps")
	mixed.Links[3].Rate = 25 * core.Gbps // that of host 3
	for _, c := range []struct {
		net        *topo.Topology
		load, want float64
	}{
		{network(t, "star:n=16,rate=10Gbps"), 0.3, 0.3},
		{network(t, "fat-tree:k=4,rate=25Gbps,fabric=100Gbps"), 0.5, 0.5},
		{mixed, 0.25, 0.25 * 700 / 7 / 25},
	} {
		p := Poisson{Sizes: mustNamed(t, "FbHadoop"), Load: c.load, To: second / 4, Prio: 3}
		host, share := p.MostOffered(c.net)
		if math.Abs(share-c.want) > 1e-12 || c.net == mixed && host != 3 {
			t.Errorf("host %d is offered %v, want %v", host, share, c.want)
		}
		if c.net != mixed {
			continue
		}
		flows, err := p.Flows(c.net, 1)
		if err != nil {
			t.Fatal(err)
		}
		bytes, number := 0.0, 0.0
		for _, f := range flows {
			if f.Dst == host {
				bytes += float64(f.Bytes)
				number++
			}
		}
		deviation := math.Sqrt(number*secondMoment(p.Sizes)) * 8 / 0.25 / 25e9
		if got := bytes * 8 / 0.25 / 25e9; math.Abs(got-share) > 4*deviation {
			t.Errorf("it is sent %v times its rate, want %v, standard deviation %.2g", got, share, deviation)
		}
	}
}

func TestPoissonFlowsAreWellFormed(t *testing.T) {
	p := Poisson{Sizes: mustNamed(t, "FbHadoop"), Load: 0.5, From: 7, To: second / 100, Prio: 3}
	flows := poissonFlows(t, p, "star:n=8", 5)
	if len(flows) < 1000 {
		t.Fatalf("only %d flows", len(flows))
	}
	for i, f := range flows {
		if f.Src == f.Dst || f.Src > 7 || f.Dst > 7 || f.Bytes < 1 || f.Start < 7 || f.Start >= p.To || f.Prio != 3 || f.Tag != TagBackground {
			t.Fatalf("flow %d: %+v", i, f)
		}
		if i > 0 && (f.Start < flows[i-1].Start || f.Start == flows[i-1].Start && f.Src < flows[i-1].Src) {
			t.Fatalf("flow %d: %+v comes after %+v", i, f, flows[i-1])
		}
	}
}

// Inter-arrival times have the coefficient of variation 1, and every destination is as
// likely as any other: chi-square with 6 degrees of freedom, one in a million.
func TestPoissonGapsAndDestinations(t *testing.T) {
	p := Poisson{Sizes: mustCDF(t, Point{1000, 100}), Load: 0.5, To: second / 50}
	var gaps, squares float64
	var counts [8]float64
	n := 0.0
	last := core.Time(0)
	for _, f := range poissonFlows(t, p, "star:n=8", 9) {
		if f.Src != 3 {
			continue
		}
		d := float64(f.Start - last)
		last = f.Start
		gaps, squares, n = gaps+d, squares+d*d, n+1
		counts[f.Dst]++
	}
	mean := gaps / n
	if want := 1000 * 8 / (0.5 * 100e9) * 1e12; math.Abs(mean-want) > 5*want/math.Sqrt(n) {
		t.Errorf("mean gap %v ps, want %v, over %v flows", mean, want, n)
	}
	// The sample variance of an exponential law has the relative error sqrt(8/n).
	if cv := (squares/n - mean*mean) / (mean * mean); math.Abs(cv-1) > 5*math.Sqrt(8/n) {
		t.Errorf("squared coefficient of variation %v, want 1", cv)
	}
	chi := 0.0
	for h, c := range counts {
		if h != 3 {
			chi += (c - n/7) * (c - n/7) / (n / 7)
		}
	}
	if counts[3] != 0 || chi > 38.3 {
		t.Errorf("destinations %v: chi-square %v", counts, chi)
	}
}

func TestPoissonDependsOnTheSeedAlone(t *testing.T) {
	p := Poisson{Sizes: mustNamed(t, "WebSearch"), Load: 0.5, To: second / 100}
	a, b := poissonFlows(t, p, "fat-tree:thesis", 1), poissonFlows(t, p, "fat-tree:thesis", 1)
	if !equal(a, b) {
		t.Error("two runs with one seed differ")
	}
	if c := poissonFlows(t, p, "fat-tree:thesis", 2); equal(a, c) {
		t.Error("two seeds give the same flows")
	}
}

// Hosts send independently: what they send together is a Poisson process too, whose numbers in equal times have a variance
// like their mean, and no host's sizes are another's.
func TestHostsAreIndependent(t *testing.T) {
	const hosts, times = 16, 1000
	p := Poisson{Sizes: mustNamed(t, "WebSearch"), Load: 0.5, To: second}
	flows := poissonFlows(t, p, "star:n=16,rate=10Gbps", 1)
	var number [times]float64
	var sizes [hosts][]int64
	for _, f := range flows {
		number[f.Start/(second/times)]++
		sizes[f.Src] = append(sizes[f.Src], f.Bytes)
	}
	mean, squares := float64(len(flows))/times, 0.0
	for _, n := range number {
		squares += float64((n - mean) * (n - mean))
	}
	if ratio := squares / (times - 1) / mean; math.Abs(ratio-1) > 4*math.Sqrt(2.0/times) {
		t.Errorf("the variance is %.3f times the mean %.1f", ratio, mean)
	}
	for host := 1; host < hosts; host++ {
		same := 0
		for i := range 100 {
			if sizes[host][i] == sizes[0][i] {
				same++
			}
		}
		if same > 20 {
			t.Errorf("%d of 100 sizes of host %d are those of host 0", same, host)
		}
	}
}

// from returns what the host sends: start and size, without the destination.
func from(flows []Flow, h core.NodeID) (sent [][2]int64) {
	for _, f := range flows {
		if f.Src == h {
			sent = append(sent, [2]int64{int64(f.Start), f.Bytes})
		}
	}
	return sent
}

func TestAddingAHostLeavesTheOthersAlone(t *testing.T) {
	p := Poisson{Sizes: mustNamed(t, "FbHadoop"), Load: 0.5, To: second / 100}
	few, more := poissonFlows(t, p, "star:n=5", 1), poissonFlows(t, p, "star:n=6", 1)
	for h := range core.NodeID(5) {
		if !slices.Equal(from(few, h), from(more, h)) {
			t.Errorf("host %d sends something else", h)
		}
	}
}

// Other sizes with the same mean do not change arrivals and destinations.
func TestChangingSizesLeavesArrivalsAlone(t *testing.T) {
	fixed := Poisson{Sizes: mustCDF(t, Point{1000, 100}), Load: 0.5, To: second / 1000}
	spread := fixed
	spread.Sizes = mustCDF(t, Point{1, 0}, Point{1999, 100})
	a, b := poissonFlows(t, fixed, "star:n=5", 1), poissonFlows(t, spread, "star:n=5", 1)
	for i := range a {
		a[i].Bytes, b[i].Bytes = 0, 0
	}
	if !equal(a, b) {
		t.Error("arrivals or destinations changed with the sizes")
	}
}

// Two hosts are enough, and what matters is the duration of arrivals, not their start.
func TestSmallestPoisson(t *testing.T) {
	p := Poisson{Sizes: mustCDF(t, Point{1000, 100}), Load: 0.5, From: 1_000_000 * second, To: (1_000_000 * second).Add(core.Millisecond)}
	if flows, err := p.Flows(network(t, "star:n=2"), 1); err != nil || len(flows) == 0 {
		t.Errorf("%d flows, %v", len(flows), err)
	}
}

func TestPoissonErrors(t *testing.T) {
	sizes := mustCDF(t, Point{1, 100})
	for _, c := range []struct {
		p    Poisson
		want string
	}{
		{Poisson{Sizes: sizes, Load: 0, To: second}, "the load 0 must be positive"},
		{Poisson{Sizes: sizes, Load: math.NaN(), To: second}, "the load NaN must be positive"},
		{Poisson{Sizes: sizes, Load: 1, To: second}, "about 5e+10 flows, "},
	} {
		if _, err := c.p.Flows(network(t, "star:n=4"), 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	one := &topo.Topology{Kinds: []topo.Kind{topo.Host, topo.Switch}}
	if _, err := (&Poisson{Sizes: sizes, Load: 0.5, To: 1}).Flows(one, 1); err == nil || !strings.Contains(err.Error(), "1 host; two are needed") {
		t.Errorf("got %v", err)
	}
}
