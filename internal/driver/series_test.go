package driver

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// seriesKey names a series of the table.
type seriesKey struct {
	metric           string
	node, port, flow int32
}

func loadSeries(t *testing.T, dir string) map[seriesKey][]traces.SeriesRow {
	t.Helper()
	all := make(map[seriesKey][]traces.SeriesRow)
	err := tables.Scan(filepath.Join(dir, "series.parquet"), func(rows []traces.SeriesRow) {
		for _, r := range rows {
			k := seriesKey{r.Metric, int32(r.Node), r.Port, r.Flow}
			all[k] = append(all[k], r)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func loadPorts(t *testing.T, dir string) (rows []traces.PortRow) {
	t.Helper()
	err := tables.Scan(filepath.Join(dir, "ports.parquet"), func(r []traces.PortRow) { rows = append(rows, r...) })
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// total is the sum of mean times length over a series: the amount counted per second.
func total(rows []traces.SeriesRow) (sum float64) {
	for _, r := range rows {
		sum += r.Mean * r.SpanNs / 1e9
	}
	return sum
}

// A series agrees with the port's counters, at every resolution; it includes the deepest queue; its
// points follow one another without a gap, and are no more than asked for.
func TestSeriesAgreesWithCounters(t *testing.T) {
	for _, points := range []string{"10", "500"} {
		dir := t.TempDir()
		sum := runInto(t, busy(t, "series.interval", "200ns", "series.points", points, "stop", "1ms"), Options{Dir: dir})
		all := loadSeries(t, dir)
		for _, p := range loadPorts(t, dir) {
			of := func(metric string) []traces.SeriesRow {
				return all[seriesKey{metric, int32(p.Node), p.Port, -1}]
			}
			deepest := 0.0
			for _, r := range of("queue_bytes") {
				deepest = max(deepest, r.Max)
			}
			queue := float64(p.MaxQueueBytes)
			if p.Node < 8 { // a host
				queue = 0
			}
			for _, c := range []struct {
				name      string
				got, want float64
			}{
				{"bytes", total(of("throughput_bps")) / 8, float64(p.TxBytes)},
				{"marks", total(of("marks_per_s")), float64(p.ECNMarked)},
				{"time paused", total(of("paused_share")) * 1e9, p.PausedNs},
				{"time waiting", total(of("tx_wait_share")) * 1e9, p.TxWaitNs},
				{"queue", deepest, queue},
			} {
				if math.Abs(c.got-c.want) > 1e-6*c.want+1e-3 {
					t.Errorf("%s points, port %d:%d, %s: %v, the counter has %v", points, p.Node, p.Port, c.name, c.got, c.want)
				}
			}
		}
		limit := map[string]int{"10": 10, "500": 500}[points]
		for k, rows := range all {
			end := rows[0].TimeNs
			for _, r := range rows {
				if r.TimeNs != end || !(r.Min <= r.Mean*(1+1e-12) && r.Mean <= r.Max*(1+1e-12)) {
					t.Fatalf("%v: %+v after %v", k, r, end)
				}
				end += r.SpanNs
			}
			if len(rows) > limit || end > sum.EndNs {
				t.Errorf("%v: %d points up to %v ns, the run ended at %v", k, len(rows), end, sum.EndNs)
			}
		}
	}
}

// A series holds everything that happened: the goodput of a flow that ended, however short it was, adds up to its
// message, and what ports sent adds up to their counters, up to the event that ends the run.
func TestSeriesAreWhole(t *testing.T) {
	for _, more := range [][]string{
		{"series.interval", "10us"}, {"series.interval", "300ns", "series.points", "20"}, {"series.interval", "1us", "stop", "301500ns"},
	} {
		dir := t.TempDir()
		sum := runInto(t, busy(t, append([]string{"series.flows", "all"}, more...)...), Options{Dir: dir})
		all, short := loadSeries(t, dir), 0
		flows, err := tables.LoadFCT(filepath.Join(dir, "fct.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range flows {
			got := total(all[seriesKey{"goodput_bps", -1, -1, int32(f.FlowID)}]) / 8
			if f.Finished && math.Abs(got-float64(f.SizeBytes)) > 1e-6*float64(f.SizeBytes) {
				t.Errorf("%v: flow %d: %v bytes, it has %d", more, f.FlowID, got, f.SizeBytes)
			}
			if f.Finished && f.FCTNs < 10_000 {
				short++
			}
		}
		if short == 0 || sum.Flows.Finished == 0 {
			t.Errorf("%v: %d short flows of %d", more, short, sum.Flows.Finished)
		}
		for _, p := range loadPorts(t, dir) {
			rows := all[seriesKey{"throughput_bps", int32(p.Node), p.Port, -1}]
			if got := total(rows) / 8; sum.Flows.Unfinished == 0 && math.Abs(got-float64(p.TxBytes)) > 1e-6*float64(p.TxBytes) {
				t.Errorf("%v: port %d:%d: %v bytes, the counter has %d", more, p.Node, p.Port, got, p.TxBytes)
			}
		}
	}
}

// What is still under way when all flows have ended is in the series, even after an interval in which nothing was sent: here
// the acknowledgement of a second copy, for which the switch waits longer than that, and a CNP that takes as long to be made.
func TestSeriesWaitForWhatIsUnderWay(t *testing.T) {
	for _, c := range [][]string{
		{"topology", "star:n=3,delay=100us", "options.rto", "150us"},
		{"topology", "star:n=3", "cc", "{name: dcqcn-paper, params: {cnp_delay: 30us}}", "ecn.thresholds", "{rate: 100Gbps, kmin: 0B, kmax: 0B, pmax: 1}"},
	} {
		dir := t.TempDir()
		flows := filepath.Join(dir, "flows.csv")
		write(t, flows, "src,dst,bytes,start_ns\n0,2,10000,0\n1,2,10000,0\n")
		sum := runInto(t, of(t, append(c, "flows", flows, "stop", "5ms")...), Options{Dir: dir})
		if sum.Flows.Finished != 2 || sum.Flows.Timeouts == 0 && sum.Packets.Marked == 0 {
			t.Fatalf("%+v, %+v", sum.Flows, sum.Packets)
		}
		all := loadSeries(t, dir)
		for _, p := range loadPorts(t, dir) {
			rows := all[seriesKey{"throughput_bps", int32(p.Node), p.Port, -1}]
			if got := total(rows) / 8; math.Abs(got-float64(p.TxBytes)) > 1e-6*float64(p.TxBytes) {
				t.Errorf("%v: port %d:%d: %v bytes, the counter has %d", c, p.Node, p.Port, got, p.TxBytes)
			}
		}
	}
}

// If a run ends with an interval, its ports have no point after it, not even an empty one.
func TestSeriesEndWithTheRun(t *testing.T) {
	dir := t.TempDir()
	flows := filepath.Join(dir, "flows.csv")
	write(t, flows, "src,dst,bytes,start_ns\n0,1,1000,0\n")
	run := func(interval string) *Summary {
		return runInto(t, of(t, "topology", "star:n=2", "flows", flows, "series.interval", interval), Options{Dir: dir})
	}
	end := traces.PicosOf(run("10us").EndNs)
	if end%2 != 0 {
		t.Fatalf("the run ends at %d ps, which has no half", end)
	}
	run(fmt.Sprintf("%dps", end/2))
	for k, rows := range loadSeries(t, dir) {
		if k.node >= 0 && len(rows) != 2 {
			t.Errorf("%v: %d points, want 2", k, len(rows))
		}
	}
}

// The series of the network extend to the end of the traffic, whether the run goes on after it or not.
func TestSeriesOfNetworkAreWhole(t *testing.T) {
	var whole []map[seriesKey][]traces.SeriesRow
	for _, stop := range []string{"never", "1ms"} {
		dir := t.TempDir()
		sum := runInto(t, busy(t, "series.interval", "7us", "stop", stop), Options{Dir: dir})
		if sum.Flows.Unfinished != 0 {
			t.Fatalf("stop: %s: %+v", stop, sum.Flows)
		}
		all := loadSeries(t, dir)
		running := all[seriesKey{"running_flows", -1, -1, -1}]
		if last := running[len(running)-1]; last.TimeNs+last.SpanNs < sum.Traffic.ToNs || last.Min != 0 {
			t.Errorf("stop: %s: traffic ends at %v ns, and the last point is %+v", stop, sum.Traffic.ToNs, last)
		}
		whole = append(whole, all)
	}
	for _, metric := range []string{"running_flows", "fairness"} {
		if k := (seriesKey{metric, -1, -1, -1}); !slices.Equal(whole[0][k], whole[1][k]) {
			t.Errorf("%s: %+v, with an end that is set %+v", metric, whole[0][k], whole[1][k])
		}
	}
}

// For a short time of traffic in a long run the series cover only that time, at the resolution asked for, and hold
// everything that was sent in it.
func TestSeriesOfLateTraffic(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	if err := os.WriteFile(flows, []byte("2\n0 2 3 100 1000000 2.00001234\n1 2 3 101 1000000 2.0001\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	runInto(t, of(t, "topology", "star:n=3", "flows", flows, "stop", "4s", "queue_sampling.interval", "0s", "series.flows", "all", "series.points", "100"), Options{Dir: dir})
	all := loadSeries(t, dir)
	for k, rows := range all {
		first, last := rows[0], rows[len(rows)-1]
		if k.flow < 0 && first.TimeNs != 2.00001e9 || first.TimeNs < 2e9 || last.TimeNs > 2.0004e9 {
			t.Errorf("%v: %d points from %v to %v ns", k, len(rows), first.TimeNs, last.TimeNs)
		}
		if span := rows[0].SpanNs; span != 10e3 && k.metric != "fairness" && k.metric != "running_flows" {
			t.Errorf("%v: points of %v ns", k, span)
		}
	}
	for _, p := range loadPorts(t, dir) {
		got := total(all[seriesKey{"throughput_bps", int32(p.Node), p.Port, -1}]) / 8
		if p.TxBytes == 0 || math.Abs(got-float64(p.TxBytes)) > 1e-6*float64(p.TxBytes) {
			t.Errorf("port %d:%d: %v bytes, the counter has %d", p.Node, p.Port, got, p.TxBytes)
		}
	}
}

// The series of many ports share a memory of 2^17 points; those of flows do not.
func TestPointsOfManyPorts(t *testing.T) {
	dir := t.TempDir()
	flows := filepath.Join(dir, "flows.csv")
	write(t, flows, "src,dst,bytes,start_ns\n0,1,100000,0\n")
	runInto(t, of(t, "topology", "star:n=1000", "flows", flows, "series.interval", "10ns", "series.points", "1000", "series.flows", "all", "queue_sampling.interval", "0s"), Options{Dir: dir})
	const most = 1 << 17 / 2000 / 2 * 2
	all := loadSeries(t, dir)
	if n := len(all[seriesKey{"throughput_bps", 0, 0, -1}]); n < most/2 || n > most {
		t.Errorf("%d points of a port, want at most %d", n, most)
	}
	if n := len(all[seriesKey{"rate_bps", -1, -1, 0}]); n < 500 || n > 1000 {
		t.Errorf("%d points of the flow, want at most 1000", n)
	}
}

// Flows that wait for ever do not fill the series with the time in which they wait; idle time within the traffic does
// count.
func TestSeriesOfHungFlows(t *testing.T) {
	for name, c := range map[string]struct {
		flows string
		most  float64 // ns
	}{
		"hung":   {"1\n0 2 3 100 10000000 2\n", 6e6},
		"middle": {"2\n0 2 3 100 10000000 2\n1 2 3 100 1000000 2.4\n", 800e6},
	} {
		flows := filepath.Join(t.TempDir(), "flows")
		if err := os.WriteFile(flows, []byte(c.flows), 0o666); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		sum := runInto(t, of(t, "topology", "star:n=3", "flows", flows, "stop", "4s", "queue_sampling.interval", "0s", "options.rto", "0s", "cc", "dcqcn",
			"links", "{at: 2000500us, down: 0-3}", "series.flows", "all"), Options{Dir: dir})
		if sum.Flows.Unfinished != 1 || sum.Traffic.FromNs != 2e9 || sum.Traffic.ToNs < 2.0005e9 || sum.Traffic.ToNs > 2e9+c.most/2+1e6 {
			t.Errorf("%s: %d flows did not finish, traffic %+v", name, sum.Flows.Unfinished, sum.Traffic)
		}
		all := loadSeries(t, dir)
		for _, p := range loadPorts(t, dir) {
			rows := all[seriesKey{"throughput_bps", int32(p.Node), p.Port, -1}]
			if got := total(rows) / 8; math.Abs(got-float64(p.TxBytes)) > 1e-6*float64(p.TxBytes) {
				t.Errorf("%s, port %d:%d: %v bytes, the counter has %d", name, p.Node, p.Port, got, p.TxBytes)
			}
		}
		for k, rows := range all {
			if last := rows[len(rows)-1]; last.TimeNs+last.SpanNs > 2e9+2*c.most {
				t.Errorf("%s, %v: points up to %v ns", name, k, last.TimeNs+last.SpanNs)
			}
		}
	}
}

// Long waits for retransmissions, at few points, lead to the same series however many parts the network has: parts
// look at flows more often.
func TestSeriesOfWaitsInParts(t *testing.T) {
	var want map[string]string
	for threads := 1; threads < 4; threads++ {
		dir := t.TempDir()
		runInto(t, of(t, "topology", "leaf-spine:leaves=2,spines=1,hosts=2", "cc", "none", "workload", "none", "patterns", "permutation:300KB",
			"loss", "0.02", "stop", "3ms", "series.flows", "all", "series.points", "5"), Options{Dir: dir, Threads: threads})
		got := contents(t, dir)
		if want == nil {
			want = got
		}
		sameFiles(t, got, want)
	}
}

// Bytes sent after a long wait, in the last interval of the run, are in the series.
func TestSeriesAfterLongWait(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows.csv")
	write(t, flows, "src,dst,bytes,start_ns\n0,1,1000,0\n0,1,1000,1003000\n")
	dir := t.TempDir()
	runInto(t, of(t, "topology", "star:n=2", "flows", flows, "series.interval", "50us", "series.flows", "all"), Options{Dir: dir})
	all := loadSeries(t, dir)
	for _, p := range loadPorts(t, dir) {
		got := total(all[seriesKey{"throughput_bps", int32(p.Node), p.Port, -1}]) / 8
		if p.TxBytes == 0 || math.Abs(got-float64(p.TxBytes)) > 1e-6*float64(p.TxBytes) {
			t.Errorf("port %d:%d: %v bytes, the counter has %d", p.Node, p.Port, got, p.TxBytes)
		}
	}
	if got := total(all[seriesKey{"goodput_bps", -1, -1, 1}]) / 8; math.Abs(got-1000) > 1e-6 {
		t.Errorf("the second flow: %v bytes, it has 1000", got)
	}
}

// Recording changes nothing but the file that holds it, and does not depend on how a run is cut.
func TestSeriesChangesNothing(t *testing.T) {
	var first, other string
	for i, slice := range []int{0, 997} {
		dir := t.TempDir()
		runInto(t, busy(t, "series.interval", "1us", "series.flows", "all"), Options{Dir: dir, Slice: slice})
		if i == 0 {
			first = dir
			continue
		}
		sameFiles(t, contents(t, dir), contents(t, first))
	}
	other = t.TempDir()
	with, without := runInto(t, busy(t, "series.interval", "1us"), Options{}), runInto(t, busy(t), Options{Dir: other})
	with.Scenario, with.Machine = without.Scenario, without.Machine
	a, err1 := json.Marshal(with)
	b, err2 := json.Marshal(without)
	if err1 != nil || err2 != nil || string(a) != string(b) {
		t.Errorf("got  %s\nwant %s; %v %v", a, b, err1, err2)
	}
	got, want := loadPorts(t, first), loadPorts(t, other)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %+v\nwant %+v", got[i], want[i])
		}
	}
}

// Two equal flows into one host share it evenly; each has its own series with the rate and the
// round trip of a link that is half used.
func TestSeriesOfFlows(t *testing.T) {
	dir := t.TempDir()
	sc := of(t, "topology", "star:n=3,rate=100Gbps", "workload", "none", "incast", "2x5MB@100ms", "duration", "1ms", "series.interval", "5us", "series.flows", "all")
	runInto(t, sc, Options{Dir: dir})
	all := loadSeries(t, dir)
	fair := all[seriesKey{"fairness", -1, -1, -1}]
	if len(fair) < 5 {
		t.Fatalf("%d points of fairness", len(fair))
	}
	for _, r := range fair[1 : len(fair)-1] {
		if r.Mean < 0.98 || r.Max > 1+1e-12 {
			t.Errorf("fairness %+v", r)
		}
	}
	for flow := range int32(2) {
		if got := total(all[seriesKey{"goodput_bps", -1, -1, flow}]) / 8; got < 4.8e6 || got > 5e6 {
			t.Errorf("flow %d: %v bytes of 5 MB are acknowledged in the series", flow, got)
		}
		rtt := all[seriesKey{"rtt_ns", -1, -1, flow}]
		rate := all[seriesKey{"rate_bps", -1, -1, flow}]
		window := all[seriesKey{"window_bytes", -1, -1, flow}]
		flight := all[seriesKey{"in_flight_bytes", -1, -1, flow}]
		if len(rtt) == 0 || len(rate) != len(rtt) || len(window) != len(rtt) || len(flight) != len(rtt) {
			t.Fatalf("flow %d: %d round trips, %d rates, %d windows", flow, len(rtt), len(rate), len(window))
		}
		middle := len(rtt) / 2
		if r := rtt[middle]; r.Mean < 4000 || r.Mean > 20000 {
			t.Errorf("flow %d: round trip %+v", flow, r)
		}
		if r := rate[middle]; r.Mean < 35e9 || r.Mean > 60e9 {
			t.Errorf("flow %d: rate %+v", flow, r)
		}
		if w, f := window[middle], flight[middle]; f.Mean <= 0 || f.Mean > w.Max+1000 {
			t.Errorf("flow %d: in flight %+v, window %+v", flow, f, w)
		}
	}
}
