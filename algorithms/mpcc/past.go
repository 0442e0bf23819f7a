package mpcc

import "math/bits"

// past remembers the windows of the last control steps, as running sums in a ring, so that the
// sum of any recent stretch is one subtraction.
type past struct {
	sums  []int64 // sums[k&mask]: of the windows before step k
	size  int64   // to which the ring grows
	step  int64   // steps so far
	first int64   // window before step 0
}

// promptly is the size up to which a ring is made at once, 64 KB. That of a very long path grows
// with the number of steps.
const promptly = 1 << 13

// reset forgets everything: before step 0 the window was first. steps is the longest stretch
// that will be asked for.
func (p *past) reset(first, steps int64) {
	size := int64(1) << bits.Len64(uint64(steps))
	sums, now := p.sums, min(size, promptly)
	if int64(cap(sums)) < now {
		sums = make([]int64, now)
	}
	*p = past{sums: sums[:now], size: size, first: first}
	p.sums[0] = 0
}

// push adds the window in force from now to the next step.
func (p *past) push(window int64) {
	mask := int64(len(p.sums) - 1)
	sum := p.sums[p.step&mask] + window
	p.step++
	if n := int64(len(p.sums)); p.step == n && n < p.size { // nothing has been overwritten yet
		p.sums = append(p.sums, make([]int64, n)...)
		mask = int64(len(p.sums) - 1)
	}
	p.sums[p.step&mask] = sum
}

// last returns the sum of the windows of the last n steps, of as many as reset was told at most.
func (p *past) last(n int64) int64 {
	mask := int64(len(p.sums) - 1)
	now := p.sums[p.step&mask]
	from := p.step - n
	if from < 0 {
		return now - from*p.first
	}
	return now - p.sums[from&mask]
}
