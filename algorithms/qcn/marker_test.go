package qcn

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// newMarker returns the congestion point of a port of 10 Gb/s.
func newMarker(t testing.TB, p Params) *marker {
	t.Helper()
	s := algotest.Make(t, New, p)
	m := s.NewMarker().(*marker)
	m.Start(0, &algorithms.Port{Line: 10 * core.Gbps, MTU: 1000, Random: core.NewStream(1, core.StreamMarker, 0)})
	return m
}

// A port samples at the given interval, whatever the preset scales.
func TestGivenSampleBase(t *testing.T) {
	p := steady(Defaults())
	p.SampleBase = 12_345
	if m := newMarker(t, p); m.toNext != 12_345 {
		t.Errorf("the first sample after %v", m.toNext)
	}
}

// steady returns the parameters without randomness.
func steady(p Params) Params {
	p.SampleJitter, p.Jitter = 0, 0
	return p
}

// arrive shows a packet to the marker; the queue includes it.
func arrive(m *marker, source core.NodeID, queue core.Bytes, size int32) algorithms.Mark {
	q := algorithms.Sight{Enqueue: true, Own: true, Queue: queue - core.Bytes(size)}
	q.Packet = &core.Packet{Kind: core.Data, Src: source, Size: size}
	var k algorithms.Mark
	m.Step(&q, &k)
	return k
}

// Check cases 1.5.1 and 1.5.2: QCN-T equation 1, the quantiser, and the sampling table,
// with Qeq = 26 KB and w = 2.
func TestCheck1_5_1and2_CongestionPoint(t *testing.T) {
	for _, c := range []struct {
		queue, old core.Bytes
		feedback   int32
		next       core.Bytes
	}{
		{40_000, 35_000, 11, 75_000},
		{20_000, 15_000, 1, 150_000}, // below the set point but growing
		{20_000, 26_000, 0, 150_000},
		{150_000, 26_000, 63, 18_500},
		{26_000 + 130_000, 156_000, 63, 18_500}, // exactly -Fmax
		{26_000, 26_000, 0, 150_000},
	} {
		m := newMarker(t, steady(Defaults()))
		m.old, m.toNext = c.old, 0
		k := arrive(m, 1, c.queue, 1500)
		if k.Notify != (c.feedback > 0) || k.Feedback != c.feedback || len(k.Others) != 0 {
			t.Errorf("queue %v after %v: %+v, want feedback %d", c.queue, c.old, k, c.feedback)
		}
		if m.toNext != c.next || m.old != c.queue {
			t.Errorf("queue %v after %v: next sample after %v (old queue %v), want %v", c.queue, c.old, m.toNext, m.old, c.next)
		}
	}
}

// The eight intervals of the table for 150 KB, and its index: the leading bits of Fq.
func TestSampleTable(t *testing.T) {
	want := []core.Bytes{150_000, 75_000, 50_000, 37_500, 30_000, 25_000, 21_500, 18_500}
	for fq := range int32(maxFeedback + 1) {
		if got := core.Bytes(math.Round(150_000 * sampleTable[fq>>3])); got != want[fq/8] {
			t.Errorf("after feedback %d: %v, want %v", fq, got, want[fq/8])
		}
	}
}

// A sample is taken when more than toNext bytes have arrived, of QCN's own data only.
func TestSamplingCountsOwnPackets(t *testing.T) {
	m := newMarker(t, steady(Defaults()))
	for range 100 { // 150 KB, the first interval
		if k := arrive(m, 1, 400_000, 1500); k.Notify {
			t.Fatal("sampled within the first interval")
		}
	}
	var k algorithms.Mark
	if m.Step(&algorithms.Sight{Enqueue: true, Queue: 400_000, Packet: &core.Packet{Size: 1500}}, &k); k.Notify {
		t.Errorf("a packet of another scheme is sampled: %+v", k)
	}
	if k := arrive(m, 1, 400_000, 64); !k.Notify || k.Feedback != 63 {
		t.Errorf("first byte after the interval: %+v, want feedback 63", k)
	}
}

// The intervals vary by at most 15 %, evenly.
func TestSampleJitter(t *testing.T) {
	r := core.NewStream(1, core.StreamMarker, 1)
	var sum, least, most float64 = 0, 2, 0
	const n = 10_000
	for range n {
		x := jittered(1, 0.15, r)
		sum, least, most = sum+x, min(least, x), max(most, x)
	}
	if least < 0.85 || least > 0.852 || most > 1.15 || most < 1.148 || math.Abs(sum/n-1) > 0.003 {
		t.Errorf("from %v to %v, mean %v; want 0.85 to 1.15, mean 1", least, most, sum/n)
	}
	if got := jittered(7, 0, nil); got != 7 {
		t.Errorf("without jitter %v, want 7", got)
	}
}

// Above 10 Gb/s the scaled preset has the same times as a port of 10 Gb/s; mib does not scale.
func TestPresets(t *testing.T) {
	for _, c := range []struct {
		preset string
		line   core.Rate
		want   core.Bytes
	}{
		{"scaled", core.Gbps, 26_000}, {"scaled", 10 * core.Gbps, 26_000}, {"scaled", 100 * core.Gbps, 260_000},
		{"mib", core.Gbps, 26_000}, {"mib", 100 * core.Gbps, 26_000},
	} {
		p := Defaults()
		if err := algorithms.SetParam(&p, "preset", c.preset); err != nil {
			t.Fatal(err)
		}
		m := marker{p: &p}
		m.Start(0, &algorithms.Port{Line: c.line})
		if m.setPoint != c.want {
			t.Errorf("%s at %v: set point %v, want %v", c.preset, c.line, m.setPoint, c.want)
		}
	}
}

