package report

import (
	"fmt"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
)

// necks are the bottlenecks of a run.
type necks struct {
	Run   string
	Ports []neck
}

type neck struct{ Port, Busy, Paused, Queue string }

// bottlenecks lists the ports that the summaries name.
func bottlenecks(runs []*results.Run) []necks {
	var all []necks
	for _, r := range runs {
		n := necks{Run: r.Name}
		for _, b := range r.Summary.Bottlenecks {
			n.Ports = append(n.Ports, neck{
				fmt.Sprintf("%d → %d (port %d)", b.Node, b.Peer, b.Port),
				figure.Share.Text(b.Busy, 3), figure.Share.Text(b.Paused, 3), bytesText(float64(b.MaxQueue)),
			})
		}
		if len(n.Ports) > 0 {
			all = append(all, n)
		}
	}
	return all
}
