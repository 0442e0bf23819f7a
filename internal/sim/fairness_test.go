package sim

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// The index of fairness does not depend on the order in which flows have started, of which parts of a network know only
// their own, even if they get as much in a sample as only exact sums can hold, and acknowledgements are taken back.
func TestFairnessInAnyOrder(t *testing.T) {
	network, err := topo.Parse("star:n=8")
	if err != nil {
		t.Fatal(err)
	}
	var flows []Flow
	for i := range 64 {
		flows = append(flows, Flow{Src: core.NodeID(i % 7), Dst: 7, Bytes: 1000})
	}
	s := endless(network, 1, 0, flows)
	s.Series = SeriesSpec{Interval: core.Microsecond, Fairness: core.Microsecond, Points: 100}
	n, err := Build(s, deaf{})
	if err != nil {
		t.Fatal(err)
	}
	n.Step(0, 1<<20)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, most := range []int64{1000, 1 << 30, 1 << 50} {
		got := make([]int64, len(flows))
		sum, squares := new(big.Int), new(big.Int)
		for i := range got {
			got[i] = rng.Int64N(most) - most/10
			x := big.NewInt(got[i])
			sum.Add(sum, x)
			squares.Add(squares, x.Mul(x, x))
		}
		exact := new(big.Rat).SetFrac(sum.Mul(sum, sum), squares.Mul(squares, big.NewInt(int64(len(got)))))
		want, _ := exact.Float64()
		first := 0.0
		for order := range 20 {
			f := new(fairness)
			f.init(n, &s.Series)
			for _, i := range rng.Perm(len(flows)) {
				f.started(i, true)
				f.flows[len(f.flows)-1].acked = -got[i]
			}
			f.look(f.next)
			_, index, _ := f.track.At(0, 1)
			if order == 0 {
				first = index
			}
			if diff := index/want - 1; index != first || diff < -1e-15 || diff > 1e-15 {
				t.Fatalf("up to %d bytes: the index is %v, before %v, want about %v", most, index, first, want)
			}
		}
	}
}
