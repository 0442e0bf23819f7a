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
	want := []TagTime{
		{Tag: "step", Flows: 2, Finished: 2, FromNs: 500, ToNs: 500 + 2*84.96 + 2*1000 + 5.28 + alone},
		{Tag: "other", Flows: 1, Finished: 1, FromNs: 1000, ToNs: 1000 + alone}, {Tag: "late", Flows: 1},
	}
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

// Groups of hosts are counted by tag, with the times of the fastest and the slowest. Each is alone in the network: n hosts
// of a ring take 2 (n-1) steps of 2508.94 ns, as in a star of their own.
func TestTagsOfGroups(t *testing.T) {
	took := func(hosts int) float64 {
		alone := runInto(t, of(t, "topology", fmt.Sprintf("star:n=%d", hosts), "cc", "none", "patterns", fmt.Sprintf("ring-all-reduce:%dKB", hosts)), Options{})
		return alone.Tags[0].ToNs
	}
	four, two := took(4), took(2)
	if four < 2*two {
		t.Fatalf("4 hosts take %v ns, 2 hosts %v", four, two)
	}
	run := func(patterns ...string) []TagTime {
		keys := []string{"topology", "star:n=16", "cc", "none"}
		for _, p := range patterns {
			keys = append(keys, "patterns", p)
		}
		return runInto(t, of(t, keys...), Options{}).Tags
	}
	for _, c := range []struct {
		patterns []string
		want     []TagTime
	}{
		{[]string{"ring-all-reduce:4KB,hosts=0-7,group=4", "ring-all-reduce:2KB,hosts=8,10,tag=b"}, []TagTime{
			{"ring-all-reduce", 48, 48, 0, four, 2, four, four}, {"b", 4, 4, 0, two, 1, two, two},
		}},
		{[]string{"ring-all-reduce:4KB,hosts=0-11,stride=3,tag=x", "ring-all-reduce:2KB,hosts=12-15,group=2,tag=x"}, []TagTime{{"x", 80, 80, 0, four, 5, two, four}}},
		{[]string{"ring-all-reduce:2KB,hosts=0-3,group=2,tag=x{group}"}, []TagTime{{"x0", 4, 4, 0, two, 1, two, two}, {"x1", 4, 4, 0, two, 1, two, two}}},
	} {
		if got := run(c.patterns...); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %+v, want %+v", c.patterns, got, c.want)
		}
	}
	whole := run("permutation:1KB", "all-to-all:1KB,tag=x")
	if len(whole) != 2 || whole[0].Groups+whole[1].Groups != 0 || whole[0].FastestNs+whole[1].SlowestNs != 0 {
		t.Errorf("without groups: %+v", whole)
	}
	rounds := run("ring-all-reduce:4KB,3,1us,hosts=0-7,group=4,tag=r{round}")
	for i, r := range rounds {
		if r.Groups != 2 || r.Flows != 48 || i > 0 && r.FromNs < rounds[i-1].ToNs-4180.48+1000 || r.FastestNs != four {
			t.Errorf("round %d: %+v; a reduction takes %v ns", i, r, four)
		}
	}
	if len(rounds) != 3 {
		t.Errorf("%d rounds", len(rounds))
	}
}

// A group with a flow that did not finish has no time.
func TestTagsOfUnfinishedGroups(t *testing.T) {
	tags := runInto(t, of(t, "topology", "star:n=8", "cc", "none", "stop", "20us", "patterns", "ring-all-reduce:4KB,hosts=0-3,tag=x", "patterns", "ring-all-reduce:1MB,hosts=4-7,tag=x"), Options{}).Tags
	if len(tags) != 1 || tags[0].Groups != 2 || tags[0].Finished >= tags[0].Flows || tags[0].FastestNs == 0 || tags[0].SlowestNs != tags[0].FastestNs {
		t.Errorf("got %+v", tags)
	}
}
