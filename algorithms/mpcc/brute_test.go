package mpcc

import "math"

// brute solves a problem by trying every set of active constraints: each move and each state is
// free, or on one of its bounds. The equality-constrained optimum of each set is a linear system;
// the best one within all bounds is the optimum. It shares nothing with the solvers under test and
// needs 9^P systems.
func brute(p *problem) (best []float64, ok bool) {
	n := p.horizon
	cost := math.Inf(1)
	sets := make([]int, 2*n) // 0 free, 1 lower bound, 2 upper bound
	for {
		if u := kkt(p, sets); u != nil && feasible(p, u) {
			if j := objective(p, u); j < cost {
				cost, best = j, u
			}
		}
		i := 0
		for ; i < len(sets) && sets[i] == 2; i++ {
			sets[i] = 0
		}
		if i == len(sets) {
			return best, best != nil
		}
		sets[i]++
	}
}

func objective(p *problem, u []float64) (j float64) {
	x := p.x0
	for _, ui := range u {
		x += p.b * ui
		j += p.wq*x*x + p.wr*ui*ui
	}
	return j
}

func feasible(p *problem, u []float64) bool {
	x, eps := p.x0, 1e-9*(1+math.Abs(p.x0)+math.Abs(p.lb)+math.Abs(p.ub))
	for _, ui := range u {
		x += p.b * ui
		if ui < p.lb-eps || ui > p.ub+eps || x < p.qmin-eps || x > p.qmax+eps {
			return false
		}
	}
	return true
}

// kkt solves the problem with the given constraints as equations; nil if they have no single
// solution. The matrices are those of Zheng 2024, eqs. 4.9 to 4.17.
func kkt(p *problem, sets []int) []float64 {
	n, rows := p.horizon, 0
	for _, s := range sets {
		if s != 0 {
			rows++
		}
	}
	if rows > n {
		return nil
	}
	m := newMatrix(n + rows)
	h, g := hessian(p), gradient(p)
	for i := range n {
		copy(m[i], h[i])
		m[i][n+rows] = -g[i]
	}
	at := n
	for k, s := range sets {
		if s == 0 {
			continue
		}
		if k < n {
			m[at][k] = 1
			m[at][n+rows] = [3]float64{0, p.lb, p.ub}[s]
		} else {
			for i := 0; i <= k-n; i++ {
				m[at][i] = p.b
			}
			m[at][n+rows] = [3]float64{0, p.qmin, p.qmax}[s] - p.x0
		}
		for i := range n {
			m[i][at] = m[at][i]
		}
		at++
	}
	u := m.solve()
	if u == nil {
		return nil
	}
	return u[:n]
}

// hessian returns H = 2(B'WqB + Wr), eq. 4.12.
func hessian(p *problem) [][]float64 {
	h := make([][]float64, p.horizon)
	for i := range h {
		h[i] = make([]float64, p.horizon)
		for j := range h[i] {
			h[i][j] = 2 * p.wq * p.b * p.b * float64(p.horizon-max(i, j))
			if i == j {
				h[i][j] += 2 * p.wr
			}
		}
	}
	return h
}

// gradient returns g = 2 wq B' 1 x0, eq. 4.13 with its product the right way round.
func gradient(p *problem) []float64 {
	g := make([]float64, p.horizon)
	for i := range g {
		g[i] = 2 * p.wq * p.b * p.x0 * float64(p.horizon-i)
	}
	return g
}

// matrix is a square matrix with a right-hand side as its last column.
type matrix [][]float64

func newMatrix(n int) matrix {
	m := make(matrix, n)
	for i := range m {
		m[i] = make([]float64, n+1)
	}
	return m
}

// solve is Gaussian elimination with scaled pivots; nil if the matrix is singular.
func (m matrix) solve() []float64 {
	n := len(m)
	for _, row := range m {
		most := 0.0
		for _, v := range row[:n] {
			most = max(most, math.Abs(v))
		}
		if most == 0 {
			return nil
		}
		for i := range row {
			row[i] /= most
		}
	}
	for c := range n {
		pivot := c
		for r := c; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[pivot][c]) {
				pivot = r
			}
		}
		if math.Abs(m[pivot][c]) < 1e-13 {
			return nil
		}
		m[c], m[pivot] = m[pivot], m[c]
		for r := range n {
			if r == c {
				continue
			}
			k := m[r][c] / m[c][c]
			for i := c; i <= n; i++ {
				m[r][i] -= k * m[c][i]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = m[i][n] / m[i][i]
	}
	return x
}
