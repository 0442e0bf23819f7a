package laws

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// identity is what a packet keeps on its way.
type identity struct {
	kind         core.Kind
	prio         uint8
	src, dst     core.NodeID
	srcPort      uint16
	dstPort      uint16
	payload      int32
	seq, sack    int64
	sent         core.Time
	srcQP, dstQP int32
}

func identify(p *core.Packet) identity {
	sack := p.Sack
	if p.Kind == core.Data { // switches write a label of ConWeave there
		sack = 0
	}
	return identity{p.Kind, p.Prio, p.Src, p.Dst, p.SrcPort, p.DstPort, p.Payload, p.Seq, sack, p.Sent, p.SrcQP, p.DstQP}
}

// wire is a port and the direction of its link that leads away.
type wire struct {
	l        *laws
	node     core.NodeID
	port     int
	peer     topo.Port
	isSwitch bool
	up       bool
	failed   core.Time // the last time; core.Never: not so far
	rate     core.Rate
	delay    core.Duration

	free   core.Time // no transmission before
	flying []flight
	lost   int64 // for certain
	doubt  int64 // arrives just when the run ends
	queues [8][]queued
	bytes  [8]core.Bytes
	kept   core.Bytes    // thrown away, and counted all the same
	lanes  [8]core.Bytes // by class, what has arrived here and not left the switch
	tx     core.Bytes    // of classes other than 0
	last   queued        // that has left
	lastAt core.Time     // when
	begun  [8]core.Time  // by class, of a pause
	paused [8]core.Time  // until then
	count  core.Counters // Marked: of packets that had no mark before
	passed int64         // packets that had one
	trims  int64         // trimmed packets sent
	yields int64         // packets of other classes sent while such waited

	sendings  []sending
	sampled   int64 // samples of the queue that are in the histogram
	histogram map[int]uint64
}

// flight is a packet on its way over a link.
type flight struct {
	identity
	at core.Time // of the arrival
}

// queued is a packet that a switch holds.
type queued struct {
	identity
	at   core.Time
	size core.Bytes
	in   *wire // by which it came; nil: the switch has made it
	ce   bool  // when it came
}

// trimmed reports whether a packet has lost its payload: others of class 0 go before it.
func (q *queued) trimmed() bool { return q.kind == core.Data && q.payload == 0 }

func newWire(l *laws, node core.NodeID, port int, p topo.Port) *wire {
	link := &l.s.Topology.Links[p.Link]
	return &wire{l: l, node: node, port: port, peer: p, isSwitch: l.isSwitch(node), up: true, failed: core.Never, rate: link.Rate, delay: l.s.Delay(link), histogram: make(map[int]uint64)}
}

func (w *wire) check(at core.Time, holds bool, format string, args ...any) {
	if !holds {
		w.l.check(false, "%v: node %d port %d "+format, append([]any{at, w.node, w.port}, args...)...)
	}
}

// leave checks a packet that begins its transmission.
func (w *wire) leave(r *core.Record) {
	p := &r.Packet
	w.check(r.At, r.At >= w.free, "sends before the end of the last transmission at %v", w.free)
	w.free = r.At + core.Time(w.l.s.Profile.Timing.TxTime(core.Bytes(p.Size), w.rate))
	w.flying = append(w.flying, flight{identify(p), w.free.Add(w.delay)})
	w.count.Sent(p)
	if w.l.s.Series.Interval > 0 {
		w.sendings = append(w.sendings, sending{r.At, w.count.TxBytes})
	}
	if class := w.stops(p); class != 0 {
		w.check(r.At, w.paused[class] <= r.At, "sends a packet of class %d that is paused until %v", class, w.paused[class])
	}
	if w.isSwitch {
		w.leaveQueue(r)
	}
}

// stops is the class whose pause keeps the port from sending a packet; 0: none does.
func (w *wire) stops(p *core.Packet) uint8 {
	if w.isSwitch || p.Kind == core.Data {
		return p.Prio
	}
	return 0
}

// arrive checks a packet that arrives at the other end: every one that was sent arrives in its turn and time, or never.
func (w *wire) arrive(r *core.Record) {
	got := flight{identify(&r.Packet), r.At}
	i := slices.Index(w.flying, got)
	if i < 0 {
		w.check(r.At, false, "has not sent what arrives from it, %+v; under way are %+v", got, w.flying)
		return
	}
	w.lost += int64(i)
	w.flying = w.flying[i+1:]
}

// receive notes what arrives at the port itself.
func (w *wire) receive(r *core.Record) {
	p := &r.Packet
	w.count.Received(p)
	if p.Kind != core.Pause {
		return
	}
	word := core.PauseWord(p.Aux)
	for class := range w.paused {
		switch {
		case word.Classes()>>class&1 == 0:
		case word.Resume():
			w.paused[class] = min(w.paused[class], r.At)
		default:
			w.pause(class, r.At, word)
		}
	}
}

