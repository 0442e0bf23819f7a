package switching

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// At a steady rate an estimator holds what is sent in tau when it is about to decay, and reads the eighths of the link's rate; when
// nothing is sent any more, an eighth of it goes every 20 us.
func TestRateEstimator(t *testing.T) {
	const rate = 8 * core.Gbps // a byte takes a nanosecond
	for eighths := range core.Bytes(9) {
		d := dre{full: rate.BytesIn(dreTau)}
		now := core.Time(0)
		for ; now < core.Time(5*core.Millisecond); now = now.Add(800 * core.Nanosecond) { // 25 packets to a decay
			d.add(now, 100*eighths+1)
		}
		want := float64(dreTau/core.Nanosecond) * float64(100*eighths+1) / 800
		if got := float64(d.bytes); math.Abs(got-want) > 8 {
			t.Errorf("%d eighths: %v bytes, want %v", eighths, got, want)
		}
		if got := d.measure(now.Add(-1)); got != uint8(min(eighths, 7)) {
			t.Errorf("%d eighths of the rate: the estimator reads %d", eighths, got)
		}
		for n := range 30 {
			d.measure(now.Add(core.Duration(n) * dreTick))
			if want := want * math.Pow(1-1./8, float64(n+1)); math.Abs(float64(d.bytes)-want) > 16 {
				t.Errorf("%d eighths: %v bytes after %d decays, want %v", eighths, d.bytes, n+1, want)
			}
		}
		if d.measure(now.Add(core.Second)); d.bytes != 0 {
			t.Errorf("%d bytes are never forgotten", d.bytes)
		}
	}
}

// A link that sends less than a byte in tau is full as soon as it has sent one.
func TestRateEstimatorOfSlowLink(t *testing.T) {
	l := newLeaf(t)
	l.s.cfg.Ports[1].Rate = 1000
	c := newConga(&l.s.cfg)
	c.leave(0, 1, &core.Packet{Size: 64})
	if got := c.dres[1].measure(0); got != 7 {
		t.Errorf("a link of 1 kb/s that has sent 64 bytes reads %d", got)
	}
}

// It makes no difference that decays are computed when they are asked for.
func TestRateEstimatorAgainstTicks(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	lazy, bytes := dre{full: 1000}, int64(0)
	now, tick := core.Time(0), core.Time(0)
	for step := range 20_000 {
		for ; tick <= now; tick = tick.Add(dreTick) {
			if bytes > 0 {
				bytes -= max(1, bytes/8)
			}
		}
		n := core.Bytes(rng.IntN(3000))
		bytes += int64(n)
		if lazy.add(now, n); lazy.bytes != bytes {
			t.Fatalf("step %d: %d bytes, want %d", step, lazy.bytes, bytes)
		}
		switch now = now.Add(core.Duration(rng.Int64N(int64(3 * dreTick / 2)))); {
		case step%100 == 0:
			now = now.Add(100 * dreTick)
		case step%7 == 0:
			now = tick // at the very time of a decay
		}
	}
}

// Values that have changed since they were told come first, in turn; then all that are known, in turn. A value that is not
// renewed is one less after every 10 ms, and that is a change.
func TestFeedbackInTurn(t *testing.T) {
	type told struct{ tag, value uint8 }
	o := new(opposite)
	if tag, value, ok := o.feedback(0); ok {
		t.Fatalf("nothing is known, and %d of %d is told", value, tag)
	}
	hear := func(now core.Time, tag, value uint8) {
		o.from[tag], o.known = reading{value, now}, o.known|1<<tag
	}
	tell := func(now core.Time, want ...told) {
		t.Helper()
		for i, w := range want {
			if tag, value, ok := o.feedback(now); !ok || (told{tag, value}) != w {
				t.Errorf("answer %d is %d of %d, %v, want %+v", i, value, tag, ok, w)
			}
		}
	}
	hear(0, 2, 5)
	hear(0, 15, 0)
	hear(0, 4, 1)
	tell(0, told{2, 5}, told{4, 1}, told{15, 0}, told{2, 5}, told{4, 1})
	hear(0, 2, 6)
	hear(0, 4, 3)
	tell(0, told{2, 6}, told{4, 3}, told{15, 0}, told{2, 6})
	const ms = core.Time(core.Millisecond)
	hear(9*ms, 4, 3)
	tell(10*ms-1, told{4, 3}, told{15, 0}, told{2, 6})
	tell(10*ms, told{2, 5}, told{4, 3}, told{15, 0})
	tell(69*ms, told{2, 0}, told{4, 0}, told{15, 0})
}

