package driver

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tagsOf runs flows of a CSV file on four hosts.
func tagsOf(t *testing.T, flows string) []TagTime {
	t.Helper()
	path := filepath.Join(t.TempDir(), "flows.csv")
	write(t, path, flows)
	return runInto(t, of(t, "topology", "star:n=4", "cc", "none", "stop", "1ms", "flows", path), Options{}).Tags
}

// Three flows alone on their links, 1000 B each: a packet of 1062 B takes 84.96 ns on each of two links, its
// acknowledgement of 66 B 5.28 ns, and a link's delay is 1 us.
func TestTags(t *testing.T) {
	flows := "src,dst,bytes,start_ns,after,tag\n0,1,1000,500,,step\n1,2,1000,0,0,step\n2,3,1000,1000,,other\n3,0,1000,1000,,\n3,0,1000,9e9,,late\n"
	got := tagsOf(t, flows)
	const alone = 2*84.96 + 2*5.28 + 4*1000 // 4180.48
	// The second step waits for the first one's last byte, and for the acknowledgement of it that its host sends first.
	want := []TagTime{{"step", 2, 2, 500, 500 + 2*84.96 + 2*1000 + 5.28 + alone}, {"other", 1, 1, 1000, 1000 + alone}, {Tag: "late", Flows: 1}}
	if !slices.EqualFunc(got, want, func(a, b TagTime) bool {
		near := math.Abs(a.ToNs-b.ToNs) < 1e-6
		a.ToNs = b.ToNs
		return near && a == b
	}) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Beyond a number of tags there is no list.
func TestManyTags(t *testing.T) {
	for tags, want := range map[int]int{mostTags: mostTags, mostTags + 1: 0} {
		var b strings.Builder
		b.WriteString("src,dst,bytes,start_ns,tag\n")
		for i := range tags {
			fmt.Fprintf(&b, "0,1,1000,%d,tag%d\n", i, i)
		}
		if got := tagsOf(t, b.String()); len(got) != want {
			t.Errorf("%d tags: a list of %d", tags, len(got))
		}
	}
}
