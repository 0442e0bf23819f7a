package nic_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
)

// chainTable is a hash table with chaining through one list, written out with the list's links: a
// new key goes before the first of its bucket, or to the head of the list.
type chainTable struct {
	head    *chainNode
	buckets int
	count   int
}

type chainNode struct {
	key  uint64
	qp   int32
	next *chainNode
}

func (h *chainTable) add(key uint64, qp int32) {
	if h.count+1 > h.buckets {
		for _, n := range []int{1, 13, 29, 59, 127, 257, 541, 1109} {
			if n > h.buckets {
				h.buckets = n
				break
			}
		}
		old := h.head
		h.head = nil
		for n := old; n != nil; n = n.next {
			h.link(n.key, n.qp)
		}
	}
	h.count++
	h.link(key, qp)
}

func (h *chainTable) link(key uint64, qp int32) {
	n := &chainNode{key: key, qp: qp}
	at := &h.head
	for p := &h.head; *p != nil; p = &(*p).next {
		if (*p).key%uint64(h.buckets) == key%uint64(h.buckets) {
			at = p
			break
		}
	}
	n.next, *at = *at, n
}

func (h *chainTable) remove(qp int32) {
	for p := &h.head; *p != nil; p = &(*p).next {
		if (*p).qp == qp {
			*p = (*p).next
			h.count--
			return
		}
	}
}

// After routes have changed, queue pairs are served in the order of such a table, without those
// that have finished. All are paused until then; the index of the pair served last, 0, stays.
func TestHashOrder(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 11))
		cfg := config(1)
		cfg.KeepOrder, cfg.WakeForAll = true, true
		r := newRig(t, cfg)
		r.arrive(0, 0, r.Pause(3, 0, true))
		table := &chainTable{}
		var alive []int32
		used := make(map[uint64]bool)
		for range rng.IntN(300) {
			if len(alive) > 0 && rng.IntN(4) == 0 {
				i := rng.IntN(len(alive))
				r.arrive(0, 0, r.ack(alive[i], 1000, core.Ack))
				table.remove(alive[i])
				alive = append(alive[:i], alive[i+1:]...)
				continue
			}
			f := nic.Flow{Size: 1000, Prio: 3, Dst: core.NodeID(2 + rng.IntN(300)), SrcPort: uint16(10_000 + rng.IntN(20))}
			key := uint64(core.Address(f.Dst))<<32 | uint64(f.SrcPort)<<16 | uint64(f.Prio)
			if used[key] {
				continue
			}
			used[key] = true
			qp := r.open(0, f)
			alive = append(alive, qp)
			table.add(key, qp)
		}
		r.Turn.Now = 1
		r.h.Reroute(&r.Turn)
		r.CarryOut()
		r.arrive(10, 0, r.Pause(3, 0, false))
		r.Run(core.Never - 1)
		var want, got []int32
		for n := table.head; n != nil; n = n.next {
			want = append(want, n.qp)
		}
		if len(want) > 1 {
			want = append(want[1:], want[0])
		}
		for i := range r.sent {
			got = append(got, r.sent[i].SrcQP)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %d flows in the order %v, want %v", seed, len(alive), got, want)
		}
	}
}

// Without KeepOrder they are served in the order in which they were opened.
func TestRerouteOrder(t *testing.T) {
	r := newRig(t, config(1))
	r.arrive(0, 0, r.Pause(3, 0, true))
	for i := range 4 {
		r.open(0, nic.Flow{Size: int64(100 * (i + 1)), Prio: 3})
	}
	r.arrive(0, 0, r.ack(1, 200, core.Ack))
	r.Turn.Now = 1
	r.h.Reroute(&r.Turn)
	r.CarryOut()
	r.arrive(10, 0, r.Pause(3, 0, false))
	r.Run(core.Never - 1)
	var got []int32
	for i := range r.sent {
		got = append(got, r.sent[i].SrcQP)
	}
	if want := []int32{2, 3, 0}; !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
}

// A host with several ports assigns each flow, and each acknowledgement, to a port by its hash; the
// ports work in parallel.
func TestSeveralPorts(t *testing.T) {
	cfg := config(3)
	cfg.ECMPSeed = 77
	r := newRig(t, cfg)
	want := make(map[int32]int)
	for i := range 60 {
		f := nic.Flow{Size: 1000, SrcPort: uint16(10_000 + i), DstPort: 100}
		p := core.Packet{Src: 1, Dst: 2, SrcPort: f.SrcPort, DstPort: f.DstPort}
		want[r.open(0, f)] = int(core.ECMPHash(&p, 1^77) % 3)
	}
	ack := core.Packet{Src: 1, Dst: 2, SrcPort: 100, DstPort: 10_000}
	r.arrive(10, 2, r.data(0))
	r.Run(core.Never - 1)
	var count [3]int
	for i := range r.sent {
		d := &r.sent[i]
		count[d.port]++
		port := want[d.SrcQP]
		if d.Kind == core.Ack {
			port = int(core.ECMPHash(&ack, 1^77) % 3)
		}
		if d.port != port {
			t.Errorf("%v of flow %d left by port %d, want %d", d.Kind, d.SrcQP, d.port, port)
		}
	}
	if len(r.sent) != 61 || slices.Min(count[:]) < 10 {
		t.Errorf("%d packets by port: %v", len(r.sent), count)
	}
	for port, n := range count {
		if c := r.h.Counters(port, r.Turn.Now); c.TxPackets != int64(n) {
			t.Errorf("port %d counted %d packets, want %d", port, c.TxPackets, n)
		}
	}
}

