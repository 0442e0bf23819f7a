package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// SeriesSpec says which time series are recorded.
type SeriesSpec struct {
	Interval core.Duration `yaml:"interval" doc:"time between samples, which become rarer when a point stands for more than 8 of them; 0s: no series"`
	Points   int           `yaml:"points" doc:"most points of a series; beyond that, pairs of points are merged, keeping the extremes"`
	Ports    string        `yaml:"ports" doc:"all, switches, none, or a list of node:port such as 16:0,17:2; auto: all in a network of at most 4096 ports, otherwise none"`
	Flows    string        `yaml:"flows" doc:"none, all, a list such as 0,7, largest:N, first:N, or tag:NAME"`
	Fairness core.Duration `yaml:"fairness" doc:"time between samples of the fairness index and of the number of running flows, in whole intervals; in long runs these become rarer, too"`
}

// mostAutoPorts is the size of a network above which ports: auto means none.
const mostAutoPorts = 4096

// mostSeriesFlows bounds the flows whose series are recorded, and with them the memory.
const mostSeriesFlows = 1000

func defaultSeries() SeriesSpec {
	return SeriesSpec{Interval: 10 * core.Microsecond, Points: 500, Ports: "auto", Flows: "none", Fairness: 100 * core.Microsecond}
}

// buildSeries names the ports and flows whose series are recorded.
func (sc *Scenario) buildSeries(s *sim.Setup) error {
	ports, err := seriesPorts(sc.Series.Ports, s.Topology)
	if err != nil {
		return sc.wrong("series.ports", err)
	}
	flows, err := seriesFlows(sc.Series.Flows, s.Flows)
	if err != nil {
		return sc.wrong("series.flows", err)
	}
	s.Series = sim.SeriesSpec{Interval: sc.Series.Interval, Points: sc.Series.Points, Fairness: sc.Series.Fairness}
	if sc.Series.Interval == 0 {
		return nil
	}
	s.Series.Ports, s.Series.Flows = ports, flows
	if n := len(flows); n > mostSeriesFlows {
		return sc.wrong("series.flows", fmt.Errorf("%s means %d flows, at most %d can be recorded: try largest:20", sc.Series.Flows, n, mostSeriesFlows))
	}
	return nil
}

func seriesPorts(spec string, t *topo.Topology) ([]sim.PortRef, error) {
	var refs []sim.PortRef
	ports := t.Ports()
	if spec == "auto" && 2*len(t.Links) <= mostAutoPorts {
		spec = "all"
	}
	switch spec {
	case "none", "auto":
		return nil, nil
	case "all", "switches":
		for id := range ports {
			for i := range ports[id] {
				if spec == "all" || t.Kinds[id] == topo.Switch {
					refs = append(refs, sim.PortRef{Node: core.NodeID(id), Port: i})
				}
			}
		}
		return refs, nil
	}
	for word := range strings.SplitSeq(spec, ",") {
		node, port, _ := strings.Cut(strings.TrimSpace(word), ":")
		id, err1 := strconv.Atoi(node)
		i, err2 := strconv.Atoi(port)
		switch {
		case err1 != nil || err2 != nil:
			return nil, fmt.Errorf("%q is no port: write all, switches, none, auto, or node:port such as 16:0", word)
		case id < 0 || id >= len(ports):
			return nil, fmt.Errorf("%q: there is no node %d; nodes are 0 to %d", word, id, len(ports)-1)
		case i < 0 || i >= len(ports[id]):
			return nil, fmt.Errorf("%q: node %d has ports 0 to %d", word, id, len(ports[id])-1)
		}
		if ref := (sim.PortRef{Node: core.NodeID(id), Port: i}); !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

func seriesFlows(spec string, flows []sim.Flow) ([]int, error) {
	kind, arg, hasArg := strings.Cut(spec, ":")
	n, err := strconv.Atoi(arg)
	switch {
	case spec == "none":
		return nil, nil
	case spec == "all":
		return flowsWhere(flows, func(*sim.Flow) bool { return true }), nil
	case kind == "tag" && hasArg && len(flows) == 0: // a host may add some
		return nil, nil
	case kind == "tag" && hasArg:
		if err := checkTag(flows, arg); err != nil {
			return nil, fmt.Errorf("%q: %w", spec, err)
		}
		return flowsWhere(flows, func(f *sim.Flow) bool { return f.Tag == arg }), nil
	case kind == "first" && err == nil && n > 0:
		return flowsWhere(flows[:min(n, len(flows))], func(*sim.Flow) bool { return true }), nil
	case kind == "largest" && err == nil && n > 0:
		return largest(flows, n), nil
	}
	var list []int
	for word := range strings.SplitSeq(spec, ",") {
		i, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("%q is no flow: write none, all, largest:N, first:N, tag:NAME, or a list such as 0,7", word)
		}
		if len(flows) == 0 {
			return nil, fmt.Errorf("there is no flow %d, or any", i)
		}
		if i < 0 || i >= len(flows) {
			return nil, fmt.Errorf("there is no flow %d; flows are 0 to %d", i, len(flows)-1)
		}
		list = append(list, i)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func flowsWhere(flows []sim.Flow, is func(*sim.Flow) bool) (list []int) {
	for i := range flows {
		if is(&flows[i]) {
			list = append(list, i)
		}
	}
	return list
}

// largest returns the n largest flows; of equal ones, the earlier.
func largest(flows []sim.Flow, n int) []int {
	all := flowsWhere(flows, func(*sim.Flow) bool { return true })
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(flows[b].Bytes, flows[a].Bytes) })
	all = all[:min(n, len(all))]
	slices.Sort(all)
	return all
}
