package report

import (
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
)

// bottlenecks are the busiest ports of a run.
type bottlenecks struct {
	Run   string
	Ports []bottleneck
}

type bottleneck struct{ Port, Busy, Paused, Queue string }

// bottlenecksOf lists the ports that the summaries name.
func bottlenecksOf(runs []*results.Run) []bottlenecks {
	var all []bottlenecks
	for _, r := range runs {
		b := bottlenecks{Run: r.Name}
		for _, p := range r.Summary.Bottlenecks {
			b.Ports = append(b.Ports, bottleneck{
				results.PortName(p.Node, p.Port, p.Peer),
				figure.Share.Text(p.Busy, 3), figure.Share.Text(p.Paused, 3), bytesText(float64(p.MaxQueue)),
			})
		}
		if len(b.Ports) > 0 {
			all = append(all, b)
		}
	}
	return all
}
