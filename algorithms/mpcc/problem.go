package mpcc

// problem is the quadratic program of one control step: choose the moves u(0..P-1) that
// minimise
//
//	sum over j=1..P of wq x(j)^2 + wr u(j-1)^2,    x(j) = x(j-1) + b u(j-1)
//
// subject to lb <= u <= ub and qmin <= x(j) <= qmax (Zheng 2024, eqs. 4.2, 4.3 and 4.10). The
// state x is the queue in bytes, a move is the window less the fair window, in bytes.
type problem struct {
	horizon    int
	wq, wr     float64
	b          float64 // bytes of queue per byte of move, in one step; above 0
	x0         float64 // queue now
	lb, ub     float64
	qmin, qmax float64
}

// first returns the first move of the optimum, and false if no moves meet all constraints.
//
// If no move at all is allowed and the queue is one that drains, the optimum is the
// unconstrained one cut off at the lower bound. For: the unconstrained moves are negative and
// shrink while the queue falls towards 0, so if the first one is allowed then so are all; the
// optimal first move never grows with x0 (the problem is convex and has one state), and it is
// lb at x0 = -lb/K, so it is lb beyond; and after a cut move the queue still is at least
// (1-bK) x0 >= 0. No other bound is ever met.
func (p *problem) first() (u float64, ok bool) {
	if p.lb <= 0 && 0 <= p.ub && 0 <= p.x0 && p.x0 <= p.qmax && p.qmin <= 0 {
		return max(p.lb, -p.gain()*p.x0), true
	}
	if p.ub < 0 && p.qmin == 0 && p.x0 <= p.qmax {
		if u, ok, known := p.draining(); known {
			return u, ok
		}
	}
	return p.backward()
}

// draining settles the common cases of a queue that shrinks whatever the flow does: known is
// false for the others. The moves that keep most of the queue are all ub. If they empty it, all
// do, and no moves are allowed. If not, they are the optimum where even the first one, which
// counts in all states, costs no more than it saves: wr ub + wq b (x(1) + .. + x(P)) <= 0.
func (p *problem) draining() (u float64, ok, known bool) {
	n := float64(p.horizon)
	drop := p.b * p.ub
	if p.x0+float64(n*drop) < 0 {
		return 0, false, true
	}
	sum := float64(n*p.x0) + float64(n*(n+1)/2*drop)
	return p.ub, true, float64(p.wr*p.ub)+float64(p.wq*p.b*sum) <= 0
}

// gain returns K of the unconstrained optimum u(0) = -K x0, by the Riccati recursion on the
// cost-to-go s wq x^2:
//
//	rho = wr/(wq b^2),  s_P = 1,  s_j = 1 + s_{j+1} rho/(rho + s_{j+1}),  K = s_1/(b (rho + s_1))
//
// The recursion is run on n/d = s to need no divisions, with r = 1/rho where rho is large and
// rho where it is small, so that neither n nor d can overflow within maxHorizon steps.
func (p *problem) gain() float64 {
	rho := p.wr / (p.wq * p.b * p.b)
	n, d := 1.0, 1.0
	if rho >= 1 {
		r := 1 / rho
		for range p.horizon - 1 {
			d += float64(n * r)
			n += d
		}
		return float64(n*r) / (d + float64(n*r)) / p.b
	}
	for range p.horizon - 1 {
		d = float64(rho*d) + n
		n = d + float64(rho*n)
	}
	return n / (float64(rho*d) + n) / p.b
}
