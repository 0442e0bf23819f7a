package reproduce

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// track holds the observations of a simulation.
type track struct {
	Case  *Case
	Net   *sim.Network // at the end of the run
	Times []float64    // of the samples, ns
	Queue [][]float64  // by port of Case.Queues: bytes at Times
	Words [][]float64  // by the same: PortXmitData at Times
	Sent  []float64    // bytes that the first of these ports has sent, at Times
	// Packets and Marked count its packets, and those of them that carry a mark, at Times.
	Packets, Marked []float64
	Congested       []float64   // ns for which that port has been congested (InfiniBand), at Times
	Flows           []int       // those that were followed: indices into Net.Setup.Flows
	Acked           [][]float64 // by flow of Flows: bytes acknowledged at Times
	Ended           []sim.FlowRecord
}

// slice is the number of events between looks at the context.
const slice = 1 << 20

// run runs the case to its end.
func (c *Case) run(ctx context.Context) (*track, error) {
	setup, err := c.setup()
	if err != nil {
		return nil, err
	}
	t := &track{Case: c, Queue: make([][]float64, len(c.Queues)), Words: make([][]float64, len(c.Queues))}
	if t.Net, err = sim.Build(setup, t); err != nil {
		return nil, err
	}
	for i := range setup.Flows {
		if c.Follow == everyFlow || c.Follow != "" && setup.Flows[i].Tag == c.Follow {
			t.Flows = append(t.Flows, i)
		}
	}
	t.Acked = make([][]float64, len(t.Flows))
	for at := core.Time(0); ; at = at.Add(c.Every) {
		if c.Every == 0 {
			at = core.Never
		}
		more, err := t.advance(ctx, min(at, setup.Stop))
		if err != nil {
			return nil, err
		}
		if at <= setup.Stop && c.Every > 0 {
			t.sample(at)
		}
		if !more {
			return t, nil
		}
	}
}

// advance runs the simulation up to a time and reports whether it continues after it.
func (t *track) advance(ctx context.Context, to core.Time) (more bool, err error) {
	for {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		before := t.Net.Engine.Events()
		more := t.Net.Step(to, slice)
		if !more || t.Net.Engine.Events()-before < slice {
			stop := t.Net.Setup.Stop
			done := stop == core.Never && (t.Net.Ended() == len(t.Net.Setup.Flows) || t.Net.Engine.Idle())
			return !done && to < stop, nil
		}
	}
}

func (t *track) sample(at core.Time) {
	t.Times = append(t.Times, core.Duration(at).Nanos())
	if len(t.Case.Queues) > 0 {
		p := t.Case.Queues[0]
		c := t.Net.Counters(p.Node, p.Port)
		t.Sent, t.Packets = append(t.Sent, float64(c.TxBytes)), append(t.Packets, float64(c.TxPackets))
		t.Marked, t.Congested = append(t.Marked, float64(c.Marked)), append(t.Congested, c.Congested.Nanos())
	}
	for i, p := range t.Case.Queues {
		c := t.Net.Counters(p.Node, p.Port)
		t.Queue[i] = append(t.Queue[i], float64(t.Net.Depth(p.Node, p.Port)))
		t.Words[i] = append(t.Words[i], float64(c.XmitData()))
	}
	for k, i := range t.Flows {
		r := t.Net.Record(i)
		t.Acked[k] = append(t.Acked[k], float64(r.Acked))
	}
}

// FlowEnded implements sim.Observer.
func (t *track) FlowEnded(r *sim.FlowRecord) { t.Ended = append(t.Ended, *r) }

// PauseReceived implements sim.Observer.
func (t *track) PauseReceived(*sim.PauseRecord) {}

// QueueDump implements sim.Observer.
func (t *track) QueueDump(core.Time, *sim.Network) {}

// Records implements sim.Observer.
func (t *track) Records(records []core.Record) {
	if t.Case.Records != nil {
		t.Case.Records(records)
	}
}

// flowRates returns the mean rate of a followed flow over each stretch of n samples, bit/s of message
// bytes, and the ends of these stretches, ns.
func (t *track) flowRates(flow, n int) (times, rates []float64) { return t.rates(t.Acked[flow], n) }

// sentRates returns the same of all that the first port has sent.
func (t *track) sentRates(n int) (times, rates []float64) { return t.rates(t.Sent, n) }

// rates returns the rate at which a series of bytes has grown.
func (t *track) rates(bytes []float64, n int) (times, rates []float64) {
	for i := n; i < len(t.Times); i += n {
		times = append(times, t.Times[i])
		rates = append(rates, (bytes[i]-bytes[i-n])*8e9/(t.Times[i]-t.Times[i-n]))
	}
	return times, rates
}

// between returns the samples of a series between two times, both ns.
func (t *track) between(series []float64, from, to float64) []float64 {
	lo, hi := len(t.Times), len(t.Times)
	for i := len(t.Times) - 1; i >= 0 && t.Times[i] >= from; i-- {
		lo = i
	}
	for i := hi - 1; i >= 0 && t.Times[i] > to; i-- {
		hi = i
	}
	return series[lo:max(lo, hi)]
}

// growth returns the growth of a series per nanosecond between the first and the last sample of a period, given in ns;
// NaN if it has no two samples.
func (t *track) growth(series []float64, from, to float64) float64 {
	times, values := t.between(t.Times, from, to), t.between(series, from, to)
	last := len(times) - 1
	if last < 1 {
		return math.NaN()
	}
	return (values[last] - values[0]) / (times[last] - times[0])
}

// drained returns the first time after its peak at which a queue is empty, ns; infinite if never.
func (t *track) drained(queue []float64) float64 {
	peak := 0
	for i, q := range queue {
		if q > queue[peak] {
			peak = i
		}
	}
	for i := peak; i < len(queue); i++ {
		if queue[i] == 0 {
			return t.Times[i]
		}
	}
	return math.Inf(1)
}

// afterDrained is the most that a queue has held from the time returned by drained on; infinite if it never is empty.
func (t *track) afterDrained(queue []float64) float64 {
	drained := t.drained(queue)
	if math.IsInf(drained, 1) {
		return drained
	}
	return most(t.between(queue, drained, math.Inf(1)))
}

// late is the queue in the last half of a run.
func late(t *track) []float64 { return lastHalf(t.Queue[0]) }

// bySize returns the percentile of the slowdown in bins of equal numbers of flows, from small to
// large, with the largest size of each bin. Only finished flows count, those of all runs together.
func bySize(runs []*track, bins int, percent float64) (sizes, slowdowns []float64) {
	var flows []sim.FlowRecord
	for _, t := range runs {
		for i := range t.Ended {
			if t.Ended[i].Finished {
				flows = append(flows, t.Ended[i])
			}
		}
	}
	slices.SortStableFunc(flows, func(a, b sim.FlowRecord) int { return cmp.Compare(a.Flow.Bytes, b.Flow.Bytes) })
	for k := range bins {
		part := flows[len(flows)*k/bins : len(flows)*(k+1)/bins]
		if len(part) == 0 {
			continue
		}
		var s []float64
		for i := range part {
			s = append(s, part[i].Slowdown())
		}
		sizes = append(sizes, float64(part[len(part)-1].Flow.Bytes))
		slowdowns = append(slowdowns, percentile(s, percent))
	}
	return sizes, slowdowns
}
