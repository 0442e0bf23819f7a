package waitlist

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// renumber adds 100 to the numbers in lists.
func renumber(lists ...[]int32) [][]int32 {
	lists = slices.Clone(lists)
	Renumber(lists, func(list *[]int32) *[]int32 { return list }, func(flow int32) int32 { return flow + 100 })
	return lists
}

// Lists that share memory share it afterwards, also if the longest is not the last; the ones before are as they were, and
// nothing that is appended to a list comes into another.
func TestRenumber(t *testing.T) {
	all := []int32{7, 1, 4, 9}
	got := renumber(all[:2:2], []int32{7, 1}, all, nil, all[:3], all[1:], []int32{5}, all[:1])
	want := [][]int32{{107, 101}, {107, 101}, {107, 101, 104, 109}, nil, {107, 101, 104}, {101, 104, 109}, {105}, {107}}
	if !slices.EqualFunc(got, want, slices.Equal) || !slices.Equal(all, []int32{7, 1, 4, 9}) {
		t.Errorf("got %v, want %v; %v before", got, want, all)
	}
	if &got[0][0] != &got[2][0] || &got[4][0] != &got[2][0] || &got[1][0] == &got[0][0] {
		t.Error("not the same lists share memory")
	}
	for _, list := range got {
		_ = append(list, -1)
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v: it has changed with what is appended", got, want)
	}
}

// A long list has memory, and short ones have it together.
func TestRoom(t *testing.T) {
	lists := make([][]int32, 3*roomFor)
	for i := range lists {
		lists[i] = []int32{int32(i)}
	}
	lists[9] = make([]int32, 2*roomFor)
	got := lists
	if allocs := testing.AllocsPerRun(1, func() { got = renumber(lists...) }); allocs > 20 {
		t.Errorf("%v allocations", allocs)
	}
	for i, list := range got {
		if want := int32(i + 100); i != 9 && !slices.Equal(list, []int32{want}) {
			t.Fatalf("got %v, want %d", list, want)
		}
	}
}

// The last of a list is what a search finds, in whatever order lists that share memory are asked about.
func TestLatest(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var rank, list []int32
		for i := range 30 {
			rank, list = append(rank, rng.Int32N(9)), append(list, int32(i))
		}
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		looks := 0
		latest := Latest{Compare: func(a, b int32) int { looks++; return cmp.Compare(rank[a], rank[b]) }}
		for range 20 {
			part := list[:1+rng.IntN(len(list))]
			want := slices.MaxFunc(part, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
			if got := latest.Of(part); got != want {
				t.Fatalf("got %d of %v, want %d; ranks %v", got, part, want, rank)
			}
		}
		latest.Of(list)
		if looks = 0; latest.Of(list) < 0 || looks > 0 {
			t.Errorf("a list is looked at again: %d flows", looks)
		}
	}
}
