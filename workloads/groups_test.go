package workloads

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

func groupsOf(keys string, t *topo.Topology) ([][]core.NodeID, error) {
	_, words := cutPlacement("1MB," + keys)
	p, err := parsePlacement(words, patternKeys)
	if err != nil {
		return nil, err
	}
	return p.groups(t)
}

func TestGroups(t *testing.T) {
	net := network(t, "star:n=16")
	for keys, want := range map[string]string{
		"tag=x":                          "[[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]]",
		"hosts=0-7":                      "[[0 1 2 3 4 5 6 7]]",
		"hosts=0-2, 8, 12 - 15 : 3":      "[[0 1 2 8 12 15]]",
		"hosts=15,3-5,0":                 "[[15 3 4 5 0]]",
		"hosts=0-15:8":                   "[[0 8]]",
		"group=8":                        "[[0 1 2 3 4 5 6 7] [8 9 10 11 12 13 14 15]]",
		"stride=8":                       "[[0 8] [1 9] [2 10] [3 11] [4 12] [5 13] [6 14] [7 15]]",
		"stride=1":                       "[[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]]",
		"group=4,stride=2":               "[[0 2 4 6] [1 3 5 7] [8 10 12 14] [9 11 13 15]]",
		"group=2,hosts=9,0-2":            "[[9 0] [1 2]]",
		"stride=2,hosts=9,0-2,tag=a,b=c": `unknown key "b"; known: hosts, group, stride, tag, start, after`,
	} {
		got, err := groupsOf(keys, net)
		if text := fmt.Sprint(got); err == nil && text != want || err != nil && err.Error() != want {
			t.Errorf("%s: got %v, %v, want %s", keys, got, err, want)
		}
	}
}

// drawList draws nodes and ranges, and asks of every node whether it is in them: the list, and whether it is wrong.
func drawList(rng *rand.Rand, kinds []topo.Kind) (words []string, list []core.NodeID, wrong bool) {
	for range rng.IntN(4) {
		from, to, step := rng.IntN(len(kinds)), rng.IntN(len(kinds)+1), 1
		text := fmt.Sprint(from)
		switch rng.IntN(3) {
		case 0:
			to = from
		case 1:
			text += fmt.Sprintf("-%d", to)
		case 2:
			step = 1 + rng.IntN(5)
			text += fmt.Sprintf("-%d:%d", to, step)
		}
		words = append(words, text)
		wrong = wrong || to == len(kinds) || to < from || kinds[to] == topo.Switch
		for id := range kinds {
			if from <= id && id <= to && (id-from)%step == 0 {
				wrong = wrong || kinds[id] == topo.Switch || slices.Contains(list, core.NodeID(id))
				list = append(list, core.NodeID(id))
			}
		}
	}
	return words, list, wrong
}

// Drawn at random, lists and groups are those of a twin that asks of every node whether it is in the list, and of every
// place in that to which group it belongs.
func TestGroupsTwin(t *testing.T) {
	good := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 0))
		net := &topo.Topology{Kinds: make([]topo.Kind, 1+rng.IntN(40))}
		for i := range net.Kinds {
			if rng.IntN(50) == 0 {
				net.Kinds[i] = topo.Switch
			}
		}
		words, list, wrong := drawList(rng, net.Kinds)
		keys := []string{"hosts=" + strings.Join(words, ",")}
		if words == nil {
			keys, list = nil, net.Hosts()
		}
		size, stride := len(list), 1
		if rng.IntN(2) == 0 {
			stride = 1 + rng.IntN(4)
			keys = append(keys, fmt.Sprintf("stride=%d", stride))
			size /= stride
		}
		if rng.IntN(2) == 0 {
			size = 2 + rng.IntN(6)
			keys = append(keys, fmt.Sprintf("group=%d", size))
		}
		if size < 2 && stride == 1 || len(net.Hosts()) < 2 { // for the pattern to refuse
			continue
		}
		got, err := groupsOf(strings.Join(keys, ","), net)
		if wrong = wrong || size < 2 || len(list)%(size*stride) > 0; wrong != (err != nil) {
			t.Fatalf("%v of %v: %v, %v", keys, net.Kinds, got, err)
		}
		if wrong {
			continue
		}
		good++
		want := make([][]core.NodeID, len(list)/size)
		for at, host := range list {
			block, offset := at/(size*stride), at%stride
			want[block*stride+offset] = append(want[block*stride+offset], host)
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%v of %v: %v, want %v", keys, net.Kinds, got, want)
		}
	}
	if good < 300 {
		t.Errorf("only %d lists make groups", good)
	}
}

