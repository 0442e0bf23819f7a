package compare

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/traces"
)

// flow returns a finished flow whose ideal time is 100 ns.
func flow(src int, startNs, fctNs float64) traces.FCTRow {
	r := traces.FCTRow{
		SrcPort: 10000, DstPort: 100, SizeBytes: 5000, StartNs: startNs, FCTNs: fctNs, IdealFCTNs: 100,
		Slowdown: fctNs / 100, Finished: true,
	}
	r.Src, r.Dst = r.Src+1, r.Dst+2
	r.SrcPort += int32(src)
	return r
}

func unfinished(r traces.FCTRow) traces.FCTRow {
	r.Finished, r.FCTNs, r.Slowdown = false, 0, 0
	return r
}

func shuffled(rows []traces.FCTRow) []traces.FCTRow {
	list := append([]traces.FCTRow(nil), rows...)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

func TestOrderDoesNotMatter(t *testing.T) {
	var rows []traces.FCTRow
	for i := range 100 {
		rows = append(rows, flow(i%7, float64(i/3), 100+float64(i)))
	}
	r := Flows(rows, shuffled(rows))
	if !r.Identical() || r.Paired != 100 || !r.Within(0) {
		t.Errorf("got %d paired, %d different, %d and %d alone", r.Paired, len(r.Different), len(r.OnlyA), len(r.OnlyB))
	}
}

func TestDifferences(t *testing.T) {
	a := []traces.FCTRow{flow(1, 0, 1000), flow(2, 10, 200), flow(3, 20, 400), flow(4, 30, 500), unfinished(flow(5, 0, 0))}
	b := []traces.FCTRow{flow(1, 0, 1010), flow(2, 10, 200), flow(3, 20, 300), flow(5, 0, 900)}
	r := Flows(a, b)
	if r.Identical() || r.Paired != 3 || len(r.Different) != 2 || r.UnfinishedA != 1 || r.UnfinishedB != 0 {
		t.Fatalf("got %+v", r)
	}
	// Flow 3 differs from 320 ns on, flow 1 from 1000 ns on.
	if first := r.Different[0]; first.A.SrcPort != 10003 || first.Delta() != -100 || first.Relative() != -0.25 {
		t.Errorf("first difference %+v", first)
	}
	if len(r.OnlyA) != 1 || r.OnlyA[0].SrcPort != 10004 || len(r.OnlyB) != 1 || r.OnlyB[0].SrcPort != 10005 {
		t.Errorf("only in A: %v; only in B: %v", r.OnlyA, r.OnlyB)
	}
	largest, mean := r.Sizes()
	if largest.A.SrcPort != 10003 || mean != (0.25+0.01)/3 {
		t.Errorf("largest %+v, mean %v", largest, mean)
	}
	if r.Within(1) {
		t.Error("within tolerance in spite of missing flows")
	}
}

// Flows that differ from the same time on are in the order of source, destination and ports, however many there are.
func TestDifferencesOfOneTime(t *testing.T) {
	var a, b []traces.FCTRow
	for i := range 100 {
		a, b = append(a, flow(i, 0, float64(200+i%2))), append(b, flow(i, 0, 300))
	}
	var last Difference
	for _, d := range Flows(shuffled(a), shuffled(b)).Different {
		if d.end() == last.end() && d.A.SrcPort < last.A.SrcPort {
			t.Fatalf("the flow from port %d comes after that from port %d", d.A.SrcPort, last.A.SrcPort)
		}
		last = d
	}
}

func TestWithin(t *testing.T) {
	a := []traces.FCTRow{flow(1, 0, 1000), flow(2, 10, 200)}
	b := []traces.FCTRow{flow(1, 0, 1010), flow(2, 10, 200)}
	r := Flows(a, b)
	if r.Within(0.0099) || !r.Within(0.01) || r.Within(0) {
		t.Error("a flow that took 1 % longer is within a tolerance of 1 % and no less")
	}
	b[1].IdealFCTNs = 99
	if r := Flows(a[1:], b[1:]); r.Identical() || !r.Within(0) {
		t.Error("another ideal time is a difference of the files, not of the completion times")
	}
}

// Differences are sorted by when the runs part, which is at the earlier of two ends; of equally large ones the first is
// reported, even where completion times agree.
func TestOrderOfDifferences(t *testing.T) {
	a := []traces.FCTRow{flow(1, 0, 100), flow(2, 0, 300), flow(3, 0, 400)}
	b := []traces.FCTRow{flow(1, 0, 1000), flow(2, 0, 400), flow(3, 0, 200)}
	r := Flows(a, b)
	var ports []int32
	for i := range r.Different {
		ports = append(ports, r.Different[i].A.SrcPort)
	}
	if want := []int32{10001, 10003, 10002}; !slices.Equal(ports, want) { // from 100, 200 and 300 ns on
		t.Errorf("flows %v differ, want %v", ports, want)
	}
	same := Flows([]traces.FCTRow{flow(1, 0, 200), flow(2, 10, 400)}, []traces.FCTRow{flow(1, 0, 300), flow(2, 10, 600)})
	if largest, _ := same.Sizes(); largest.A.SrcPort != 10001 {
		t.Errorf("of two flows that took half as long again flow %d is told, want the first", largest.A.SrcPort-10000)
	}
	ideal := []traces.FCTRow{flow(4, 0, 200)}
	ideal[0].IdealFCTNs = 99
	if largest, mean := Flows([]traces.FCTRow{flow(4, 0, 200)}, ideal).Sizes(); largest.A.SrcPort != 10004 || mean != 0 {
		t.Errorf("of ideal times alone: %+v, mean %v", largest, mean)
	}
}

// Flows that agree in everything but their completion time are paired so that equal times meet.
func TestTwins(t *testing.T) {
	a := []traces.FCTRow{flow(1, 0, 300), flow(1, 0, 200)}
	b := []traces.FCTRow{flow(1, 0, 200), flow(1, 0, 300), flow(1, 0, 400)}
	r := Flows(a, b)
	if r.Paired != 2 || len(r.Different) != 0 || len(r.OnlyB) != 1 || r.OnlyB[0].FCTNs != 400 {
		t.Errorf("got %+v", r)
	}
}

func TestCoarserClock(t *testing.T) {
	fine := []traces.FCTRow{flow(1, 0.25, 300.75)}
	text := []traces.FCTRow{flow(1, 0, 300)}
	ideal := flow(1, 0, 300)
	ideal.IdealFCTNs = 100.5
	for name, one := range map[string]traces.FCTRow{
		"all": fine[0], "start": flow(1, 0.25, 300), "completion time": flow(1, 0, 300.75), "ideal time": ideal,
	} {
		for _, r := range [...]*Report{Flows([]traces.FCTRow{one}, text), Flows(text, []traces.FCTRow{one})} {
			if !r.Identical() || !r.Cut || !reflect.DeepEqual(r.SlowdownA, r.SlowdownB) {
				t.Errorf("with a fraction in %s, text of the same run differs: %+v", name, r)
			}
		}
	}
	if r := Flows(fine, fine); !r.Identical() || r.Cut {
		t.Errorf("a run differs from itself: %+v", r)
	}
	if fine[0].FCTNs != 300.75 {
		t.Error("the caller's rows were changed")
	}
	// Without flows there are no times that could be coarser.
	for _, none := range [][]traces.FCTRow{nil, {unfinished(fine[0])}} {
		if a, b := Flows(none, fine), Flows(fine, none); a.Cut || b.Cut || !slices.Equal(a.OnlyB, fine) || !slices.Equal(b.OnlyA, fine) {
			t.Errorf("beside a run without finished flows: %v (%v) and %v (%v)", a.OnlyB, a.Cut, b.OnlyA, b.Cut)
		}
	}
}

// The report is symmetric: exchanging the runs exchanges the sides of the report.
func TestSides(t *testing.T) {
	a := []traces.FCTRow{flow(1, 30, 1000), flow(2, 20, 200), flow(3, 10, 400.5), flow(6, 0, 100), unfinished(flow(7, 0, 0)), unfinished(flow(8, 0, 0))}
	b := []traces.FCTRow{flow(0, 10, 100), flow(1, 30, 1000), flow(4, 0, 300), flow(5, 20, 300), unfinished(flow(7, 0, 0))}
	r, back := Flows(a, b), Flows(b, a)
	if r.FlowsA != 4 || r.FlowsB != 4 || r.UnfinishedA != 2 || r.UnfinishedB != 1 || r.Paired != 1 || !r.Cut {
		t.Errorf("got %+v", r)
	}
	if back.FlowsA != 4 || back.FlowsB != 4 || back.UnfinishedA != 1 || back.UnfinishedB != 2 || back.Paired != 1 || !back.Cut {
		t.Errorf("with the sides changed, got %+v", back)
	}
	only := func(rows []traces.FCTRow) (ports []int32) {
		for i := range rows {
			ports = append(ports, rows[i].SrcPort-10000)
		}
		return ports
	}
	for _, side := range [...]struct {
		got  []traces.FCTRow
		want []int32 // by start
	}{{r.OnlyA, []int32{6, 3, 2}}, {r.OnlyB, []int32{4, 0, 5}}, {back.OnlyA, []int32{4, 0, 5}}, {back.OnlyB, []int32{6, 3, 2}}} {
		if got := only(side.got); !slices.Equal(got, side.want) {
			t.Errorf("flows %v are on one side alone, want %v", got, side.want)
		}
	}
	if !reflect.DeepEqual(r.SlowdownA, back.SlowdownB) || !reflect.DeepEqual(r.SlowdownB, back.SlowdownA) || len(r.SlowdownA) == 0 {
		t.Errorf("slowdowns %+v and %+v, with the sides changed %+v and %+v", r.SlowdownA, r.SlowdownB, back.SlowdownA, back.SlowdownB)
	}
}

// A flow that is on one side only makes runs different, whatever the tolerance and whatever else differs.
func TestAlone(t *testing.T) {
	same, longer := flow(1, 0, 1000), flow(1, 0, 1100)
	for _, c := range [...]struct{ a, b []traces.FCTRow }{
		{[]traces.FCTRow{flow(2, 0, 1)}, nil},
		{nil, []traces.FCTRow{flow(2, 0, 1)}},
		{[]traces.FCTRow{flow(2, 0, 1)}, []traces.FCTRow{flow(3, 0, 1)}},
		{[]traces.FCTRow{same, flow(2, 0, 1)}, []traces.FCTRow{longer}},
		{[]traces.FCTRow{same}, []traces.FCTRow{longer, flow(2, 0, 1)}},
	} {
		if r := Flows(c.a, c.b); r.Identical() || r.Within(1) {
			t.Errorf("%d flows in both, %d in A and %d in B alone: identical %v, within the tolerance %v",
				r.Paired, len(r.OnlyA), len(r.OnlyB), r.Identical(), r.Within(1))
		}
	}
	if _, mean := Flows([]traces.FCTRow{same}, []traces.FCTRow{longer}).Sizes(); mean != 0.1 {
		t.Errorf("mean difference %v of one flow that took a tenth longer", mean)
	}
}

// Completion times are whole picoseconds, and so is their difference.
func TestDeltaIsWholePicoseconds(t *testing.T) {
	d := Difference{A: traces.FCTRow{FCTNs: 50291.52}, B: traces.FCTRow{FCTNs: 87356.843}}
	if got := d.Delta(); got != 37065.323 {
		t.Errorf("got %v", got)
	}
}

func TestEmpty(t *testing.T) {
	if r := Flows(nil, nil); !r.Identical() || !r.Within(0) {
		t.Errorf("two empty runs differ: %+v", r)
	}
	if r := Flows(nil, []traces.FCTRow{flow(1, 0, 1)}); r.Identical() || len(r.OnlyB) != 1 {
		t.Errorf("got %+v", r)
	}
}
