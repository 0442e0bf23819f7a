package traces

import (
	"io"
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// LoadTopology reads a topology.txt: see ReadTopology.
func LoadTopology(path string, tm core.Timing) (*topo.Topology, []int, error) {
	var lines []int
	t, err := load(path, func(name string, r io.Reader) (t *topo.Topology, err error) {
		t, lines, err = ReadTopology(name, r, tm)
		return t, err
	})
	return t, lines, err
}

// ReadTopology reads a topology.txt from r and the line of every link. Rates and delays with a fraction are
// what the arithmetic makes of them. Errors call the file name. Every host can reach every other. Parallel
// links are accepted. With a [SurplusError] the topology is returned too.
func ReadTopology(name string, r io.Reader, tm core.Timing) (*topo.Topology, []int, error) {
	s := newScanner(name, r)
	s.timing = tm
	defer s.close()
	nodes := s.integer("number of nodes", 1, maxNodes)
	switches := s.integer("number of switches", 0, nodes)
	links := s.integer("number of links", 0, maxLinks)
	if s.err != nil {
		return nil, nil, s.err
	}
	t := &topo.Topology{Name: name, Kinds: make([]topo.Kind, nodes)}
	for i := int64(0); i < switches && s.err == nil; i++ {
		id := s.node("switch id", nodes)
		if t.Kinds[id] == topo.Switch && s.err == nil {
			s.fail("switch id given twice", strconv.Itoa(int(id)), "list every switch once")
		}
		t.Kinds[id] = topo.Switch
	}
	var lines []int
	short := 0 // the first line whose last word is on the next
	for i := int64(0); i < links && s.err == nil; i++ {
		l, broken := readLink(s, nodes)
		if broken > 0 && short == 0 {
			short = broken
		}
		t.Links = append(t.Links, l)
		lines = append(lines, s.line)
	}
	surplus := s.end("links", links)
	if (s.err != nil || surplus != nil) && short > 0 {
		s.err = &SyntaxError{File: name, Line: short, What: "link without an error rate", Fix: "end the line with one, such as 0"}
	}
	if s.err == nil {
		s.err = checkConnected(name, t)
	}
	if s.err != nil {
		return nil, nil, s.err
	}
	return t, lines, surplus
}

// readLink also returns the line of the delay if the error rate is not on it.
func readLink(s *scanner, nodes int64) (l topo.Link, broken int) {
	l = topo.Link{A: s.node("link end", nodes), B: s.node("link end", nodes)}
	if l.A == l.B {
		s.fail("link from a node to itself", strconv.Itoa(int(l.A)), "name two different nodes")
	}
	l.Rate = s.rate("link rate", topo.MinRate)
	l.Delay = s.duration("link delay")
	line := s.line
	l.Loss = s.real("link error rate", 0, 1)
	if s.line > line {
		broken = line
	}
	return l, broken
}

// checkConnected demands that every host can reach every other without passing a third.
func checkConnected(name string, t *topo.Topology) error {
	hosts, ports := t.Hosts(), t.Ports()
	if len(hosts) == 0 {
		return &SyntaxError{File: name, Line: 1, What: "no hosts: every node is a switch", Fix: "correct the number of nodes"}
	}
	seen := make([]core.NodeID, len(t.Kinds))
	for _, p := range ports[hosts[0]] {
		if t.Kinds[p.Peer] == topo.Switch && len(reach(t, ports, hosts, p.Peer, seen)) == 0 {
			return nil // all hosts hang on one fabric
		}
	}
	for _, from := range hosts {
		if missing := reach(t, ports, hosts, from, seen); len(missing) > 0 {
			return &SyntaxError{
				File: name,
				What: "host " + strconv.Itoa(int(from)) + " cannot reach host" + listNodes(missing),
				Fix:  "add links",
			}
		}
	}
	return nil
}

// reach returns the hosts that no path leads to from a node. It marks what is reached in
// seen, with a mark that is the node's own.
func reach(t *topo.Topology, ports [][]topo.Port, hosts []core.NodeID, from core.NodeID, seen []core.NodeID) (missing []core.NodeID) {
	mark := from + 1
	seen[from] = mark
	queue := []core.NodeID{from}
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if t.Kinds[n] == topo.Host && n != from {
			continue
		}
		for _, p := range ports[n] {
			if seen[p.Peer] != mark {
				seen[p.Peer] = mark
				queue = append(queue, p.Peer)
			}
		}
	}
	for _, h := range hosts {
		if seen[h] != mark {
			missing = append(missing, h)
		}
	}
	return missing
}

// listNodes writes " 7", "s 7 and 8", "s 7, 8, 9 and 12 more".
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
