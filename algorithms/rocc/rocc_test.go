package rocc

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

// Check cases 15.1, 15.2, 15.3 and 15.4: the fair rate at 40 Gb/s, in units of 10 Mb/s and 600 B (Taheri et
// al., CoNEXT 2020): a step, the lowest rate, half the rate, a step with finer gains.
func TestCheckCases(t *testing.T) {
	p := Defaults()
	for _, c := range []struct {
		name                   string
		rate, queue, old, want float64
	}{
		{"step", 4000, 333, 166, 3724.6},
		{"lowest", 4000, 600, 0, 10},
		{"half", 3000, 550, 20, 1500},
		{"finer step", 500, 260, 250, 495.5},
		{"slow flows are not halved", 400, 550, 20, 400 - .3/8*300 - 1.5/8*530},
		{"slow flows do not go lowest", 400, 600, 600, 400 - .3/8*350},
		{"the least queue that sets the lowest rate", 501, 600, 0, 10},
		{"the least growth that halves the rate", 501, 550, 50, 250.5},
		{"a long queue that grows by less", 3000, 550, 51, 3000 - .3*300 - 1.5*499},
		{"the greatest rate that neither does", 500, 600, 600, 500 - .3/4*350},
		{"below the queue aimed at", 3000, 100, 100, 3045},
		{"never above the line", 3990, 0, 0, 4000},
	} {
		f := newFair(&p, 40*core.Gbps)
		f.rate, f.old = c.rate, c.old
		if f.next(c.queue); math.Abs(f.rate-c.want) > 1e-9 || f.old != c.queue {
			t.Errorf("%s: %v, want %v", c.name, f.rate, c.want)
		}
	}
}

func TestTuning(t *testing.T) {
	p := Defaults()
	f := newFair(&p, 40*core.Gbps)
	for rate, want := range map[float64]float64{4000: 1, 2000: 1, 1999: 2, 1000: 2, 500: 4, 499: 8, 63: 32, 10: 32} {
		if f.rate = rate; f.tuning() != want {
			t.Errorf("F = %v: gains divided by %v, want %v", rate, f.tuning(), want)
		}
	}
}

// The thresholds of the paper's three link rates, and those of a faster one.
func TestLinkSpeeds(t *testing.T) {
	p := Defaults()
	for line, want := range map[core.Rate][4]float64{
		10 * core.Gbps:  {1000, 75_000, 150_000, 210_000},
		40 * core.Gbps:  {4000, 150_000, 300_000, 360_000},
		100 * core.Gbps: {10_000, 300_000, 600_000, 660_000},
		400 * core.Gbps: {40_000, 1_050_000, 2_100_000, 2_160_000},
	} {
		f := newFair(&p, line)
		if got := [4]float64{f.high, f.ref * queueUnit, f.mid * queueUnit, f.most * queueUnit}; got != want {
			t.Errorf("%v: %v, want %v", line, got, want)
		}
	}
	p.QRef = 90_000
	if f := newFair(&p, 40*core.Gbps); f.ref != 150 || f.mid != 300 || f.most != 400 {
		t.Errorf("q_ref = 90 KB: %+v, want the others to follow", f)
	}
	p.QRef = 1 << 62
	if f := newFair(&p, 40*core.Gbps); f.mid != 2*f.ref || f.most < f.mid {
		t.Errorf("q_ref = 2^62 B: %+v, want the others to follow", f)
	}
}

// The gains are those for 40 Gb/s up to that rate, and those for 100 Gb/s above; a link that is no faster than min_rate
// is not controlled.
func TestGainsAndLowestRate(t *testing.T) {
	p := Defaults()
	for line, want := range map[core.Rate][3]float64{
		50 * core.Mbps: {5, 0.3, 1.5}, 100 * core.Mbps: {10, 0.3, 1.5}, 40 * core.Gbps: {10, 0.3, 1.5},
		40*core.Gbps + 1: {10, 0.45, 2.25}, 100 * core.Gbps: {10, 0.45, 2.25},
	} {
		f := newFair(&p, line)
		if got := [3]float64{f.low, f.alpha, f.beta}; got != want {
			t.Errorf("%v: Fmin, alpha and beta are %v, want %v", line, got, want)
		}
		if f.next(f.most); f.rate != f.low {
			t.Errorf("%v: with a queue of q_max the rate is %v, want %v", line, f.rate, f.low)
		}
	}
}

// port is a marker of 40 Gb/s that is shown packets of one flow each.
type port struct {
	marker
	mark algorithms.Mark
}