// everyPattern has each pattern in rounds, if it has any, without keys.
func everyPattern() (specs []string) {
	for _, p := range Patterns() {
		specs = append(specs, p.Name+":5KB-10KB,2,3us")
	}
	return append(specs, longAndShort+":1MB,1KB,1us")
}

// flowsOfGroups returns the flows, and takes the numbers of the groups from them.
func flowsOfGroups(t *testing.T, spec, net string) (flows []Flow, groups []int32) {
	t.Helper()
	flows = patternFlows(t, spec, net, 4)
	for i := range flows {
		groups = append(groups, flows[i].Group)
		flows[i].Group = 0
	}
	return flows, groups
}

// Groups of a pattern are as many patterns beside each other, whose numbers their flows have.
func TestGroupsBesideEachOther(t *testing.T) {
	for _, spec := range everyPattern() {
		for keys, lists := range map[string][]string{
			"group=4": {"0-3", "4-7", "8-11", "12-15"}, "stride=4": {"0-12:4", "1-13:4", "2-14:4", "3-15:4"}, "hosts=2-9,stride=2": {"2-8:2", "3-9:2"},
		} {
			got, groups := flowsOfGroups(t, spec+","+keys, "star:n=16")
			var each [][]Flow
			of := make(map[core.NodeID]int32)
			for i, list := range lists {
				flows, one := flowsOfGroups(t, spec+",hosts="+list, "star:n=16")
				if slices.Max(one) != 1 || slices.Min(one) != 1 {
					t.Errorf("%s: numbers %v", list, one)
				}
				for _, f := range flows {
					of[f.Src], of[f.Dst] = int32(1+i), int32(1+i)
				}
				each = append(each, flows)
			}
			if !equal(got, Merge(each...)) {
				t.Errorf("%s,%s: got %v, want %v", spec, keys, got, Merge(each...))
			}
			for i, g := range groups {
				if g != of[got[i].Src] || g != of[got[i].Dst] {
					t.Fatalf("%s,%s: a flow from %d to %d is of group %d", spec, keys, got[i].Src, got[i].Dst, g)
				}
			}
		}
	}
}

// Naming all hosts changes nothing, and a group is a network of its own: with its hosts renumbered its flows are those of
// that network, apart from random pairs, which a first host of another number changes.
func TestGroupIsANetwork(t *testing.T) {
	for _, spec := range everyPattern() {
		whole, none := flowsOfGroups(t, spec, "star:n=8")
		if slices.Max(none) != 0 {
			t.Errorf("%s: without keys it has groups", spec)
		}
		for _, keys := range []string{"hosts=0-7", "group=8", "stride=1", "hosts=0,1,2-6,7,group=8"} {
			if got, _ := flowsOfGroups(t, spec+","+keys, "star:n=8"); !equal(got, whole) {
				t.Errorf("%s,%s: got %v, want %v", spec, keys, got, whole)
			}
		}
		got, _ := flowsOfGroups(t, spec+",hosts=3-17:2", "star:n=20")
		for i := range got {
			got[i].Src, got[i].Dst = (got[i].Src-3)/2, (got[i].Dst-3)/2
		}
		random := strings.HasPrefix(spec, "permutation") || strings.HasPrefix(spec, "one-")
		if equal(got, whole) == random {
			t.Errorf("%s: hosts 3, 5 to 17 have %v, as renumbered, and 0 to 7 %v", spec, got, whole)
		}
	}
}

// A ring goes through the hosts in the order of the list.
func TestOrderOfGroup(t *testing.T) {
	var got []string
	for _, f := range patternFlows(t, "ring-all-gather:2KB,hosts=5,1,3", "star:n=6", 1) {
		if f.After == nil {
			got = append(got, fmt.Sprintf("%d-%d", f.Src, f.Dst))
		}
	}
	if want := []string{"1-3", "3-5", "5-1"}; !slices.Equal(got, want) {
		t.Errorf("a ring of %v, want %v", got, want)
	}
}

