package twin

import (
	"bytes"
	"container/heap"
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/refrand"
	"github.com/qbb-sim/qbb/traces"
)

// event is a function that runs at a time, in the order of scheduling.
type event struct {
	at        int64
	id        int
	run       func()
	cancelled bool
}

type agenda []*event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].id < a[j].id
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(*event)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// world is a network that runs. Times are ns, rates bit/s.
type world struct {
	c         *traces.Config
	now       int64
	stopped   bool
	scheduled int
	agenda    agenda
	nodes     []*node
	links     []*link
	waiting   []traces.Flow // flows that have not started
	flows     int
	sources   map[[2]int]int
	pairs     map[[2]int]path // as at the start
	rates     map[[2]int]uint64
	maxRTT    uint64
	maxBDP    uint64
	tags      int // telemetry bytes in a data packet

	mark *refrand.FirstOfEach
	loss *refrand.Stream // of links without their own loss rate; nil: none
	dice *refrand.CRand

	traced                 []bool // by node; nil: none is
	fct, pfc, qlen, events bytes.Buffer
	unknown                bool           // the run has reached a point for which the reference's rules say nothing
	seen                   map[string]int // events that should happen in some case
}

// beyond, as a panic, ends a run: the reference's rules do not say what happens next.
type beyond struct{}

type path struct{ rtt, bdp uint64 }

type link struct {
	ends  [2]*port
	rate  uint64
	delay int64
	loss  float64
	dice  *refrand.Stream // with its own loss rate
	down  bool
}

type node struct {
	w      *world
	id     int
	isHost bool
	ports  []*port
	next   map[int][]int // by destination: ports
	shared uint32        // switch: used of the shared pool
	rest   uint32        // switch: buffer less all headroom and reserves
	from   map[[3]int]*reception
	table  table // host: unfinished flows
}

// later schedules a function.
func (w *world) later(at int64, run func()) *event {
	e := &event{at: at, id: w.scheduled, run: run}
	w.scheduled++
	heap.Push(&w.agenda, e)
	return e
}

func (e *event) cancel() {
	if e != nil {
		e.cancelled = true
	}
}

// run goes on to the end, which is scheduled last at set-up: whatever the run schedules for that time comes after it.
func (w *world) run() {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case beyond:
			w.unknown = true
		default:
			panic(r)
		}
	}()
	for !w.stopped {
		e := heap.Pop(&w.agenda).(*event)
		if !e.cancelled {
			w.now = e.at
			e.run()
		}
	}
}

func txTime(bytes int, rate uint64) int64 {
	return core.Time(core.NanosFromSeconds(float64(bytes) * 8 / float64(rate))).Nanos()
}

// tagBytes is the telemetry of a data packet by CC_MODE.
func tagBytes(mode int64) int {
	return map[int64]int{3: 42, 7: 8, 10: 2}[mode]
}

func build(c *traces.Config, t *topo.Topology, flows []traces.Flow, traced []core.NodeID) *world {
	w := &world{
		c: c, waiting: flows, flows: len(flows), sources: make(map[[2]int]int), pairs: make(map[[2]int]path), tags: tagBytes(c.CCMode),
		dice: refrand.NewCRand(1), seen: make(map[string]int),
	}
	const lossStream = 1<<63 + 50
	if c.ErrorRate > 0 {
		w.loss = refrand.NewStream(lossStream)
	}
	for id, kind := range t.Kinds {
		w.nodes = append(w.nodes, &node{w: w, id: id, isHost: kind == topo.Host, from: make(map[[3]int]*reception)})
	}
	stream := uint64(6*len(t.Kinds) + 2)
	for _, tl := range t.Links {
		l := &link{rate: uint64(tl.Rate), delay: tl.Delay.WholeNanos(), loss: tl.Loss}
		for i, id := range [...]core.NodeID{tl.A, tl.B} {
			n := w.nodes[id]
			l.ends[i] = &port{node: n, index: len(n.ports), link: l}
			n.ports = append(n.ports, l.ends[i])
		}
		l.ends[0].peer, l.ends[1].peer = l.ends[1], l.ends[0]
		if l.loss > 0 {
			l.dice = refrand.NewStream(lossStream)
			stream += 2
		}
		w.links = append(w.links, l)
	}
	for _, id := range traced {
		if w.traced == nil {
			w.traced = make([]bool, len(w.nodes))
		}
		w.traced[id] = true
	}
	w.mark = refrand.NewFirstOfEach(stream)
	w.route(true)
	w.fillSwitches()
	w.setUp()
	return w
}

// setUp schedules the events at given times.
func (w *world) setUp() {
	if len(w.waiting) > 0 {
		w.later(w.waiting[0].StartNanos, w.startFlows)
	}
	if d := w.c.LinkDown; d != (traces.LinkDown{}) {
		w.later(2e9+d.After.WholeNanos(), func() { w.fail(int(d.A), int(d.B)) })
	}
	if w.c.QueueMonStart <= w.c.QueueMonEnd {
		w.later(w.c.QueueMonStart.Nanos(), w.sample)
	}
	w.later(w.c.Stop.Nanos(), func() { w.stopped = true })
}

// startFlows starts the flows of now, each by two further events.
func (w *world) startFlows() {
	for len(w.waiting) > 0 && w.waiting[0].StartNanos == w.now {
		f := w.waiting[0]
		w.waiting = w.waiting[1:]
		pair := [2]int{int(f.Src), int(f.Dst)}
		source := 10000 + w.sources[pair]
		w.sources[pair]++
		w.later(w.now, func() { w.later(w.now, func() { w.open(&f, source) }) })
	}
	if len(w.waiting) > 0 {
		w.later(w.waiting[0].StartNanos, w.startFlows)
	}
}

// route finds the equal-cost ports towards every host, in the order in which a search from there meets
// the nodes: neighbours by descending number.
func (w *world) route(first bool) {
	w.rates = make(map[[2]int]uint64)
	for _, n := range w.nodes {
		n.next = make(map[int][]int)
	}
	for _, to := range w.nodes {
		if to.isHost {
			w.routeTo(to, first)
		}
	}
}

// trail is the state of a search at a node: the way to the host.
type trail struct {
	hops, delay, sending, rate uint64
}

func (w *world) routeTo(to *node, first bool) {
	known := map[int]trail{to.id: {rate: math.MaxUint64}}
	for queue := []*node{to}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		here := known[n.id]
		for _, p := range n.byPeer() {
			if p.link.down {
				continue
			}
			m := p.peer.node
			if _, ok := known[m.id]; !ok {
				known[m.id] = trail{
					here.hops + 1, here.delay + uint64(p.link.delay),
					here.sending + uint64(w.c.Payload)*8e9/p.link.rate, min(here.rate, p.link.rate),
				}
				if !m.isHost {
					queue = append(queue, m)
				}
			}
			if known[m.id].hops == here.hops+1 {
				m.next[to.id] = append(m.next[to.id], p.peer.index)
			}
		}
	}
	for id, tr := range known {
		if !w.nodes[id].isHost || id == to.id {
			continue
		}
		pair := [2]int{id, to.id}
		w.rates[pair] = tr.rate
		if first {
			rtt := 2*tr.delay + tr.sending
			w.pairs[pair] = path{rtt, rtt * tr.rate / 1e9 / 8}
			w.maxRTT, w.maxBDP = max(w.maxRTT, rtt), max(w.maxBDP, w.pairs[pair].bdp)
		}
	}
}
