package core

import "container/heap"

// Agenda is what is due at times: a heap by time, then by number. The zero value is empty.
type Agenda struct{ items entries }

// Due is an entry of an agenda: a number, of whatever its owner counts, and a time.
type Due struct {
	At Time
	Of int
}

// Len returns the number of entries.
func (a *Agenda) Len() int { return len(a.items) }

// Add makes a number due at a time, also if it is due at another one.
func (a *Agenda) Add(at Time, of int) { heap.Push(&a.items, Due{at, of}) }

// First returns the entry that is due next. The agenda must not be empty.
func (a *Agenda) First() Due { return a.items[0] }

// Pop removes the entry that is due next and returns it. The agenda must not be empty.
func (a *Agenda) Pop() Due { return heap.Pop(&a.items).(Due) }

type entries []Due

// Len implements heap.Interface.
func (e entries) Len() int { return len(e) }

// Less implements heap.Interface.
func (e entries) Less(i, j int) bool {
	return e[i].At < e[j].At || e[i].At == e[j].At && e[i].Of < e[j].Of
}

// Swap implements heap.Interface.
func (e entries) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push implements heap.Interface.
func (e *entries) Push(x any) { *e = append(*e, x.(Due)) }

// Pop implements heap.Interface.
func (e *entries) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
