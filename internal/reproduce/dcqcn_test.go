package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

func probe(src core.NodeID, tag string, fct core.Duration) sim.FlowRecord {
	return sim.FlowRecord{Flow: &sim.Flow{Src: src, Tag: tag}, FCT: fct, Finished: true}
}

// A host whose messages take 10 us during one half of the time and 40 us during the other sends four times as many in
// the first half: (4*10 + 40)/5 = 16 us for a message, 8 us one way. The other host's take 24 us, so the mean of the
// hosts is 10 us. Neither the flows nor an unfinished probe count.
func TestProbeLatency(t *testing.T) {
	const us = core.Microsecond
	late := probe(1, "probe", 1000*us)
	late.Finished = false
	tr := &track{Ended: []sim.FlowRecord{
		probe(0, "probe", 10*us), probe(0, "probe", 40*us), probe(1, "probe", 24*us), probe(1, "flow", 90*us), late,
	}}
	if got := probeLatency(tr); math.Abs(got-10_000) > 1e-6 {
		t.Errorf("latency %v ns, want 10000", got)
	}
}

// The buffer is read at the beginning of the later part and six times more, but not in between.
func TestReadings(t *testing.T) {
	times := scaleTimes{late: core.Time(10 * core.Microsecond), reading: 2 * core.Microsecond}
	tr := &track{Queue: [][]float64{nil}}
	for us := range 24 {
		tr.Times = append(tr.Times, float64(us)*1000)
		tr.Queue[0] = append(tr.Queue[0], float64(us))
	}
	if got := times.read(tr); !slices.Equal(got, []float64{10, 12, 14, 16, 18, 20, 22}) {
		t.Errorf("read %v", got)
	}
	if end := core.Duration(times.end()); end != 24*core.Microsecond {
		t.Errorf("ends at %v", end)
	}
}

// Packets are counted by host and source port; ACKs, arrivals and the last millisecond, which not all flows have
// reached, do not count.
func TestCapture(t *testing.T) {
	at := func(us int, node core.NodeID, port uint16) core.Record {
		return core.Record{
			At: core.Time(us) * core.Time(core.Microsecond), Node: node, Event: core.EventDequeue,
			Packet: core.Packet{Kind: core.Data, SrcPort: port},
		}
	}
	ack, arrival := at(5, 0, 1), at(5, 0, 1)
	ack.Packet.Kind, arrival.Event = core.Ack, core.EventEnqueue
	c := &capture{of: make(map[captured]int)}
	c.add([]core.Record{at(1, 0, 1), at(2, 0, 2), at(3, 1, 1), ack, arrival, at(999, 0, 1)})
	c.add([]core.Record{at(1000, 0, 1), at(1500, 0, 2), at(1999, 1, 1), at(1999, 1, 1), at(2000, 0, 2)})
	times, counts := c.curves()
	want := [][]float64{{2, 1}, {1, 1}, {1, 2}}
	if !slices.Equal(times, []float64{1e6, 2e6}) || len(counts) != 3 {
		t.Fatalf("%v at %v", counts, times)
	}
	for k := range want {
		if !slices.Equal(counts[k], want[k]) {
			t.Errorf("flow %d: %v, want %v", k, counts[k], want[k])
		}
	}
}

// The mean packet of a port that has sent ten, 10620 B.
func TestWireSize(t *testing.T) {
	if got := wireSize(&track{Times: []float64{0, 1}, Sent: []float64{0, 10_620}, Packets: []float64{0, 10}}); got != 1062 {
		t.Errorf("%v B, want 1062", got)
	}
}

// Every sending host has a probe in every period, from the beginning of a time but not at its end.
func TestProbes(t *testing.T) {
	list := probes(core.Time(10*core.Microsecond), core.Time(30*core.Microsecond), 10*core.Microsecond)
	if len(list) != 16 {
		t.Fatalf("%d probes, want 16", len(list))
	}
	for i, f := range list {
		at := core.Time(core.Duration(1+i/8) * 10 * core.Microsecond)
		if int(f.Src) != i%8 || f.Dst != 8 || f.Bytes != 2 || f.Start != at || f.Tag != "probe" {
			t.Errorf("probe %d: %+v", i, f)
		}
	}
}

// The flows of tables 2 and 3 start within a second, one after another, from the hosts in turn.
func TestScaleStarts(t *testing.T) {
	for _, c := range scaleCases(false) {
		var flows []traces.Flow
		for _, f := range c.Flows {
			if f.Tag == "flow" {
				flows = append(flows, f)
			}
		}
		gap := core.Second / core.Duration(len(flows))
		for i := range flows {
			if at := core.Time(core.Duration(i) * gap); flows[i].Start != at || int(flows[i].Src) != i%8 {
				t.Fatalf("%s: flow %d starts at %v from host %d, want %v and %d", c.Name, i, flows[i].Start, flows[i].Src, at, i%8)
			}
		}
		if last := flows[len(flows)-1].Start; !strings.HasSuffix(c.Name, fmt.Sprint(-len(flows))) || last >= core.Time(core.Second) {
			t.Errorf("%s has %d flows, the last at %v", c.Name, len(flows), last)
		}
	}
}
