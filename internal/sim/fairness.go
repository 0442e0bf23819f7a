package sim

import (
	"math/bits"

	"github.com/qbb-sim/qbb/internal/series"
)

// fairness follows all flows that run: their number, and Jain's index of their goodput (Jain,
// Chiu, Hawe: A Quantitative Measure of Fairness and Discrimination, DEC-TR-301, 1984).
type fairness struct {
	n     *Network
	spec  *SeriesSpec
	seen  int64      // tick of the last sample, or of the begin
	next  int64      // tick of the next sample
	flows []fairFlow // that run, in no order that matters
	place []int32    // by flow: where it stands in flows
	track *series.Track
}

type fairFlow struct {
	flow  int32
	whole bool  // it ran at the last sample, or started then
	acked int64 // at the last sample
}

func (f *fairness) init(n *Network, spec *SeriesSpec) {
	*f = fairness{n: n, spec: spec, place: make([]int32, len(n.flows)), track: series.NewTrack(2, spec.Points)}
	f.next = f.ticks()
}

// ticks is the time between samples in intervals.
func (f *fairness) ticks() int64 { return max(1, int64(f.spec.Fairness/f.spec.Interval)) }

// started adds a flow that has started, and says whether it did so at the time of the last sample.
func (f *fairness) started(flow int, whole bool) {
	for flow >= len(f.place) { // added meanwhile
		f.place = append(f.place, 0)
	}
	f.place[flow] = int32(len(f.flows))
	f.flows = append(f.flows, fairFlow{flow: int32(flow), whole: whole})
}

func (f *fairness) ended(flow int) {
	at, last := f.place[flow], len(f.flows)-1
	f.flows[at] = f.flows[last]
	f.place[f.flows[at].flow] = at
	f.flows = f.flows[:last]
}

func (f *fairness) look(tick int64) {
	if tick != f.next {
		return
	}
	var shares jain
	for i := range f.flows {
		l := &f.flows[i]
		acked, _, _, _ := f.n.hosts[f.n.Setup.Flows[l.flow].Src].Flow(f.n.flows[l.flow].qp)
		if l.whole {
			shares.add(acked - l.acked)
		}
		l.acked, l.whole = acked, true
	}
	s := f.track.Next()
	s.Set(0, float64(len(f.flows)))
	s.Set(int(NetFairness-NetFlows), shares.index())
	f.seen, f.next = tick, tick+int64(f.track.Step())*f.ticks()
	if f.n.Ended() == len(f.n.flows) && !f.n.Setup.ClosedLoop {
		f.next = never
	}
}

// jain is what Jain's index is computed of: exact sums, since flows are added in an order that depends on the parts.
type jain struct {
	count, sum int64
	high, low  uint64 // words of the sum of squares
}

// add adds the bytes of a flow; they are negative where acknowledgements are taken back.
func (j *jain) add(bytes int64) {
	size := uint64(max(bytes, -bytes))
	high, low := bits.Mul64(size, size)
	var carry uint64
	j.low, carry = bits.Add64(j.low, low, 0)
	j.count, j.sum, j.high = j.count+1, j.sum+bytes, j.high+high+carry
}

// index returns the index. That of no flows, or of flows that got nothing, would be 0/0. It is taken as 1, since none was
// treated worse than another: so samples with and without flows can share a bin, whose least value is that of its flows.
func (j *jain) index() float64 {
	squares := float64(float64(j.high)*(1<<64)) + float64(j.low)
	if squares == 0 {
		return 1
	}
	sum := float64(j.sum)
	return sum * sum / (float64(j.count) * squares)
}
