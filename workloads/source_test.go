package workloads

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// ends reads keys such as hosts=0-3,to=5.
func ends(t *testing.T, keys string) Ends {
	t.Helper()
	s, err := ParseSource("sizes,"+keys, func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	return s.Ends
}

// A source is a name with keys, or the path of a file, whatever signs it has.
func TestParseSource(t *testing.T) {
	net := network(t, "star:n=6")
	known := func(path string) bool { return slices.Contains([]string{"", "a=1,b/sizes", "x,to=3.txt"}, path) }
	for text, want := range map[string]string{
		"websearch":                   "websearch  [0 1 2 3 4 5] [0 1 2 3 4 5]",
		"websearch,to=3,1":            "websearch ,to=3,1 [0 1 2 3 4 5] [3 1]",
		"websearch, hosts = 2-3, 5":   "websearch , hosts = 2-3, 5 [2 3 5] [2 3 5]",
		"websearch,to=0,hosts=0-4:2":  "websearch ,to=0,hosts=0-4:2 [0 2 4] [0]",
		"websearch,hosts=1,to=1,2":    "websearch ,hosts=1,to=1,2 [1] [1 2]",
		"a=1,b/sizes":                 "a=1,b/sizes  [0 1 2 3 4 5] [0 1 2 3 4 5]",
		"a=1,b/sizes,to=4":            "a=1,b/sizes ,to=4 [0 1 2 3 4 5] [4]",
		"x,to=3.txt":                  "x,to=3.txt  [0 1 2 3 4 5] [0 1 2 3 4 5]",
		"x,to=3.txt,hosts=0,1":        "x,to=3.txt ,hosts=0,1 [0 1] [0 1]",
		"websearch,hosts=1,to=1":      "to: node 1 would send to itself alone",
		"websearch,hosts=4":           "1 host; two are needed",
		"websearch,to=6":              "to: node 6 is a switch: the network has 6 hosts, the first is 0, the last 5",
		"websearch,hosts=0,0":         "hosts: node 0 is given twice",
		"websearch,to=":               `to: "" is neither a node nor a range such as 0-7, or 0-56:8 for every eighth`,
		"websearch,tag=a":             `unknown key "tag"; known: hosts, to`,
		"websearch,too=1":             `unknown key "too"; did you mean "to"? known: hosts, to`,
		"websearch,to=1,hosts=2,to=3": "to is given twice",
		",to=1":                       "there is no name: write that of a distribution first",
	} {
		s, err := ParseSource(text, known)
		var from, to []core.NodeID
		if err == nil {
			from, to, err = s.list(net)
		}
		got := fmt.Sprint(s.Name, " ", s.Keys, " ", from, " ", to)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// The hosts between which flows run change nothing but that: all of them, named, are all of them; and those that send do
// so when they do it in the whole network, and as much.
func TestPoissonBetween(t *testing.T) {
	const spec = "star:n=10,rate=10Gbps"
	p := Poisson{Sizes: mustNamed(t, "FbHadoop"), Load: 0.4, To: second / 50, Prio: 3}
	all := poissonFlows(t, p, spec, 5)
	for _, keys := range []string{"hosts=0-9", "to=0-9", "hosts=0-9,to=0-9"} {
		p.Ends = ends(t, keys)
		if got := poissonFlows(t, p, spec, 5); fmt.Sprint(got) != fmt.Sprint(all) {
			t.Errorf("%s: other flows than without", keys)
		}
	}
	for _, c := range []struct {
		keys     string
		from, to []core.NodeID
	}{
		{"hosts=2,5,7", []core.NodeID{2, 5, 7}, []core.NodeID{2, 5, 7}},
		{"hosts=0-3,to=4-9", []core.NodeID{0, 1, 2, 3}, []core.NodeID{4, 5, 6, 7, 8, 9}},
		{"hosts=1-4,to=3-6", []core.NodeID{1, 2, 3, 4}, []core.NodeID{3, 4, 5, 6}},
		{"to=0", []core.NodeID{1, 2, 3, 4, 5, 6, 7, 8, 9}, []core.NodeID{0}},
	} {
		p.Ends = ends(t, c.keys)
		flows := poissonFlows(t, p, spec, 5)
		for host := range core.NodeID(10) {
			sent := from(flows, host)
			if !slices.Contains(c.from, host) {
				if len(sent) > 0 {
					t.Errorf("%s: host %d sends %d flows", c.keys, host, len(sent))
				}
			} else if want := from(all, host); !slices.Equal(sent, want) {
				t.Errorf("%s: host %d sends %d flows, in the whole network %d", c.keys, host, len(sent), len(want))
			}
			checkUniform(t, c.keys, flows, host, c.to)
		}
	}
}

// checkUniform demands that a host sends to all receivers but itself, and as often to each, within four standard deviations.
func checkUniform(t *testing.T, what string, flows []Flow, host core.NodeID, receivers []core.NodeID) {
	t.Helper()
	number := make(map[core.NodeID]int)
	sent := 0
	for _, f := range flows {
		if f.Src == host {
			number[f.Dst]++
			sent++
		}
	}
	others := slices.DeleteFunc(slices.Clone(receivers), func(h core.NodeID) bool { return h == host })
	counted, share := 0, 1/float64(len(others))
	for _, h := range others {
		counted += number[h]
		if mean := float64(sent) * share; math.Abs(float64(number[h])-mean) > 4*math.Sqrt(mean*(1-share))+1e-9 {
			t.Errorf("%s: of %d flows of host %d %d run to %d of %d", what, sent, host, number[h], h, len(others))
		}
	}
	if counted != sent {
		t.Errorf("%s: host %d sends %d flows to others than %v", what, host, sent-counted, others)
	}
}

// What hosts are offered is the sum, over all that send, of their parts, and no more flows arrive than are expected.
func TestOfferedBetween(t *testing.T) {
	net := network(t, "star:n=8,rate=100Gbps")
	net.Links[3].Rate, net.Links[6].Rate = 25e9, 40e9 // those of hosts 3 and 6
	rates := hostRates(net, net.Hosts())
	for _, keys := range []string{"hosts=0-7", "hosts=0-4,to=3-6", "to=6", "hosts=6,to=5,6", "hosts=3,to=0-7"} {
		p := Poisson{Sizes: mustNamed(t, "WebSearch"), Load: 0.5, To: 10 * second, Ends: ends(t, keys)}
		senders, receivers, err := p.Ends.list(net)
		if err != nil {
			t.Fatal(err)
		}
		most, flows := 0.0, 0.0
		for _, r := range receivers {
			offered := 0.0
			for _, s := range senders {
				if peers := slices.DeleteFunc(slices.Clone(receivers), func(h core.NodeID) bool { return h == s }); s != r {
					offered += 0.5 * float64(rates[s]) / float64(len(peers))
				}
			}
			most = max(most, offered/float64(rates[r]))
		}
		for _, s := range senders {
			if len(receivers) > 1 || s != receivers[0] {
				flows += 0.5 * float64(rates[s]) / 8 * 10 / p.Sizes.Mean()
			}
		}
		if _, got := p.MostOffered(net); math.Abs(got-most) > 1e-9*most {
			t.Errorf("%s: a host is offered %v, want %v", keys, got, most)
		}
		if got := p.Expected(net); math.Abs(got-flows) > 1e-9*flows {
			t.Errorf("%s: %v flows are expected, want %v", keys, got, flows)
		}
	}
}

// An incast between all hosts, named, is that without. Otherwise it runs between those that are named, all of them in turn,
// and its load is that of the receivers.
func TestIncastBetween(t *testing.T) {
	const spec = "star:n=10,rate=10Gbps"
	c := Incast{Fan: 3, Size: 1000, To: second / 1000}
	all := incastFlows(t, c, spec, 3)
	for _, keys := range []string{"hosts=0-9", "to=0-9", "hosts=0-9,to=0-9"} {
		c.Ends = ends(t, keys)
		if got := incastFlows(t, c, spec, 3); fmt.Sprint(got) != fmt.Sprint(all) {
			t.Errorf("%s: other flows than without", keys)
		}
	}
	for keys, want := range map[string]struct {
		src, dst []core.NodeID
	}{
		"to=4":             {[]core.NodeID{0, 1, 2, 3, 5, 6, 7, 8, 9}, []core.NodeID{4}},
		"hosts=0-2,to=7,9": {[]core.NodeID{0, 1, 2}, []core.NodeID{7, 9}},
		"hosts=0-4,to=3,9": {[]core.NodeID{0, 1, 2, 3, 4}, []core.NodeID{3, 9}},
		"hosts=5-8":        {[]core.NodeID{5, 6, 7, 8}, []core.NodeID{5, 6, 7, 8}},
	} {
		c.Ends = ends(t, keys)
		flows := incastFlows(t, c, spec, 3)
		var src, dst []core.NodeID
		for i, f := range flows {
			src, dst = append(src, f.Src), append(dst, f.Dst)
			if f.Src == f.Dst || f.Dst != flows[i/3*3].Dst || f.Start != flows[i/3*3].Start {
				t.Errorf("%s: flow %d is %+v, the first of its round %+v", keys, i, f, flows[i/3*3])
			}
		}
		slices.Sort(src)
		slices.Sort(dst)
		if src, dst := slices.Compact(src), slices.Compact(dst); !slices.Equal(src, want.src) || !slices.Equal(dst, want.dst) {
			t.Errorf("%s: from %v to %v, want %v, %v", keys, src, dst, want.src, want.dst)
		}
		// 2 % of 10 Gb/s in a millisecond are 25 kB, 25 flows, for every receiver; a round that has begun is a whole one.
		if least := 25 * len(want.dst); len(flows) < least || len(flows) >= least+3 {
			t.Errorf("%s: %d flows, want %d", keys, len(flows), least)
		}
	}
	for keys, want := range map[string]string{
		"hosts=0-2":         "incast of 3 senders and a receiver: hosts= has 2 that are not the receiver",
		"hosts=0-2,to=2,9":  "incast of 3 senders and a receiver: hosts= has 2 that are not the receiver",
		"hosts=0-1,to=9":    "incast of 3 senders and a receiver: hosts= has 2 that are not the receiver",
		"hosts=0-3,to=9-10": "to: node 10 is a switch: the network has 10 hosts, the first is 0, the last 9",
	} {
		c.Ends = ends(t, keys)
		if _, err := c.Flows(network(t, spec), 1); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", keys, err, want)
		}
	}
}
