package core

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// An agenda hands out what a sorted list would.
func TestAgenda(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var a Agenda
	var list []Due
	for range 10000 {
		if len(list) > 0 && rng.IntN(2) == 0 {
			want := list[0]
			list = list[1:]
			if first, got := a.First(), a.Pop(); first != want || got != want {
				t.Fatalf("first %v, got %v, want %v", first, got, want)
			}
		} else {
			d := Due{Time(rng.IntN(20)), rng.IntN(20)}
			a.Add(d.At, d.Of)
			list = append(list, d)
			slices.SortFunc(list, func(x, y Due) int { return cmp.Or(cmp.Compare(x.At, y.At), cmp.Compare(x.Of, y.Of)) })
		}
		if a.Len() != len(list) {
			t.Fatalf("%d entries, want %d", a.Len(), len(list))
		}
	}
}

// Entries come in the order of time, those of equal times in the order of their numbers, whatever was added first.
func TestAgendaInOrder(t *testing.T) {
	var a Agenda
	for _, d := range []Due{{5, 2}, {7, 0}, {5, 1}, {3, 9}, {5, 4}} {
		a.Add(d.At, d.Of)
	}
	var got []int
	for a.Len() > 0 {
		got = append(got, a.Pop().Of)
	}
	if want := []int{9, 1, 2, 4, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
