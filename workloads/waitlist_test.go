package workloads

import (
	"strings"
	"testing"
)

// waitsIn counts the numbers of flows that others wait for, each as often as it is in memory.
func waitsIn(flows []Flow) int {
	numbers := make(map[*int32]bool)
	for i := range flows {
		for k := range flows[i].After {
			numbers[&flows[i].After[k]] = true
		}
	}
	return len(numbers)
}

// The flows of a host in a phase wait for the same ones, and in several phases with one tag for these and more: there are
// in memory not many more waits than flows, also when other flows come between them.
func TestWaitsAreInProportion(t *testing.T) {
	pair, all := strings.Repeat(" ring-all-gather:8KB,hosts=0-1,tag=a,after=a", 50), strings.Repeat(" all-to-all:1KB,tag=a,after=a", 20)
	for name, c := range map[string]struct {
		net, patterns string
		most          int // waits of a flow
	}{
		"two phases":             {"star:n=20", "all-to-all:1KB,tag=a all-to-all:1KB,after=a", 1},
		"two phases, more hosts": {"star:n=60", "all-to-all:1KB,tag=a all-to-all:1KB,after=a", 1},
		"three phases":           {"star:n=60", "all-to-all:1KB,tag=a ring-all-gather:60KB,after=a,tag=b all-to-all:1KB,after=b", 3},
		"one tag":                {"star:n=8", "all-to-all:1KB,tag=a" + all, 4},
		"one tag, collectives":   {"star:n=8", "ring-all-gather:8KB,hosts=0-1,tag=a" + pair, 4},
		"two tags":               {"star:n=8", "permutation:1KB,tag=a,start=3us" + all + strings.ReplaceAll(all, "tag=a", "tag=b"), 4},
	} {
		flows, err := flowsOf(network(t, c.net), 1, strings.Fields(c.patterns)...)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if waits := waitsIn(flows); waits > c.most*len(flows) {
				t.Errorf("%s: %d waits of %d flows", name, waits, len(flows))
			}
			flows = Merge([]Flow{{Src: 1, Start: 1}, {Src: 1, Start: 5e6}}, flows)
		}
	}
}
