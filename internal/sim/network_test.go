package sim

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// The hosts' rate is that of their slowest port, or of the first host's first port; links between switches do not
// count.
func TestHostRate(t *testing.T) {
	network := &topo.Topology{
		Kinds: []topo.Kind{topo.Switch, topo.Host, topo.Host, topo.Switch},
		Links: []topo.Link{{A: 0, B: 3, Rate: 1}, {A: 1, B: 0, Rate: 7}, {A: 2, B: 3, Rate: 5}, {A: 2, B: 0, Rate: 6}, {A: 1, B: 3, Rate: 5}},
	}
	n := &Network{Setup: &Setup{Topology: network}, wiring: wiring{ports: network.Ports()}}
	if got := n.hostRate(); got != 5 {
		t.Errorf("slowest: %v, want 5", got)
	}
	n.Setup.Profile.FirstHost = true
	if got := n.hostRate(); got != 7 {
		t.Errorf("first: %v, want 7", got)
	}
}

// A port that is faster than the hosts gets a larger share of the buffer: twice as much for twice the rate.
func TestAlphaShift(t *testing.T) {
	network, err := topo.Parse("star:n=2")
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{Setup: &Setup{Topology: network, AlphaShift: 3}, wiring: wiring{ports: network.Ports()}}
	for rate, want := range map[core.Rate]uint8{50: 3, 100: 3, 101: 2, 200: 2, 300: 1, 400: 1, 800: 0, 1600: 0} {
		pc, err := n.portConfig(2, 0, &topo.Link{Rate: rate * core.Gbps}, 100*core.Gbps)
		if err != nil || pc.Shift != want || !pc.ToHost || pc.KMin != core.Unlimited || pc.KMax != core.Unlimited {
			t.Errorf("%v Gb/s: %+v, %v, want a shift of %d and no marks", int64(rate), pc, err, want)
		}
	}
}

// A flow has moved if any of its hops has, or is new.
func TestMoved(t *testing.T) {
	network, err := topo.Parse("fat-tree:k=4")
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{Setup: &Setup{Topology: network}, wiring: wiring{ports: network.Ports()}}
	path := func(r *topo.Routes, f *Flow, srcPort uint16) (links []int) {
		p := core.Packet{Src: f.Src, Dst: f.Dst, SrcPort: srcPort, DstPort: f.DstPort}
		for node := f.Src; node != f.Dst; {
			port, ok := core.ECMPPort(r.Next(node, p.Dst), &p, node, n.Setup.ecmpSeed())
			if !ok {
				return append(links, -1)
			}
			links = append(links, n.ports[node][port].Link)
			node = n.ports[node][port].Peer
		}
		return links
	}
	up := slices.Repeat([]bool{true}, len(network.Links))
	whole := topo.NewRoutes(network, up, topo.AscendingID)
	hosts := network.Hosts()
	moved := 0
	for down := range network.Links {
		up[down] = false
		cut := topo.NewRoutes(network, up, topo.AscendingID)
		up[down] = true
		for i := range uint16(200) {
			n.Setup.Profile.ECMPSeeded = i%2 == 1
			f := &Flow{Src: hosts[int(i)%16], Dst: hosts[int(i*7+1+i/16)%16], DstPort: 100}
			if f.Src == f.Dst {
				continue
			}
			for _, c := range [][2]*topo.Routes{{whole, cut}, {cut, whole}, {cut, cut}} {
				n.routes = c[1]
				want := !slices.Equal(path(c[0], f, i), path(c[1], f, i))
				if want {
					moved++
				}
				if got := n.moved(f, i, c[0]); got != want {
					t.Fatalf("without link %d, flow %+v, port %d: moved %v, from %v to %v", down, f, i, got, path(c[0], f, i), path(c[1], f, i))
				}
			}
		}
	}
	if moved == 0 {
		t.Error("no flow has moved")
	}
}

// heard is an observer that keeps pauses.
type heard struct {
	Observer
	pauses []PauseRecord
}

// PauseReceived implements Observer.
func (h *heard) PauseReceived(r *PauseRecord) { h.pauses = append(h.pauses, *r) }

// The parts' counts add up, and pauses are reported for hosts and switches.
func TestHeed(t *testing.T) {
	network, err := topo.Parse("star:n=2")
	if err != nil {
		t.Fatal(err)
	}
	s := &Setup{Profile: Native(), Topology: network, MTU: 1000}
	s.Buffer = 1 << 24
	var told heard
	h, err := BuildHosted(s, &told)
	if err != nil {
		t.Fatal(err)
	}
	h.At(7)
	h.Heed(0, &core.Action{Kind: core.Paused, Port: 0, Class: 8})
	h.Heed(2, &core.Action{Kind: core.Resumed, Port: 1, Class: 4})
	want := []PauseRecord{{At: 7, Node: 0, Classes: 8, Pause: true}, {At: 7, Node: 2, Switch: true, Port: 1, Classes: 4}}
	if !slices.Equal(told.pauses, want) {
		t.Errorf("got %+v, want %+v", told.pauses, want)
	}
	h.parts = append(h.parts, &part{tally: tally{1, 2, 3, 4, 5}}, &part{tally: tally{10, 20, 30, 40, 50}})
	if h.Started() != 11 || h.Ended() != 22 || h.Lost() != 33 || h.Dropped() != 44 || h.total().lostFrames != 55 {
		t.Errorf("%+v", h.total())
	}
}