// A chosen tag is that of all flows, and may hold the numbers of group and round; those of answers and of
// long-and-short say what they are behind it.
func TestChosenTags(t *testing.T) {
	for spec, want := range map[string]string{
		"ring-all-gather:2KB,2,hosts=0-3":                        "ring-all-gather",
		"ring-all-gather:2KB,2,hosts=0-3,tag=tp":                 "tp",
		"ring-all-gather:2KB,2,group=3,tag=tp":                   "tp",
		"ring-all-gather:2KB,2,group=3,tag=tp{group}":            "tp0 tp1",
		"ring-all-reduce:2KB-4KB,2,group=3,tag={group} {round}":  "0 0, 0 1, 0 2, 0 3, 1 0, 1 1, 1 2, 1 3",
		"one-many:2KB,2,tag=a=b.{round}":                         "a=b.0 a=b.0-answer a=b.1 a=b.1-answer",
		"one-one:2KB,stride=3,tag={round}{group}":                "00 01 02",
		"all-to-all:2KB,1,hosts=0-2,tag=x":                       "x x-answer",
		"long-and-short:2KB,1KB,1us,tag=x,group=3":               "x-long x-short",
		"long-and-short:2KB,1KB,1us,group=3, tag = {group} lns ": "0 lns-long, 0 lns-short, 1 lns-long, 1 lns-short",
		"long-and-short:2KB,1KB,1us,group=3":                     "long short",
	} {
		seen := make(map[string]bool)
		for _, f := range patternFlows(t, spec, "star:n=6", 1) {
			seen[f.Tag] = true
		}
		separator := " "
		if strings.Contains(want, ", ") {
			separator = ", "
		}
		if got := strings.Join(slices.Sorted(maps.Keys(seen)), separator); got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
}

// The rounds of a tag are those of sizes and rounds in their order, and of a collective in all its steps.
func TestTagsOfRounds(t *testing.T) {
	count := make(map[string]int)
	for _, f := range patternFlows(t, "ring-all-reduce:4KB-8KB,2,hosts=0-3,tag={round}", "star:n=6", 1) {
		count[fmt.Sprint(f.Tag, " ", f.Bytes)]++
	}
	if want := map[string]int{"0 1000": 24, "1 1000": 24, "2 2000": 24, "3 2000": 24}; !maps.Equal(count, want) {
		t.Errorf("got %v, want %v", count, want)
	}
}

func TestPlacementErrors(t *testing.T) {
	net := network(t, "leaf-spine:leaves=4,spines=2,hosts=4") // hosts 0 to 15, switches 16 to 21
	for keys, want := range map[string]string{
		"hosts=0-22":                         "hosts: there is no node 22: the network has 16 hosts, the first is 0, the last 15",
		"hosts=0-2147483647":                 "hosts: there is no node 2147483647: the network has 16 hosts, the first is 0, the last 15",
		"hosts=0-2147483648":                 `hosts: "0-2147483648" is neither a node nor a range such as 0-7, or 0-56:8 for every eighth`,
		"hosts=12-17":                        "hosts: node 17 is a switch: the network has 16 hosts, the first is 0, the last 15",
		"hosts=":                             `hosts: "" is neither a node`,
		"hosts=0-7,":                         `hosts: "" is neither a node`,
		"hosts=0-7,2ms":                      `hosts: "2ms" is neither a node`,
		"hosts=-3":                           `hosts: "-3" is neither a node`,
		"hosts=3:2":                          `hosts: "3:2" is neither a node`,
		"hosts=0-7:0":                        `hosts: "0-7:0" is neither a node`,
		"hosts=0-7:":                         `hosts: "0-7:" is neither a node`,
		"hosts=7-0":                          "hosts: the range 7-0 goes down",
		"hosts=0-3,2":                        "hosts: node 2 is given twice",
		"hosts=4":                            "1 host; two are needed",
		"hosts=0-3,hosts=8":                  "hosts is given twice",
		"group=0":                            `group: "0" is not a number of hosts from 2 on`,
		"group=1":                            `group: "1" is not a number of hosts from 2 on`,
		"group=":                             `group: "" is not a number of hosts from 2 on`,
		"group=3":                            "group: 16 hosts do not make groups of 3",
		"group=32":                           "group: 16 hosts do not make groups of 32",
		"hosts=0-9,group=4":                  "group: 10 hosts do not make groups of 4",
		"group=4,10":                         `"10" stands behind group=, which has one value: what has no key comes first`,
		"stride=0":                           `stride: "0" is not a whole number from 1 on`,
		"stride=3":                           "stride: 16 hosts do not make 3 groups of the same size, from 2 on",
		"stride=16":                          "stride: 16 hosts do not make 16 groups of the same size, from 2 on",
		"stride=9000000000000000000":         "stride: 16 hosts do not make 9000000000000000000 groups of the same size, from 2 on",
		"group=4,stride=8":                   "stride: the number of groups of 4 hosts, 4, is no multiple of 8",
		"group=4,stride=9000000000000000000": "stride: the number of groups of 4 hosts, 4, is no multiple of 9000000000000000000",
		"tag=":                               `tag: "" is not 1 to 249 printable characters`,
		"tag=a\x01":                          `tag: "a\x01" is not 1 to 249 printable characters`,
		"tag=a\xff":                          `tag: "a\xff" is not 1 to 249 printable characters`,
		"tag=" + strings.Repeat("ä", 250):    "is not 1 to 249 printable characters",
		"tag=x{step}":                        `tag: braces in "x{step}" hold something else than group or round`,
		"tag=x{group":                        `tag: braces in "x{group" hold something else than group or round`,
		"host=0-3":                           `unknown key "host"; did you mean "hosts"? known: hosts, group, stride, tag, start, after`,
		"=":                                  `unknown key ""`,
	} {
		spec := "ring-all-reduce:1MB," + keys
		_, err := flowsOf(net, 1, spec)
		if prefix := fmt.Sprintf("pattern %q: ", spec); err == nil || !strings.HasPrefix(err.Error(), prefix+want) && (!strings.HasPrefix(keys, "tag=") || !strings.HasSuffix(err.Error(), want)) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %s", keys, err, want)
		}
	}
	for spec, want := range map[string]string{
		"halving-doubling:1MB,hosts=0-11":         "12 hosts; it is for a power of two, such as 8",
		"halving-doubling:1MB,hosts=0-11,group=6": "6 hosts; it is for a power of two, such as 4",
		"long-and-short:1MB,1KB,1us,group=2":      "2 hosts; a long and a short flow to one receiver need three",
		"long-and-short:1MB,1KB,group=2":          "it has three values, not 2; write long-and-short:100MB,1MB,1ms",
		"ring-all-reduce:hosts=0-3":               `"" is not a size (a number and a unit such as 300KB or 64MiB); write ring-all-reduce:1MB, or`,
	} {
		if _, err := flowsOf(net, 1, spec); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("pattern %q: %s", spec, want)) {
			t.Errorf("%s: got %v, want %s", spec, err, want)
		}
	}
	for _, spec := range []string{"halving-doubling:1MB,hosts=0-11,group=4", "halving-doubling:1MB,hosts=0-11,stride=3"} {
		if _, err := flowsOf(net, 1, spec); err != nil {
			t.Error(err)
		}
	}
}

// In groups a network makes fewer flows, of which all count.
func TestFlowsOfManyGroups(t *testing.T) {
	net := &topo.Topology{Kinds: make([]topo.Kind, 60_000)}
	if flows, err := flowsOf(net, 1, "all-to-all:1B,group=4"); err != nil || len(flows) != 180_000 {
		t.Errorf("%d flows, %v", len(flows), err)
	}
	if _, err := flowsOf(net, 1, "all-to-all:1B,group=30000"); err == nil || !strings.Contains(err.Error(), "this would make about 1.8e+09 flows") {
		t.Error(err)
	}
}

// A tag with numbers is no longer than a flow file takes.
func TestLongestTag(t *testing.T) {
	tag := strings.Repeat(tagGroup, mostTag/len(tagGroup))
	tag += strings.Repeat("x", mostTag-len(tag))
	for _, f := range patternFlows(t, "one-one:1KB,1,group=2,tag="+tag, "star:n=2000", 1) {
		if n := len(f.Tag); n > 256 {
			t.Fatalf("%d characters", n)
		}
	}
}
