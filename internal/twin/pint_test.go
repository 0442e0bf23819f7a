package twin

import "math"

// digester is a switch port's state of HPCC-PINT.
type digester struct {
	u    float64
	last int64
	size int
}

func (d *digester) note(now int64, size int) { d.last, d.size = now, size }

const logUnit = 32768

// log is a logarithm of the 16 leading bits, rounded at random.
func (w *world) log(x uint64) float64 {
	drop := 0
	for x>>drop >= 1<<16 {
		drop++
	}
	if drop > 0 {
		kept := x >> drop
		if x%(1<<drop) > uint64(w.dice.Uint32())%(1<<drop) {
			kept++
		}
		x = kept << drop
	}
	return math.Trunc(math.Log2(float64(x)) * logUnit)
}

func (d *digester) stamp(w *world, rate uint64, depth uint32, p *packet) {
	if w.maxRTT == 0 { // the divisor is not known
		panic(beyond{})
	}
	plain := func(x float64) float64 { return math.Log2(x) * logUnit }
	power := func(x float64) float64 { return math.Pow(2, x/logUnit) }
	nano, bytes, rtt := plain(1e9), plain(float64(rate/8)), plain(float64(w.maxRTT))
	gap := min(uint64(w.now-d.last), w.maxRTT)
	u := 0.0
	if queue := uint64(depth >> 8); queue > 0 {
		a := w.log(gap)
		u += power(a+w.log(queue)+nano-bytes-2*rtt) * 256
	}
	if d.size > 0 {
		u += power(w.log(uint64(d.size)) + nano - bytes - rtt)
	}
	if w.maxRTT > gap && d.u > 0 {
		a := w.log(w.maxRTT - gap)
		u += power(a+w.log(uint64(math.Round(d.u*8192)))-rtt) / 8192
	}
	d.u = u
	p.digest = max(p.digest, w.encode(u))
}

func (w *world) encode(u float64) uint16 {
	base := w.c.PINTLogBase
	i := max(1, math.Ceil(u*512))
	exponent := math.Log(i) / math.Log(base)
	below, above := math.Floor(exponent), math.Ceil(exponent)
	low, high := math.Pow(base, below), math.Pow(base, above)
	code := uint16(below)
	if float64(w.dice.Uint32()%65536) < (i-low)/(high-low)*65536 {
		code = uint16(above)
	}
	if bits := math.Ceil(math.Log2(math.Log(512*512) / math.Log(base))); bits <= 8 {
		code %= 256
	}
	return code
}

// decode is the sender's reaction to a digest.
func (f *pair) decode(p *packet) {
	w := f.node.w
	if float64(w.dice.Uint32()%65536) >= 65536*w.c.PINTProb {
		return
	}
	full, any := f.update(p)
	if !any {
		return
	}
	u := math.Pow(w.c.PINTLogBase, float64(p.digest)) / 512
	f.change(f.settle(&f.loops[0], u/w.c.UTarget, full))
	if full {
		f.last = max(f.last, f.next)
	}
}
