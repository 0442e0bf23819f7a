package results

import (
	"slices"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/traces"
)

// Kind is a kind of figure.
type Kind struct {
	Name string // also the figure's ID
	Doc  string
	make func(runs []*Run) figure.Figure
	// pooled means that it shows all seeds of a run; otherwise it shows the first.
	pooled bool
	// ofFlows means that it needs only summaries and flows.
	ofFlows bool
	// ofSchedule means that only runs with a schedule have it.
	ofSchedule bool
}

// Kinds lists the kinds of figure, in the order of the report.
func Kinds() []Kind {
	kinds := []Kind{
		{Name: "slowdown", Doc: "slowdown by flow size", make: slowdownChart, pooled: true, ofFlows: true},
		{Name: "fct-cdf", Doc: "distribution of completion times", make: fctChart, pooled: true, ofFlows: true},
		{Name: "queue-cdf", Doc: "distribution of queue depths", make: queueChart, pooled: true},
	}
	for _, s := range overTime() {
		kinds = append(kinds, Kind{Name: s.id, Doc: s.doc, make: s.figure, pooled: s.of != ofFlow})
	}
	return append(kinds,
		Kind{Name: "pauses", Doc: "PFC pause frames over time", make: pauseChart, pooled: true},
		Kind{Name: "paused", Doc: "ports that PFC paused longest", make: pausedChart, pooled: true},
		Kind{Name: "utilisation", Doc: "busiest links", make: utilisationChart, pooled: true},
		Kind{Name: "schedule", Doc: "hosts that compute and send for a schedule, over time", make: scheduleChart, pooled: true, ofSchedule: true},
	)
}

// Load reads the parts of finished runs that the figure shows, see [Load].
func (k *Kind) Load(dirs []string) ([]*Run, error) {
	if k.ofFlows {
		return few(LoadFlows(dirs))
	}
	return Load(dirs)
}

// Figure makes the figure of at least one run.
func (k *Kind) Figure(runs []*Run) figure.Figure {
	f := k.make(runs)
	if f.Names == nil {
		f.Names = Names(runs)
	}
	if !k.pooled && f.Empty == "" && slices.ContainsFunc(runs, func(r *Run) bool { return len(r.others) > 0 }) {
		f.Note = "Of several seeds it shows the first."
	}
	return f
}

// Concerns reports whether the runs are of the sort that may have the figure: a report does not mention it otherwise.
func (k *Kind) Concerns(runs []*Run) bool { return !k.ofSchedule || HaveSchedule(runs) }

// Tags reports whether the figure shows flows that have ended, which [Only] can restrict to a tag.
func (k *Kind) Tags() bool { return k.ofFlows }

// Names returns the names of runs.
func Names(runs []*Run) []string {
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	return names
}

// timeAxis is the axis of figures over time. It begins where traffic does: in the reference's cases
// that is after two seconds.
func timeAxis() figure.Axis {
	return figure.Axis{Label: "Time since the first flow's start", Unit: figure.Time, From: figure.At(0)}
}

// overTime is the table of figures made of series.parquet.
func overTime() []timeSeries {
	zero := figure.At(0)
	const ports = " Shown are the ports with the largest mean in any run." + showsMean
	const flows = " The band spans the extremes."
	return []timeSeries{
		{"queue", "Queues over time", "queues of the fullest ports over time", "Bytes in the egress queue; the band spans the least and the largest." + ports,
			figure.Axis{Label: "Queue", Unit: figure.Bytes, From: zero}, traces.MetricQueue, ofPort, true},
		{"throughput", "Throughput over time", "throughput of the busiest ports over time", "Bits sent per second, headers and acknowledgements included." + ports,
			figure.Axis{Label: "Throughput", Unit: figure.Rate, From: zero}, traces.MetricThroughput, ofPort, false},
		{"fairness", "Fairness over time", "Jain's index of the flows' goodput over time", "Jain's index of the goodput of all flows that ran during the whole of a sample; 1: all the same, or idle; 1/n: one of n has it all." + showsMean,
			figure.Axis{Label: "Fairness (Jain)", Unit: figure.Ratio, From: zero, To: figure.At(1)}, traces.MetricFairness, ofNetwork, false},
		{"flows", "Flows over time", "number of running flows over time", "Flows that have started and not ended." + showsMean,
			figure.Axis{Label: "Flows", Unit: figure.Count, From: zero}, traces.MetricFlows, ofNetwork, false},
		{"rate", "Rate of flows", "rate that the scheme allows chosen flows, over time", "Sending rate that the scheme allows." + flows,
			figure.Axis{Label: "Rate", Unit: figure.Rate, From: zero}, traces.MetricRate, ofFlow, true},
		{"goodput", "Goodput of flows", "goodput of chosen flows over time", "Message bits acknowledged per second.",
			figure.Axis{Label: "Goodput", Unit: figure.Rate, From: zero}, traces.MetricGoodput, ofFlow, false},
		{"window", "Window of flows", "window of chosen flows over time", "Bytes that may be in flight." + flows,
			figure.Axis{Label: "Window", Unit: figure.Bytes, From: zero}, traces.MetricWindow, ofFlow, true},
		{"in-flight", "Bytes in flight of flows", "bytes in flight of chosen flows over time", "Bytes sent and not acknowledged." + flows,
			figure.Axis{Label: "In flight", Unit: figure.Bytes, From: zero}, traces.MetricFlight, ofFlow, true},
		{"rtt", "Round trips of flows", "round trip of chosen flows over time", "From a packet's departure to its acknowledgement." + flows,
			figure.Axis{Label: "Round trip", Unit: figure.Time, From: zero}, traces.MetricRTT, ofFlow, true},
	}
}