// leafRig is a leaf with uplinks 1, 2 and 3, whose packets are routed at times a millisecond apart, so that each is a flowlet.
type leafRig struct {
	*testing.T
	s   *Switch
	now core.Time
}

func newLeaf(t *testing.T) *leafRig {
	return &leafRig{t, balanced(CONGA, uplinks{1, 2, 3}, core.NewStream(1, core.StreamBalance, 7)), 0}
}

func (l *leafRig) route(p *core.Packet) uint16 {
	l.now = l.now.Add(core.Millisecond)
	return l.s.portFor(l.T, l.now, p)
}

// hear gives the leaf a packet of node src that has met congestion on a path, and tells of another path.
func (l *leafRig) hear(src core.NodeID, path congaHeader, tag, value uint8) {
	l.route(&core.Packet{Src: src, Dst: 1, Prio: 3, Fabric: uint16(path.tell(tag, value))})
}

// A flowlet takes the path of the least congestion, there and behind: the flow's last one if that is as good, else any
// of them. What one leaf tells does not count for another one.
func TestFlowletsTakeLeastCongestedPath(t *testing.T) {
	l := newLeaf(t)
	p := &core.Packet{Src: 1, Dst: 10, Prio: 3}
	seen := map[uint16]int{}
	for i := range 300 {
		p.SrcPort = uint16(i)
		seen[l.route(p)]++
	}
	if seen[1] < 70 || seen[2] < 70 || seen[3] < 70 {
		t.Errorf("of equal ports %v are chosen", seen)
	}
	was := l.route(p)
	for range 100 {
		if got := l.route(p); got != was {
			t.Fatalf("a flow moves from port %d to port %d, which is no better", was, got)
		}
	}
	for i, c := range []struct{ tag, value uint8 }{{0, 4}, {1, 5}, {2, 3}, {2, 6}, {0, 7}, {1, 7}} {
		l.hear(10, 0, c.tag, c.value)
		if want := []uint16{0, 0, 3, 1, 2, 3}[i]; want != 0 {
			if got := l.route(p); got != want {
				t.Errorf("%d: port %d, want %d", i, got, want)
			}
		}
	}
	far := *p
	far.Dst = 20
	seen = map[uint16]int{}
	for i := range 30 {
		far.SrcPort = uint16(i)
		seen[l.route(&far)]++
	}
	if len(seen) != 3 {
		t.Errorf("ports %v are chosen towards a leaf that has told nothing", seen)
	}
	for tag, value := range []uint8{6, 7, 6} {
		l.hear(10, 0, uint8(tag), value)
	}
	for range 50 {
		l.s.conga.leave(l.now, 3, &core.Packet{Size: 9000, Prio: 3})
	}
	if got := l.s.portFor(t, l.now.Add(2*core.Microsecond), p); got != 1 {
		t.Errorf("port %d is chosen although port 3 is congested and port 1 less so", got)
	}
}

