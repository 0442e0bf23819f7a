// Package refrand holds the random generators of the reference simulator, for the profile that
// must draw the same numbers.
package refrand

import "math/bits"

// The combined multiple recursive generator MRG32k3a (L'Ecuyer, Operations Research 47(1),
// 1999, table II) with streams 2^127 apart and runs 2^76 apart (L'Ecuyer et al., Operations
// Research 50(6), 2002).
const (
	m1, m2   = 4294967087, 4294944443
	a12, a13 = 1403580, m1 - 810728
	a21, a23 = 527612, m2 - 1370589
	norm     = 2.328306549295727688e-10
)

type matrix [3][3]uint64

var (
	step1 = matrix{{0, 1, 0}, {0, 0, 1}, {a13, a12, 0}}
	step2 = matrix{{0, 1, 0}, {0, 0, 1}, {a23, 0, a21}}
)

func (a *matrix) times(b *matrix, m uint64) (c matrix) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				c[i][j] = (c[i][j] + mulMod(a[i][k], b[k][j], m)) % m
			}
		}
	}
	return c
}

func (a *matrix) apply(v [3]uint64, m uint64) (w [3]uint64) {
	for i := range 3 {
		for k := range 3 {
			w[i] = (w[i] + mulMod(a[i][k], v[k], m)) % m
		}
	}
	return w
}

func mulMod(a, b, m uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, m)
}

// doubled returns a to the power 2^n.
func doubled(a matrix, n int, m uint64) matrix {
	for range n {
		a = a.times(&a, m)
	}
	return a
}

// power returns a to the power n.
func power(a matrix, n, m uint64) matrix {
	r := matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			r = r.times(&a, m)
		}
		a = a.times(&a, m)
	}
	return r
}

// state is the state of the generator.
type state struct{ s1, s2 [3]uint64 }

// begin returns the start of a stream, run 1, for the seed 1.
func begin(stream uint64) state {
	s := state{[3]uint64{1, 1, 1}, [3]uint64{1, 1, 1}}
	p1 := power(doubled(step1, 127, m1), stream, m1)
	p2 := power(doubled(step2, 127, m2), stream, m2)
	r1, r2 := doubled(step1, 76, m1), doubled(step2, 76, m2)
	s.s1 = r1.apply(p1.apply(s.s1, m1), m1)
	s.s2 = r2.apply(p2.apply(s.s2, m2), m2)
	return s
}

// next advances the state and returns its output, in (0, 1).
func (s *state) next() float64 {
	p1 := (a12*s.s1[1]%m1 + a13*s.s1[0]%m1) % m1
	s.s1 = [3]uint64{s.s1[1], s.s1[2], p1}
	p2 := (a21*s.s2[2]%m2 + a23*s.s2[0]%m2) % m2
	s.s2 = [3]uint64{s.s2[1], s.s2[2], p2}
	if p1 > p2 {
		return float64(float64(p1-p2) * norm)
	}
	return float64(float64(p1+m1-p2) * norm)
}

// FirstOfEach yields the first output of one stream after another: the reference opens a new
// stream for every draw.
type FirstOfEach struct {
	at   state
	jump [2]matrix
}

// NewFirstOfEach starts with the given stream.
func NewFirstOfEach(stream uint64) *FirstOfEach {
	return &FirstOfEach{at: begin(stream), jump: [2]matrix{doubled(step1, 127, m1), doubled(step2, 127, m2)}}
}

// Float64 returns the first output of the present stream and moves on to the next one.
func (f *FirstOfEach) Float64() float64 {
	s := f.at
	f.at.s1 = f.jump[0].apply(f.at.s1, m1)
	f.at.s2 = f.jump[1].apply(f.at.s2, m2)
	return s.next()
}

// Uint32 returns 32 bits of the next number.
func (f *FirstOfEach) Uint32() uint32 { return uint32(f.Float64() * (1 << 32)) }

// Stream yields the successive outputs of one stream.
type Stream struct{ at state }

// NewStream returns the stream of that number.
func NewStream(number uint64) *Stream { return &Stream{begin(number)} }

// Float64 returns the next output.
func (s *Stream) Float64() float64 { return s.at.next() }

// Uint32 returns 32 bits of the next number.
func (s *Stream) Uint32() uint32 { return uint32(s.Float64() * (1 << 32)) }

// CRand is the default generator of the GNU C library: additive feedback
// r[i] = r[i-3] + r[i-31] modulo 2^32, of which the upper 31 bits are given out.
type CRand struct {
	r [31]uint32
	i int
}

// NewCRand returns the generator as srand(seed) leaves it, for a seed above 0.
func NewCRand(seed int32) *CRand {
	c := new(CRand)
	x := int64(seed)
	for i := range c.r {
		c.r[i] = uint32(x)
		x = 16807 * x % 2147483647
	}
	c.i = 3 // r[31..33] repeat r[0..2]
	for range 310 {
		c.Uint32()
	}
	return c
}

// Uint32 returns the next number, in [0, 2^31).
func (c *CRand) Uint32() uint32 {
	back3 := c.i - 3
	if back3 < 0 {
		back3 += 31
	}
	c.r[c.i] += c.r[back3]
	v := c.r[c.i] >> 1
	if c.i++; c.i == 31 {
		c.i = 0
	}
	return v
}

// Float64 returns the next number divided by 2^31.
func (c *CRand) Float64() float64 { return float64(c.Uint32()) / (1 << 31) }
