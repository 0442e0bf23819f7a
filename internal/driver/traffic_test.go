package driver

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// A flow that waits starts a given time after its source knows of the end of its predecessor; a flow that waits for one
// that fails never starts.
func TestAfter(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	write(t, file, "src,dst,bytes,start_ns,after,tag,scheme\n"+
		"0,1,100000,0,,first,\n"+
		"1,2,50000,250,0,second,dctcp\n"+
		"2,0,1000,6,1,third,\n"+
		"0,3,1000,100000,,alone,\n"+
		"3,0,1000,6,3,fifth,\n"+
		"0,3,1000,5000,3,last,\n")
	dir := t.TempDir()
	sum := runInto(t, of(t, "topology", "star:n=4", "flows", file, "cc", "none"), Options{Dir: dir})
	if sum.Flows.Finished != 6 {
		t.Fatalf("%+v", sum.Flows)
	}
	byID := flowsOf(t, dir)
	for _, c := range []struct {
		flow int
		want float64
	}{{0, 0}, {1, byID.received(0) + 250}, {2, byID.received(1) + 6}, {3, 100000}, {4, byID.received(3) + 6}, {5, byID.end(3) + 5000}} {
		if got := byID[c.flow].StartNs; traces.PicosOf(got) != traces.PicosOf(c.want) {
			t.Errorf("flow %d starts at %v, want %v", c.flow, got, c.want)
		}
		if byID[c.flow].Slowdown != 1 {
			t.Errorf("flow %d is alone but has slowdown %v", c.flow, byID[c.flow].Slowdown)
		}
	}
	if byID[1].Scheme != "dctcp" || byID[0].Scheme != "none" {
		t.Errorf("schemes %s and %s", byID[0].Scheme, byID[1].Scheme)
	}

	write(t, file, "src,dst,bytes,start_ns,after\n0,1,100000,0,\n1,2,1000,0,0\n2,1,1000,0,1\n")
	sum = runInto(t, of(t, "topology", "star:n=4", "flows", file, "links", "{at: 0s, down: 1-4}", "options.retries", "2"), Options{Dir: dir})
	if sum.Flows.Failed != 1 || sum.Flows.Unfinished != 3 || sum.Flows.Stuck != 3 || len(sum.Unfinished) != 2 {
		t.Errorf("got %+v, %+v", sum.Flows, sum.Unfinished)
	}
	if !strings.Contains(sum.Unfinished[0].Reason, "cut its path") || !strings.Contains(sum.Unfinished[1].Reason, "failed") {
		t.Errorf("reasons %+v", sum.Unfinished)
	}
}

// The time of traffic covers all flows that have ended, even in a network at rest that waits for others, where the last
// acknowledgement came when nothing was sent any more.
func TestTrafficHoldsItsFlows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	write(t, file, "src,dst,bytes,start_ns\n0,1,100000,500\n1,2,1000,2000000\n")
	dir := t.TempDir()
	sum := runInto(t, of(t, "topology", "star:n=4", "flows", file, "stop", "1ms"), Options{Dir: dir})
	if end := flowsOf(t, dir).end(0); sum.Flows.Finished != 1 || sum.Traffic != (TrafficTime{500, end}) {
		t.Errorf("%d flows ended, the last at %v, and traffic is %+v", sum.Flows.Finished, end, sum.Traffic)
	}
}

// flowTable is the flows of a run by their number.
type flowTable []traces.FCTRow

func flowsOf(t *testing.T, dir string) flowTable {
	t.Helper()
	rows, err := tables.LoadFCT(filepath.Join(dir, "fct.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	byID := make(flowTable, len(rows))
	for _, r := range rows {
		byID[r.FlowID] = r
	}
	return byID
}

// end is when the sender gets the last ACK.
func (f flowTable) end(i int) float64 { return f[i].StartNs + f[i].FCTNs }

// received is when the receiver in a star of 100 Gb/s gets the last byte: before the way of an ACK.
func (f flowTable) received(i int) float64 { return f.end(i) - 2*(1000+66*8/100.) }

// A flow that waits for several starts a given time after its source knows of the end of the last of them, which it
// learns of each in its own way; it never starts if one of them fails, and is given up once.
func TestAfterSeveral(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	write(t, file, "src,dst,bytes,start_ns,after\n"+
		"0,1,100000,0,\n"+
		"2,1,1000,20000,\n"+
		"0,3,1000,60000,\n"+
		"1,2,50000,250,0 1\n"+
		"1,2,1000,7,2 0  1\n")
	dir := t.TempDir()
	sum := runInto(t, of(t, "topology", "star:n=4", "flows", file, "cc", "none"), Options{Dir: dir})
	if sum.Flows.Finished != 5 {
		t.Fatalf("%+v", sum.Flows)
	}
	byID := flowsOf(t, dir)
	if byID.received(1) < byID.received(0) || byID.end(2) < byID.end(1) {
		t.Fatal("the flows end in another order")
	}
	for flow, want := range map[int]float64{3: byID.received(1) + 250, 4: byID.end(2) + 7} {
		if got := byID[flow].StartNs; traces.PicosOf(got) != traces.PicosOf(want) {
			t.Errorf("flow %d starts at %v, want %v", flow, got, want)
		}
	}

	write(t, file, "src,dst,bytes,start_ns,after\n0,1,1000,0,\n2,1,1000,0,\n3,1,1000,0,\n1,2,1000,0,0 1 2\n")
	sum = runInto(t, of(t, "topology", "star:n=4", "flows", file, "links", "{at: 0s, down: 1-4}", "options.retries", "2"), Options{Dir: dir})
	if sum.Flows.Failed != 3 || sum.Flows.Unfinished != 4 || sum.Flows.Stuck != 4 || len(sum.Unfinished) != 2 {
		t.Errorf("got %+v, %+v", sum.Flows, sum.Unfinished)
	}
	if last := sum.Unfinished[1]; last.Flows != 1 || !strings.Contains(last.Reason, "waits for (after) failed") {
		t.Errorf("reasons %+v", sum.Unfinished)
	}
}

// Flows of a file and of a generator run together, in the order of their start.
func TestMixedTraffic(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	write(t, file, "src,dst,bytes,start_ns,after\n0,1,1000,0,\n1,2,1000,20,0\n0,1,1000,30000,\n2,1,1000,20,2 0\n")
	sc := of(t, "topology", "star:n=4", "flows", file, "workload", "fbhadoop", "duration", "50us")
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	last, waits := core.Time(0), 0
	for i, f := range s.Flows {
		if len(f.After) > 0 {
			waits++
			for _, earlier := range f.After {
				if before := s.Flows[earlier]; before.Bytes != 1000 || before.Start != 0 && before.Start != 30000*core.Time(core.Nanosecond) || int(earlier) >= i {
					t.Errorf("flow %d waits for flow %d: %+v", i, earlier, before)
				}
			}
			continue
		}
		if f.Start < last {
			t.Errorf("flow %d starts at %v, after one at %v", i, f.Start, last)
		}
		last = f.Start
	}
	if waits != 2 || len(s.Flows) < 10 {
		t.Errorf("%d flows, %d wait", len(s.Flows), waits)
	}
}