// pause begins a pause, or goes on with one that is in force.
func (w *wire) pause(class int, now core.Time, word core.PauseWord) {
	if w.paused[class] < now {
		w.count.PausedFor += w.paused[class].Sub(w.begun[class])
		w.begun[class] = now
	}
	w.paused[class] = core.Never
	if !word.Forever() {
		w.paused[class] = now.Add(word.Lasts(w.rate))
	}
}

// depth is what the queues of all classes but 0 hold.
func (w *wire) depth() (sum core.Bytes) {
	for _, b := range w.bytes[1:] {
		sum += b
	}
	return sum
}

// enqueue checks a packet that is put into a queue of a switch.
func (w *wire) enqueue(r *core.Record, came *arrival) {
	p, class, size := &r.Packet, r.Queue, core.Bytes(r.Packet.Size)
	q := queued{identity: identify(p), at: r.At, size: size}
	if came != nil {
		q.in, q.ce = came.in, came.Flags&core.CE != 0
		if came.Prio == class && !came.held { // else there was room when it came
			w.admits(r.At, came)
		}
	}
	w.check(r.At, r.Depth == w.bytes[class], "class %d holds %d bytes, reported are %d", class, w.bytes[class], r.Depth)
	if w.l.s.ECNAtEnqueue {
		w.marking(r, q.ce)
	}
	w.sample(r.At)
	w.l.hold(r.At, w.node, class, q.in, size)
	at := len(w.queues[class])
	for at > 0 && w.queues[class][at-1].trimmed() && !q.trimmed() {
		at--
	}
	w.queues[class] = slices.Insert(w.queues[class], at, q)
	w.bytes[class] += size
	w.count.MaxQueue = max(w.count.MaxQueue, w.depth())
}

// leaveQueue checks that a packet was the first of its queue.
func (w *wire) leaveQueue(r *core.Record) {
	first, ok := w.takeFirst(r)
	if !ok {
		return
	}
	if !w.l.s.ECNAtEnqueue {
		w.marking(r, first.ce)
	}
	switch {
	case first.ce:
		w.passed++
	case r.Packet.Flags&core.CE != 0:
		w.count.Marked++
	}
	w.telemetry(r)
	w.turns(r)
	if r.Queue != 0 {
		w.tx += core.Bytes(r.Packet.Size)
		w.last, w.lastAt = first, r.At
	}
}

// turns checks that class 0 goes first, but for trimmed packets, ten of which go for one of another class, then the highest of
// strict priority, and that the others take turns, if they have equal shares.
func (w *wire) turns(r *core.Record) {
	if r.Packet.Flags&core.Trimmed != 0 && r.Packet.Kind == core.Data {
		w.trims++
	}
	if r.Queue == 0 || w.l.n.Credits() != nil {
		return
	}
	if q := w.queues[0]; len(q) > 0 && q[0].at < r.At {
		w.check(r.At, q[0].trimmed(), "sends class %d before class 0", r.Queue)
		w.yields++
		w.check(r.At, 10*w.yields <= w.trims, "has sent %d trimmed packets, and %d others before such", w.trims, w.yields)
	}
	strict := w.l.s.Strict
	for class, q := range w.queues {
		waits := len(q) > 0 && q[0].at < r.At && w.paused[class] < r.At
		first := strict>>class&1 != 0 && (strict>>r.Queue&1 == 0 || class > int(r.Queue))
		w.check(r.At, !waits || !first, "sends class %d while class %d of strict priority waits", r.Queue, class)
	}
	if r.Queue != w.last.prio || strict>>r.Queue&1 != 0 || w.l.s.Weights != [8]uint8{} {
		return
	}
	for class, q := range w.queues {
		passed := len(q) > 0 && q[0].at < w.lastAt && w.paused[class] < w.lastAt
		w.check(r.At, !passed || class == 0 || class == int(r.Queue), "sends class %d twice while class %d waits", r.Queue, class)
	}
}

// takeFirst takes a packet from the head of its queue.
func (w *wire) takeFirst(r *core.Record) (first queued, ok bool) {
	q := &w.queues[r.Queue]
	if len(*q) == 0 || (*q)[0].identity != identify(&r.Packet) {
		w.check(r.At, false, "takes %+v, which is not the first of its queue: %+v", identify(&r.Packet), *q)
		return first, false
	}
	w.sample(r.At)
	first, *q = (*q)[0], (*q)[1:]
	w.bytes[r.Queue] -= first.size
	w.l.hold(r.At, w.node, r.Queue, first.in, -first.size)
	w.check(r.At, r.Depth == w.bytes[r.Queue], "class %d keeps %d bytes, reported are %d", r.Queue, w.bytes[r.Queue], r.Depth)
	return first, true
}

// sample counts what the queue has held at the samples up to a time.
func (w *wire) sample(now core.Time) {
	s := &w.l.s.Sampling
	if now = min(now, s.End); s.Interval == 0 || now < s.Start {
		return
	}
	taken := int64(now.Sub(s.Start)/s.Interval) + 1
	w.histogram[int((w.depth()+w.kept)/s.Bin)] += uint64(taken - w.sampled)
	w.sampled = taken
}

