package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// incast is a run of endless flows from n hosts to one, examined in its last part.
type incast struct {
	n         int
	first     algorithms.Scheme // of the first flow; nil: that of all
	link      string            // rate and delay of the star's links; with a bottleneck, of the dumbbell's
	spec      []string
	rest, end core.Duration
	samples   int
}

// steady is what an incast showed from rest to end.
type steady struct {
	every    core.Duration
	depths   []float64              // of the bottleneck's queue, bytes, at the end of every interval
	controls [][]algorithms.Control // of each flow, at the same times
	rates    []float64              // of each flow's packets on the wire, bit/s
	busy     float64                // part of the time in which the bottleneck sent
	marked   float64                // fraction of its packets that it marked
	marks    float64                // marks that it made per second
	packet   float64                // bytes of a packet on the wire
	line     float64                // of the bottleneck, bit/s
	rtt      float64                // base round trip, s
	bdp      float64                // line times rtt, bytes
}

func (c *incast) run(t *testing.T) (v steady) {
	t.Helper()
	var flows []sim.Flow
	for i := range core.NodeID(c.n) {
		flows = append(flows, sim.Flow{Src: i, Dst: core.NodeID(c.n), Bytes: endless, Prio: 3, DstPort: 100})
	}
	shape := fmt.Sprintf("star:n=%d,", c.n+1)
	if strings.Contains(c.link, "bottleneck") {
		shape = fmt.Sprintf("dumbbell:n=%d,right=1,", c.n)
	}
	s := unsampled(t, flows, append([]string{"topology", shape + c.link, "stop", "1000s"}, c.spec...)...)
	if c.first != nil {
		s.Schemes = append(s.Schemes, c.first)
		flows[0].Scheme = 1
	}
	n, _ := begin(t, s)
	v.watch(n, c)
	return v
}

// watch runs a network, whose bottleneck is port n of its first switch, node n+1.
func (v *steady) watch(n *sim.Network, c *incast) {
	sw, port := core.NodeID(c.n+1), c.n
	upTo(n, core.Time(c.rest))
	begin, acked := n.Counters(sw, port), make([]int64, c.n)
	for i := range acked {
		acked[i] = n.Record(i).Acked
	}
	v.controls = make([][]algorithms.Control, c.n)
	v.every = (c.end - c.rest) / core.Duration(c.samples)
	for k := range c.samples {
		upTo(n, core.Time(c.rest+core.Duration(k+1)*v.every))
		v.depths = append(v.depths, float64(n.Depth(sw, port)))
		for i := range c.n {
			_, answer, _ := n.Running(i)
			v.controls[i] = append(v.controls[i], answer)
		}
	}
	end, seconds := n.Counters(sw, port), (v.every * core.Duration(c.samples)).Seconds()
	bytes, packets := float64(end.TxBytes-begin.TxBytes), float64(end.TxPackets-begin.TxPackets)
	v.packet = bytes / packets
	v.line = float64(n.Setup.Topology.Links[n.Ports()[sw][port].Link].Rate)
	v.busy = bytes * 8 / seconds / v.line
	v.marks = float64(end.Marked-begin.Marked) / seconds
	v.marked = float64(end.Marked-begin.Marked) / packets
	v.rtt = n.MaxRTT().Seconds()
	v.bdp = v.line * v.rtt / 8
	for i := range c.n {
		v.rates = append(v.rates, float64(n.Record(i).Acked-acked[i])*8/seconds*v.packet/float64(n.Setup.MTU))
	}
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// windows are those of the first flow, in packets of 1000 bytes.
func (v *steady) windows() (w []float64) {
	for i := range v.controls[0] {
		w = append(w, float64(v.controls[0][i].Window)/1000)
	}
	return w
}

// slowest is the lowest rate of a flow, in Gb/s.
func (v *steady) slowest() float64 { return slices.Min(v.rates) / 1e9 }
