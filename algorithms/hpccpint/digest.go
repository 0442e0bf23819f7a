package hpccpint

import (
	"math"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/portable"
)

const (
	// scale is the resolution of an encoded utilisation, and its largest value.
	scale = 512
	// minBase is the least base whose digests fit 2 bytes.
	minBase = 1.0002
	// tabled is how many steps of 1/scale have their code in a table: utilisations below 4.
	tabled = 4 * scale
)

// digest codes utilisations as logarithms to a base.
type digest struct {
	base    float64
	logBase float64
	mask    uint64 // of the bits that the header has, and the largest digest
	decoded []float64
	codes   []code
}

// code is the digest of a number of steps of 1/scale: the integers around its logarithm.
type code struct {
	below, above uint32
	threshold    float64 // of 65536 draws, those below it give above
}

func newDigest(base float64) digest {
	d := digest{base: base, logBase: portable.Log(base), mask: 0xff}
	bits := math.Ceil(portable.Log2(portable.Log(scale*scale) / d.logBase))
	if bits > 8 {
		d.mask = 0xffff
	}
	d.decoded = make([]float64, 1<<int(max(bits, 0)))
	for p := range d.decoded {
		d.decoded[p] = d.power(uint64(p))
	}
	d.codes = make([]code, tabled)
	for i := range d.codes {
		d.codes[i] = d.code(float64(max(1, i)))
	}
	return d
}

func (d *digest) power(p uint64) float64 { return portable.Power(d.base, p) / scale }

// decode returns the utilisation of digest p.
func (d *digest) decode(p uint64) float64 {
	if p < uint64(len(d.decoded)) {
		return d.decoded[p]
	}
	return d.power(p)
}

// code returns the code of i steps. The mean of base^p is i.
func (d *digest) code(i float64) code {
	p := portable.Log(i) / d.logBase
	below, above := math.Floor(p), math.Ceil(p)
	lower, upper := portable.Power(d.base, uint64(below)), portable.Power(d.base, uint64(above))
	return code{uint32(below), uint32(above), (i - lower) / (upper - lower) * 65536}
}

// encode returns the digest of utilisation u, rounded by one draw of chance so that its
// value is right in the mean. It may be more than a header has room for.
func (d *digest) encode(u float64, chance core.Random) uint64 {
	i := max(1, math.Ceil(u*scale))
	var c code
	if i < tabled {
		c = d.codes[int(i)]
	} else {
		c = d.code(i)
	}
	if float64(chance.Uint32()%65536) < c.threshold {
		return uint64(c.above)
	}
	return uint64(c.below)
}
