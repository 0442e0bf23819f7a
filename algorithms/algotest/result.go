package algotest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// Result is what a run of a Bottleneck showed.
type Result struct {
	MaxQueue  core.Bytes
	Drops     int
	net       *Bottleneck
	delivered [][]core.Bytes // by flow and interval: wire bytes acknowledged
	queue     []core.Bytes   // by interval: the longest
}

func newResult(b *Bottleneck) *Result {
	r := &Result{net: b, queue: make([]core.Bytes, b.Columns)}
	for range b.Flows {
		r.delivered = append(r.delivered, make([]core.Bytes, b.Columns))
	}
	return r
}

func (r *Result) column(at core.Time) int {
	return int(float64(at) / float64(r.net.For) * float64(r.net.Columns))
}

func (r *Result) noteQueue(at core.Time, q core.Bytes) {
	i := r.column(at)
	r.queue[i] = max(r.queue[i], q)
	r.MaxQueue = max(r.MaxQueue, q)
}

func (r *Result) noteDelivery(at core.Time, flow int, n core.Bytes) {
	r.delivered[flow][r.column(at)] += n
}

// share returns the part of the link that a flow had in the intervals [from, to).
func (r *Result) share(flow, from, to int) float64 {
	var sum core.Bytes
	for _, n := range r.delivered[flow][from:to] {
		sum += n
	}
	span := r.net.For.Seconds() * float64(to-from) / float64(r.net.Columns)
	return float64(sum) * 8 / span / float64(r.net.Line)
}

// Utilisation returns the part of the link that was used.
func (r *Result) Utilisation() float64 {
	var sum float64
	for i := range r.delivered {
		sum += r.share(i, 0, r.net.Columns)
	}
	return sum
}

// Fairness returns Jain's index over the last quarter of the run, of the flows that were
// open throughout it; 1 is equal shares.
func (r *Result) Fairness() float64 {
	var n, sum, squares float64
	from := r.net.Columns * 3 / 4
	quarter := core.Time(float64(r.net.For) * 3 / 4)
	for i, span := range r.net.Flows {
		if span.From > quarter || span.To < core.Time(r.net.For) {
			continue
		}
		x := r.share(i, from, r.net.Columns)
		n, sum, squares = n+1, sum+x, squares+float64(x*x)
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / n / squares
}

// QueueAfter returns the longest queue after a part of the run, from 0 to 1.
func (r *Result) QueueAfter(part float64) core.Bytes {
	return slices.Max(r.queue[int(part*float64(r.net.Columns)):])
}

const plotRows = 12

// Plot draws the share of the link that each flow had over time, one digit or letter per flow and *
// where several meet, and under it the longest queue, in tenths of its maximum.
func (r *Result) Plot() string {
	rows := make([][]byte, plotRows+1)
	for i := range rows {
		rows[i] = []byte(strings.Repeat(" ", r.net.Columns))
	}
	for flow := range r.delivered {
		for x := range r.net.Columns {
			share := r.share(flow, x, x+1)
			if share == 0 {
				continue
			}
			cell := &rows[min(plotRows, int(float64(share*plotRows)+0.5))][x]
			if *cell == ' ' {
				*cell = flowMark(flow)
			} else {
				*cell = '*'
			}
		}
	}
	return r.render(rows)
}

func flowMark(flow int) byte { return "123456789abcdefghijklmnopqrstuvwxyz"[flow%35] }

func (r *Result) render(rows [][]byte) string {
	var b strings.Builder
	for i := plotRows; i >= 0; i-- {
		label := ""
		if i%3 == 0 {
			label = fmt.Sprintf("%d%%", i*100/plotRows)
		}
		fmt.Fprintf(&b, "%5s |%s\n", label, strings.TrimRight(string(rows[i]), " "))
	}
	fmt.Fprintf(&b, "%5s +%s %v\n", "", strings.Repeat("-", r.net.Columns), r.net.For)
	fmt.Fprintf(&b, "%5s |%s max %v\n", "queue", r.queueLine(), r.MaxQueue)
	fmt.Fprintf(&b, "used %.1f%% fairness %.3f", 100*r.Utilisation(), r.Fairness())
	if r.Drops > 0 {
		fmt.Fprintf(&b, " dropped %d", r.Drops)
	}
	b.WriteByte('\n')
	return b.String()
}

func (r *Result) queueLine() string {
	line := make([]byte, r.net.Columns)
	for i, q := range r.queue {
		line[i] = ' '
		if q > 0 {
			line[i] = '0' + byte(min(9, q*10/r.MaxQueue))
		}
	}
	return string(line)
}
