package sim_test

import (
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// chances makes every machine of a scheme draw when it starts, and counts the numbers.
type chances struct {
	algorithms.Scheme
	flows, ports, hosts map[uint64]int // how often a number occurred
}

func draw(came map[uint64]int, r core.Random) { came[uint64(r.Uint32())<<32|uint64(r.Uint32())]++ }

type drawingSender struct {
	algorithms.Sender
	of *chances
}

func (s drawingSender) Start(now core.Time, f *algorithms.Flow, c *algorithms.Control) {
	s.Sender.Start(now, f, c)
	draw(s.of.flows, f.Random)
}

// drawingPoint is a congestion point and a notification point that do nothing.
type drawingPoint struct{ came map[uint64]int }

func (m drawingPoint) Start(_ core.Time, p *algorithms.Port)  { draw(m.came, p.Random) }
func (drawingPoint) Step(*algorithms.Sight, *algorithms.Mark) {}

type drawingReceiver struct{ came map[uint64]int }

func (n drawingReceiver) Start(_ core.Time, p *algorithms.Port, r *algorithms.Reply) {
	r.Wake = core.Never
	draw(n.came, p.Random)
}
func (drawingReceiver) Step(*algorithms.Arrival, *algorithms.Reply) {}

func (c *chances) NewSender() algorithms.Sender     { return drawingSender{c.Scheme.NewSender(), c} }
func (c *chances) NewMarker() algorithms.Marker     { return drawingPoint{c.ports} }
func (c *chances) NewReceiver() algorithms.Receiver { return drawingReceiver{c.hosts} }

// In profile native every flow, port of a switch and port of a host has its own random numbers, so that none of them
// changes when another draws more; and another seed changes them all.
func TestStreamsOfTheirOwn(t *testing.T) {
	all := &chances{flows: map[uint64]int{}, ports: map[uint64]int{}, hosts: map[uint64]int{}}
	for seed := range uint64(2) {
		s := setup(t, "0,7,1000,0,\n1,7,1000,0,\n2,6,1000,0,\n7,0,1000,0,\n", "topology", "leaf-spine:leaves=4,spines=2,hosts=2")
		all.Scheme, s.Schemes[0], s.Seed = s.Schemes[0], all, seed
		n, err := sim.Build(s, nobody{})
		if err != nil {
			t.Fatal(err)
		}
		n.Step(core.Never, 1<<30)
	}
	for what, c := range map[string]struct {
		came map[uint64]int
		want int // of a network
	}{"flows": {all.flows, 4}, "ports of switches": {all.ports, 4*4 + 2*4}, "ports of hosts": {all.hosts, 8}} {
		if len(c.came) != 2*c.want {
			t.Errorf("%d %s of two networks drew %d different numbers", 2*c.want, what, len(c.came))
		}
	}
}
