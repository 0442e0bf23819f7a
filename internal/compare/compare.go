// Package compare finds how two lists of flow completion times differ.
package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/traces"
)

// Report says how two runs differ. Flows are the same if source, destination, ports,
// size and start are; flows that are the same in all of these are paired by completion time.
// A flow that has not finished counts as absent.
type Report struct {
	FlowsA, FlowsB           int // finished
	UnfinishedA, UnfinishedB int
	// Cut is set if one side has flows, and all in whole nanoseconds: the other's times are cut to them.
	Cut          bool
	Paired       int
	Different    []Difference // in completion time or ideal completion time, by the earlier end, then by flow
	OnlyA, OnlyB []traces.FCTRow
	SlowdownA    []slowdown.Bucket
	SlowdownB    []slowdown.Bucket
}

// Difference is a flow that is in both runs with another completion time, or another ideal one.
type Difference struct{ A, B traces.FCTRow }

// Delta is by how much the flow's completion time differs, in nanoseconds, to the picosecond: B's
// less A's.
func (d *Difference) Delta() float64 { return math.Round((d.B.FCTNs-d.A.FCTNs)*1e3) / 1e3 }

// Relative is by how much the flow's completion time differs, as a share of A's.
func (d *Difference) Relative() float64 { return d.Delta() / d.A.FCTNs }

// end is when the two runs first differ for this flow.
func (d *Difference) end() float64 {
	return d.A.StartNs + min(d.A.FCTNs, d.B.FCTNs)
}

// Identical reports whether the runs agree in all flows.
func (r *Report) Identical() bool {
	return len(r.Different)+len(r.OnlyA)+len(r.OnlyB) == 0
}

// Within reports whether the runs have the same flows and no completion time differs by more
// than the given share.
func (r *Report) Within(tolerance float64) bool {
	if len(r.OnlyA)+len(r.OnlyB) > 0 {
		return false
	}
	for i := range r.Different {
		if !(math.Abs(r.Different[i].Relative()) <= tolerance) {
			return false
		}
	}
	return true
}

// Sizes returns the largest and the mean size of the relative differences of completion times,
// the mean over all flows that are in both runs.
func (r *Report) Sizes() (largest Difference, mean float64) {
	most := -1.0
	for i := range r.Different {
		size := math.Abs(r.Different[i].Relative())
		mean += size
		if size > most {
			most, largest = size, r.Different[i]
		}
	}
	return largest, mean / float64(max(1, r.Paired))
}

// Flows compares two runs. The order of the rows does not matter.
func Flows(a, b []traces.FCTRow) *Report {
	r := &Report{}
	a, r.UnfinishedA = finished(a)
	b, r.UnfinishedB = finished(b)
	r.FlowsA, r.FlowsB = len(a), len(b)
	if len(a) > 0 && len(b) > 0 && whole(a) != whole(b) {
		r.Cut = true
		cut(a)
		cut(b)
	}
	r.SlowdownA, r.SlowdownB = slowdown.Table(a), slowdown.Table(b)
	slices.SortFunc(a, byFlowThenTime)
	slices.SortFunc(b, byFlowThenTime)
	r.merge(a, b)
	slices.SortStableFunc(r.Different, func(x, y Difference) int { return cmp.Compare(x.end(), y.end()) })
	slices.SortStableFunc(r.OnlyA, byStart)
	slices.SortStableFunc(r.OnlyB, byStart)
	return r
}

// merge walks both sorted lists.
func (r *Report) merge(a, b []traces.FCTRow) {
	for len(a) > 0 && len(b) > 0 {
		switch c := byFlow(a[0], b[0]); {
		case c < 0:
			r.OnlyA, a = append(r.OnlyA, a[0]), a[1:]
		case c > 0:
			r.OnlyB, b = append(r.OnlyB, b[0]), b[1:]
		default:
			r.Paired++
			if a[0].FCTNs != b[0].FCTNs || a[0].IdealFCTNs != b[0].IdealFCTNs {
				r.Different = append(r.Different, Difference{a[0], b[0]})
			}
			a, b = a[1:], b[1:]
		}
	}
	r.OnlyA, r.OnlyB = append(r.OnlyA, a...), append(r.OnlyB, b...)
}

// finished returns a copy of the finished flows and the number of the others.
func finished(rows []traces.FCTRow) ([]traces.FCTRow, int) {
	done := make([]traces.FCTRow, 0, len(rows))
	for _, r := range rows {
		if r.Finished {
			done = append(done, r)
		}
	}
	return done, len(rows) - len(done)
}

// whole reports whether all times are whole nanoseconds.
func whole(rows []traces.FCTRow) bool {
	return !slices.ContainsFunc(rows, func(r traces.FCTRow) bool {
		return r.StartNs != math.Trunc(r.StartNs) || r.FCTNs != math.Trunc(r.FCTNs) || r.IdealFCTNs != math.Trunc(r.IdealFCTNs)
	})
}

// cut cuts times to whole nanoseconds, as fct.txt does.
func cut(rows []traces.FCTRow) {
	for i := range rows {
		r := &rows[i]
		r.StartNs, r.FCTNs, r.IdealFCTNs = math.Trunc(r.StartNs), math.Trunc(r.FCTNs), math.Trunc(r.IdealFCTNs)
		r.Slowdown = traces.Slowdown(r.FCTNs, r.IdealFCTNs)
	}
}

func byFlow(a, b traces.FCTRow) int {
	return cmp.Or(
		cmp.Compare(a.Src, b.Src), cmp.Compare(a.Dst, b.Dst),
		cmp.Compare(a.SrcPort, b.SrcPort), cmp.Compare(a.DstPort, b.DstPort),
		cmp.Compare(a.StartNs, b.StartNs), cmp.Compare(a.SizeBytes, b.SizeBytes))
}

func byFlowThenTime(a, b traces.FCTRow) int {
	return cmp.Or(byFlow(a, b), cmp.Compare(a.FCTNs, b.FCTNs), cmp.Compare(a.IdealFCTNs, b.IdealFCTNs))
}

func byStart(a, b traces.FCTRow) int { return cmp.Compare(a.StartNs, b.StartNs) }
