package dcqcnplus

import (
	"math"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/algorithms/algotest"
	"github.com/qbb-sim/qbb/core"
)

const us = core.Microsecond

// port is a notification point under test, served as a NIC would.
type port struct {
	*receiver
	reply algorithms.Reply
	sent  []cnp
}

// cnp is a CNP that the port has sent.
type cnp struct {
	at  core.Duration
	qp  int32
	tau core.Duration
}

func newPort(t testing.TB, change func(*Params)) *port {
	t.Helper()
	p := Defaults()
	if change != nil {
		change(&p)
	}
	s := algotest.Make(t, New, p)
	pt := &port{receiver: s.NewReceiver().(*receiver)}
	pt.Start(0, &algorithms.Port{}, &pt.reply)
	return pt
}

func (p *port) step(a algorithms.Arrival) {
	p.reply.Send = false
	p.Step(&a, &p.reply)
	if p.reply.Send {
		p.sent = append(p.sent, cnp{core.Duration(a.Now), p.reply.QP, core.Duration(p.reply.Aux)})
	}
}

// serve runs the timer up to a time.
func (p *port) serve(until core.Duration) {
	for p.reply.Wake <= core.Time(until) {
		p.step(algorithms.Arrival{Instant: core.Instant{Now: p.reply.Wake, Born: core.Never}, Timer: true})
	}
}

func (p *port) mark(at core.Duration, qps ...int32) {
	p.serve(at)
	for _, qp := range qps {
		p.step(algorithms.Arrival{Instant: core.Instant{Now: core.Time(at), Born: core.Never}, QP: qp, CE: true, Bytes: 1000})
	}
}

// Check case 5.1: with 100 flows pending, CNPs carry tau = 100 us and serve one flow after the other, one per us
// (DCQCN+, section 4.2).
func TestCheck5_1_HundredFlows(t *testing.T) {
	p := newPort(t, nil)
	for qp := range int32(100) {
		p.mark(0, qp)
	}
	p.serve(99 * us)
	if len(p.sent) != 100 {
		t.Fatalf("%d CNPs in 100 us, want 100", len(p.sent))
	}
	for i, c := range p.sent[1:] { // the first went when its flow was alone
		if want := (cnp{core.Duration(i+1) * us, int32(i + 1), 100 * us}); c != want {
			t.Fatalf("CNP %d: %+v, want %+v", i+1, c, want)
		}
	}
}

// Three flows: tau = 3 us, and each flow gets a CNP every 48 us, when the cursor first comes round
// more than 45 us after its last.
func TestHold(t *testing.T) {
	p := newPort(t, nil)
	for i := range core.Duration(100) {
		p.mark(i*us, 1, 2, 3)
	}
	want := []cnp{{0, 1, us}, {1 * us, 2, 3 * us}, {2 * us, 3, 3 * us},
		{48 * us, 1, 3 * us}, {49 * us, 2, 3 * us}, {50 * us, 3, 3 * us},
		{96 * us, 1, 3 * us}, {97 * us, 2, 3 * us}, {98 * us, 3, 3 * us}}
	if !slices.Equal(p.sent, want) {
		t.Errorf("got %v, want %v", p.sent, want)
	}
}

// A flow that is no longer marked is forgotten 200 us after its last CNP; tau falls, and the port
// becomes idle.
func TestForget(t *testing.T) {
	p := newPort(t, nil)
	p.mark(0, 1, 2)
	p.serve(190 * us)
	if len(p.flows) != 2 {
		t.Fatalf("%d flows after 190 us, want 2", len(p.flows))
	}
	p.mark(190*us, 2)
	p.serve(250 * us)
	if len(p.flows) != 1 || p.flows[0].qp != 2 {
		t.Fatalf("flows after 250 us: %+v, want flow 2", p.flows)
	}
	p.mark(260*us, 2)
	p.serve(261 * us)
	if last := p.sent[len(p.sent)-1]; last.tau != us || last.qp != 2 {
		t.Errorf("last CNP %+v, want tau 1us for flow 2", last)
	}
	p.serve(core.Second)
	if len(p.flows) != 0 || p.reply.Wake != core.Never || p.slots[1] != 0 || p.slots[2] != 0 {
		t.Errorf("after a second: %d flows, wake at %v", len(p.flows), p.reply.Wake)
	}
}

// A ConnectX-5 makes three CNPs per us: tau is a third of the number of flows.
func TestFasterGenerator(t *testing.T) {
	p := newPort(t, func(p *Params) { p.CNPGap = us / 3 })
	p.mark(0, 1, 2, 3, 4, 5, 6)
	p.serve(10 * us)
	last := p.sent[len(p.sent)-1]
	if len(p.sent) != 6 || last.tau != 6*(us/3) || last.at != 5*(us/3) {
		t.Errorf("%v, want six CNPs in 1.67 us, the last with tau 2 us", p.sent)
	}
}

// The first CNP of a flow does not wait for cnp_hold, however long that is; there is no second one before its end.
func TestLongestHold(t *testing.T) {
	for _, hold := range []core.Duration{core.Second, math.MaxInt64} {
		p := newPort(t, func(p *Params) { p.CNPHold, p.FlowHold = hold, math.MaxInt64 })
		for at := core.Duration(0); at < 100*us; at += us {
			p.mark(at, 1)
		}
		if !slices.Equal(p.sent, []cnp{{0, 1, us}}) {
			t.Errorf("cnp_hold=%v: sent %v, want one, at once", hold, p.sent)
		}
	}
}
