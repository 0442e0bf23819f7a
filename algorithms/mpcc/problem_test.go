package mpcc

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
)

// near reports whether got equals want to a relative precision of 1e-6, of want or of scale if that
// is larger.
func near(got, want, scale float64) bool {
	return math.Abs(got-want) <= 1e-6*max(math.Abs(want), scale)
}

// logUniform returns a number whose logarithm is uniform.
func logUniform(r *rand.Rand, lo, hi float64) float64 {
	return lo * math.Pow(hi/lo, r.Float64())
}

// closedGain is K in closed form: the unconstrained states are proportional to
// cosh((P+1/2-j) phi), phi = 2 asinh(1/(2 sqrt rho)).
func closedGain(p *problem) float64 {
	phi := 2 * math.Asinh(p.b*math.Sqrt(p.wq/p.wr)/2)
	n := float64(p.horizon)
	ratio := math.Exp(-phi) * (1 + math.Exp(-(2*n-1)*phi)) / (1 + math.Exp(-(2*n+1)*phi))
	return (1 - ratio) / p.b
}

// The Riccati gain, the closed form and a dense solution of H U = -g (eqs. 4.12 and 4.13)
// agree. The closed form loses digits where the gain is small, hence its tolerance there.
func TestGain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		p := problem{horizon: 1 + r.IntN(40), wq: 1, wr: logUniform(r, 1e-3, 1e3), b: logUniform(r, 1e-3, 1e3), x0: 1}
		k := p.gain()
		if c := closedGain(&p); math.Abs(k-c) > 1e-6*k+1e-15/p.b {
			t.Fatalf("%+v: gain %v, closed form %v", p, k, c)
		}
		free := make([]int, 2*p.horizon)
		if u := kkt(&p, free); !near(k, -u[0], 0) {
			t.Fatalf("%+v: gain %v, dense solution %v", p, k, -u[0])
		}
	}
}

// maxWeight is the greatest wq and wr.
const maxWeight = 1e12

// The arithmetic is tested and designed for exactly the parameters' ranges.
func TestRangesEndAtLimits(t *testing.T) {
	p := Defaults()
	p.Horizon, p.WQ, p.WR = maxHorizon, maxWeight, maxWeight
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	for param, wrong := range map[string]func(*Params){
		"horizon": func(p *Params) { p.Horizon = maxHorizon + 1 },
		"wq":      func(p *Params) { p.WQ = 2 * maxWeight },
		"wr":      func(p *Params) { p.WR = 2 * maxWeight },
	} {
		p := Defaults()
		wrong(&p)
		if err, ok := errors.AsType[*algorithms.ParamError](p.Validate()); !ok || err.Param != param {
			t.Errorf("beyond the limit of %s: got %v", param, err)
		}
	}
}

// The limits of the gain: one step (rho to 0) empties the queue, a costly window is left alone, and
// a horizon of 1 has K = 1/(B (1+rho)).
func TestGainLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		p    problem
		want float64
	}{
		{"deadbeat", problem{horizon: 10, wq: 1, wr: 1e-12, b: 2}, 0.5},
		{"costly window: P B wq/wr", problem{horizon: 10, wq: 1, wr: 1e9, b: 2}, 10 * 2 / 1e9},
		{"horizon 1", problem{horizon: 1, wq: 1, wr: 3, b: 1}, 0.25},
		{"longest horizon, extreme weights", problem{horizon: maxHorizon, wq: maxWeight, wr: 1 / maxWeight, b: 1e5}, 1e-5},
		{"longest horizon, extreme weights", problem{horizon: maxHorizon, wq: 1 / maxWeight, wr: maxWeight, b: 1e-5}, maxHorizon * 1e-5 / maxWeight / maxWeight},
	} {
		if got := c.p.gain(); !near(got, c.want, 0) {
			t.Errorf("%s: gain %v, want %v", c.name, got, c.want)
		}
	}
}

// randomProblem returns a problem that the controller could pose: a move of 0 is allowed, and the
// queue is at most what its flows can make.
func randomProblem(r *rand.Rand, horizon int) problem {
	bdp := logUniform(r, 1e3, 1e6)
	flows := float64(1 + r.IntN(30))
	fair := bdp / flows * (1 - 0.3*r.Float64())
	return problem{
		horizon: horizon, wq: 1, wr: logUniform(r, 1e-2, 1e3), b: logUniform(r, 1e-2, 10),
		x0: r.Float64() * max(1, (flows-1)*bdp), lb: -fair, ub: bdp - fair,
		qmin: 0, qmax: max(1, (flows-1)*bdp),
	}
}

// The saturated gain is the optimum of the whole problem with all its constraints.
func TestSaturatedGainAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	saturated := 0
	for i := range 300 {
		p := randomProblem(r, 1+i%3)
		if i%5 == 0 { // near the edge of saturation
			p.x0 = min(p.qmax, -p.lb/p.gain()*(0.5+r.Float64()))
		}
		u, ok := p.first()
		want, feasible := brute(&p)
		if !ok || !feasible || !near(u, want[0], 0) {
			t.Fatalf("%+v: %v %v, want %v %v", p, u, ok, want, feasible)
		}
		if u == p.lb {
			saturated++
		}
	}
	if saturated < 50 || saturated > 250 {
		t.Errorf("%d of 300 problems saturate; too few or too many to show anything", saturated)
	}
}

