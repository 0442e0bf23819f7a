package tcp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// acks runs a receiver over packets of one queue pair, marked or not, and lists the ACKs: packet
// and echo, a timer at the end.
func acks(form string, marks ...bool) (list []int) {
	p := DCTCPDefaults()
	p.AckForm = form
	e, r := &echoes{p: &p}, new(algorithms.Reply)
	e.Start(0, nil, r)
	held := 0 // packet + 100 if marked
	name := func(i int, ce bool) int {
		if ce {
			return i + 100
		}
		return i
	}
	for i, ce := range marks {
		*r = algorithms.Reply{Wake: r.Wake}
		e.Step(&algorithms.Arrival{QP: 3, CE: ce, Packet: core.Packet{Flags: core.ECT}}, r)
		if r.Release && r.QP == 3 {
			list = append(list, held)
		}
		if held = name(i+1, ce); !r.Hold {
			list = append(list, held)
		}
	}
	for now := r.Wake; now != core.Never; now = r.Wake {
		*r = algorithms.Reply{Wake: r.Wake}
		e.Step(&algorithms.Arrival{Instant: core.Instant{Now: now}, Timer: true}, r)
		if r.Release && r.QP == 3 {
			list = append(list, held)
		}
	}
	return list
}

// Check case 6.4: the ACKs of the receiver (RFC 8257, section 3.2), +100 with the echo.
func TestDCTCPCheckCase4Echoes(t *testing.T) {
	for _, c := range []struct {
		form  string
		marks []bool
		want  []int
	}{
		{"two", []bool{false, true}, []int{1, 102}},
		{"two", []bool{false, false, true, true}, []int{2, 103, 104}},
		{"two", []bool{false, false, true, true, true}, []int{2, 103, 105}},
		{"two", []bool{false, true, false, true}, []int{1, 102, 3, 104}},
		{"two", []bool{true, true, true, false}, []int{101, 103, 4}},
		{"one", []bool{false, true}, []int{102}},
		{"two", []bool{false}, []int{1}},
	} {
		if got := acks(c.form, c.marks...); !slices.Equal(got, c.want) {
			t.Errorf("%s, marks %v: ACKs %v, want %v", c.form, c.marks, got, c.want)
		}
	}
}

// Of many queue pairs the one with the earliest deadline is acknowledged, without a look at the others; a queue pair's
// deadlines are forgotten with it.
func TestEchoesByDeadline(t *testing.T) {
	p := DCTCPDefaults()
	e, r := &echoes{p: &p}, new(algorithms.Reply)
	e.Start(0, nil, r)
	rng := rand.New(rand.NewPCG(1, 2))
	released := 0
	for now := core.Time(0); now < core.Time(20_000*us); now = now.Add(core.Duration(1+rng.IntN(2000)) * core.Nanosecond) {
		for r.Wake <= now {
			wake, first := r.Wake, core.Never
			for _, q := range e.pairs {
				if q.waiting > 0 {
					first = min(first, q.due)
				}
			}
			*r = algorithms.Reply{Wake: wake}
			e.Step(&algorithms.Arrival{Instant: core.Instant{Now: wake}, Timer: true}, r)
			if r.Release != (first <= wake) || r.Release && e.pairs[r.QP].due != first {
				t.Fatalf("at %v: %+v, the first deadline is %v", wake, r, first)
			}
			if r.Release {
				released++
			}
		}
		*r = algorithms.Reply{Wake: r.Wake}
		e.Step(&algorithms.Arrival{Instant: core.Instant{Now: now}, QP: int32(rng.IntN(100)), CE: rng.IntN(3) == 0}, r)
	}
	if most := 2 * int(p.AckDelay/us); released < 1000 || e.held.Len() > most {
		t.Errorf("%d timers released an ACK; %d deadlines are remembered, of about %d packets", released, e.held.Len(), most/2)
	}
}

// Each queue pair waits by itself, and the last packet of a flow does not wait.
func TestEchoesOfSeveralFlows(t *testing.T) {
	p := DCTCPDefaults()
	e, r := &echoes{p: &p}, new(algorithms.Reply)
	e.Start(0, nil, r)
	step := func(a algorithms.Arrival) algorithms.Reply {
		*r = algorithms.Reply{Wake: r.Wake}
		e.Step(&a, r)
		return *r
	}
	at := func(d core.Duration) core.Instant { return core.Instant{Now: core.Time(d)} }
	step(algorithms.Arrival{Instant: at(0), QP: 0})
	step(algorithms.Arrival{Instant: at(0), QP: 1})
	step(algorithms.Arrival{Instant: at(30 * us), QP: 2})
	if got := step(algorithms.Arrival{Instant: at(40 * us), QP: 3, Packet: core.Packet{Flags: core.Last}}); got.Hold {
		t.Error("the last packet of a flow waits")
	}
	for _, want := range []struct {
		qp   int32
		wake core.Duration
	}{{0, 100 * us}, {1, 130 * us}} {
		got := step(algorithms.Arrival{Instant: at(100 * us), Timer: true})
		if !got.Release || got.QP != want.qp || got.Wake != core.Time(want.wake) {
			t.Errorf("at 100 us: %+v, want the ACK of queue pair %d and wake at %v", got, want.qp, want.wake)
		}
	}
	if got := step(algorithms.Arrival{Instant: at(130 * us), Timer: true}); !got.Release || got.QP != 2 || got.Wake != core.Never {
		t.Errorf("at 130 us: %+v", got)
	}
}

// The deadline is that of the first packet that waits.
func TestEchoesOfThree(t *testing.T) {
	p := DCTCPDefaults()
	p.AckEvery = 3
	e, r := &echoes{p: &p}, new(algorithms.Reply)
	e.Start(0, nil, r)
	for _, at := range []core.Duration{0, 30 * us} {
		*r = algorithms.Reply{Wake: r.Wake}
		if e.Step(&algorithms.Arrival{Instant: core.Instant{Now: core.Time(at)}}, r); !r.Hold || r.Wake != core.Time(100*us) {
			t.Errorf("packet at %v: %+v, want it to wait until 100us", at, r)
		}
	}
	*r = algorithms.Reply{Wake: r.Wake}
	if e.Step(&algorithms.Arrival{Instant: core.Instant{Now: r.Wake}, Timer: true}, r); !r.Release || r.Wake != core.Never {
		t.Errorf("at 100us: %+v, want their ACK", r)
	}
}
