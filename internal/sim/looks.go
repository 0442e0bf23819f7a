package sim

import (
	"slices"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
)

// Reaction sums up the answers of a scheme that were seen at the end of its flows and whenever
// LookAtFlows was called.
type Reaction struct {
	Flows   int // that ended
	Changed int // of them, with another rate, window or gap than at their start
	Looks   int // at running flows
	Lowest  core.Rate
	AtRate  int // looks that found the lowest rate, and less than half the flow's first one
	Least   core.Bytes
	AtLeast int // looks that found the least window, and less than half the flow's first one
	Line    core.Rate
	Window  core.Bytes // largest at a flow's start
	Moved   int        // looks that found another rate, window or gap than at the start
	Held    int        // looks that found the host's window full, and the scheme's larger by at least a packet
}

// looking is what LookAtFlows has seen.
type looking struct {
	reactions []Reaction // by scheme
	answers   []answer   // by flow: the first one
	oldest    int        // flows before it have ended
}

// answer is what a scheme first said of a flow.
type answer struct {
	rate   core.Rate
	window core.Bytes
	gap    core.Duration
}

func answerOf(c *algorithms.Control) answer { return answer{c.Rate, c.Window, c.Gap} }

// Reactions returns what was seen so far, by scheme.
func (n *Network) Reactions() []Reaction {
	all := slices.Clone(n.reactions)
	for _, p := range n.parts {
		for i, r := range p.reactions {
			a := &all[i]
			a.Flows, a.Changed = a.Flows+r.Flows, a.Changed+r.Changed
			a.Line, a.Window = max(a.Line, r.Line), max(a.Window, r.Window)
		}
	}
	return all
}

// control returns the answer that the scheme of a flow, which has started, gave last.
func (n *Network) control(i int) algorithms.Control {
	_, _, c, _ := n.hosts[n.Setup.Flows[i].Src].Flow(n.flows[i].qp)
	return c
}

// noteStart remembers a scheme's first answer for a flow.
func (p *part) noteStart(i int) {
	n := p.n
	for len(n.answers) < len(n.flows) { // added meanwhile
		n.answers = append(n.answers, answer{})
	}
	c := n.control(i)
	n.answers[i] = answerOf(&c)
	r := &p.reactions[n.Setup.Flows[i].Scheme]
	r.Line, r.Window = max(r.Line, c.Rate), max(r.Window, c.Window)
}

// noteEnd compares the last answer with the first.
func (p *part) noteEnd(i int) {
	n := p.n
	r := &p.reactions[n.Setup.Flows[i].Scheme]
	r.Flows++
	if c := n.control(i); answerOf(&c) != n.answers[i] {
		r.Changed++
	}
}

// mostLooks bounds the flows that a look takes in.
const mostLooks = 256

// LookAtFlows samples the answers of running flows, the earliest ones.
func (n *Network) LookAtFlows() {
	for n.oldest < len(n.flows) && n.flows[n.oldest].state > running {
		n.oldest++
	}
	left := mostLooks
	for i := n.oldest; i < min(len(n.flows), n.oldest+4*mostLooks) && left > 0; i++ {
		if n.flows[i].state == running {
			n.lookAt(i)
			left--
		}
	}
}

func (n *Network) lookAt(i int) {
	c, r := n.control(i), &n.reactions[n.Setup.Flows[i].Scheme]
	r.look(answerOf(&c), n.answers[i])
	g := n.hosts[n.Setup.Flows[i].Src].FlowGauge(n.flows[i].qp)
	if c.Window != core.Unlimited && c.Window >= g.Window+n.Setup.MTU && core.Bytes(g.InFlight) >= g.Window {
		r.Held++
	}
}

// look notes the answer that a running flow has, beside its first one.
func (r *Reaction) look(now, first answer) {
	if r.Looks == 0 || now.rate < r.Lowest {
		r.Lowest, r.AtRate = now.rate, 0
	}
	if r.Looks == 0 || now.window < r.Least {
		r.Least, r.AtLeast = now.window, 0
	}
	r.Looks++
	if now.rate == r.Lowest && now.rate < first.rate/2 {
		r.AtRate++
	}
	if now.window == r.Least && now.window < first.window/2 {
		r.AtLeast++
	}
	if now != first {
		r.Moved++
	}
}
