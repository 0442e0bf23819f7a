package workloads

import (
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// sender is a host at which flows arrive.
type sender struct {
	host      core.NodeID
	rate      core.Rate
	receivers []core.NodeID
	self      int // its place among these; -1: it is none
}

// senders returns the hosts of p that have another one to send to: one at least, unless there is an error.
func (p *Poisson) senders(t *topo.Topology) (list []sender, err error) {
	hosts, receivers, err := p.Ends.list(t)
	if err != nil {
		return nil, err
	}
	place := make(map[core.NodeID]int, len(receivers))
	for i, h := range receivers {
		place[h] = i
	}
	rates := hostRates(t, hosts)
	for i, h := range hosts {
		self, receives := place[h]
		if !receives {
			self = -1
		}
		if s := (sender{h, rates[i], receivers, self}); s.peers() > 0 {
			list = append(list, s)
		}
	}
	return list, nil
}

// peers returns the number of hosts to which it sends.
func (s *sender) peers() int {
	if s.self >= 0 {
		return len(s.receivers) - 1
	}
	return len(s.receivers)
}

// peer returns one of these.
func (s *sender) peer(i int) core.NodeID {
	if s.self >= 0 && i >= s.self {
		i++
	}
	return s.receivers[i]
}

// MostOffered returns the host that receives most on average for its rate, and the ratio of its message bytes to that
// rate: Load if all hosts of a network send and receive at the same rate; among faster ones a slow host is sent as much
// as they are.
func (p *Poisson) MostOffered(t *topo.Topology) (host core.NodeID, most float64) {
	senders, err := p.senders(t)
	if err != nil {
		return 0, 0
	}
	sum, own := 0.0, make(map[core.NodeID]float64) // to each receiver: by all senders, and by itself if it were one
	for _, s := range senders {
		each := float64(s.rate) / float64(s.peers())
		sum += each
		own[s.host] = each
	}
	receivers := senders[0].receivers
	rates := hostRates(t, receivers)
	for i, h := range receivers {
		if share := p.Load * (sum - own[h]) / float64(rates[i]); share > most {
			host, most = h, share
		}
	}
	return host, most
}

// Expected returns the mean number of flows.
func (p *Poisson) Expected(t *topo.Topology) float64 {
	senders, _ := p.senders(t)
	return p.expected(senders)
}

func (p *Poisson) expected(senders []sender) (flows float64) {
	for _, s := range senders {
		flows += float64(p.To-p.From) / p.meanGap(s.rate)
	}
	return flows
}