// checkHistogram compares the histogram of the queue.
func (w *wire) checkHistogram(now core.Time) {
	w.sample(now)
	for bin, got := range w.l.n.Histogram(w.node, w.port) {
		w.check(now, got == w.histogram[bin], "counts %d samples of its queue in bin %d; there were %d", got, bin, w.histogram[bin])
		delete(w.histogram, bin)
	}
	for bin, want := range w.histogram {
		w.check(now, want == 0, "counts no sample of its queue in bin %d; there were %d", bin, want)
	}
}

// marking checks the mark of congestion of a packet, where no congestion point of a scheme marks too.
func (w *wire) marking(r *core.Record, before bool) {
	p, s := &r.Packet, w.l.s
	now := p.Flags&core.CE != 0
	if s.ECN == nil || len(w.l.n.Points().Markers) > 0 {
		return
	}
	kmin, kmax, _, _ := s.ECN(w.rate)
	w.check(r.At, !now || before || !s.ECNOff && r.Depth > kmin, "marks with %d bytes, of which %d are allowed", r.Depth, kmin)
	must := !s.ECNOff && r.Depth > kmax && r.Queue != 0 && (p.Flags&core.ECT != 0 || s.Profile.MarkAny)
	w.check(r.At, now || !must, "does not mark with %d bytes, of which %d are allowed", r.Depth, kmax)
}

// telemetry checks the record of in-band telemetry that a packet leaves with.
func (w *wire) telemetry(r *core.Record) {
	p, format := &r.Packet, w.l.n.INT()
	if p.Kind != core.Data || p.INT == nil || r.Queue == 0 {
		return
	}
	got := p.INT[int(p.NHops-1)%format.MaxHops]
	want := format.Record(r.At, w.rate, w.tx, w.depth()+w.bytes[0])
	want.Flows = got.Flows
	w.check(r.At, got == want, "has sent %d bytes and holds %d and %d, but writes %+v", w.tx, w.depth(), w.bytes[0], got)
}

// keepsBusy checks that by a time a port of a switch has sent what it could.
func (w *wire) keepsBusy(now core.Time) {
	if !w.isSwitch || !w.up || w.l.n.Credits() != nil || now <= w.free {
		return
	}
	for class, q := range w.queues {
		w.check(now, len(q) == 0 || q[0].at == now || class != 0 && w.paused[class] >= now,
			"has been free since %v, and class %d, paused until %v, holds %d packets", w.free, class, w.paused[class], len(q))
	}
}

// pausedForLong reports whether the class of a packet has been paused for so long that a watchdog may throw it away.
func (w *wire) pausedForLong(r *core.Record) bool {
	detection := w.l.s.Watchdog.Detection
	return detection != 0 && w.paused[r.Queue] > r.At && r.At.Sub(w.begun[r.Queue]) >= detection
}

// change makes the link of the port fail or return: with it, its pauses end.
func (w *wire) change(now core.Time, up bool) {
	if w.up = up; !up {
		w.failed = now
	}
	for class := range w.paused {
		w.paused[class] = min(w.paused[class], now)
	}
	if !up && w.l.quiet() {
		w.flush(now)
	}
	if up {
		w.sample(now)
		w.kept = 0
	}
}

// flush empties the queues of a switch whose link has failed. What it keeps counting is in the samples until the link is back.
func (w *wire) flush(now core.Time) {
	w.sample(now)
	if w.l.s.Profile.KeepOnFlush {
		w.kept += w.depth()
	}
	for class := range w.queues {
		w.count.Flushed += int64(len(w.queues[class]))
		w.queues[class], w.bytes[class] = nil, 0
	}
}

// end checks what must hold when the run is over.
func (w *wire) end(now core.Time) {
	for _, f := range w.flying {
		switch {
		case f.at < now:
			w.lost++
		case f.at == now:
			w.doubt++
		}
	}
	if w.isSwitch && !w.l.s.Sampling.Events {
		w.checkHistogram(now)
	}
	w.checkCounters(now)
}

// checkCounters compares the counters of the port, but for times of which packets do not tell.
func (w *wire) checkCounters(now core.Time) {
	want, got := w.count, w.l.n.Counters(w.node, w.port)
	for class := range w.paused {
		want.PausedFor += min(w.paused[class], now).Sub(w.begun[class])
	}
	most := want.Marked + w.passed
	if len(w.l.n.Points().Markers) > 0 { // that of a scheme may mark what has a mark of its queue
		most *= 2
	}
	w.check(now, want.Marked <= got.Marked && (got.Marked <= most || w.l.s.ECNAtEnqueue), "reports %d marks; %d packets got one, and %d had one", got.Marked, want.Marked, w.passed)
	got.Congested, got.Waited, got.Marked = 0, 0, want.Marked
	if !w.isSwitch { // no packet tells of a host's queues, nor why it throws one away
		got.MaxQueue, got.Flushed = 0, got.Flushed+got.DroppedPackets
		got.DroppedPackets, got.DroppedBytes, got.NoRoute = 0, 0, 0
		if w.l.quiet() {
			got.Flushed = want.Flushed
		}
	}
	w.check(now, got == want, "reports %+v; counted are %+v", got, want)
}
