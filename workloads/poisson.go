package workloads

import (
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Poisson is background traffic: at every host that sends flows arrive as a Poisson process, each to a destination
// uniform over the other hosts that receive.
type Poisson struct {
	Sizes *CDF
	Ends  Ends
	// Load is the mean rate of message bytes that a host sends, as a share of the sum of the rates of its links, without
	// those that are faster than its slowest. Flows arrive Sizes.Mean()*8/(Load*rate) apart on average.
	Load     float64
	From, To core.Time // flows start in [From, To)
	Prio     uint8
}

// Flows returns the flows. They depend on the seed, the hosts' ids and rates, and p.
func (p *Poisson) Flows(t *topo.Topology, seed uint64) ([]Flow, error) {
	senders, err := p.senders(t)
	if err == nil {
		err = p.check(senders)
	}
	if err != nil {
		return nil, fmt.Errorf("background traffic: %w", err)
	}
	var flows []Flow
	for _, s := range senders {
		id := uint64(s.host)
		arrivals := core.NewStream(seed, core.StreamArrivals, id)
		sizes := core.NewStream(seed, core.StreamSizes, id)
		peers := core.NewStream(seed, core.StreamPeers, id)
		gap := p.meanGap(s.rate)
		at := p.From
		for {
			d := float64(arrivals.Exp() * gap)
			if d >= float64(p.To-at) {
				break
			}
			at = at.Add(core.Duration(d))
			flows = append(flows, Flow{
				Src: s.host, Dst: s.peer(peers.IntN(s.peers())),
				Bytes: p.Sizes.Sample(sizes), Start: at, Prio: p.Prio, Tag: TagBackground,
			})
		}
	}
	return Merge(flows), nil
}

// meanGap returns the mean time between the flows of a host, in picoseconds.
func (p *Poisson) meanGap(r core.Rate) float64 {
	return p.Sizes.Mean() * 8 / (p.Load * float64(r)) * float64(core.Second)
}

func (p *Poisson) check(senders []sender) error {
	if !(p.Load > 0) || math.IsInf(p.Load, 0) {
		return fmt.Errorf("the load %v must be positive, such as 0.5 for 50 %% of every host's rate", p.Load)
	}
	return TooMany(p.expected(senders), lessTraffic)
}