func newPort() *port {
	p := Defaults()
	m := &port{marker: marker{p: &p}}
	m.Start(0, &algorithms.Port{Node: 3, Port: 2, Line: 40 * core.Gbps})
	return m
}

func (m *port) see(at core.Duration, flow int32, enqueue bool, queue core.Bytes) []algorithms.Notice {
	m.mark.Reset()
	m.Step(&algorithms.Sight{
		Now: core.Time(at), Own: true, Enqueue: enqueue, Queue: queue,
		Packet: &core.Packet{Kind: core.Data, Src: core.NodeID(flow), SrcQP: 10 + flow, Size: 1000},
	}, &m.mark)
	return m.mark.Others
}

// A period ends with the queue that the last packet before its end left, whenever the next packet
// comes, and all flows of the table are notified.
func TestPeriods(t *testing.T) {
	m := newPort()
	m.see(1*us, 1, true, 0)
	m.see(2*us, 2, true, 199_000)       // 200 KB are 333.3 units
	got := m.see(41*us, 3, true, 1_000) // not part of the first period
	f := newPort().fair
	f.next(200_000. / queueUnit)
	if m.fair.rate != f.rate || len(got) != 2 {
		t.Fatalf("rate %v, want %v; notices %+v", m.fair.rate, f.rate, got)
	}
	for i, n := range got {
		name, rate := decode(n.Feedback)
		if n.To != core.NodeID(i+1) || n.QP != int32(11+i) || name != pointName(3, 2) || rate != core.Rate(f.rate)*rateUnit {
			t.Errorf("%+v: from %d, rate %v", n, name, rate)
		}
	}
	if got := m.see(60*us, 1, false, 0); len(got) != 0 {
		t.Errorf("notices within a period: %+v", got)
	}
}

// A period that ends before the packet that empties the queue leaves had the queue that was there until then.
func TestPacketThatEmptiesTheQueue(t *testing.T) {
	m := newPort()
	m.see(1*us, 1, true, 199_000)
	m.see(41*us, 1, false, 0)
	f := newPort().fair
	if f.next(200_000. / queueUnit); m.fair != f {
		t.Errorf("fair rate %+v, want %+v", m.fair, f)
	}
	m.see(81*us, 1, false, 5000)
	if f.next(0); m.fair != f {
		t.Errorf("after a period without a queue: %+v, want %+v", m.fair, f)
	}
}

// Packets of other schemes make the queue longer; their flows are told nothing.
func TestOthers(t *testing.T) {
	m := newPort()
	m.see(1*us, 1, true, 200_000)
	m.Step(&algorithms.Sight{
		Now: core.Time(2 * us), Enqueue: true, Queue: 400_000, Packet: &core.Packet{Src: 2, SrcQP: 12, Size: 1000},
	}, &m.mark)
	f := newPort().fair
	if got := m.told(41 * us); !slices.Equal(got, []core.NodeID{1}) {
		t.Errorf("told: %v, want 1 alone", got)
	}
	if f.next(401_000. / queueUnit); m.fair != f {
		t.Errorf("fair rate %+v, want %+v", m.fair, f)
	}
}

// told returns the nodes notified of the period that ended before at.
func (m *port) told(at core.Duration) (nodes []core.NodeID) {
	for _, n := range m.see(at, 99, false, 400_000) {
		nodes = append(nodes, n.To)
	}
	return nodes
}

// The flow table holds the flows with packets in the queue (section 3.4, the first kind).
func TestQueuedFlows(t *testing.T) {
	m := newPort()
	for _, flow := range []int32{1, 2, 2, 3} {
		m.see(1*us, flow, true, 400_000)
	}
	for _, flow := range []int32{1, 2} {
		m.see(2*us, flow, false, 400_000)
	}
	if got := m.told(41 * us); !slices.Equal(got, []core.NodeID{3, 2}) {
		t.Errorf("told: %v, want 3 and 2, of which a packet waits", got)
	}
	m.Clear(core.Time(45 * us))
	m.see(50*us, 4, true, 400)
	if got := m.told(81 * us); !slices.Equal(got, []core.NodeID{4}) {
		t.Errorf("told: %v, want 4 alone", got)
	}
	m.fair.rate, m.fair.old = m.fair.high, 1
	m.see(82*us, 4, false, 0)
	m.see(83*us, 5, true, 1000)
	if got := m.told(121 * us); got != nil || m.fair.rate != m.fair.high {
		t.Errorf("told: %v, rate %v, want nobody: the rate is the line's", got, m.fair.rate)
	}
}

