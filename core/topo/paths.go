package topo

import (
	"iter"
	"math"
	"math/bits"

	"github.com/qbb-sim/qbb/core"
)

// Sizes are the packet sizes, in bytes, by which a path is measured, and the time of the host at its end.
type Sizes struct {
	Payload core.Bytes    // message bytes of a full data packet
	Packet  core.Bytes    // that packet on the wire
	Ack     core.Bytes    // its acknowledgement on the wire
	Host    core.Duration // from a packet's arrival to its acknowledgement
	// AckEvery is the number of data packets per acknowledgement, in ideal times; 0 means 1.
	AckEvery int
}

// Path holds the figures of the path between two hosts when nothing else is sent. The zero
// value says that there is no path.
type Path struct {
	Hops       int           // links
	Bottleneck core.Rate     // the smallest rate of a link
	Delay      core.Duration // propagation, one way
	Tx         core.Duration // serialisation: see Paths
	RTT        core.Duration // 2*Delay + Tx + Sizes.Host
	BDP        core.Bytes    // Bottleneck * RTT, truncated; see Paths
}

// Paths computes the figures of paths. A path between two hosts takes the first of the
// equal-cost next hops everywhere. Acknowledgements are taken to return the same way.
//
// With exact timing, Tx is the serialisation of a full data packet on every link and of its
// acknowledgement on every link back, in picoseconds. In the ns3 profile
// (FixedPointNanos), Tx is the sum over the links of Payload*8e9/rate, each truncated to
// whole nanoseconds, without headers and acknowledgement; delays are whole nanoseconds too, and
// the product of BDP, in ns and bit/s, wraps beyond 64 bits.
type Paths struct {
	routes *Routes
	timing core.Timing
	sizes  Sizes
}

// NewPaths returns the paths along the given routes. When a link fails, new Routes and
// Paths give the new figures; the old ones stay as they are.
func NewPaths(r *Routes, tm core.Timing, s Sizes) *Paths {
	return &Paths{routes: r, timing: tm, sizes: s}
}

// Choice chooses one of the equal-cost ports of a node.
type Choice func(at core.NodeID, ports []uint16) int

// First is the choice of the first port, with which paths are measured.
func First(_ core.NodeID, ports []uint16) int { return int(ports[0]) }

// links yields the indices of the links from src to dst that a choice leads over, in order. It yields nothing if
// there is no path.
func (p *Paths) links(src, dst core.NodeID, choose Choice) iter.Seq[int] {
	return func(yield func(int) bool) {
		r := p.routes
		for at := src; ; {
			next := r.Next(at, dst)
			if len(next) == 0 {
				return
			}
			port := &r.ports[at][choose(at, next)]
			if !yield(port.Link) {
				return
			}
			at = port.Peer
		}
	}
}

// Line returns the links from src to dst that a choice leads over, with delays as the timing has them; none if there is no
// path.
func (p *Paths) Line(src, dst core.NodeID, choose Choice) (line []Link) {
	for i := range p.links(src, dst, choose) {
		l := p.routes.topo.Links[i]
		l.Delay = p.timing.Cut(l.Delay)
		line = append(line, l)
	}
	return line
}

// Pair returns the figures of the path from src to dst, in O(hops) and without allocating.
func (p *Paths) Pair(src, dst core.NodeID) Path {
	path := Path{Bottleneck: math.MaxInt64}
	for i := range p.links(src, dst, First) {
		l := &p.routes.topo.Links[i]
		p.add(&path, l, p.txTime(l.Rate))
	}
	return p.sum(path)
}

// add takes a link, with the serialisation on it, into the figures of a path.
func (p *Paths) add(path *Path, l *Link, tx core.Duration) {
	path.Hops++
	path.Bottleneck = min(path.Bottleneck, l.Rate)
	path.Delay += p.timing.Cut(l.Delay)
	path.Tx += tx
}

// sum adds the figures that follow from those of all links.
func (p *Paths) sum(path Path) Path {
	if path.Hops == 0 {
		return Path{}
	}
	path.RTT = 2*path.Delay + path.Tx + p.timing.Cut(p.sizes.Host)
	path.BDP = p.bdp(path.Bottleneck, path.RTT)
	return path
}

func (p *Paths) txTime(r core.Rate) core.Duration {
	if p.timing == core.Exact {
		return p.timing.TxTime(p.sizes.Packet, r) + p.timing.TxTime(p.sizes.Ack, r)
	}
	return nanosOf(p.sizes.Payload, r)
}

// nanosOf returns n*8e9/r in whole nanoseconds, in integer arithmetic.
func nanosOf(n core.Bytes, r core.Rate) core.Duration {
	return core.Duration(mulDiv(uint64(n), 8e9, uint64(r))) * core.Nanosecond
}

// bdp returns r*d in bytes, truncated. In NS-3's arithmetic the product has 64 bits.
func (p *Paths) bdp(r core.Rate, d core.Duration) core.Bytes {
	if p.timing != core.Exact {
		return core.Bytes(uint64(r) * uint64(d.WholeNanos()) / 8e9)
	}
	return r.BytesIn(d)
}

// mulDiv returns a*b/c truncated, through 128 bits, or the largest int64.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi >= c {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, c)
	return min(q, math.MaxInt64)
}