// Leaf 0 is one as others are, and a packet that tells nothing changes nothing of what is known.
func TestLeafZero(t *testing.T) {
	l := newLeaf(t)
	c := l.s.conga
	c.own = 1
	for id := range 10 {
		c.leaf[id], c.leaf[10+id] = 1, 0
	}
	route := func(p *core.Packet) (tag, value uint8, ok bool) {
		l.route(p)
		return congaHeader(p.Fabric).told()
	}
	route(&core.Packet{Src: 12, Dst: 3, Prio: 3, Fabric: uint16(congaHeader(1).meet(5).tell(0, 4))})
	route(&core.Packet{Src: 12, Dst: 3, Prio: 3, Fabric: uint16(congaHeader(1).meet(5))})
	if tag, value, ok := route(&core.Packet{Src: 3, Dst: 12, Prio: 3}); !ok || tag != 1 || value != 5 {
		t.Errorf("leaf 0 is told %d of path %d, %v", value, tag, ok)
	}
	if got := c.others[0].to[0].value; got != 4 {
		t.Errorf("leaf 0 has told 4 of path 0, and %d is known", got)
	}
}

// A flow keeps a port as good as others also if it is the switch's first one.
func TestFirstPortIsKept(t *testing.T) {
	l := newLeaf(t)
	l.s.cfg.Router, l.s.conga.dres[0].full = uplinks{0, 1, 2}, 1000
	seen := map[uint16]int{}
	for i := range uint16(50) {
		p := &core.Packet{Src: 1, Dst: 10, Prio: 3, SrcPort: i}
		if was := l.route(p); was != l.route(p) {
			t.Errorf("a flow leaves port %d", was)
		} else {
			seen[was]++
		}
	}
	if len(seen) != 3 {
		t.Errorf("ports %v are chosen", seen)
	}
}

// A leaf may have 16 links to other switches; others may have more.
func TestManyUplinks(t *testing.T) {
	for _, c := range []struct {
		id    core.NodeID
		links int
	}{{7, 16}, {8, 17}} {
		cfg := balanced(CONGA, uplinks{1}, nil).cfg
		cfg.ID, cfg.Ports, cfg.Balance.Leaves[8] = c.id, make([]PortConfig, c.links), -1
		seen := map[uint8]bool{}
		for _, tag := range newConga(&cfg).tags {
			seen[tag] = true
		}
		if len(seen) != c.links {
			t.Errorf("%d links have %d numbers", c.links, len(seen))
		}
	}
}

// A path that was congested is tried again when nothing has been told of it for long.
func TestOldCongestionIsForgotten(t *testing.T) {
	l := newLeaf(t)
	l.s.cfg.Router = uplinks{1, 2}
	l.hear(10, 0, 0, 3)
	l.hear(10, 0, 1, 5)
	p := &core.Packet{Src: 1, Dst: 10, Prio: 3}
	for told := l.now; l.now < told.Add(200*core.Millisecond); {
		if l.now.Sub(told) < 100*core.Millisecond {
			l.hear(10, 0, 0, 3) // port 2 has 5, 4, 3 and then less
		}
		got := l.route(p)
		if age := l.now.Sub(told); (got == 2) != (age >= 30*core.Millisecond) {
			t.Fatalf("after %v port %d is chosen", age, got)
		}
	}
}