// With a time-out it holds those that have sent a packet recently (the second kind).
func TestAgedFlows(t *testing.T) {
	m := newPort()
	m.p.FlowTimeout = 60 * us
	m.Start(0, &algorithms.Port{Line: 40 * core.Gbps})
	m.see(20*us, 1, true, 400_000)
	m.see(25*us, 2, true, 0)
	m.see(31*us, 1, false, 400_000)
	m.see(32*us, 2, false, 400_000)
	if got := m.told(41 * us); !slices.Equal(got, []core.NodeID{1, 2}) {
		t.Errorf("told: %v, want 1 and 2", got)
	}
	if got := m.told(81 * us); !slices.Equal(got, []core.NodeID{2}) {
		t.Errorf("told: %v, want 2, as 1 is silent for 61 us", got)
	}
}

// A notification has room for the fair rates of the fastest links, and for the names of its ports.
func TestNotification(t *testing.T) {
	for _, want := range []core.Rate{100 * core.Mbps, 655_360 * core.Mbps, 1600*core.Gbps - rateUnit} {
		for _, point := range []uint32{0, 1<<nameBits - 1} {
			if name, rate := decode(encode(point, float64(want/rateUnit))); name != point || rate != want {
				t.Errorf("point %d, rate %v: read as %d, %v", point, want, name, rate)
			}
		}
	}
	if _, rate := decode(encode(1, 1e6)); rate != (1<<rateBits-1)*rateUnit {
		t.Errorf("a rate beyond the field is read as %v", rate)
	}
	names := make(map[uint32]bool)
	for node := range core.NodeID(40) {
		for port := range 100 {
			names[pointName(1000+node, port)] = true
		}
	}
	if len(names) < 3300 { // 3550 is the mean if names are drawn at random
		t.Errorf("4000 congestion points have %d names", len(names))
	}
}

// A packet at the instant at which a period ends is not part of it.
func TestEndOfAPeriod(t *testing.T) {
	m := newPort()
	m.see(39*us, 1, true, 399_000)
	m.see(40*us, 2, true, 400_000)
	f := newPort().fair
	f.next(400_000. / queueUnit)
	if m.fair != f || m.due != core.Time(80*us) {
		t.Errorf("fair rate %+v, due %v; want %+v, due 80us", m.fair, m.due, f)
	}
}

// Many periods at once have the same effect as one by one, also with a queue that a pause keeps
// constant.
func TestIdlePeriods(t *testing.T) {
	for _, queue := range []core.Bytes{0, 1_000, 149_400, 150_000, 200_000} {
		lazy, eager := newPort(), newPort()
		see := func(m *port, at core.Duration) { m.see(at, 2, false, queue) }
		for _, m := range []*port{lazy, eager} {
			m.see(1*us, 1, true, 500_000)
			see(m, 50*us)
		}
		for d := 90 * us; d <= 5*core.Millisecond; d += 40 * us {
			see(eager, d)
		}
		for _, at := range []core.Duration{5 * core.Millisecond, core.Second} {
			see(lazy, at)
			see(eager, at)
			if lazy.fair != eager.fair || lazy.due != eager.due {
				t.Errorf("queue %v: at once %+v, due %v; one by one %+v, due %v", queue, lazy.fair, lazy.due, eager.fair, eager.due)
			}
		}
		if queue == 0 && (lazy.fair.rate != 4000 || lazy.due != core.Time(core.Second+40*us)) {
			t.Errorf("after a second: rate %v, due %v", lazy.fair.rate, lazy.due)
		}
	}
}

// A queue that a failed link has lost counts up to then, and not after it; one that stands still does, though no packet
// tells. A frame may be ahead of the first packet.
func TestLostQueue(t *testing.T) {
	m := newPort()
	m.see(us, 1, true, 300_000)
	m.Clear(core.Time(30 * us))
	if told := m.see(core.Second, 1, true, 64); m.fair.rate != 4000 || len(told) != 0 {
		t.Errorf("a second after a queue that was lost: rate %v, %d flows notified; want 4000, 0", m.fair.rate, len(told))
	}
	m = newPort()
	m.see(us, 1, true, 400_000)
	m.Clear(core.Time(42 * us))
	if m.see(43*us, 1, true, 0); m.fair.rate != m.fair.low {
		t.Errorf("a microsecond after a queue that was lost: rate %v, want the lowest", m.fair.rate)
	}
}

