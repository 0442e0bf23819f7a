package workloads

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// listHosts reads nodes and ranges such as 5, 0-7 and 0-56:8, which is every eighth.
func listHosts(words []string, t *topo.Topology) (hosts []core.NodeID, err error) {
	seen := make([]bool, len(t.Kinds))
	for _, w := range words {
		from, to, step, ok := parseRange(w)
		if !ok {
			return nil, fmt.Errorf("%q is neither a node nor a range such as 0-7, or 0-56:8 for every eighth", w)
		}
		if err := checkHost(to, t); err != nil { // before a range of any length
			return nil, err
		}
		if to < from {
			return nil, fmt.Errorf("the range %s goes down", w)
		}
		for id := from; id <= to; id += step {
			if err := checkHost(id, t); err != nil {
				return nil, err
			}
			if seen[id] {
				return nil, fmt.Errorf("node %d is given twice", id)
			}
			seen[id] = true
			hosts = append(hosts, core.NodeID(id))
		}
	}
	return hosts, nil
}

// parseRange reads a node or a range, whose step is 1 unless it says otherwise.
func parseRange(text string) (from, to, step uint64, ok bool) {
	ends, by, stepped := strings.Cut(text, ":")
	first, last, ranged := strings.Cut(ends, "-")
	if !ranged {
		last = first
	}
	if !stepped {
		by = "1"
	}
	ok = ranged || !stepped
	number := func(text string) uint64 {
		n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
		ok = ok && err == nil
		return n
	}
	from, to, step = number(first), number(last), number(by)
	return from, to, step, ok && step > 0
}

func checkHost(id uint64, t *topo.Topology) error {
	wrong := ""
	switch {
	case id >= uint64(len(t.Kinds)):
		wrong = fmt.Sprintf("there is no node %d", id)
	case t.Kinds[id] != topo.Host:
		wrong = fmt.Sprintf("node %d is a switch", id)
	default:
		return nil
	}
	return fmt.Errorf("%s: %s", wrong, t.HostRange())
}
