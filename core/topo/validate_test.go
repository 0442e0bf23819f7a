package topo

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(net *Topology)
		want   string // "" for valid
	}{
		{"untouched", func(*Topology) {}, ""},
		{"unknown kind", func(n *Topology) { n.Kinds[2] = 7 }, "node 2 is neither a host nor a switch"},
		{"node too high", func(n *Topology) { n.Links[1].B = 7 }, "link 1 (2-7): there is no node 7; the last one is 6"},
		{"negative node", func(n *Topology) { n.Links[1].A = -1 }, "there is no node -1"},
		{"loop", func(n *Topology) { n.Links[1].B = 2 }, "link 1 (2-2): both ends are node 2: name two different nodes"},
		{"no rate", func(n *Topology) { n.Links[3].Rate = 0 }, "link 3 (2-5): the rate 0bps is not above zero: write a rate such as 100Gbps"},
		{"slowest", func(n *Topology) { n.Links[3].Rate = MinRate }, ""},
		{"a bit a second", func(n *Topology) { n.Links[3].Rate = 1 }, "link 3 (2-5): the rate 1bps is below 1Kbps"},
		{"no unit", func(n *Topology) { n.Links[3].Rate = 100 }, "link 3 (2-5): the rate 100bps is below 1Kbps: write a unit, such as 25Gbps"},
		{"negative delay", func(n *Topology) { n.Links[3].Delay = -5 }, "the delay -5ps is negative: write a duration such as 1us"},
		{"long delay", func(n *Topology) { n.Links[3].Delay = MaxDelay }, ""},
		{"too long delay", func(n *Topology) { n.Links[3].Delay = MaxDelay + 1 }, "link 3 (2-5): the delay 3600000000000001ps is above 3600s: write a duration such as 1us"},
		{"certain loss", func(n *Topology) { n.Links[3].Loss = 1 }, ""},
		{"more than certain loss", func(n *Topology) { n.Links[3].Loss = 1.5 }, "the loss probability 1.5 is not between 0 and 1"},
		{"undefined loss", func(n *Topology) { n.Links[3].Loss = math.NaN() }, "the loss probability NaN"},
		{"one host", func(n *Topology) { n.Kinds[1] = Switch }, "a network needs two hosts, this one has 1"},
		{"cut", func(n *Topology) { n.Links = n.Links[:8] }, "host 0 cannot reach host 1: add links (hosts do not forward)"},
		{"host in the middle", func(n *Topology) {
			n.Kinds[6] = Host // 0 reaches 6, 1 is behind it
		}, "host 0 cannot reach host 1: add links (hosts do not forward)"},
		{"twins behind a host", func(n *Topology) {
			n.Kinds = []Kind{Host, Host, Host}
			link := Link{Rate: core.Gbps}
			n.Links = []Link{link, link}
			n.Links[0].B, n.Links[1].A, n.Links[1].B = 1, 1, 2
		}, "host 0 cannot reach host 2: add links (hosts do not forward)"},
		{"no links", func(n *Topology) {
			n.Kinds, n.Links = make([]Kind, 11), nil
		}, "host 0 cannot reach hosts 1, 2, 3, 4, 5, 6, 7, 8 and 2 more: add links"},
	} {
		net := diamond()
		c.change(net)
		err := net.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestValidateLimitsPorts(t *testing.T) {
	net := &Topology{Kinds: []Kind{Host, Host}}
	for range maxPorts + 1 {
		net.connect(0, 1, core.Gbps, 0)
	}
	if err := net.Validate(); err == nil || !strings.Contains(err.Error(), "link 65535 (0-1): node 0 has more than 65535 ports") {
		t.Errorf("got %v", err)
	}
	net.Links = net.Links[:maxPorts]
	if err := net.Validate(); err != nil {
		t.Errorf("%d ports: %v", maxPorts, err)
	}
}

// A network is valid if a brute-force search finds a way from every host to every other.
func TestConnected(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	joined, over := 0, 0
	for range 2000 {
		net := randomTopology(rng)
		hosts := net.Hosts()
		if len(hosts) < 2 {
			continue
		}
		next, all := plainRoutes(net, nil, AscendingID), true
		for _, src := range hosts {
			for _, dst := range hosts {
				all = all && (src == dst || len(next[src][dst]) > 0)
			}
		}
		if err := net.checkConnected(); (err == nil) != all {
			t.Fatalf("connected: %v, error: %v\n%+v", all, err, net)
		}
		if net.joined() {
			joined++
		} else if all {
			over++
		}
	}
	if joined == 0 || over == 0 {
		t.Errorf("%d networks joined by switches, %d otherwise: too few", joined, over)
	}
}
