package switching

import "github.com/qbb-sim/qbb/core"

// paths caches the egress ports of the flows that a switch has forwarded lately: looking up
// the routes and hashing the flow costs more than all else that an idle port does for a packet.
// A flow that falls on another one's place replaces it. Flows that may take several paths have no place.
type paths [pathsSize]path

const (
	pathsBits = 8
	pathsSize = 1 << pathsBits
)

// path is the egress port of a flow, plus 1.
type path struct {
	src, dst core.NodeID
	ports    uint32
	out      int32
}

// of returns the place of a packet's flow, and the flow's ports as the place holds them.
func (c *paths) of(p *core.Packet) (place *path, ports uint32) {
	ports = uint32(p.SrcPort) | uint32(p.DstPort)<<16
	// Odd multipliers spread neighbouring numbers over the upper bits.
	i := (uint32(p.Src)*0x9e3779b1 + uint32(p.Dst)*0x85ebca77 + ports*0xc2b2ae3d) >> (32 - pathsBits)
	return &c[i], ports
}

// route returns the egress port of a packet that is to be sent on now: one of the equal-cost ones, by hash of
// its flow or as the switch balances load.
func (s *Switch) route(t *core.Turn, p *core.Packet) (int, bool) {
	e, ports := s.paths.of(p)
	if e.src == p.Src && e.dst == p.Dst && e.ports == ports && e.out != 0 {
		return int(e.out) - 1, true
	}
	return s.choose(t.Now, p, e, ports)
}

// choose is route without the place of the packet's flow, which it fills if the choice holds for all of the flow.
func (s *Switch) choose(now core.Time, p *core.Packet, e *path, ports uint32) (int, bool) {
	next := s.cfg.Router.Next(s.cfg.ID, p.Dst)
	way := s.cfg.Balance.Way
	if way != ECMP && way != ConWeave && len(next) > 1 || s.conga != nil && len(next) > 0 {
		return int(s.balance(now, p, next)), true
	}
	out, ok := core.ECMPPort(next, p, s.cfg.ID, s.cfg.ECMPSeed)
	if ok {
		*e = path{p.Src, p.Dst, ports, int32(out) + 1}
	}
	return out, ok
}

// SetRouter replaces the routes, after a link has failed or come back.
func (s *Switch) SetRouter(r core.Router) {
	s.cfg.Router = r
	s.paths, s.balancer = paths{}, balancer{}
	if s.weaver != nil {
		s.weaver.forgetPaths()
	}
}