// Check case 3.1: rates 4 and 2, so the fair share is 3; flow 1 has 15.75 of unfairness (AF-QCN, Kabbani et
// al., HotI 2010).
func TestCheck3_1_ApproximatelyFair(t *testing.T) {
	p := AFDefaults()
	for _, c := range []struct {
		gain     float64
		source   core.NodeID
		feedback int32
		want     int32
	}{
		{1, 1, 20, 15},
		{1, 2, 20, 0},
		{0.5, 1, 20, 17}, // 17.875
		{0.5, 2, 20, 10},
		{0.5, 1, 0, 0}, // no congestion, no notice
	} {
		p.FairGain = c.gain
		m := newMarker(t, p)
		m.shares.add(1, 0, 4000)
		m.shares.add(2, 0, 2000)
		if got := m.approximatelyFair(c.feedback, &core.Packet{Src: c.source}); got != c.want {
			t.Errorf("a=%v, flow %d: feedback %d, want %d", c.gain, c.source, got, c.want)
		}
	}
}

// A port that finds unfairness counts the bytes of its flows, the sample's included: 9000 and 2000 here, that is 3500
// above the fair share for the first.
func TestFairPorts(t *testing.T) {
	for _, c := range []struct {
		params   Params
		window   core.Bytes
		feedback int32
		others   []algorithms.Notice
		left     core.Bytes // of the counts
	}{
		{Defaults(), 0, 63, nil, 0},
		{AFDefaults(), 11_001, 43, nil, 11_000}, // (63 + 63 (1 - 5500/9000))/2 = 43.75
		{AFDefaults(), 11_000, 43, nil, 5500},
		{FQCNDefaults(), 0, 0, []algorithms.Notice{{To: 1, Feedback: 63}}, 0},
	} {
		c.params.SampleBase, c.params.FairWindow = 10_000, c.window
		m := newMarker(t, c.params)
		for i := range 10 {
			if k := arrive(m, core.NodeID(1+i/8), 400_000, 1000); k.Notify || len(k.Others) != 0 {
				t.Fatalf("%s: packet %d is sampled", c.params.name, i)
			}
		}
		k := arrive(m, 1, 400_000, 1000)
		if k.Notify != (c.feedback > 0) || k.Feedback != c.feedback || !slices.Equal(k.Others, c.others) || m.shares.total != c.left {
			t.Errorf("%s: %+v, %v are counted further; want feedback %d, %v and %v", c.params.name, k, m.shares.total, c.feedback, c.others, c.left)
		}
	}
	if m := newMarker(t, AFDefaults()); m.halve != 600_000 {
		t.Errorf("counts are halved every %v, want 600KB", m.halve)
	}
}

// Check case 3.2: the overrated flows share the feedback in proportion to their arrivals (FQCN, Zhang and
// Ansari, INFOCOM 2011).
func TestCheck3_2_Overrated(t *testing.T) {
	for _, c := range []struct {
		arrivals []core.Bytes
		want     []algorithms.Notice
	}{
		{[]core.Bytes{5, 4, 1}, []algorithms.Notice{{To: 0, Feedback: 20}, {To: 1, Feedback: 16}}},
		{[]core.Bytes{6, 3, 1}, []algorithms.Notice{{To: 0, Feedback: 36}}},
		{[]core.Bytes{7}, []algorithms.Notice{{To: 0, Feedback: 36}}}, // one flow is all of the load
		{[]core.Bytes{2, 2}, []algorithms.Notice{{To: 0, Feedback: 18}, {To: 1, Feedback: 18}}},
		{slices.Repeat([]core.Bytes{1}, 37), nil}, // a feedback of 0 is none
	} {
		m := newMarker(t, FQCNDefaults())
		for i, n := range c.arrivals {
			m.shares.add(core.NodeID(i), 0, n)
		}
		var k algorithms.Mark
		m.tellOverrated(36, &k)
		if !slices.Equal(k.Others, c.want) || k.Notify {
			t.Errorf("arrivals %v: notices %+v, want %+v", c.arrivals, k.Others, c.want)
		}
		if len(m.shares.flows) != 0 {
			t.Errorf("arrivals %v: counts outlive the sample", c.arrivals)
		}
	}
}

// shares agrees with a map through growth, halving and forgetting.
func TestSharesTwin(t *testing.T) {
	type key struct {
		node core.NodeID
		qp   int32
	}
	var s shares
	twin := make(map[key]core.Bytes)
	r := core.NewStream(1, core.StreamMarker, 2)
	for i := range 20_000 {
		k := key{core.NodeID(r.IntN(20)), int32(r.IntN(10))}
		n := core.Bytes(r.IntN(3))
		s.add(k.node, k.qp, n)
		twin[k] += n
		if i%1000 == 999 {
			s.halve()
			for k := range twin {
				if twin[k] /= 2; twin[k] == 0 {
					delete(twin, k)
				}
			}
		}
		var total core.Bytes
		for k, n := range twin {
			total += n
			if i%100 == 0 && s.at(k.node, k.qp).bytes != n {
				t.Fatalf("step %d: flow %v has %d, want %d", i, k, s.at(k.node, k.qp).bytes, n)
			}
		}
		if s.total != total {
			t.Fatalf("step %d: total %d, want %d", i, s.total, total)
		}
	}
}

// A port that is to sample after more bytes than there are does not sample.
func TestEndlessSampling(t *testing.T) {
	p := Defaults()
	p.SampleBase, p.SampleJitter = core.Unlimited-1, 0.9
	m := newMarker(t, p)
	for range 20 {
		var k algorithms.Mark
		m.sample(0, &core.Packet{}, &k)
		if m.toNext < core.Unlimited/100 || m.halve < core.Unlimited/100 {
			t.Fatalf("the next sample after %v, halving after %v", m.toNext, m.halve)
		}
	}
}
