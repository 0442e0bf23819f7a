package workloads

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

func mustCDF(t testing.TB, points ...Point) *CDF {
	t.Helper()
	c, err := NewCDF(points)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustNamed(t testing.TB, name string) *CDF {
	t.Helper()
	c, err := NamedSizes(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The share of the sizes up to one includes that size, also at a step; it is 0 below the first and 1 from the last on.
func TestShareByHand(t *testing.T) {
	c := mustCDF(t, Point{10, 20}, Point{10, 50}, Point{20, 50}, Point{40, 100})
	for size, want := range map[float64]float64{0: 0, 9.5: 0, 10: 0.5, 15: 0.5, 20: 0.5, 30: 0.75, 39: 0.975, 40: 1, 1e9: 1} {
		if got := c.Share(size); got != want {
			t.Errorf("%v: %v, want %v", size, got, want)
		}
	}
}

// Points that are not a distribution are refused, with the number of the wrong one.
func TestNewCDFErrors(t *testing.T) {
	for want, points := range map[string][]Point{
		"point 1: the size -1 is negative":           {{-1, 100}},
		"point 2: the size 5 is below the 10 before": {{10, 50}, {5, 100}},
		"the last point has 99 percent, not 100":     {{10, 50}, {20, 99}},
		"there are no points":                        nil,
	} {
		if c, err := NewCDF(points); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, %v, want %s", points, c, err, want)
		}
	}
}

func TestCDFMeanByHand(t *testing.T) {
	for _, c := range []struct {
		points []Point
		want   float64
	}{
		{[]Point{{0, 0}, {1000, 100}}, 500.0005},                              // 1 byte, not 0, below half a byte
		{[]Point{{700, 100}}, 700},                                            // all of one size
		{[]Point{{100, 50}, {100, 100}}, 100},                                 // a step
		{[]Point{{100, 20}, {300, 100}}, 20 + 0.8*200},                        // weight before the first point
		{[]Point{{0, 0}, {10, 50}, {90, 50}, {110, 100}}, 0.5*5.05 + 0.5*100}, // a gap
		{[]Point{{0, 90}, {1000, 90}, {1000, 100}}, 0.9*1 + 0.1*1000},         // a message has at least 1 byte
		{[]Point{{0, 20}, {0, 60}, {1000, 60}, {1000, 100}}, 0.6*1 + 0.4*1000},
	} {
		if got := mustCDF(t, c.points...).Mean(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: got mean %v, want %v", c.points, got, c.want)
		}
	}
}

// The mean is that of the samples, which are whole bytes and at least one, also where all sizes are of a few bytes.
func TestMeanIsThatOfSamples(t *testing.T) {
	const n = 200_000
	for _, points := range [][]Point{
		{{0, 0}, {1, 100}},
		{{0, 0}, {2, 100}},
		{{0, 0}, {3, 100}},
		{{1, 0}, {2, 100}},
		{{2, 0}, {5, 100}},
		{{0, 30}, {2, 100}},
		{{0, 0}, {0, 30}, {1, 60}, {4, 100}},
		{{0, 0}, {1, 50}, {1, 80}, {2, 100}},
		{{0, 0}, {10, 100}},
	} {
		c, s := mustCDF(t, points...), core.NewStream(1, core.StreamSizes, 0)
		sum, squares := 0.0, 0.0
		for range n {
			x := float64(c.Sample(s))
			sum, squares = sum+x, squares+x*x
		}
		got := sum / n
		deviation := math.Sqrt((squares/n - got*got) / n)
		if mean := c.Mean(); math.Abs(mean-got) > 4*deviation+1e-9 {
			t.Errorf("%v: mean %v, that of samples %v, standard error %v", points, mean, got, deviation)
		}
	}
}

func TestQuantileByHand(t *testing.T) {
	c := mustCDF(t, Point{100, 20}, Point{300, 60}, Point{300, 80}, Point{500, 90}, Point{700, 90}, Point{800, 100})
	for _, q := range []struct{ u, want float64 }{
		{0, 100}, {0.2, 100}, {0.4, 200}, {0.6, 300}, {0.7, 300}, {0.8, 300}, {0.85, 400}, {0.9, 500}, {0.95, 750}, {1, 800}, // none between 500 and 700
	} {
		if got := c.Quantile(q.u); math.Abs(got-q.want) > 1e-9 {
			t.Errorf("quantile %v: got %v, want %v", q.u, got, q.want)
		}
	}
}

// Deciles of the two workloads of the HPCC paper, as its figures 10 and 11 print them on their
// axes. Two groups read the Hadoop figure independently by eye: 20 % apart at most.
func TestLibraryAgreesWithPublishedDeciles(t *testing.T) {
	for _, c := range []struct {
		name      string
		tolerance float64
		deciles   []float64
	}{
		{"WebSearch", 0.01, []float64{6.7e3, 20e3, 30e3, 50e3, 73e3, 200e3, 1e6, 2e6, 5e6, 30e6}},
		{"FbHadoop", 0.20, []float64{324, 400, 500, 600, 700, 1000, 7e3, 46e3, 120e3, 10e6}},
	} {
		sizes := mustNamed(t, c.name)
		for i, want := range c.deciles {
			got := sizes.Quantile(float64(i+1) / 10)
			if math.Abs(got-want) > c.tolerance*want {
				t.Errorf("%s, decile %d: got %.0f, want %.0f", c.name, i+1, got, want)
			}
		}
	}
}

// Areas over the curve, added by hand, in bytes.
func TestWebSearchMean(t *testing.T) {
	const want = 0.15*5000.5 + 0.05*15e3 + 0.1*25e3 + 0.1*40e3 + 0.13*65e3 + 0.07*140e3 +
		0.1*600e3 + 0.1*1.5e6 + 0.1*3.5e6 + 0.07*7.5e6 + 0.03*20e6
	if got := mustNamed(t, "websearch").Mean(); math.Abs(got-want) > 1e-6*want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// secondMoment is the mean square in closed form.
func secondMoment(c *CDF) float64 {
	p := c.Points()
	sum := p[0].Percent / 100 * float64(p[0].Size) * float64(p[0].Size)
	for i := 1; i < len(p); i++ {
		a, b := float64(p[i-1].Size), float64(p[i].Size)
		sum += (p[i].Percent - p[i-1].Percent) / 100 * (a*a + a*b + b*b) / 3
	}
	return sum
}

// The sample mean lies within five standard errors of the closed form, and the empirical
// distribution within the Kolmogorov-Smirnov bound at a significance of one in a million.
func TestSamplesFollowTheLibrary(t *testing.T) {
	const n = 100_000
	for _, name := range Sizes() {
		c := mustNamed(t, name)
		s := core.NewStream(1, core.StreamSizes, 0)
		samples := make([]float64, n)
		sum := 0.0
		for i := range samples {
			samples[i] = float64(c.Sample(s))
			sum += samples[i]
		}
		mean := c.Mean()
		deviation := math.Sqrt((secondMoment(c) - mean*mean) / n)
		if got := sum / n; math.Abs(got-mean) > 5*deviation+0.5 { // half a byte for the rounding
			t.Errorf("%s: sample mean %v, want %v, standard error %v", name, got, mean, deviation)
		}
		slices.Sort(samples)
		bound := math.Sqrt(math.Log(2e6) / 2 / n)
		for i, x := range samples {
			// Rounded sizes represent half a byte on either side.
			if f := float64(i) / n; c.Share(x-0.5) > f+bound && x > 1 || c.Share(x+0.5) < f-bound {
				t.Fatalf("%s: a share of %v of the samples is below %v; the distribution has %v", name, f, x, c.Share(x))
			}
		}
	}
}

// A message has at least a byte, even where a distribution begins with 0.
func TestSmallestSample(t *testing.T) {
	c, s := mustCDF(t, Point{0, 0}, Point{2, 100}), core.NewStream(1, core.StreamSizes, 0)
	least := int64(2)
	for range 1000 {
		least = min(least, c.Sample(s))
	}
	if least != 1 {
		t.Errorf("a message of %d bytes", least)
	}
}

func TestReadCDF(t *testing.T) {
	for _, text := range []string{
		"# sizes\n\n1KB 0\n 2000\t50.5 \n\t\n # of messages\n1MiB 100\n",
		"\ufeff1KB 0\r\n2000 50.5\r\n1MiB 100\r\n", // as Windows saves it
	} {
		c, err := ReadCDF("f", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if want := []Point{{1000, 0}, {2000, 50.5}, {1 << 20, 100}}; !slices.Equal(c.Points(), want) {
			t.Errorf("%q: got %v, want %v", text, c.Points(), want)
		}
	}
}

func TestReadCDFErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f: there are no points"},
		{"0 0\n10\n", `f:2: "10" is not a size and a percentage, such as 10000 15`},
		{"0 0\n10 1 2\n", `f:2: "10 1 2" is not a size and a percentage`},
		{"0 0\nten 50\n", `f:2: "ten" is not a size`},
		{"0 0\n1.5 50\n", `f:2: "1.5" is not a whole number of bytes`},
		{"0 0\n10 half\n", `f:2: "half" is not a percentage`},
		{"0 0\n10 0x1p6\n", `f:2: "0x1p6" is not a percentage`},
		{"0 0\n0x1p6 100\n", `f:2: "0x1p6" is not a size`},
		{"0 0\n10 NaN\n", `f:2: NaN is not a percentage`},
		{"0 0\n10 101\n", `f:2: 101 is not a percentage`},
		{"-1 0\n", `f:1: the size -1 is negative`},
		{"# x\n10 0\n9 100\n", `f:3: the size 9 is below the 10 before it; sizes must not decrease`},
		{"0 10\n5 9\n", `f:2: 9 percent is below the 10 before it`},
		{"0 0\n5 99\n", `f: the last point has 99 percent, not 100`},
		{"0 0\n5 1\n", `f: the last point has 1 percent, not 100; are these fractions?`},
		{"0 100\n", `f: all sizes are 0`},
		{"0 0\n" + strings.Repeat("1", 70_000), `f:2: the line has more than 65536 bytes; is this a text file?`},
	} {
		_, err := ReadCDF("f", strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.text, err, c.want)
		}
	}
}

func TestNamedSizesUnknown(t *testing.T) {
	if _, err := NamedSizes("web"); err == nil || !strings.Contains(err.Error(), "WebSearch, FbHadoop") {
		t.Errorf("got %v", err)
	}
}

func FuzzReadCDF(f *testing.F) {
	for _, seed := range []string{"0 0\n10 100", "1KB 50\n1KB 100\n", "5 5\n", "# \n\x00", "1 1e1\n9e18 100"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadCDF("f", strings.NewReader(text))
		if err != nil {
			return
		}
		last, top := 0.0, float64(c.Points()[len(c.Points())-1].Size)
		for i := range 101 {
			q := c.Quantile(float64(i) / 100)
			if q < last || q > top {
				t.Fatalf("quantile %d%% is %v after %v, largest size %v", i, q, last, top)
			}
			last = q
		}
		if m := c.Mean(); !(m >= 0 && m <= top*(1+1e-9)) {
			t.Fatalf("mean %v, largest size %v", m, top)
		}
	})
}

// The largest size that can be written is that of a message too.
func TestLargestSample(t *testing.T) {
	c, err := NewCDF([]Point{{core.Unlimited - 1, 0}, {core.Unlimited - 1, 100}})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Sample(core.NewStream(1, core.StreamSizes, 0)); got < math.MaxInt64/2 {
		t.Errorf("a message of %d bytes", got)
	}
}
