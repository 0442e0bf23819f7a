package switching

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// turning routes every destination to one of a few ports, depending on a number.
type turning int

func (r turning) Next(_, dst core.NodeID) []uint16 {
	if (int(dst)+int(r))%7 == 0 {
		return nil
	}
	return []uint16{uint16(dst) % 3, uint16(int(dst)+int(r)) % 5, 4}[:1+int(dst)%3]
}

// The remembered path of a flow is the one that a lookup gives, for many more flows than are
// remembered, and after every change of routes.
func TestRememberedPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := &Switch{cfg: Config{ID: 7, Router: turning(0)}}
	hits := 0
	for step := range 50_000 {
		if step%10_000 == 9_999 {
			s.SetRouter(turning(step / 10_000))
		}
		p := &core.Packet{Src: core.NodeID(r.IntN(10)), Dst: core.NodeID(r.IntN(10))}
		switch r.IntN(5) { // many that differ in one thing only, and share one place
		case 0:
			p.Src = core.NodeID(r.IntN(3000))
		case 1:
			p.Dst = core.NodeID(r.IntN(3000))
		case 2:
			p.SrcPort = uint16(r.IntN(3000))
		case 3:
			p.DstPort = uint16(r.IntN(3000))
		}
		if e, _ := s.paths.of(p); e.src == p.Src && e.dst == p.Dst && e.out != 0 {
			hits++
		}
		got, ok := s.route(new(core.Turn), p)
		want, exists := core.ECMPPort(s.cfg.Router.Next(7, p.Dst), p, 7, 0)
		if got != want || ok != exists || ok && !slices.Contains(s.cfg.Router.Next(7, p.Dst), uint16(got)) {
			t.Fatalf("step %d: %+v goes to %d, %v; want %d, %v", step, p, got, ok, want, exists)
		}
	}
	if hits < 1000 {
		t.Errorf("only %d packets met what was remembered", hits)
	}
}
