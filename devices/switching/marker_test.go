package switching_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
)

// points is a scheme whose congestion points are functions.
type points struct {
	start func(port *algorithms.Port) // may be nil
	step  func(port int, q *algorithms.Sight, m *algorithms.Mark)
	sees  algorithms.Sights
}

func (s points) Traits() algorithms.Traits        { return algorithms.Traits{Sees: s.sees} }
func (s points) NewSender() algorithms.Sender     { return nil }
func (s points) NewReceiver() algorithms.Receiver { return nil }
func (s points) NewMarker() algorithms.Marker     { return &point{s: s} }

type point struct {
	s    points
	port int
}

func (p *point) Start(_ core.Time, port *algorithms.Port) {
	p.port = port.Port
	if p.s.start != nil {
		p.s.start(port)
	}
}

func (p *point) Step(q *algorithms.Sight, m *algorithms.Mark) { p.s.step(p.port, q, m) }

// A congestion point sees every packet of the data queues twice: before it is counted and after it
// has left; not frames and not class 0.
func TestSights(t *testing.T) {
	var got []string
	cfg := config(2)
	cfg.Markers = []algorithms.Scheme{points{step: func(port int, q *algorithms.Sight, _ *algorithms.Mark) {
		got = append(got, fmt.Sprint(q.Now.Nanos(), " port ", port, " enqueue ", q.Enqueue, " own ", q.Own, " queue ", int(q.Queue), " class ", int(q.Class), " tx ", int(q.Tx), " byte ", q.Packet.Seq))
	}}}
	r := newRig(t, cfg)
	for i, marker := range []uint8{1, 0, 1, 0} {
		p := r.packet(1, 1000, 3)
		p.Seq, p.Marker, p.Prio = int64(i), marker, uint8(3+i%2)
		if i == 2 {
			p.Kind = core.Ack
		}
		r.arrive(int64(100*i), 0, p)
	}
	r.arrive(350, 0, r.packet(1, 64, 0))
	p := r.packet(1, 500, 5)
	p.Seq = 4
	r.arrive(400, 0, p)
	r.Run(core.AtNanos(10_000))
	want := []string{
		"0 port 1 enqueue true own true queue 0 class 0 tx 0 byte 0",
		"0 port 1 enqueue false own true queue 0 class 0 tx 0 byte 0",
		"100 port 1 enqueue true own false queue 0 class 0 tx 1000 byte 1",
		"200 port 1 enqueue true own false queue 1000 class 0 tx 1000 byte 2",
		"300 port 1 enqueue true own false queue 2000 class 1000 tx 1000 byte 3",
		"400 port 1 enqueue true own false queue 3064 class 0 tx 1000 byte 4", // with class 0
		"1064 port 1 enqueue false own false queue 2500 class 1000 tx 1000 byte 1",
		"2064 port 1 enqueue false own false queue 2000 class 0 tx 2000 byte 4",
		"2564 port 1 enqueue false own false queue 1000 class 0 tx 2500 byte 2",
		"3564 port 1 enqueue false own false queue 0 class 0 tx 3500 byte 3",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

// The orders of a congestion point are carried out: marks, digests, the number of flows, and messages to the packet's
// source and to others, which go ahead of data. The message to the packet's source carries the time when the packet was
// made, the others the time when they were made.
func TestMarks(t *testing.T) {
	cfg := config(4)
	cfg.Markers = []algorithms.Scheme{points{step: func(_ int, q *algorithms.Sight, m *algorithms.Mark) {
		if q.Enqueue {
			m.Notify, m.Feedback = q.Packet.Seq == 1, -7
			return
		}
		m.CE, m.SetAux, m.Aux, m.Flows = q.Packet.Seq == 1, true, q.Packet.Aux+5, 3
		if q.Packet.Seq == 1 {
			m.Others = append(m.Others, algorithms.Notice{To: 3, QP: 9, Feedback: 11}, algorithms.Notice{To: 77})
		}
	}}}
	r := newRig(t, cfg)
	for i := range int64(2) {
		p := r.withINT(r.packet(1, 1000, 3))
		p.Src, p.Seq, p.Aux, p.SrcQP, p.SrcPort, p.DstPort, p.Sent = 2, i, 100, 40, 10_000, 100, core.Time(50+i)
		r.arrive(i, 0, p)
	}
	r.Run(core.AtNanos(10_000))
	var got []string
	for i := range r.sent {
		d := &r.sent[i]
		text := fmt.Sprint(d.at.Nanos(), " ", d.port, " ", d.Kind, " CE ", d.Flags&core.CE/core.CE, " aux ", d.Aux, " seq ", d.Seq, " qp ", d.DstQP, " ports ", d.SrcPort, d.DstPort, " from ", d.Src, " size ", d.Size, " made ", int64(d.Sent))
		for _, h := range d.hops {
			text += fmt.Sprint(" flows ", h.Flows)
		}
		got = append(got, text)
	}
	want := []string{
		"0 1 data CE 0 aux 105 seq 0 qp 0 ports 10000 100 from 2 size 1000 made 50 flows 3",
		"1 2 cnm CE 0 aux 0 seq -7 qp 40 ports 100 10000 from 100 size 64 made 51",
		"1000 3 cnm CE 0 aux 0 seq 11 qp 9 ports 100 10000 from 100 size 64 made 1000000",
		"1000 1 data CE 1 aux 105 seq 1 qp 0 ports 10000 100 from 2 size 1000 made 51 flows 3",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if c := r.sw.Counters(1, r.Turn.Now); c.Marked != 1 || r.Pool.Live() != 0 {
		t.Errorf("%d marks, %d packets alive", c.Marked, r.Pool.Live())
	}
}

// If a congestion point sets no number of flows, the previous switch's record stays as it is; 1 is a number.
func TestFlowsAreKept(t *testing.T) {
	for flows, want := range []uint32{0, 1} {
		cfg := config(2)
		cfg.Markers = []algorithms.Scheme{points{step: func(_ int, q *algorithms.Sight, m *algorithms.Mark) {
			if !q.Enqueue {
				m.Flows = uint32(flows)
			}
		}}}
		r := newRig(t, cfg)
		p := r.withINT(r.packet(1, 1000, 3))
		p.NHops, p.INT[0] = 1, core.Hop{Flows: 7}
		r.arrive(0, 0, p)
		if hops := r.sent[0].hops; len(hops) != 2 || hops[0].Flows != 7 || hops[1].Flows != want {
			t.Errorf("flows %d: records %+v", flows, hops)
		}
	}
}

// The number of flows goes into the switch's own record, also when the stack is full and begins anew, and nowhere if the
// packet has none.
func TestFlowsOfAFullStack(t *testing.T) {
	cfg := config(2)
	cfg.Markers = []algorithms.Scheme{points{sees: algorithms.Departures, step: func(_ int, _ *algorithms.Sight, m *algorithms.Mark) { m.Flows = 3 }}}
	r := newRig(t, cfg)
	r.arrive(0, 0, r.packet(1, 1000, 3))
	p := r.withINT(r.packet(1, 1000, 3))
	p.NHops = 5
	r.arrive(2000, 0, p)
	if hops := r.sent[1].hops; len(hops) != 5 || hops[0].Flows != 3 || hops[0].Line == 0 || hops[4].Flows != 0 {
		t.Errorf("records %+v", hops)
	}
}

// A scheme that says when its congestion points need to see packets is shown them only then.
func TestSees(t *testing.T) {
	for sees, want := range map[algorithms.Sights][2]int{
		0: {5, 5}, algorithms.Arrivals: {5, 0}, algorithms.Departures: {0, 5}, algorithms.Arrivals | algorithms.Departures: {5, 5},
	} {
		var got [2]int
		cfg := config(2)
		cfg.Markers = []algorithms.Scheme{points{sees: sees, step: func(_ int, q *algorithms.Sight, _ *algorithms.Mark) {
			if q.Enqueue {
				got[0]++
			} else {
				got[1]++
			}
		}}}
		r := newRig(t, cfg)
		for i := range int64(5) {
			r.arrive(100*i, 0, r.packet(1, 1000, 3))
		}
		r.Run(core.AtNanos(10_000))
		if got != want {
			t.Errorf("sees %d: %d arrivals and %d departures, want %v", sees, got[0], got[1], want)
		}
	}
}

// A packet that finds its port idle bypasses the queue if no congestion point looks at arrivals. This has no visible
// effect: neither on what a congestion point at the exit sees and causes, nor on frames of the same port.
func TestPastTheQueue(t *testing.T) {
	marked := int64(0)
	for seed := range uint64(40) {
		var seen [2][]string
		var rigs [2]*rig
		for k := range rigs {
			cfg := config(4)
			cfg.Markers = []algorithms.Scheme{points{sees: algorithms.Departures, step: func(port int, q *algorithms.Sight, m *algorithms.Mark) {
				seen[k] = append(seen[k], fmt.Sprint(q.Now, port, q.Enqueue, q.Own, q.Queue, q.Class, q.Tx, q.Packet.Seq, q.Packet.Aux, q.Packet.NHops))
				m.CE, m.SetAux, m.Aux, m.Flows = q.Packet.Seq%3 == 0, true, q.Packet.Aux+uint64(q.Queue)+1, uint32(q.Packet.Seq)
				m.Notify, m.Feedback = q.Packet.Seq%4 == 1, -3
			}}}
			if k == 1 {
				cfg.Markers = append(cfg.Markers, points{sees: algorithms.Arrivals, step: func(int, *algorithms.Sight, *algorithms.Mark) {}})
			}
			rigs[k] = newRig(t, cfg)
			rng := rand.New(rand.NewPCG(seed, 21))
			for i, at := int64(0), int64(0); i < 60; i++ {
				in := rng.IntN(4)
				p := rigs[k].withINT(rigs[k].packet(rng.IntN(4), 64+int32(rng.IntN(900)), uint8(rng.IntN(4))))
				p.Src, p.Seq = core.NodeID(rng.IntN(4)), i
				at += rng.Int64N(1200)
				rigs[k].arrive(at, in, p)
			}
			rigs[k].Run(core.AtNanos(1_000_000))
		}
		if !reflect.DeepEqual(seen[0], seen[1]) {
			t.Fatalf("seed %d: seen\n%q\nthrough the queue\n%q", seed, seen[0], seen[1])
		}
		if !reflect.DeepEqual(rigs[0].sent, rigs[1].sent) || !reflect.DeepEqual(rigs[0].News, rigs[1].News) {
			t.Fatalf("seed %d: sent\n%+v\nthrough the queue\n%+v", seed, rigs[0].sent, rigs[1].sent)
		}
		for port := range 4 {
			a, b := rigs[0].sw.Counters(port, core.AtNanos(1_000_000)), rigs[1].sw.Counters(port, core.AtNanos(1_000_000))
			if a != b {
				t.Fatalf("seed %d: port %d counts %+v, through the queue %+v", seed, port, a, b)
			}
			marked += a.Marked
		}
	}
	if marked == 0 {
		t.Error("no packet was marked")
	}
}

// A congestion point is given its port, and the run's common stream or the port's own.
func TestToldAtTheStart(t *testing.T) {
	own, shared := &fixed{value: 1}, &fixed{value: 2}
	for _, common := range []core.Random{nil, shared} {
		var got []algorithms.Port
		cfg := credits(2)
		cfg.MaxRTT, cfg.Shared, cfg.Timing = 9*core.Microsecond, common, core.FixedPointNanos
		cfg.Ports[1].ToHost, cfg.Ports[1].Random = true, own
		cfg.Markers = []algorithms.Scheme{points{start: func(p *algorithms.Port) { got = append(got, *p) }}}
		newRig(t, cfg)
		want := algorithms.Port{
			Node: 100, Port: 1, Line: 8 * core.Gbps, MaxRTT: 9 * core.Microsecond, MTU: 1000, ToHost: true, Lane: 4096,
			Timing: core.FixedPointNanos, Random: own, Shared: common,
		}
		if common == nil {
			want.Shared = own
		}
		if len(got) != 2 || got[1] != want {
			t.Errorf("told %+v, want %+v", got, want)
		}
	}
}

// cleared is a scheme whose congestion points hear when their queues are lost.
type cleared struct {
	points
	clear func(port int, now core.Time)
}

func (s cleared) NewMarker() algorithms.Marker { return &clearedPoint{point{s: s.points}, s.clear} }

type clearedPoint struct {
	point
	clear func(port int, now core.Time)
}

func (p *clearedPoint) Clear(now core.Time) { p.clear(p.port, now) }

// A congestion point that wants to is told when its port's link fails, or a watchdog has dropped all that waits, after the
// packets are lost; those of other schemes and ports are not.
func TestLostQueueIsTold(t *testing.T) {
	var r *rig
	var got []string
	cfg := config(3)
	cfg.Watchdog = switching.WatchdogConfig{Detection: 10 * core.Microsecond, Restoration: core.Second}
	silent := points{step: func(int, *algorithms.Sight, *algorithms.Mark) {}}
	cfg.Markers = []algorithms.Scheme{silent, cleared{silent, func(port int, now core.Time) {
		got = append(got, fmt.Sprint(now.Nanos(), " port ", port, " queue ", int(r.sw.Depth(port))))
	}}}
	r = newRig(t, cfg)
	for range 3 {
		r.arrive(0, 1, r.packet(2, 1000, 3))
	}
	r.setLink(500, 2, false)
	r.setLink(900, 2, true)
	for _, class := range []uint8{3, 4} {
		r.arrive(1000, 2, r.Pause(class, 0, true))
	}
	for _, class := range []uint8{3, 4} { // dropped one after the other
		r.arrive(2000, 1, r.packet(2, 1000, class))
	}
	r.Run(core.AtNanos(30_000))
	if want := []string{"500 port 2 queue 0", "21000 port 2 queue 0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// managed is a congestion point that a subnet manager reads and sets.
type managed struct {
	point
	rate      int
	congested core.Duration
}

func (m *managed) Congested(core.Time) core.Duration { return m.congested }
func (m *managed) SetMarkingRate(packets int)        { m.rate = packets }

// several is a scheme with one given congestion point for each port.
type several struct {
	points
	made *[]*managed
}

func (s several) NewMarker() algorithms.Marker {
	m := &managed{point: point{s: s.points}}
	*s.made = append(*s.made, m)
	return m
}

// A manager's setting reaches the points of one port, whatever their scheme; it reads the longest
// congestion that any of them reports.
func TestManagedPoints(t *testing.T) {
	var first, second []*managed
	cfg := config(2)
	cfg.Markers = []algorithms.Scheme{points{}, several{made: &first}, several{made: &second}}
	r := newRig(t, cfg)
	r.sw.SetMarkingRate(1, 8)
	first[1].congested, second[1].congested, second[0].congested = 500, 300, 200
	if first[1].rate != 8 || second[1].rate != 8 || first[0].rate != 0 || second[0].rate != 0 {
		t.Errorf("rates of port 0: %d, %d; of port 1: %d, %d; want 8 at port 1", first[0].rate, second[0].rate, first[1].rate, second[1].rate)
	}
	if got := [2]core.Duration{r.sw.Counters(0, 9).Congested, r.sw.Counters(1, 9).Congested}; got != [2]core.Duration{200, 500} {
		t.Errorf("congested for %v, want 200 and 500 ps", got)
	}
}
