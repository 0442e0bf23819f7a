package driver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The bottleneck is busy for more than half of the run.
func TestBottlenecks(t *testing.T) {
	sum := runInto(t, of(t, "topology", "dumbbell:n=2,bottleneck=10Gbps", "workload", "none", "patterns", "permutation:1MB"), Options{})
	if len(sum.Bottlenecks) == 0 || sum.Bottlenecks[0].Busy < 0.5 || sum.Bottlenecks[0].Busy > 1 {
		t.Errorf("%+v", sum.Bottlenecks)
	}
}

// A port is busy for all of the time at most, though a packet counts whole when its transmission begins.
func TestBusyForAllOfTheTime(t *testing.T) {
	sum := runInto(t, of(t, "topology", "star:n=3,rate=1Gbps", "workload", "none", "patterns", "all-to-all:1MB", "stop", "1us"), Options{})
	if len(sum.Bottlenecks) == 0 || sum.Bottlenecks[0].Busy != 1 {
		t.Errorf("%+v", sum.Bottlenecks)
	}
}

// Nor does it wait for more than that, though here both flows are given up before their first packets reach the switch, whose
// credits then take longer to come back than the flows lasted.
func TestPausedForAllOfTheTime(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows.csv")
	write(t, flows, "src,dst,bytes,start_ns\n0,2,50000,0\n1,2,50000,0\n")
	sum := runInto(t, of(t, "topology", "dumbbell:n=2,right=1,delay=1ms", "flows", flows, "flow_control", "credits", "credits.buffer", "64KB",
		"cc", "none", "host.window", "off", "options.rto", "10us", "options.retries", "2", "stop", "20ms"), Options{})
	if sum.Flows.Failed != 2 || sum.Credits.WaitedNs < 2*(sum.Traffic.ToNs-sum.Traffic.FromNs) {
		t.Fatalf("%+v, traffic %+v, ports waited for %v ns", sum.Flows, sum.Traffic, sum.Credits.WaitedNs)
	}
	for _, b := range sum.Bottlenecks {
		if b.Busy > 1 || b.Paused > 1 {
			t.Errorf("%+v", b)
		}
	}
	if notes := strings.Join(sum.Notes, "\n"); !strings.Contains(notes, "no credits for more than half of the time of traffic") || !strings.Contains(notes, "for 100 % of it") {
		t.Errorf("notes %s", notes)
	}
}

// Flow control that goes on after the traffic is no load: links that lose packets repeat credits for ever.
func TestLoadEndsWithTheTraffic(t *testing.T) {
	var busy []float64
	for _, more := range [][]string{nil, {"stop", "1ms"}, {"stop", "50ms"}} {
		sum := runInto(t, of(t, append(more, "topology", "star:n=4", "workload", "none", "patterns", "permutation:100KB", "flow_control", "credits", "loss", "1e-9")...), Options{})
		if sum.Flows.Finished != 4 || len(sum.Bottlenecks) == 0 {
			t.Fatalf("%+v, %+v", sum.Flows, sum.Bottlenecks)
		}
		busy = append(busy, sum.Bottlenecks[0].Busy)
	}
	if busy[0] != busy[1] || busy[0] != busy[2] {
		t.Errorf("busy for %v of the traffic, by the end of the run", busy)
	}
}

// A run that is stopped because nothing would ever happen any more had its traffic before, though links repeat their credits
// until then. That of a deadlock goes on: its packets wait.
func TestTrafficOfHungRuns(t *testing.T) {
	for _, control := range []string{"credits", "pfc", "none"} {
		sum := runInto(t, of(t, "topology", "star:n=4", "workload", "none", "patterns", "permutation:100KB", "cc", "none", "options.rto", "0s", "loss", "0.1",
			"flow_control", control), Options{})
		if sum.Flows.Stuck == 0 || sum.Traffic.ToNs > 200_000 || len(sum.Bottlenecks) == 0 || sum.Bottlenecks[0].Busy < 0.3 || sum.Bottlenecks[0].Busy == 1 {
			t.Errorf("%s: %d flows stuck, traffic until %v ns, %+v", control, sum.Flows.Stuck, sum.Traffic.ToNs, sum.Bottlenecks)
		}
	}
	sum := runInto(t, ring(t, "flow_control", "credits", "loss", "1e-12"), Options{})
	if sum.Traffic.ToNs != sum.EndNs || sum.Bottlenecks[0].Busy+sum.Bottlenecks[0].Paused < 0.99 {
		t.Errorf("a deadlock: traffic until %v of %v ns, %+v", sum.Traffic.ToNs, sum.EndNs, sum.Bottlenecks[0])
	}
}

// The load of ports is measured from the first flow's start to the last one's end: in the
// reference's cases traffic begins after two seconds, and the run goes on when it has ended.
func TestBottlenecksOfLateFlows(t *testing.T) {
	var busy [3]float64
	for i, c := range []struct {
		start string
		stop  []string
	}{{"0", nil}, {"2", nil}, {"2", []string{"stop", "4s"}}} {
		flows := filepath.Join(t.TempDir(), "flows")
		if err := os.WriteFile(flows, []byte("1\n0 1 3 100 1000000 "+c.start+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		sum := runInto(t, of(t, append(c.stop, "topology", "star:n=2", "flows", flows, "queue_sampling.interval", "0s")...), Options{})
		if len(sum.Bottlenecks) == 0 {
			t.Fatal("no bottlenecks")
		}
		busy[i] = sum.Bottlenecks[0].Busy
	}
	if busy[0] < 0.9 || busy[0] != busy[1] || busy[0] != busy[2] {
		t.Errorf("the busiest port sent for a share of %v, with flows from 2 s on of %v, in a run of 4 s of %v", busy[0], busy[1], busy[2])
	}
}
