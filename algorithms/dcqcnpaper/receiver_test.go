package dcqcnpaper

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

// sentCNP is a CNP that a receiver has sent.
type sentCNP struct {
	at core.Duration
	qp int32
}

// cnps feeds marked packets, each given as queue pair and time, to a receiver that is served
// until the end, and returns the CNPs.
func cnps(t *testing.T, change func(*Params), marked []sentCNP, end core.Duration) []sentCNP {
	t.Helper()
	p := Defaults()
	change(&p)
	s := algotest.Make(t, New, p)
	var list []sentCNP
	var reply algorithms.Reply
	n := s.NewReceiver()
	n.Start(0, &algorithms.Port{}, &reply)
	step := func(a algorithms.Arrival) {
		reply.Send = false
		n.Step(&a, &reply)
		if reply.Send {
			list = append(list, sentCNP{core.Duration(a.Now), reply.QP})
		}
	}
	serve := func(until core.Time) {
		for reply.Wake <= until {
			step(algorithms.Arrival{Instant: core.Instant{Now: reply.Wake, Born: core.Never}, Timer: true})
		}
	}
	for _, m := range marked {
		now := core.Time(m.at)
		serve(now)
		step(algorithms.Arrival{Instant: core.Instant{Now: now, Born: core.Never}, QP: m.qp, CE: true, Bytes: 1000})
		step(algorithms.Arrival{Instant: core.Instant{Now: now, Born: core.Never}, QP: 99, Bytes: 1000}) // unmarked
	}
	serve(core.Time(end))
	return list
}

const us = core.Microsecond

// every returns arrivals of a queue pair at an interval.
func every(d core.Duration, n int, qps ...int32) []sentCNP {
	var list []sentCNP
	for i := range n {
		for _, qp := range qps {
			list = append(list, sentCNP{core.Duration(i) * d, qp})
		}
	}
	return list
}

// SIGCOMM 2015, section 3.1, the notification point: a CNP at once for a first mark, then at most
// one per interval and flow, sent when the interval ends if it saw a mark.
func TestPacing(t *testing.T) {
	paper := func(*Params) {}
	for _, c := range []struct {
		name   string
		change func(*Params)
		marked []sentCNP
		want   []sentCNP
	}{
		{"one mark", paper, []sentCNP{{3 * us, 4}}, []sentCNP{{3 * us, 4}}},
		{"pending at the end of the interval", paper, []sentCNP{{0, 1}, {10 * us, 1}, {20 * us, 1}}, []sentCNP{{0, 1}, {50 * us, 1}}},
		{"idle again", paper, []sentCNP{{0, 1}, {60 * us, 1}}, []sentCNP{{0, 1}, {60 * us, 1}}},
		{"every packet", paper, every(us, 120, 1), []sentCNP{{0, 1}, {50 * us, 1}, {100 * us, 1}, {150 * us, 1}}},
		{"two flows", paper, []sentCNP{{0, 1}, {5 * us, 2}, {6 * us, 2}}, []sentCNP{{0, 1}, {5 * us, 2}, {55 * us, 2}}},
		{"together", paper, []sentCNP{{0, 1}, {0, 2}, {1 * us, 1}, {1 * us, 2}}, []sentCNP{{0, 1}, {0, 2}, {50 * us, 1}, {50 * us, 2}}},
		{"no interval", func(p *Params) { p.CNPInterval = 0 }, every(us, 3, 7), []sentCNP{{0, 7}, {1 * us, 7}, {2 * us, 7}}},
		{"delay", func(p *Params) { p.CNPDelay = 2 * us }, []sentCNP{{0, 1}, {1 * us, 2}}, []sentCNP{{2 * us, 1}, {3 * us, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cnps(t, c.change, c.marked, 200*us); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// A ConnectX-4 makes one CNP per us and a ConnectX-5 three (DCQCN+, section 6.1): flows wait their
// turn, and a flow that waits is queued only once.
func TestGenerationLimit(t *testing.T) {
	for _, c := range []struct {
		gap  core.Duration
		want int // CNPs in 10 us, both ends included
	}{{us, 11}, {us / 3, 31}, {0, 804}} {
		limit := func(p *Params) { p.CNPInterval, p.CNPGap = 0, c.gap }
		got := cnps(t, limit, every(50*core.Nanosecond, 201, 0, 1, 2, 3), 10*us)
		if len(got) != c.want {
			t.Fatalf("gap %v: %d CNPs in 10 us, want %d", c.gap, len(got), c.want)
		}
		for i := range got {
			if got[i].qp != int32(i%4) {
				t.Fatalf("gap %v: CNP %d goes to flow %d, want turns", c.gap, i, got[i].qp)
			}
			if i > 0 && got[i].at-got[i-1].at < c.gap {
				t.Fatalf("gap %v: CNPs at %v and %v", c.gap, got[i-1].at, got[i].at)
			}
		}
	}
}

// The receiver agrees with each flow's rule by itself, on random marks.
func TestPacingTwin(t *testing.T) {
	const n, flows, interval = 3000, 6, 50 * us
	r := core.NewStream(1, core.StreamMark, 1)
	var marked []sentCNP
	byFlow := make([][]core.Duration, flows)
	now := core.Duration(0)
	for range n {
		now += core.Duration(r.IntN(int(20 * us)))
		qp := r.IntN(flows)
		marked = append(marked, sentCNP{now, int32(qp)})
		byFlow[qp] = append(byFlow[qp], now)
	}
	got := make([][]core.Duration, flows)
	for _, c := range cnps(t, func(*Params) {}, marked, now+core.Second) {
		got[c.qp] = append(got[c.qp], c.at)
	}
	for qp, marks := range byFlow {
		var want []core.Duration
		for _, m := range marks {
			switch last := len(want) - 1; {
			case last < 0 || m >= want[last]+interval:
				want = append(want, m)
			case m > want[last]:
				want = append(want, want[last]+interval) // pending at the end of the interval
			}
		}
		if !slices.Equal(got[qp], want) {
			t.Errorf("flow %d: %d CNPs, want %d\n got %v\nwant %v", qp, len(got[qp]), len(want), got[qp][:10], want[:10])
		}
	}
}
