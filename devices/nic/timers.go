package nic

import "github.com/qbb-sim/qbb/core"

type timerKind uint8

const (
	timerRTO timerKind = iota
	timerScheme
)

type timer struct {
	at   core.Time
	flow *sender
	kind timerKind
}

// before orders timers by time, then by queue pair, then by kind.
func (a *timer) before(b *timer) bool {
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.flow.qp != b.flow.qp:
		return a.flow.qp < b.flow.qp
	}
	return a.kind < b.kind
}

// timerHeap holds the timers of a port's flows. A timer that has been moved or stopped stays
// until its time comes; then its flow is asked whether it is still valid.
type timerHeap []timer

// next returns the earliest deadline, or core.Never.
func (h timerHeap) next() core.Time {
	if len(h) == 0 {
		return core.Never
	}
	return h[0].at
}

func (h *timerHeap) push(at core.Time, s *sender, kind timerKind) {
	*h = append(*h, timer{at, s, kind})
	q := *h
	i := len(q) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !q[i].before(&q[up]) {
			break
		}
		q[i], q[up] = q[up], q[i]
		i = up
	}
}

func (h *timerHeap) pop() timer {
	q := *h
	top := q[0]
	n := len(q) - 1
	q[0] = q[n]
	q[n] = timer{}
	q = q[:n]
	*h = q
	for i := 0; ; {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && q[child+1].before(&q[child]) {
			child++
		}
		if !q[child].before(&q[i]) {
			break
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
	return top
}
