package mpcc

// point is a vertex of a piecewise linear function of the queue x: half the derivative of a
// cost, which never falls because the cost is convex.
type point struct{ x, f float64 }

// curve is such a function on [first x, last x]; outside, the cost is infinite. A stage of
// backward adds at most four vertices.
type curve struct {
	n      int
	points [4*maxHorizon + 8]point
}

func (c *curve) add(x, f float64) {
	c.points[c.n] = point{x, f}
	c.n++
}

// backward is the general method: dynamic programming from the end of the horizon on the
// derivative of the cost-to-go, O(P) vertices and O(P^2) time. It asks nothing of the bounds.
func (p *problem) backward() (u float64, ok bool) {
	var buf [2]curve
	value, next := &buf[0], &buf[1]
	lo, hi := p.reach()
	value.add(lo, 0)
	value.add(hi, 0)
	for range p.horizon {
		if !value.clip(lo, hi) {
			return 0, false
		}
		p.stage(value, next)
		value, next = next, value
	}
	f, ok := value.at(p.x0)
	return p.move(f), ok
}

// reach returns the queues within the bounds that moves can lead to, and a little more, for a
// vertex at infinity could not be computed with.
func (p *problem) reach() (lo, hi float64) {
	steps := float64(p.horizon+1) * p.b
	return max(p.qmin, p.x0+min(0, steps*p.lb)-1), min(p.qmax, p.x0+max(0, steps*p.ub)+1)
}

// move returns the best move where half the derivative of the cost beyond it is f.
func (p *problem) move(f float64) float64 {
	return min(max(-p.b*f/p.wr, p.lb), p.ub)
}

// stage computes the cost-to-go before a move from the one after it: both as half derivatives.
// The cost of landing on x adds wq x; the landing point of a move u comes from x - b u, and by
// the envelope theorem the derivative is the same there. At the ends of the domain, where the
// cost becomes infinite, the derivative rises without bound, as far as moves can tell.
func (p *problem) stage(value, before *curve) {
	most, least := -p.wr*p.ub/p.b, -p.wr*p.lb/p.b // f at which the move is ub, lb
	for i := range value.n {
		value.points[i].f += float64(p.wq * value.points[i].x)
	}
	last := value.points[value.n-1]
	prev := point{value.points[0].x, min(value.points[0].f, most)}
	before.n = 0
	p.land(before, prev)
	for _, q := range value.points[:value.n] {
		if q != prev {
			p.segment(before, prev, q, most, least)
			prev = q
		}
	}
	if last.f < least {
		p.segment(before, last, point{last.x, least}, most, least)
	}
}

// land adds the point from which the best move leads to q.
func (p *problem) land(before *curve, q point) { before.add(q.x-float64(p.b*p.move(q.f)), q.f) }

// segment adds what leads to the points after prev up to q. It bends where the move reaches a
// bound.
func (p *problem) segment(before *curve, prev, q point, most, least float64) {
	for _, f := range [2]float64{most, least} {
		if prev.f < f && f < q.f {
			p.land(before, point{prev.x + float64((q.x-prev.x)*(f-prev.f)/(q.f-prev.f)), f})
		}
	}
	p.land(before, q)
}

// clip restricts the domain to [lo, hi]; false if nothing is left.
func (c *curve) clip(lo, hi float64) bool {
	lo, hi = max(lo, c.points[0].x), min(hi, c.points[c.n-1].x)
	if lo > hi {
		return false
	}
	fl, _ := c.at(lo)
	fh, _ := c.at(hi)
	n := 1
	for _, q := range c.points[:c.n] {
		if lo < q.x && q.x < hi {
			c.points[n] = q
			n++
		}
	}
	c.points[0], c.points[n] = point{lo, fl}, point{hi, fh}
	c.n = n + 1
	return true
}

// at returns the value at x, and false if x is outside the domain.
func (c *curve) at(x float64) (f float64, ok bool) {
	last := c.points[c.n-1]
	if x < c.points[0].x || x > last.x {
		return 0, false
	}
	for i := 1; i < c.n; i++ {
		a, b := c.points[i-1], c.points[i]
		if x <= b.x {
			if a.x == b.x {
				return b.f, true
			}
			return a.f + (b.f-a.f)*(x-a.x)/(b.x-a.x), true
		}
	}
	return last.f, true
}
