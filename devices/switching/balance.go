package switching

import (
	"slices"

	"github.com/qbb-sim/qbb/core"
)

// Balance is how a switch chooses among equal-cost ports. All but ECMP and ConWeave may reorder the packets of a flow.
type Balance uint8

// Ways to balance load.
const (
	ECMP     Balance = iota // by hash of the flow (core.ECMPPort; RFC 2992)
	Spray                   // every packet at random (Dixit et al., INFOCOM 2013)
	Flowlets                // at random whenever a flow has paused: LetFlow (Vanini et al., NSDI 2017)
	DRILL                   // the least loaded of two random ones and the best of last time (Ghorbani et al., SIGCOMM 2017)
	Adaptive                // the least loaded for every packet, as adaptive routing in InfiniBand and Ethernet switches
	CONGA                   // at leaves the least congested path whenever a flow has paused (Alizadeh et al., SIGCOMM 2014)
	ConWeave                // a path end to end, which connections leave when it is slow (conweave.go)
)

// BalanceConfig says how a switch chooses among equal-cost ports.
type BalanceConfig struct {
	Way      Balance
	Gap      core.Duration // with Flowlets and CONGA, the time without a packet after which a flow may change its port
	Random   core.Random   // draws for all but ECMP
	Leaves   []int32       // for CONGA, by node: the number of a host's leaf, or of the leaf itself; -1 for other switches
	ConWeave ConWeaveConfig
}

// balancer is what a switch remembers for its choices.
type balancer struct {
	flowlets map[flowKey]flowlet
	many     int      // flowlets: so many are swept
	best     []uint16 // with DRILL, by first port of a set of equal-cost ones: the best of last time, plus 1
}

// flowKey names a flow in one direction.
type flowKey struct {
	src, dst         core.NodeID
	srcPort, dstPort uint16
}

// flowlet is the port of a flow, and when its last packet came.
type flowlet struct {
	port uint16
	last core.Time
}

// leastSweep bounds how often a table is swept while it is small.
const leastSweep = 1024

// balance chooses one of several ports for a packet that is to be sent on now.
func (s *Switch) balance(now core.Time, p *core.Packet, ports []uint16) uint16 {
	switch s.cfg.Balance.Way {
	case Flowlets:
		return s.flowletPort(now, p, ports)
	case CONGA:
		return s.congaPort(now, p, ports)
	case DRILL:
		return s.drillPort(now, ports)
	case Adaptive:
		return s.leastLoaded(now, ports, s.draw(len(ports)))
	}
	return ports[s.draw(len(ports))]
}

// draw returns a random index below n.
func (s *Switch) draw(n int) int {
	return int(uint64(s.cfg.Balance.Random.Uint32()) * uint64(n) >> 32)
}

func (s *Switch) flowletPort(now core.Time, p *core.Packet, ports []uint16) uint16 {
	b := &s.balancer
	key := flowKey{p.Src, p.Dst, p.SrcPort, p.DstPort}
	f, ok := b.flowlets[key]
	if !ok || now.Sub(f.last) > s.cfg.Balance.Gap {
		old := -1
		if ok {
			old = int(f.port)
		}
		f.port = s.newPort(now, p, ports, old)
	}
	f.last = now
	if b.flowlets == nil {
		b.flowlets = make(map[flowKey]flowlet)
	}
	b.flowlets[key] = f
	since := now.Add(-s.cfg.Balance.Gap)
	sweep(b.flowlets, &b.many, func(f flowlet) bool { return f.last < since })
	return f.port
}

// newPort chooses the port of a flowlet; old is that of the flow's last one, -1 if none is known.
func (s *Switch) newPort(now core.Time, p *core.Packet, ports []uint16, old int) uint16 {
	if s.conga != nil {
		return s.leastCongested(now, s.conga.leaf[p.Dst], ports, old)
	}
	return ports[s.draw(len(ports))]
}

// sweep drops the entries of a table that are over, once it has some number of them; the next time when it has twice as many
// as are left.
func sweep[K comparable, V any](table map[K]V, many *int, over func(V) bool) {
	if len(table) < max(*many, leastSweep) {
		return
	}
	for key, v := range table {
		if over(v) {
			delete(table, key)
		}
	}
	*many = 2 * len(table)
}

func (s *Switch) drillPort(now core.Time, ports []uint16) uint16 {
	b, set := &s.balancer, ports[0]
	for int(set) >= len(b.best) {
		b.best = append(b.best, 0)
	}
	best := s.lessLoaded(now, ports[s.draw(len(ports))], ports[s.draw(len(ports))])
	if last := b.best[set]; last != 0 && slices.Contains(ports, last-1) {
		best = s.lessLoaded(now, best, last-1)
	}
	b.best[set] = best + 1
	return best
}

// leastLoaded returns the least loaded port; of several the first one from an index on.
func (s *Switch) leastLoaded(now core.Time, ports []uint16, from int) uint16 {
	best := ports[from]
	for _, part := range [...][]uint16{ports[from+1:], ports[:from]} {
		for _, other := range part {
			best = s.lessLoaded(now, best, other)
		}
	}
	return best
}

// lessLoaded returns the port on which a packet would wait for less time; the first if it is the same.
func (s *Switch) lessLoaded(now core.Time, a, b uint16) uint16 {
	if s.emptyAt(now, b) < s.emptyAt(now, a) {
		return b
	}
	return a
}

// emptyAt is when a port will have sent the packet that it is sending and all that wait, pauses aside; core.Never if that
// does not fit the clock.
func (s *Switch) emptyAt(now core.Time, at uint16) core.Time {
	o := &s.ports[at]
	return max(now, o.free).Add(s.cfg.Timing.TxTime(o.depth+o.queues[0].bytes, o.rate))
}