// A packet names the link by which it leaves, has met nothing yet, and tells what packets of the other direction have met.
// Links raise what it has met to what they measure.
func TestPacketsCarryCongestion(t *testing.T) {
	l := newLeaf(t)
	p := &core.Packet{Src: 1, Dst: 10, Prio: 3, Size: 1000, Fabric: 0xffff}
	out := l.route(p)
	tag, met := congaHeader(p.Fabric).path()
	if _, _, ok := congaHeader(p.Fabric).told(); uint16(tag) != out-1 || met != 0 || ok {
		t.Errorf("by port %d a packet leaves with path %d and congestion %d, feedback %v", out, tag, met, ok)
	}
	for _, c := range []struct{ sent, want uint8 }{{0, 0}, {3, 3}, {1, 3}, {9, 7}} { // eighths of the rate
		d := &l.s.conga.dres[2]
		d.decay(l.now)
		d.bytes = int64(c.sent) * int64(d.full) / 8
		if l.s.conga.leave(l.now, 2, p); congaHeader(p.Fabric)>>4&7 != congaHeader(c.want) {
			t.Errorf("after a link with %d eighths a packet has %x, want %d", c.sent, p.Fabric, c.want)
		}
	}
	l.s.conga.leave(l.now, 0, p)
	if l.s.conga.dres[0].bytes != 0 {
		t.Error("a link to a host counts what it sends")
	}
	l.route(&core.Packet{Src: 2, Dst: 1, Prio: 3, Fabric: 0xffff})
	l.route(&core.Packet{Src: 12, Dst: 1, Prio: 3, Fabric: uint16(congaHeader(11).meet(5))})
	if c := l.s.conga; c.others[0] != nil {
		t.Error("the leaf has heard packets between its own hosts")
	}
	for i := range 3 {
		l.route(p)
		if tag, value, ok := congaHeader(p.Fabric).told(); !ok || tag != 11 || value != 5 {
			t.Errorf("packet %d tells %d of path %d, %v", i, value, tag, ok)
		}
	}
	p.Dst = 20
	if l.route(p); p.Fabric>>8 != 0 {
		t.Errorf("another leaf is told %x", p.Fabric>>8)
	}
}

// Packets of class 0, such as acknowledgements where switches trim, carry values as others do, and count as traffic.
func TestControlPacketsCarryCongestion(t *testing.T) {
	l := newLeaf(t)
	l.route(&core.Packet{Src: 12, Dst: 1, Fabric: uint16(congaHeader(11).meet(5))})
	p := &core.Packet{Src: 1, Dst: 10, Size: 1000, Fabric: 0xffff}
	out := int(l.route(p))
	if tag, value, ok := congaHeader(p.Fabric).told(); !ok || tag != 11 || value != 5 {
		t.Errorf("a packet tells %d of path %d, %v", value, tag, ok)
	}
	d := &l.s.conga.dres[out]
	d.bytes = 3*int64(d.full)/8 - 1000
	for _, arrives := range []bool{true, false} { // to an idle port, and from a queue
		before := d.bytes
		turn := &core.Turn{Instant: core.Instant{Now: l.now}}
		if arrives {
			l.s.cutThrough(turn, &l.s.ports[out], out, p)
		} else {
			l.s.start(turn, &l.s.ports[out], out, p)
		}
		if _, met := congaHeader(p.Fabric).path(); met != 3 || d.bytes != before+1000 {
			t.Errorf("a packet has met %d, and counts %d bytes", met, d.bytes-before)
		}
	}
}

// A switch that is no leaf of a packet's ends chooses by hash, and leaves alone what the packet carries.
func TestOtherSwitchesHash(t *testing.T) {
	l := newLeaf(t)
	hash := balanced(ECMP, uplinks{1, 2, 3}, nil)
	for i := range uint16(100) {
		p := &core.Packet{Src: 20, Dst: 10, Prio: 3, SrcPort: i, Fabric: 0x1234}
		if got, want := l.route(p), hash.portFor(t, 0, p); got != want || p.Fabric != 0x1234 {
			t.Errorf("port %d, want %d; the packet carries %x", got, want, p.Fabric)
		}
	}
	l.s.conga.leaf[21] = -1 // a spine: what it sends itself, or another one does
	for _, c := range []struct {
		own      int32
		src, dst core.NodeID
	}{{-1, 21, 10}, {-1, 10, 21}, {0, 21, 1}, {0, 1, 21}} {
		l.s.conga.own = c.own
		p := &core.Packet{Src: c.src, Dst: c.dst, Prio: 3, Fabric: 0x1234}
		if got, want := l.route(p), hash.portFor(t, 0, p); got != want || p.Fabric != 0x1234 {
			t.Errorf("from %d: port %d, want %d; the packet carries %x", p.Src, got, want, p.Fabric)
		}
	}
	if len(l.s.conga.others) != 0 {
		t.Error("the switch has heard packets between other leaves")
	}
}
