package core

import (
	"math"
	"math/rand/v2"

	"github.com/qbb-sim/qbb/core/portable"
)

// Random is a source of random numbers. Every entity that needs chance is given its own.
type Random interface {
	// Float64 returns the next number, uniform in [0, 1).
	Float64() float64
	// Uint32 returns the next number, uniform. Of the sequence that schemes share in profile ns3 the highest bit is
	// always 0: they use lower ones.
	Uint32() uint32
}

// Stream is a random stream owned by one entity. Its numbers depend on the seed and the
// entity alone, and on nothing that later Go versions may change: the generator is PCG,
// whose sequence math/rand/v2 fixes, and the laws are computed here.
type Stream struct{ pcg rand.PCG }

// NewStream returns the stream of entity (kind, id) under a seed.
func NewStream(seed, kind, id uint64) *Stream {
	s := new(Stream)
	s.pcg.Seed(splitmix(seed^splitmix(kind)), splitmix(id+0x9e3779b97f4a7c15))
	return s
}

// splitmix is the output of SplitMix64 after the state x.
func splitmix(x uint64) uint64 { return Mix64(x + 0x9e3779b97f4a7c15) }

// Mix64 is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a permutation of the 64-bit numbers that
// spreads every bit over all.
func Mix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint32 returns the next 32 random bits.
func (s *Stream) Uint32() uint32 { return uint32(s.pcg.Uint64() >> 32) }

// Float64 returns a number uniform in [0, 1) with 53 random bits.
func (s *Stream) Float64() float64 { return float64(s.pcg.Uint64()>>11) / (1 << 53) }

// IntN returns an integer uniform in [0, n), n > 0.
func (s *Stream) IntN(n int) int {
	limit := math.MaxUint64 - math.MaxUint64%uint64(n)
	for {
		if v := s.pcg.Uint64(); v < limit {
			return int(v % uint64(n))
		}
	}
}

// Exp returns an exponentially distributed number of mean 1.
func (s *Stream) Exp() float64 { return -portable.Log(1 - s.Float64()) }

// Kinds of entity that own random streams.
const (
	StreamArrivals uint64 = iota + 1 // per host: flow arrivals
	StreamSizes                      // per host: flow sizes
	StreamPeers                      // per host: destinations
	StreamMark                       // per switch: ECN
	StreamLoss                       // per directed link, by the number of its port among those of all nodes: losses
	StreamFlow                       // per flow: the scheme's own chance
	StreamMarker                     // per switch port: congestion-point machine
	StreamIncast                     // incast rounds
	StreamNotifier                   // per host port: notification point
	StreamECMP                       // of the network: hashes that choose paths
	StreamBalance                    // per switch: load balancing
	StreamEntropy                    // per host: source ports
)
