package mpcc

import "math/bits"

// past remembers the windows of the last control steps, as running sums in a ring of fixed
// size, so that the sum of any recent stretch is one subtraction.
type past struct {
	sums  []int64 // sums[k&mask]: of the windows before step k
	step  int64   // steps so far
	first int64   // window before step 0
}

// reset forgets everything: before step 0 the window was first. steps is the longest stretch
// that will be asked for.
func (p *past) reset(first int64, steps int) {
	size := 1 << bits.Len(uint(steps))
	sums := p.sums
	if cap(sums) < size {
		sums = make([]int64, size)
	}
	*p = past{sums: sums[:size], first: first}
	p.sums[0] = 0
}

// push adds the window in force from now to the next step.
func (p *past) push(window int64) {
	mask := int64(len(p.sums) - 1)
	sum := p.sums[p.step&mask] + window
	p.step++
	p.sums[p.step&mask] = sum
}

// last returns the sum of the windows of the last n steps; n is cut to what the ring holds.
func (p *past) last(n int) int64 {
	mask := int64(len(p.sums) - 1)
	steps := min(int64(n), mask)
	now := p.sums[p.step&mask]
	if from := p.step - steps; from < 0 {
		return now - from*p.first
	}
	return now - p.sums[(p.step-steps)&mask]
}
