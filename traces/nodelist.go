package traces

import (
	"io"
	"strconv"

	"github.com/qbb-sim/qbb/core"
)

// LoadNodes reads a trace.txt: see ReadNodes.
func LoadNodes(path string, nodes int) ([]core.NodeID, error) {
	return load(path, func(name string, r io.Reader) ([]core.NodeID, error) { return ReadNodes(name, r, nodes) })
}

// ReadNodes reads a trace.txt from r: the nodes, of a network with the given number, whose packet
// events are recorded, in the file's order. Errors call the file name; with a
// [SurplusError] the nodes are returned too.
func ReadNodes(name string, r io.Reader, nodes int) ([]core.NodeID, error) {
	s := newScanner(name, r)
	defer s.close()
	n := s.integer("number of traced nodes", 0, int64(nodes))
	var ids []core.NodeID
	seen := make(map[core.NodeID]bool)
	for i := int64(0); i < n && s.err == nil; i++ {
		id := s.node("traced node", int64(nodes))
		if seen[id] && s.err == nil {
			s.fail("traced node given twice", strconv.Itoa(int(id)), "list every node once")
		}
		seen[id] = true
		ids = append(ids, id)
	}
	surplus := s.end("traced nodes", n)
	if s.err != nil {
		return nil, s.err
	}
	return ids, surplus
}