// A period that ends before its queue is lost is told to the flows of an aged table by the next packet.
func TestPeriodBeforeALoss(t *testing.T) {
	m := newPort()
	m.p.FlowTimeout = core.Millisecond
	m.flows.reset(core.Millisecond)
	m.see(us, 1, true, 400_000)
	m.Clear(core.Time(42 * us))
	if told := m.see(43*us, 2, true, 0); len(told) != 1 || told[0].To != 1 {
		t.Errorf("told %+v, want flow 1", told)
	}
}

// Values that are set are used, and the others follow the paper's choice for the line, given those
// that are set.
func TestGivenValues(t *testing.T) {
	for _, c := range []struct {
		change func(*Params)
		want   [5]float64 // qref, qmid and qmax in 600 B, alpha, beta
	}{
		{func(*Params) {}, [5]float64{250, 500, 600, 0.3, 1.5}},
		{func(p *Params) { p.QRef = 60_000 }, [5]float64{100, 200, 300, 0.3, 1.5}},
		{func(p *Params) { p.QMid = 90_000 }, [5]float64{250, 150, 250, 0.3, 1.5}},
		{func(p *Params) { p.QMax, p.Alpha = 900_000, 0.1 }, [5]float64{250, 500, 1500, 0.1, 1.5}},
		{func(p *Params) { p.Beta = 3 }, [5]float64{250, 500, 600, 0.3, 3}},
	} {
		p := Defaults()
		c.change(&p)
		f := newFair(&p, 40*core.Gbps)
		if got := [5]float64{f.ref, f.mid, f.most, f.alpha, f.beta}; got != c.want {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}

// At the lowest and the highest rate the queue decides whether more periods like it change anything; periods are
// skipped only then.
func TestSettled(t *testing.T) {
	p := Defaults()
	for _, queue := range []float64{0, 1, 100, 249, 250, 251, 500, 1000} {
		for _, highest := range []bool{false, true} {
			f := newFair(&p, 40*core.Gbps) // it aims at a queue of 250
			if f.old = queue; !highest {
				f.rate = f.low
			}
			next := f
			if next.next(queue); f.settled(queue) != (next == f) {
				t.Errorf("queue %v, rate %v: settled %v, and the next rate is %v", queue, f.rate, f.settled(queue), next.rate)
			}
			if f.settled(queue + 1) {
				t.Errorf("queue %v, then another: settled", queue)
			}
		}
	}
}

// The reaction point: lower rates are always accepted, higher ones only from the same congestion
// point; silence doubles the rate, until there is no limit at all.
func TestReactionPoint(t *testing.T) {
	scheme := algotest.Make(t, New, Defaults())
	s, c := scheme.NewSender(), new(algorithms.Control)
	s.Start(0, &algorithms.Flow{Line: 40 * core.Gbps}, c)
	for i, step := range []struct {
		at   core.Duration
		from uint32 // 0: the timer
		rate float64
		want core.Rate
		wake core.Duration // 0: never
	}{
		{10 * us, 1, 500, 5 * core.Gbps, 210 * us},
		{20 * us, 2, 600, 5 * core.Gbps, 210 * us},
		{30 * us, 1, 600, 6 * core.Gbps, 230 * us},
		{35 * us, 2, 600, 6 * core.Gbps, 235 * us},
		{36 * us, 1, 610, 6 * core.Gbps, 235 * us},
		{40 * us, 2, 550, 5500 * core.Mbps, 240 * us},
		{50 * us, 1, 580, 5500 * core.Mbps, 240 * us},
		{239 * us, 0, 0, 5500 * core.Mbps, 240 * us},
		{240 * us, 0, 0, 11 * core.Gbps, 440 * us},
		{440 * us, 0, 0, 22 * core.Gbps, 640 * us},
		{640 * us, 0, 0, 40 * core.Gbps, 0},
		{650 * us, 2, 3000, 30 * core.Gbps, 850 * us},
		{660 * us, 2, 5000, 40 * core.Gbps, 0},
	} {
		sig := algorithms.Signal{Instant: core.Instant{Now: core.Time(step.at)}, Kind: algorithms.Timer}
		if step.from != 0 {
			sig.Kind, sig.Feedback = algorithms.Switch, encode(step.from, step.rate)
		}
		s.Step(&sig, c)
		wake := core.Time(step.wake)
		if step.wake == 0 {
			wake = core.Never
		}
		if c.Rate != step.want || c.Wake != wake {
			t.Errorf("step %d: rate %v, wake %v; want %v, %v", i, c.Rate, c.Wake, step.want, wake)
		}
	}
}
