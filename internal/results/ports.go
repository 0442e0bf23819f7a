package results

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/traces"
)

// topPorts is the number of ports of a bar chart.
const topPorts = 10

// port identifies a port in several runs.
type port struct {
	node core.NodeID
	port int32
	peer core.NodeID
}

// String names the port for people.
func (p port) String() string { return PortName(p.node, int(p.port), p.peer) }

// PortName names a port of a node, and the node at the other end, for people.
func PortName(node core.NodeID, port int, peer core.NodeID) string {
	return fmt.Sprintf("%d → %d (port %d)", node, peer, port)
}

// utilisationChart shows the ports that were busiest in any run.
func utilisationChart(runs []*Run) figure.Figure {
	c := figure.Figure{
		ID: "utilisation", Kind: figure.Bars, Title: "Busiest links",
		About: "Share of the link's rate that the port sent, headers and acknowledgements included but not flow control, from the first flow's start to the last one's end. Ports are written node → node at the other end." + showsMean,
		X:     figure.Axis{Label: "Utilisation", Unit: figure.Share, Scale: figure.Linear, From: figure.At(0), To: figure.At(1)},
		Empty: "Nothing was sent.",
	}
	return bars(c, runs, (*Run).utilisation)
}

// utilisation is the share of the time of traffic in which a port sent. Its bytes include those of a packet that was under
// way at the end, but not those of flow control, which may go on after it.
func (r *Run) utilisation(p *traces.PortRow) float64 {
	if p.RateBps <= 0 {
		return 0
	}
	return min(1, float64(p.PortXmitData)*32*1e9/(float64(p.RateBps)*r.length()))
}

// pausedChart shows the ports that were paused longest in any run.
func pausedChart(runs []*Run) figure.Figure {
	c := figure.Figure{
		ID: "paused", Kind: figure.Bars, Title: "Ports paused by PFC",
		About: "Time for which the port was not allowed to send, summed over the priorities. The node at the other end paused it." + showsMean,
		X:     figure.Axis{Label: "Time paused", Unit: figure.Time, Scale: figure.Linear, From: figure.At(0)},
		Empty: noPauses,
	}
	return bars(c, runs, func(_ *Run, p *traces.PortRow) float64 { return p.PausedNs })
}

const noPauses = "No port was paused."

// bars fills a bar chart with the ports that have the largest values in any run.
func bars(c figure.Figure, runs []*Run, value func(*Run, *traces.PortRow) float64) figure.Figure {
	values := make([]map[port][]float64, len(runs)) // by seed
	largest := make(map[port]float64)
	var ports []port
	for i, r := range runs {
		values[i] = r.portValues(value)
		for p, of := range values[i] {
			if _, known := largest[p]; !known {
				ports = append(ports, p)
			}
			largest[p] = max(largest[p], NewEstimate(of).Mean)
		}
	}
	if len(ports) == 0 {
		return c
	}
	c.Empty = ""
	slices.SortFunc(ports, func(a, b port) int {
		return cmp.Or(cmp.Compare(largest[b], largest[a]), cmp.Compare(a.node, b.node), cmp.Compare(a.port, b.port), cmp.Compare(a.peer, b.peer))
	})
	ports = ports[:min(len(ports), topPorts)]
	for _, p := range ports {
		c.Labels = append(c.Labels, p.String())
	}
	for i, r := range runs {
		s := figure.Series{Name: i}
		for _, p := range ports {
			e := NewEstimate(values[i][p])
			s.Y = append(s.Y, figure.Num(e.Mean))
			if len(r.others) > 0 {
				s.Low, s.High = append(s.Low, figure.Num(e.low(0))), append(s.High, figure.Num(e.Mean+e.Half))
			}
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// portValues returns the values of the ports that have one above zero in any seed, by seed.
func (r *Run) portValues(value func(*Run, *traces.PortRow) float64) map[port][]float64 {
	seeds := r.Seeds()
	values := make(map[port][]float64)
	for k, seed := range seeds {
		for i := range seed.ports {
			row := &seed.ports[i]
			v := value(seed, row)
			if v <= 0 {
				continue
			}
			p := port{row.Node, row.Port, row.Peer}
			if values[p] == nil {
				values[p] = make([]float64, len(seeds))
			}
			values[p][k] = v
		}
	}
	return values
}

// pauseChart shows when pause frames arrived.
func pauseChart(runs []*Run) figure.Figure {
	c := figure.Figure{
		ID: "pauses", Kind: figure.Lines, Steps: true, Title: "Pause frames over time",
		About: fmt.Sprintf("PFC pause frames received anywhere per millisecond, in each of %d equal parts of the time from the first flow's start to the last one's end.", pauseBins) + showsMean,
		X:     timeAxis(),
		Y:     figure.Axis{Label: "Pause frames per ms", Unit: figure.Count, Scale: figure.Linear, From: figure.At(0)},
	}
	total := int64(0)
	for i, r := range runs {
		s, seeds := figure.Series{Name: i}, r.Seeds()
		addPauses(&s, seeds)
		c.Series = append(c.Series, s)
		for _, seed := range seeds {
			total += seed.Summary.PFC.PausesSent
		}
	}
	if total == 0 {
		c.Series, c.Empty = nil, noPauses
	}
	return c
}
