package workloads

import (
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// Poisson is background traffic: at every host flows arrive as a Poisson process, each to
// a destination uniform over the other hosts.
type Poisson struct {
	Sizes *CDF
	// Load is the mean rate of message bytes that a host sends, as a share of the sum of the rates of its links, without
	// those that are faster than its slowest. Flows arrive Sizes.Mean()*8/(Load*rate) apart on average.
	Load     float64
	From, To core.Time // flows start in [From, To)
	Prio     uint8
}

// Flows returns the flows. They depend on the seed, the hosts' ids and rates, and p.
func (p *Poisson) Flows(t *topo.Topology, seed uint64) ([]Flow, error) {
	hosts, rates := hostRates(t)
	if err := p.check(len(hosts), rates); err != nil {
		return nil, fmt.Errorf("background traffic: %w", err)
	}
	var flows []Flow
	for i, h := range hosts {
		id := uint64(h)
		arrivals := core.NewStream(seed, core.StreamArrivals, id)
		sizes := core.NewStream(seed, core.StreamSizes, id)
		peers := core.NewStream(seed, core.StreamPeers, id)
		gap := p.meanGap(rates[i])
		at := p.From
		for {
			d := float64(arrivals.Exp() * gap)
			if d >= float64(p.To-at) {
				break
			}
			at = at.Add(core.Duration(d))
			flows = append(flows, Flow{
				Src: h, Dst: other(hosts, i, peers.IntN(len(hosts)-1)),
				Bytes: p.Sizes.Sample(sizes), Start: at, Prio: p.Prio, Tag: TagBackground,
			})
		}
	}
	return Merge(flows), nil
}

// MostOffered returns the host that receives most on average for its rate, and the ratio of its message bytes to that
// rate: Load in a network of equal hosts; among faster ones a slow host is sent as much as they are.
func (p *Poisson) MostOffered(t *topo.Topology) (core.NodeID, float64) {
	hosts, rates := hostRates(t)
	sum, host, most := 0.0, core.NodeID(0), 0.0
	for _, r := range rates {
		sum += float64(r)
	}
	for i, r := range rates {
		if share := p.Load * (sum - float64(r)) / float64(len(hosts)-1) / float64(r); share > most {
			host, most = hosts[i], share
		}
	}
	return host, most
}

// meanGap returns the mean time between the flows of a host, in picoseconds.
func (p *Poisson) meanGap(r core.Rate) float64 {
	return p.Sizes.Mean() * 8 / (p.Load * float64(r)) * float64(core.Second)
}

func (p *Poisson) check(hosts int, rates []core.Rate) error {
	switch {
	case !(p.Load > 0) || math.IsInf(p.Load, 0):
		return fmt.Errorf("the load %v must be positive, such as 0.5 for 50 %% of every host's rate", p.Load)
	case hosts < 2:
		return twoHosts(hosts)
	}
	return TooMany(p.expected(rates), lessTraffic)
}

// Expected returns the mean number of flows.
func (p *Poisson) Expected(t *topo.Topology) float64 {
	_, rates := hostRates(t)
	return p.expected(rates)
}

func (p *Poisson) expected(rates []core.Rate) (flows float64) {
	for _, r := range rates {
		flows += float64(p.To-p.From) / p.meanGap(r)
	}
	return flows
}
