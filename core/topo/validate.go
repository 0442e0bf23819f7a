package topo

import (
	"fmt"
	"math"

	"github.com/qbb-sim/qbb/core"
)

// maxPorts is the number of ports that a node can have: routes number them in 16 bits.
const maxPorts = math.MaxUint16

// MaxDelay is the longest delay of a link: sums and multiples of round trips fit a clock.
const MaxDelay = 3600 * core.Second

// MinRate is the lowest rate of a link: a lower one is probably a number without its unit, and the times
// of large packets and full buffers would not fit a clock.
const MinRate = core.Kbps

// Validate checks what the rest of the program relies on: two hosts or more, all in one
// piece over switches; links between different known nodes, with sensible figures.
func (t *Topology) Validate() error {
	ports := make([]int, len(t.Kinds))
	for i, k := range t.Kinds {
		if k != Host && k != Switch {
			return fmt.Errorf("node %d is neither a host nor a switch", i)
		}
	}
	for i := range t.Links {
		if err := t.checkLink(i, ports); err != nil {
			return err
		}
	}
	return t.checkConnected()
}

func (t *Topology) checkLink(i int, ports []int) error {
	l := &t.Links[i]
	for _, id := range []core.NodeID{l.A, l.B} {
		if id < 0 || int(id) >= len(t.Kinds) {
			return fmt.Errorf("link %d (%d-%d): there is no node %d; the last one is %d", i, l.A, l.B, id, len(t.Kinds)-1)
		}
		if ports[id]++; ports[id] > maxPorts {
			return fmt.Errorf("link %d (%d-%d): node %d has more than %d ports", i, l.A, l.B, id, maxPorts)
		}
	}
	switch {
	case l.A == l.B:
		return fmt.Errorf("link %d (%d-%d) joins a node to itself", i, l.A, l.B)
	case l.Rate <= 0:
		return fmt.Errorf("link %d (%d-%d): the rate %v must be positive", i, l.A, l.B, l.Rate)
	case l.Rate < MinRate:
		return fmt.Errorf("link %d (%d-%d): the rate %v is below 1 kb/s: write a unit, such as 25Gbps", i, l.A, l.B, l.Rate)
	case l.Delay < 0:
		return fmt.Errorf("link %d (%d-%d): the delay %v must not be negative", i, l.A, l.B, l.Delay)
	case l.Delay > MaxDelay:
		return fmt.Errorf("link %d (%d-%d): the delay %v is above %v", i, l.A, l.B, l.Delay, MaxDelay)
	case !(l.Loss >= 0 && l.Loss <= 1):
		return fmt.Errorf("link %d (%d-%d): the loss probability %v is not between 0 and 1", i, l.A, l.B, l.Loss)
	}
	return nil
}

func (t *Topology) checkConnected() error {
	if n := len(t.Hosts()); n < 2 {
		return fmt.Errorf("a network needs two hosts, this one has %d", n)
	}
	if t.joined() {
		return nil
	}
	r := NewRoutes(t, nil, AscendingID)
	for src, dst := range r.distinctPairs() {
		if len(r.Next(src, dst)) == 0 {
			return fmt.Errorf("there is no path from host %d to host %d (hosts do not forward)", src, dst)
		}
	}
	return nil
}

// joined reports whether the switches beyond one port of the first host lead to every host, so that there is
// a path between any two. There may be paths otherwise too: over several ports, or cables from host to host.
func (t *Topology) joined() bool {
	ports, hosts := t.Ports(), t.Hosts()
	seen := make([]bool, len(t.Kinds))
	for _, p := range ports[hosts[0]] {
		if t.Kinds[p.Peer] == Switch && !seen[p.Peer] && t.flood(p.Peer, ports, seen) == len(hosts) {
			return true
		}
	}
	return false
}

// flood marks the switches that links join to one of them, and counts the hosts at them.
func (t *Topology) flood(start core.NodeID, ports [][]Port, seen []bool) int {
	hosts := make(map[core.NodeID]bool)
	queue := []core.NodeID{start}
	seen[start] = true
	for i := 0; i < len(queue); i++ {
		for _, p := range ports[queue[i]] {
			switch {
			case t.Kinds[p.Peer] == Host:
				hosts[p.Peer] = true
			case !seen[p.Peer]:
				seen[p.Peer] = true
				queue = append(queue, p.Peer)
			}
		}
	}
	return len(hosts)
}
