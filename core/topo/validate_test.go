package topo

import (
	"math"
	"math/rand/v2"
	"slices"
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
		{"fastest", func(n *Topology) { n.Links[3].Rate = MaxRate }, ""},
		{"too fast", func(n *Topology) { n.Links[3].Rate = MaxRate + 1 }, "link 3 (2-5): the rate 1000000000000001bps is above 1000Tbps: write a rate such as 100Gbps"},
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

// A round trip over all switches of the diamond, 5, has 12 links.
func TestValidateLimitsRoundTrips(t *testing.T) {
	for _, c := range []struct {
		rate, slowest core.Rate
		delay         core.Duration
		switches      int // more than the diamond's
		want          string
	}{
		{MaxRate, core.Gbps, 1000 * core.Second, 0, ""},
		{MaxRate / 2, core.Gbps, MaxDelay, 0, ""},
		{MaxRate, core.Gbps, MaxDelay, 0, "link 4 (2-4): at 1000Tbps a round trip over all 5 switches, with delays of up to 3600s, holds more than 4000000TB: lower the rate or the delays"},
		{MaxRate, MinRate, core.Microsecond, 0, ""},
		{core.Gbps, core.Gbps, MaxDelay, 490, ""},
		{core.Gbps, core.Gbps, MaxDelay, 500, "a round trip over all 505 switches, with delays of up to 3600s and rates from 1Gbps, may take more than 3600000s: shorten the delays, or raise the rates"},
		{core.Gbps, MinRate, core.Microsecond, 2000, "a round trip over all 2005 switches, with delays of up to 1us and rates from 1Kbps, may take more than 3600000s"},
	} {
		net := diamond()
		net.Links[4].Rate, net.Links[5].Rate, net.Links[6].Delay = c.rate, c.slowest, c.delay
		net.Kinds = append(net.Kinds, slices.Repeat([]Kind{Switch}, c.switches)...)
		err := net.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestValidateLimitsPorts(t *testing.T) {
	net := &Topology{Kinds: []Kind{Host, Host}}
	for range MaxPorts + 1 {
		net.connect(0, 1, core.Gbps, 0)
	}
	if err := net.Validate(); err == nil || !strings.Contains(err.Error(), "link 65535 (0-1): node 0 has more than 65535 ports") {
		t.Errorf("got %v", err)
	}
	net.Links = net.Links[:MaxPorts]
	if err := net.Validate(); err != nil {
		t.Errorf("%d ports: %v", MaxPorts, err)
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
