package topo

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/qbb-sim/qbb/core"
)

// MaxPorts is the number of ports that a node can have: routes number them in 16 bits.
const MaxPorts = math.MaxUint16

// MaxDelay is the longest delay of a link: sums and multiples of round trips fit a clock.
const MaxDelay = 3600 * core.Second

// MinRate is the lowest rate of a link: a lower one is probably a number without its unit, and the times
// of large packets and full buffers would not fit a clock.
const MinRate = core.Kbps

// MaxRate is the highest rate of a link. What it carries in a round trip is counted in bytes: see checkTrip.
const MaxRate = 1000 * core.Tbps

// Mistake is what makes a topology unusable. It prints as one line.
type Mistake struct {
	Link int    // index of the link that is to blame; -1 if none is
	What string // what is wrong
	Fix  string // what to do; may be empty
	link *Link  // nil if none is to blame
}

// Error names the link and its ends.
func (m *Mistake) Error() string {
	text := m.What
	if m.link != nil {
		text = fmt.Sprintf("link %d (%d-%d): %s", m.Link, m.link.A, m.link.B, text)
	}
	if m.Fix != "" {
		text += ": " + m.Fix
	}
	return text
}

// Validate checks what the rest of the program relies on: two hosts or more, all in one piece over switches;
// links between different known nodes, with sensible figures. Errors are of type *[Mistake].
func (t *Topology) Validate() error {
	if m := t.mistake(); m != nil {
		return m
	}
	return nil
}

func (t *Topology) mistake() *Mistake {
	for i, k := range t.Kinds {
		if k != Host && k != Switch {
			return &Mistake{Link: -1, What: "node " + strconv.Itoa(i) + " is neither a host nor a switch"}
		}
	}
	ports := make([]int, len(t.Kinds))
	for i := range t.Links {
		if what, fix := t.checkLink(&t.Links[i], ports); what != "" {
			return t.mistakeOf(i, what, fix)
		}
	}
	if m := t.checkConnected(); m != nil {
		return m
	}
	if link, what, fix := t.checkTrip(); what != "" {
		return t.mistakeOf(link, what, fix)
	}
	return nil
}

// mistakeOf returns a mistake of a link, or of none if its index is -1.
func (t *Topology) mistakeOf(link int, what, fix string) *Mistake {
	m := &Mistake{Link: link, What: what, Fix: fix}
	if link >= 0 {
		m.link = &t.Links[link]
	}
	return m
}

// checkLink counts the ports of a link, and returns what is wrong with it, and what to do; "" if nothing is.
func (t *Topology) checkLink(l *Link, ports []int) (what, fix string) {
	for _, id := range []core.NodeID{l.A, l.B} {
		if id < 0 || int(id) >= len(t.Kinds) {
			return fmt.Sprintf("there is no node %d; the last one is %d", id, len(t.Kinds)-1), ""
		}
		if ports[id]++; ports[id] > MaxPorts {
			return fmt.Sprintf("node %d has more than %d ports", id, MaxPorts), "divide its links among several nodes"
		}
	}
	if l.A == l.B {
		return fmt.Sprintf("both ends are node %d", l.A), "name two different nodes"
	}
	if problem, fix := RateProblem(l.Rate); problem != "" {
		return fmt.Sprintf("the rate %v %s", l.Rate, problem), fix
	}
	if problem, fix := DelayProblem(l.Delay); problem != "" {
		return fmt.Sprintf("the delay %v %s", l.Delay, problem), fix
	}
	if !(l.Loss >= 0 && l.Loss <= 1) {
		return fmt.Sprintf("the loss probability %v is not between 0 and 1", l.Loss), ""
	}
	return "", ""
}

// RateProblem says what is wrong with the rate of a link, and what to do; "" if nothing is.
func RateProblem(r core.Rate) (problem, fix string) {
	const example = "write a rate such as 100Gbps"
	switch {
	case r < 0:
		return "is negative", example
	case r == 0:
		return "is not above zero", example
	case r < MinRate:
		return "is below " + MinRate.String(), "write a unit, such as 25Gbps"
	case r > MaxRate:
		return "is above " + MaxRate.String(), example
	}
	return "", ""
}

// DelayProblem says what is wrong with the delay of a link, and what to do; "" if nothing is.
func DelayProblem(d core.Duration) (problem, fix string) {
	const example = "write a duration such as 1us"
	switch {
	case d < 0:
		return "is negative", example
	case d > MaxDelay:
		return "is above " + MaxDelay.String(), example
	}
	return "", ""
}

func (t *Topology) checkConnected() *Mistake {
	hosts := t.Hosts()
	if n := len(hosts); n < 2 {
		return &Mistake{Link: -1, What: "a network needs two hosts, this one has " + strconv.Itoa(n), Fix: "add hosts: nodes that are no switches"}
	}
	if t.joined() {
		return nil
	}
	r := NewRoutes(t, nil, AscendingID)
	for src, dst := range r.distinctPairs() {
		if len(r.Next(src, dst)) > 0 {
			continue
		}
		missing := slices.DeleteFunc(hosts, func(h core.NodeID) bool { return h == src || len(r.Next(src, h)) > 0 })
		return &Mistake{Link: -1, What: "host " + strconv.Itoa(int(src)) + " cannot reach host" + listNodes(missing), Fix: "add links (hosts do not forward)"}
	}
	return nil
}

// checkTrip bounds the time of a round trip over all switches, which no path exceeds however links fail, and what the
// fastest link carries in it, so that small multiples fit a clock and a count of bytes. It returns the link that
// is to blame, or -1, what is wrong, and what to do; "" if nothing is.
func (t *Topology) checkTrip() (link int, what, fix string) {
	const (
		most       = 1000 * 3600 * core.Second
		mostCarry  = core.Bytes(4e18)
		longPacket = 128 << 10 // an MTU and a header of 64 KiB each
	)
	fastest, slowest, delay, switches := 0, MaxRate, core.Duration(0), 0
	for i := range t.Links {
		l := &t.Links[i]
		if l.Rate > t.Links[fastest].Rate {
			fastest = i
		}
		slowest, delay = min(slowest, l.Rate), max(delay, l.Delay)
	}
	for _, k := range t.Kinds {
		if k == Switch {
			switches++
		}
	}
	top := t.Links[fastest].Rate
	trip := 2 * float64(switches+1) * (delay + core.Exact.TxTime(longPacket, slowest)).Seconds()
	switch {
	case trip > most.Seconds():
		what = fmt.Sprintf("a round trip over all %d switches, with delays of up to %v and rates from %v, may take more than %v", switches, delay, slowest, most)
		return -1, what, "shorten the delays, or raise the rates"
	case trip*float64(top)/8 > float64(mostCarry):
		what = fmt.Sprintf("at %v a round trip over all %d switches, with delays of up to %v, holds more than %v", top, switches, delay, mostCarry)
		return fastest, what, "lower the rate or the delays"
	}
	return -1, "", ""
}

// listNodes writes " 7", "s 7, 8", "s 7, 8, 9 and 12 more".
func listNodes(ids []core.NodeID) string {
	const most = 8
	text := " "
	if len(ids) > 1 {
		text = "s "
	}
	for i, id := range ids {
		switch {
		case i == most:
			return text + " and " + strconv.Itoa(len(ids)-most) + " more"
		case i > 0:
			text += ", "
		}
		text += strconv.Itoa(int(id))
	}
	return text
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