// The general method agrees with the saturated gain at horizons that brute force cannot reach.
func TestGeneralMethodAgainstSaturatedGain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 1000 {
		p := randomProblem(r, 1+r.IntN(maxHorizon))
		u, ok := p.backward()
		want, _ := p.first()
		if !ok || !near(u, want, 1e-3*-p.lb) {
			t.Fatalf("%+v: %v %v, want %v", p, u, ok, want)
		}
	}
}

// A queue that must have an exact value allows a single move, if any move leads there.
func TestGeneralMethodWhereOneQueueIsAllowed(t *testing.T) {
	for _, c := range []struct {
		x0, q float64
		steps int
		want  float64
		ok    bool
	}{
		{5, 5, 1, 0, true}, {5, 5, 3, 0, true}, {3, 5, 1, 1, true}, {3, 5, 3, 1, true},
		{1, 5, 2, 2, true},  // as far as a move leads
		{0, 5, 2, 0, false}, // beyond it
		{9, 5, 2, -2, true}, {10, 5, 1, 0, false},
	} {
		p := problem{horizon: c.steps, wq: 1, wr: 3, b: 2, x0: c.x0, lb: -2, ub: 2, qmin: c.q, qmax: c.q}
		if u, ok := p.backward(); ok != c.ok || ok && !near(u, c.want, 1) {
			t.Errorf("from %v to %v in %d steps: move %v %v, want %v %v", c.x0, c.q, c.steps, u, ok, c.want, c.ok)
		}
	}
}

// The general method, and with it the choice of a shortcut, against brute force on bounds of every kind: asymmetric,
// without 0, hard limits on the queue, a queue that begins outside them; all find that nothing is feasible.
func TestGeneralMethodAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	solved, infeasible, first := 0, 0, 0
	for i := range 1500 {
		a, b := r.NormFloat64()*100, r.NormFloat64()*100
		c, d := r.NormFloat64()*200, r.NormFloat64()*200
		p := problem{
			horizon: 1 + i%3, wq: logUniform(r, 0.1, 10), wr: logUniform(r, 0.1, 100), b: logUniform(r, 0.1, 10), x0: r.NormFloat64() * 200,
			lb: min(a, b), ub: max(a, b), qmin: min(c, d), qmax: max(c, d),
		}
		if i%4 == 0 {
			p.qmin = 0
		}
		u, ok := p.backward()
		u2, ok2 := p.first()
		want, feasible := brute(&p)
		if ok != feasible || ok2 != feasible {
			t.Fatalf("%+v: solved %v and %v, feasible %v %v", p, ok, ok2, feasible, want)
		}
		if !ok {
			infeasible++
			continue
		}
		solved++
		if !near(u, want[0], 0.01) || !near(u2, want[0], 0.01) {
			t.Fatalf("%+v: first move %v and %v, want %v", p, u, u2, want)
		}
		if u != p.lb && u != p.ub {
			first++
		}
	}
	if solved < 300 || infeasible < 300 || first < 100 {
		t.Errorf("%d solved (%d with a first move between its bounds), %d infeasible: too few of one kind", solved, first, infeasible)
	}
}

// A link that is faster than its flows: the shortcuts and the general method against brute force.
func TestDrainingAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	settled, general, infeasible := 0, 0, 0
	for i := range 600 {
		p := randomProblem(r, 1+i%3)
		p.ub = -0.3 * r.Float64() * -p.lb
		p.x0 = r.Float64() * -p.ub * p.b * 20
		p.qmax = max(p.qmax, p.x0)
		u, ok := p.first()
		want, feasible := brute(&p)
		if ok != feasible || ok && !near(u, want[0], 0) {
			t.Fatalf("%+v: %v %v, want %v %v", p, u, ok, want, feasible)
		}
		switch _, ok, known := p.draining(); {
		case !ok:
			infeasible++
		case known:
			settled++
		default:
			general++
		}
	}
	if min(settled, general, infeasible) < 30 {
		t.Errorf("%d settled, %d general, %d infeasible: too few of one kind", settled, general, infeasible)
	}
}

// The shortcut for a queue that drains ends where the largest first move is no longer the best one:
// close to that border on both sides it agrees with the general method.
func TestDrainingBorder(t *testing.T) {
	for horizon := 1; horizon <= maxHorizon; horizon++ {
		n := float64(horizon)
		p := problem{horizon: horizon, wq: 2, wr: n * n, b: 1, lb: -1000, ub: -1, qmax: 1e6}
		border := (p.wr/p.wq + n*(n+1)/2) / n // wr ub + wq b (n x0 + n(n+1)/2 b ub) = 0
		for _, x0 := range []float64{border * (1 - 1e-3), border * (1 + 1e-3)} {
			p.x0 = x0
			u, ok := p.first()
			want, feasible := p.backward()
			if ok != feasible || !near(u, want, 0) || (u == p.ub) != (x0 < border) {
				t.Errorf("horizon %d, queue %v: %v %v, want %v %v", horizon, x0, u, ok, want, feasible)
			}
			if _, _, known := p.draining(); known != (x0 < border) {
				t.Errorf("horizon %d, queue %v: the shortcut knows the optimum: %v", horizon, x0, known)
			}
		}
	}
}

// Nothing allocates, in either method.
func TestProblemDoesNotAllocate(t *testing.T) {
	p := randomProblem(rand.New(rand.NewPCG(5, 1)), 10)
	if n := testing.AllocsPerRun(100, func() { p.first(); p.backward() }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkGeneralMethod(b *testing.B) {
	p := randomProblem(rand.New(rand.NewPCG(5, 1)), 10)
	b.ReportAllocs()
	for b.Loop() {
		p.backward()
	}
}