// When a flow moves to another port, its window still scales by the former line rate: half of the
// window at half of the rate.
func TestWindowAfterReroute(t *testing.T) {
	cfg := config(2)
	cfg.Ports[1], cfg.Router = 2*line, fan{0}
	r := newRig(t, cfg)
	r.open(0, nic.Flow{Size: 9000, Window: 4000, ScaleWindow: true, Scheme: &scheme{start: algorithms.Control{Rate: line / 2}}})
	r.Run(core.AtNanos(10_000))
	r.h.SetRouter(fan{1})
	r.h.Reroute(&r.Turn)
	r.CarryOut()
	r.arrive(20_000, 0, r.ack(0, 2000, core.Ack))
	r.Run(core.AtNanos(90_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {2000, 1000}, {20_000, 2000}, {22_000, 3000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A host whose link is down sends nothing and forgets pauses and waiting acknowledgements.
func TestLinkDown(t *testing.T) {
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 3000, Prio: 3})
	r.arrive(100, 0, r.Pause(3, 0, true))
	r.arrive(200, 0, r.data(0))
	r.Run(core.AtNanos(500))
	r.Turn.Now = core.AtNanos(500)
	r.h.SetLink(&r.Turn, 0, false)
	r.CarryOut()
	r.arrive(600, 0, r.data(1000)) // was on its way; its ACK waits for the link
	r.Run(core.AtNanos(7000))
	r.Turn.Now = core.AtNanos(7000)
	r.h.SetLink(&r.Turn, 0, true)
	r.CarryOut()
	r.Run(core.AtNanos(20_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {7000, 2000}, {7060, 1000}, {8060, 2000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(r.News) != 2 || r.News[1].Kind != core.Dropped {
		t.Errorf("told %+v, want a pause and the ACK that was dropped", r.News)
	}
}

// A paused class starts again when the pause expires; the others are not held up.
func TestPauseExpires(t *testing.T) {
	r := newRig(t, config(1))
	r.open(0, nic.Flow{Size: 3000, Prio: 3})
	r.arrive(500, 0, r.Pause(3, 50, false)) // until 3700
	r.open(1500, nic.Flow{Size: 1000, Prio: 4})
	r.arrive(3000, 0, r.Pause(3, 50, false)) // until 6200
	r.Run(core.AtNanos(100_000))
	if got, want := r.took(), [][2]int64{{0, 0}, {1500, 0}, {6200, 1000}, {7200, 2000}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	r.arrive(100_000, 0, r.Pause(3, 0, false))
	var told []core.ActionKind
	for _, a := range r.News {
		told = append(told, a.Kind)
	}
	if want := []core.ActionKind{core.Paused, core.Paused, core.Resumed}; !slices.Equal(told, want) || r.Pool.Live() != 0 {
		t.Errorf("told %v, want %v; %d packets alive", told, want, r.Pool.Live())
	}
	c := r.h.Counters(0, core.AtNanos(100_000))
	if c.ResumesReceived != 1 || c.PausesReceived != 2 || c.PausedFor != 5700*core.Nanosecond || c.TxBytes != 4000 || c.TxPackets != 4 {
		t.Errorf("counted %+v", c)
	}
}

// A packet and its acknowledgement allocate nothing.
func TestPacketDoesNotAllocate(t *testing.T) {
	cfg := config(1)
	cfg.RTO = core.Millisecond
	r := newRig(t, cfg)
	for range 10 {
		r.open(0, nic.Flow{Size: 1 << 40, Window: 4000})
	}
	var una [10]int64
	r.sent = make([]departure, 0, 1000)
	spare := make([]departure, 0, 1000)
	cycle := func() {
		for range 100 {
			now := r.Turn.Now.Nanos() + 1000
			r.sent, spare = spare[:0], r.sent
			for i := range spare {
				qp := spare[i].SrcQP
				una[qp] += 1000
				r.arrive(now, 0, r.ack(qp, una[qp], core.Ack))
			}
			r.Run(core.AtNanos(now))
		}
	}
	for range 20 {
		cycle()
	}
	if a := testing.AllocsPerRun(20, cycle); a != 0 {
		t.Errorf("%v allocations for 100 packets, want 0", a)
	}
	if c := r.h.Counters(0, r.Turn.Now); c.TxPackets < 4000 {
		t.Errorf("%d packets were sent; too few to mean much", c.TxPackets)
	}
}

// A flow whose path has changed is notified once, with the end of what may have taken the former path, and before it
// sends on; the others are not notified.
func TestToldOfTheNewPath(t *testing.T) {
	var heard [2][]algorithms.Signal
	r := newRig(t, config(1))
	for i := range heard {
		s := &scheme{traits: algorithms.Traits{Hears: algorithms.Hears(algorithms.Path)}, start: algorithms.Control{Window: 3000}}
		s.step = func(sig *algorithms.Signal, _ *algorithms.Control) { heard[i] = append(heard[i], *sig) }
		r.open(0, nic.Flow{Size: 100_000, Scheme: s})
	}
	r.arrive(10_000, 0, r.ack(0, 1000, core.Ack))
	r.arrive(20_000, 0, r.ack(0, 1000, core.Nack)) // goes back from 4000, and sends one packet at once
	r.h.PathChanged(0)
	for range 2 {
		r.h.Reroute(&r.Turn)
		r.CarryOut()
	}
	want := []algorithms.Signal{{
		Instant: core.Instant{Now: core.AtNanos(20_000)}, Kind: algorithms.Path, Acked: 1000, Next: 4000, InFlight: 1000,
	}}
	if !reflect.DeepEqual(heard[0], want) || heard[1] != nil {
		t.Errorf("heard %+v and %+v, want %+v and nothing", heard[0], heard[1], want)
	}
}
