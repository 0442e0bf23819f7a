package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/traces"
)

// A chain 0 - 10 - 11 - 12 of hosts and switches: 12 is congested and pauses 11, which fills and
// pauses 10, which pauses host 0. Node 11's other neighbour, host 1, is paused as well.
var chain = []traces.PortRow{
	{Node: 0, Port: 0, Peer: 10}, {Node: 10, Port: 0, Peer: 0}, {Node: 10, Port: 1, Peer: 11}, {Node: 11, Port: 0, Peer: 10},
	{Node: 11, Port: 1, Peer: 12}, {Node: 12, Port: 0, Peer: 11}, {Node: 1, Port: 0, Peer: 11}, {Node: 11, Port: 2, Peer: 1},
}

// frame is a row of pfc.parquet.
func frame(at float64, node, port int32, event string) traces.PFCRow {
	return traces.PFCRow{TimeNs: at, Node: core.NodeID(node), Port: port, Priority: 3, Event: event}
}

// text writes trees with brackets.
func text(list []*PauseTree) string {
	var b strings.Builder
	for _, t := range list {
		fmt.Fprintf(&b, "%d:%d %dx %g", t.Node, t.Port, t.Times, t.Ns)
		if len(t.Paused) > 0 {
			fmt.Fprintf(&b, " [%s]", text(t.Paused))
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// Beyond a number of ports, pauses count for the port that caused them.
func TestMostPauseNodes(t *testing.T) {
	var ports []traces.PortRow
	for i := range int32(mostPauseNodes + 10) {
		ports = append(ports, traces.PortRow{Node: 1, Port: i, Peer: 2})
	}
	f := newPauseForest(ports, 0)
	for i := range ports {
		row := frame(0, 1, int32(i), traces.EventPause)
		f.add(&row)
	}
	trees := f.end(1)
	if len(trees) != 1 || trees[0].Node != 2 || trees[0].Port != -1 || trees[0].Peer != -1 || trees[0].Times != mostPauseNodes+10 || len(trees[0].Paused) != mostPauseNodes {
		t.Errorf("%d trees, the first %d:%d of %d pauses and %d ports", len(trees), trees[0].Node, trees[0].Port, trees[0].Times, len(trees[0].Paused))
	}
}

func TestPauseTrees(t *testing.T) {
	const pause, resume = traces.EventPause, traces.EventResume
	for _, c := range []struct {
		frames []traces.PFCRow
		want   string
	}{
		{nil, ""},
		// Root 12; 11 towards 12, then 10 towards 11 and host 1, then host 0.
		{[]traces.PFCRow{
			frame(10, 11, 1, pause), frame(20, 10, 1, pause), frame(25, 1, 0, pause), frame(30, 0, 0, pause),
			frame(40, 11, 1, resume), frame(50, 1, 0, resume), frame(55, 10, 1, resume), frame(60, 0, 0, resume),
		}, "12:-1 1x 30 [11:1 1x 30 [10:1 1x 35 [0:0 1x 30]; 1:0 1x 25]]"},
		// The same port again, this time because of 11 itself; a refreshed pause counts once; the
		// last one never ends.
		{[]traces.PFCRow{
			frame(0, 10, 1, pause), frame(5, 10, 1, pause), frame(10, 10, 1, resume), frame(12, 10, 1, resume), frame(90, 10, 1, pause),
		}, "11:-1 2x 20 [10:1 2x 20]"},
		// Nodes that hold each other: a cycle keeps its first beginning.
		{[]traces.PFCRow{frame(1, 10, 1, pause), frame(2, 11, 0, pause), frame(3, 10, 1, resume), frame(4, 10, 1, pause)},
			"11:-1 1x 2 [10:1 1x 2 [11:0 1x 98 [10:1 1x 96]]]"},
		// The longest come first, among trees and among those that a port paused.
		{[]traces.PFCRow{
			frame(10, 0, 0, pause), frame(11, 11, 0, pause), frame(12, 11, 1, pause), frame(20, 0, 0, resume), frame(31, 11, 0, resume),
		}, "12:-1 1x 88 [11:1 1x 88]; 10:-1 2x 30 [11:0 1x 20; 0:0 1x 10]"},
	} {
		f := newPauseForest(chain, 0)
		for i := range c.frames {
			f.add(&c.frames[i])
		}
		if got := text(f.end(100)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// A pause that is neither repeated nor ended expires, as after a resume that a link has lost: it then holds nothing more, and
// the next one is another. One at a port whose rate is not known lasts, as do all without quanta.
func TestPausesExpire(t *testing.T) {
	const pause, resume = traces.EventPause, traces.EventResume
	const quanta, lasts = 10, 100 // ns
	ports := slices.Clone(chain)
	for i := range ports {
		ports[i].RateBps = int64(core.PauseQuantum) * 8 * quanta * 1e9 / lasts
	}
	ports[2].RateBps = 0 // of port 1 of node 10
	for _, c := range []struct {
		frames []traces.PFCRow
		want   string
	}{
		{[]traces.PFCRow{frame(10, 11, 1, pause)}, "12:-1 1x 100 [11:1 1x 100]"},
		{[]traces.PFCRow{frame(950, 11, 1, pause)}, "12:-1 1x 50 [11:1 1x 50]"},
		{[]traces.PFCRow{frame(10, 11, 1, pause), frame(300, 11, 1, pause), frame(320, 11, 1, resume)}, "12:-1 2x 120 [11:1 2x 120]"},
		{[]traces.PFCRow{frame(10, 11, 1, pause), frame(90, 11, 1, pause), frame(150, 11, 1, resume)}, "12:-1 1x 140 [11:1 1x 140]"},
		{[]traces.PFCRow{frame(10, 11, 1, pause), frame(500, 11, 1, resume)}, "12:-1 1x 100 [11:1 1x 100]"},
		{[]traces.PFCRow{frame(10, 11, 1, pause), frame(109, 1, 0, pause), frame(129, 1, 0, resume)}, "12:-1 1x 100 [11:1 1x 100 [1:0 1x 20]]"},
		{[]traces.PFCRow{frame(10, 11, 1, pause), frame(110, 1, 0, pause), frame(130, 1, 0, resume)}, "12:-1 1x 100 [11:1 1x 100]; 11:-1 1x 20 [1:0 1x 20]"},
		{[]traces.PFCRow{frame(10, 10, 1, pause)}, "11:-1 1x 990 [10:1 1x 990]"},
	} {
		f := newPauseForest(ports, quanta)
		for i := range c.frames {
			f.add(&c.frames[i])
		}
		if got := text(f.end(1000)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// The trees tell of every port that it was paused as long as the port itself has counted, also where resumes are lost and
// where links fail.
func TestPauseTreesAgreeWithPorts(t *testing.T) {
	for name, dir := range map[string]string{"whole": sample.Run(t, t.TempDir(), "dcqcn"), "lossy": sample.Lossy(t, t.TempDir(), "dcqcn"), "failing": sample.Failing(t, t.TempDir(), "dcqcn")} {
		runs, err := Load([]string{dir})
		if err != nil {
			t.Fatal(err)
		}
		told := make(map[port]float64)
		var tell func(list []*PauseTree)
		tell = func(list []*PauseTree) {
			for _, p := range list {
				told[port{p.Node, p.Port, p.Peer}] += p.Ns
				tell(p.Paused)
			}
		}
		for _, root := range runs[0].PausedBy {
			tell(root.Paused)
		}
		paused := 0
		for _, p := range runs[0].ports {
			if p.PausedNs > 0 {
				paused++
			}
			if got := told[port{p.Node, p.Port, p.Peer}]; math.Abs(got-p.PausedNs) > 1e-3 {
				t.Errorf("%s: port %d of node %d was paused for %v ns, its trees tell of %v", name, p.Port, p.Node, p.PausedNs, got)
			}
		}
		if paused == 0 {
			t.Errorf("%s: no port was paused", name)
		}
	}
}
