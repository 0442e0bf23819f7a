package sim

import (
	"cmp"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/refrand"
)

// A clock of nanoseconds cuts the rest of a delay.
func TestDelay(t *testing.T) {
	link := &topo.Link{Delay: 1_999 * core.Picosecond}
	for _, c := range []struct {
		profile Profile
		want    core.Duration
	}{{NS3(), core.Nanosecond}, {Native(), 1_999 * core.Picosecond}} {
		if got := (&Setup{Profile: c.profile}).Delay(link); got != c.want {
			t.Errorf("%s: %v, want %v", c.profile.Name, got, c.want)
		}
	}
}

// In the reference's sequences both directions of a link with a loss of its own draw from one sequence, which begins anew for
// every such link, and all other links from one more; otherwise every direction has its own. Where nothing is lost, nothing is
// drawn.
func TestLossSequences(t *testing.T) {
	network, err := topo.Parse("dumbbell:n=2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		profile Profile
		others  float64
	}{{NS3(), 0.125}, {NS3(), 0}, {Native(), 0.125}, {Native(), 0}} {
		s := endless(network, 1, 0, nil)
		s.Profile, s.LossPerLink, s.Seed = c.profile, c.others, 7
		ofLink, rest := make(map[int]core.Random), core.Random(refrand.NewStream(lossStream))
		for i := range network.Links {
			network.Links[i].Loss = float64(i%3) / 4
			if ofLink[i] = rest; i%3 > 0 {
				ofLink[i] = refrand.NewStream(lossStream)
			}
		}
		n, err := Build(s, deaf{})
		if err != nil {
			t.Fatal(err)
		}
		number := -1
		for _, ports := range n.ports {
			for _, p := range ports {
				number++
				x, from, loss := &n.losses[number], ofLink[p.Link], cmp.Or(network.Links[p.Link].Loss, c.others)
				if !c.profile.CommonRandom {
					from = core.NewStream(7, core.StreamLoss, uint64(number))
				}
				if loss == 0 {
					if x.chance != nil {
						t.Errorf("%s: port %d draws for a loss of 0", c.profile.Name, number)
					}
					continue
				}
				if got, want := x.chance.Float64(), from.Float64(); got != want || x.probability != loss {
					t.Errorf("%s: port %d draws %v for a loss of %v, want %v for %v", c.profile.Name, number, got, x.probability, want, loss)
				}
			}
		}
	}
}
