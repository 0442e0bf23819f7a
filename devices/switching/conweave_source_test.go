package switching

import (
	"fmt"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// out has a packet come from host 3 for host 10.
func (w *weave) out(nanos, number int64) { w.data(nanos, 0, 3, 10, number, nil) }

// answered has an answer come for host 3.
func (w *weave) answered(nanos int64, what label, path uint16, epoch uint32) {
	p := w.Pool.New()
	p.Kind, p.Size, p.Src, p.Dst, p.DstQP, p.Aux = core.ConWeave, 64, 200, 3, 7, uint64(newLabel(what, path, epoch))
	w.arrive(nanos, 1, p)
}

// The first packet of an epoch asks for a reply, which begins the next one; nobody else hears it.
func TestSourceMonitors(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.draws(1)
	w.out(1000, 0)
	w.out(2000, 1)
	w.answered(3000, rttReply, 1, 9) // of another epoch
	w.out(3500, 2)
	w.answered(5000, rttReply, 1, 1)
	w.out(5500, 3)
	w.out(6500, 4)
	w.At(9000)
	w.want("1000:2 0 REQUEST path 1 epoch 1 at 1000", "2000:2 1 path 1 epoch 1 at 2000", "3500:2 2 path 1 epoch 1 at 3500",
		"5500:2 3 REQUEST path 1 epoch 2 at 5500", "6500:2 4 path 1 epoch 2 at 6500")
	if live := w.Pool.Live(); live != 0 {
		t.Errorf("%d packets are left", live)
	}
}

// Without a reply in time the next packet is the last one on the old path, and those behind it say when it left. Replies to the
// epoch come too late then; CLEAR begins the next one.
func TestSourceMovesOnceAnEpoch(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.draws(0, 1)
	w.out(1000, 0)
	w.out(6000, 1) // as late as allowed
	w.out(7001, 2)
	w.out(8001, 3)
	w.answered(9000, rttReply, 0, 1)
	w.out(20_000, 4)
	w.answered(30_000, allClear, 0, 1)
	w.out(31_000, 5)
	w.out(32_000, 6)
	w.want("1000:1 0 REQUEST path 0 epoch 1 at 1000", "6000:1 1 path 0 epoch 1 at 6000", "7001:1 2 TAIL path 0 epoch 1 at 7001",
		"8001:2 3 REROUTED path 1 epoch 1 at 7001", "20000:2 4 REROUTED path 1 epoch 1 at 7001",
		"31000:2 5 REQUEST path 1 epoch 2 at 31000", "32000:2 6 path 1 epoch 2 at 32000")
	if got := w.sw.WeaveCounters(); got != (WeaveCounters{Moves: 1}) {
		t.Errorf("counted %+v", got)
	}
}

// No connection moves to a path for a time after a mark on it. A CLEAR that nothing has asked for says nothing.
func TestSourceAvoidsBusyPaths(t *testing.T) {
	w := newWeave(t, 3, nil)
	w.draws(0, 0, 1, 0, 1)
	w.out(1000, 0)
	w.answered(2000, pathBusy, 1, 1)
	w.answered(4000, pathBusy, 2, 1)
	w.answered(5000, allClear, 0, 1)
	w.out(9000, 1)   // both are busy
	w.out(10_000, 2) // path 1 no longer
	w.out(11_000, 3)
	w.want("1000:1 0 REQUEST path 0 epoch 1 at 1000", "9000:1 1 path 0 epoch 1 at 9000", "10000:1 2 TAIL path 0 epoch 1 at 10000",
		"11000:2 3 REROUTED path 1 epoch 1 at 10000")
}

// All other paths are equally likely, whichever the connection is on.
func TestSourceMovesToAnyOtherPath(t *testing.T) {
	for path, others := range [][]uint16{{1, 2}, {0, 2}, {0, 1}} {
		for draw, want := range others {
			w := newWeave(t, 3, nil)
			*w.sw.cfg.Balance.Random.(*script) = script{[]uint32{0, 2, 3}[path], uint32(2 * draw)} // of 3 and of 2
			w.out(1000, 0)
			w.out(7000, 1)
			if got := w.sw.weaver.sources[connection{3, 7}].path; got != want {
				t.Errorf("from path %d to path %d, want %d", path, got, want)
			}
		}
	}
}

// As long as all other paths are busy a connection stays on its own, in its epoch: it waits for nothing.
func TestSourceStaysWhileOthersAreBusy(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.draws(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	w.out(1000, 0)
	want := []string{"1000:1 0 REQUEST path 0 epoch 1 at 1000"}
	for n := int64(1); n <= 8; n++ {
		w.answered(10_000*n-500, pathBusy, 1, 1)
		w.out(10_000*n, n)
		want = append(want, fmt.Sprintf("%d:1 %d path 0 epoch 1 at %d", 10_000*n, n, 10_000*n))
	}
	w.want(want...)
}

// A pause ends an epoch, but not the path; and so does the want of a CLEAR.
func TestSourceBeginsWithoutAnswers(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.draws(0, 0)
	w.out(1000, 0)
	w.out(60_000, 1) // 59 us later
	w.out(66_000, 2)
	for i := range int64(3) {
		w.out(90_000+15_000*i, 3+i)
	}
	w.want("1000:1 0 REQUEST path 0 epoch 1 at 1000", "60000:1 1 REQUEST path 0 epoch 2 at 60000", "66000:1 2 TAIL path 0 epoch 2 at 66000",
		"90000:2 3 REROUTED path 1 epoch 2 at 66000", "105000:2 4 REROUTED path 1 epoch 2 at 66000", "120000:2 5 REQUEST path 1 epoch 3 at 120000")
}

// Packets to a host of the same switch, or to one to which there is one path, have no label, nor have others than data.
func TestSourceLeavesAlone(t *testing.T) {
	w := newWeave(t, 1, nil)
	w.out(1000, 0)
	w.data(3000, 0, 3, 4, 1, nil)
	w.sw.weaver.Fabric = nil
	w.data(5000, 0, 3, 10, 2, func(p *core.Packet) { p.Kind, p.SrcQP = core.Ack, 8 })
	w.At(9000)
	if len(w.sent) != 3 || w.sent[0][5:] != "1 0" && w.sent[0][5:] != "2 0" || w.sent[1] != "3000:0 1" {
		t.Errorf("sent %q", w.sent)
	}
}

// With other routes there may be fewer paths: a connection on one that is no more takes another.
func TestSourceAfterReroute(t *testing.T) {
	w := newWeave(t, 3, nil)
	w.draws(0, 1)
	w.out(1000, 0)
	w.out(7000, 1) // to path 2
	w.sw.weaver.Fabric = plain(2)
	w.sw.SetRouter(twoSided{1, 2})
	w.draws(1)
	w.out(8000, 2)
	w.sw.SetRouter(twoSided{1, 2})
	w.out(9000, 3) // on the path that there still is
	w.want("1000:1 0 REQUEST path 0 epoch 1 at 1000", "7000:1 1 TAIL path 0 epoch 1 at 7000", "8000:2 2 REROUTED path 1 epoch 1 at 7000",
		"9000:2 3 REROUTED path 1 epoch 1 at 7000")
	w.sw.SetRouter(twoSided{})
	w.out(10_000, 4)
	if n := w.sw.ports[0].count.NoRoute; n != 1 {
		t.Errorf("%d packets had no route, want 1", n)
	}
}

// The digits of a path's number choose a port at one switch after another: every number another path.
func TestPathDigits(t *testing.T) {
	seen := make(map[[3]int]bool)
	for path := range uint16(24) {
		l, way := newLabel(tail, path, 1<<epochBits-1), [3]int{}
		for i, n := range [...]int{2, 3, 4} {
			way[i], l = l.step(n)
		}
		if seen[way] = true; l.path() != path || l.epoch() != 1<<epochBits-1 || l&(1<<flagBits-1) != labelled|tail {
			t.Errorf("path %d, by %v, ends with label %#x", path, way, l)
		}
	}
	if len(seen) != 24 {
		t.Errorf("24 numbers are %d paths", len(seen))
	}
}

// A switch that is neither the source's nor the destination's takes the port that the path says, leaves the rest of the path to the
// next one, and sends answers on. Data without a label takes a path by hash.
func TestSwitchBetweenToRs(t *testing.T) {
	w := newWeave(t, 0, nil)
	var rests []label
	ports, sent := make(map[int]int), w.Sent
	w.Sent = func(port int, p *core.Packet) {
		switch {
		case p.Kind != core.Data:
		case p.Sack != 0:
			rests = append(rests, label(p.Sack)>>flagBits&(MostPaths-1))
		default:
			ports[port]++
			return
		}
		sent(port, p)
	}
	for path := range uint16(4) {
		w.data(int64(1000+2000*path), 1, 20, 10, 0, func(p *core.Packet) { p.Sack, p.HostNanos = int64(newLabel(tail, path, 9)), 5 })
	}
	p := w.Pool.New()
	p.Kind, p.Size, p.Src, p.Dst, p.DstQP, p.Aux = core.ConWeave, 64, 200, 10, 7, uint64(newLabel(rttReply, 1, 1))
	w.arrive(9000, 1, p)
	w.want("1000:1 0 TAIL path 0 epoch 9 at 5", "3000:2 0 TAIL path 1 epoch 9 at 5", "5000:1 0 TAIL path 2 epoch 9 at 5",
		"7000:2 0 TAIL path 3 epoch 9 at 5", "9000:1 REPLY path 1 epoch 1 to 10.7")
	if !slices.Equal(rests, []label{0, 0, 1, 1}) {
		t.Errorf("the rests of the paths are %v", rests)
	}
	for i := range int64(20) {
		w.data(11_000+2000*i, 1, 20, 10, i, func(p *core.Packet) { p.SrcPort = uint16(i) })
	}
	if w.At(60_000); ports[1] < 3 || ports[2] < 3 || w.Pool.Live() != 0 {
		t.Errorf("without labels by the ports %v; %d packets are left", ports, w.Pool.Live())
	}
}

// Epochs are in order also where their numbers wrap.
func TestEpochsWrap(t *testing.T) {
	for _, c := range [][2]uint32{{1, 0}, {0, 1<<epochBits - 1}, {5, 1<<epochBits - 1000}} {
		if !laterEpoch(c[0], c[1]) || laterEpoch(c[1], c[0]) || laterEpoch(c[0], c[0]) {
			t.Errorf("epoch %d does not follow %d", c[0], c[1])
		}
	}
	w := newWeave(t, 2, nil)
	w.sw.weaver.epoch = 1<<epochBits - 2
	w.draws(0)
	w.out(1000, 0)
	w.answered(2000, rttReply, 0, 1<<epochBits-1)
	w.out(3000, 1)
	w.answered(4000, rttReply, 0, 0)
	w.out(5000, 2)
	w.want("1000:1 0 REQUEST path 0 epoch 268435455 at 1000", "3000:1 1 REQUEST path 0 epoch 0 at 3000", "5000:1 2 REQUEST path 0 epoch 1 at 5000")
}

// The tables forget connections that have been quiet for long, and paths that are not busy any more.
func TestSourceForgets(t *testing.T) {
	w := newWeave(t, 2, nil)
	w.sw.cfg.Balance.Random = core.NewStream(1, core.StreamBalance, 1)
	for i := range int64(5 * leastSweep) {
		w.data(2000*i, 0, 3, 10, i, func(p *core.Packet) { p.SrcQP = int32(i) })
		w.answered(2000*i+100, pathBusy, uint16(i), 1)
	}
	w.answered(1_000_000, rttReply, 0, 1) // for one that was never there
	if n, m := len(w.sw.weaver.sources), len(w.sw.weaver.busy); n > 2*leastSweep || m > 2*leastSweep || n < 400 || m < 4 {
		t.Errorf("%d connections and %d paths are remembered", n, m)
	}
}

// countedPaths are two paths to one ToR; it counts how often it is asked for them.
type countedPaths struct {
	plain
	asked *int
}

func (c countedPaths) Paths(from, host core.NodeID) int {
	*c.asked++
	return c.plain.Paths(from, host)
}

// A ToR counts the paths to another one once, not for every connection, until the routes change.
func TestSourceCountsPathsOnce(t *testing.T) {
	asked := 0
	w := newWeave(t, 2, func(cfg *Config) { cfg.Balance.ConWeave.Fabric = countedPaths{2, &asked} })
	w.sw.cfg.Balance.Random = core.NewStream(1, core.StreamBalance, 1)
	for i := range int64(20) {
		if w.data(2000*i, 0, 3, core.NodeID(10+i%5), i, func(p *core.Packet) { p.SrcQP = int32(i) }); i == 9 {
			w.sw.SetRouter(twoSided{1, 2})
		}
	}
	if asked != 2 {
		t.Errorf("asked for the number of paths %d times, want 2", asked)
	}
}
