package scenario

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
)

// TIMELY has no unique fixed point: two flows that begin with 5 Gb/s each keep it, two with 7 and 3 Gb/s stay apart.
// The patched form leads both pairs to equal rates (Zhu et al., CoNEXT 2016, sections 4.1 and 4.3).
func TestTimelyFixedPoints(t *testing.T) {
	for _, c := range []struct {
		scheme        string
		first, second int     // rate at the start, Gb/s
		from, to      float64 // of the higher rate over the lower one
	}{
		{"timely-paper", 5, 5, 1, 1.5},
		{"timely-paper", 7, 3, 7. / 3, 20},
		{"timely-patched", 5, 5, 1, 1.01},
		{"timely-patched", 7, 3, 1, 1.03},
	} {
		params := map[string]string{"t_low": "50us", "t_high": "500us", "ewma": "0.875", "first_rate": fmt.Sprintf("%dGbps", c.first)}
		first, err := catalog.New(c.scheme, params)
		if err != nil {
			t.Fatal(err)
		}
		race := incast{n: 2, first: first, link: "rate=10Gbps,delay=5us", rest: 80 * ms, end: 120 * ms, samples: 1,
			spec: []string{"cc", fmt.Sprintf("{name: %s, params: {t_low: 50us, t_high: 500us, ewma: 0.875, first_rate: %dGbps}}", c.scheme, c.second)}}
		v := race.run(t)
		if ratio := slices.Max(v.rates) / slices.Min(v.rates); ratio < c.from || ratio > c.to || v.busy < 0.9 {
			t.Errorf("%s from %d and %d Gb/s: ratio %.3g, %.3f used; want %.3g to %.3g", c.scheme, c.first, c.second, ratio, v.busy, c.from, c.to)
		}
	}
}
