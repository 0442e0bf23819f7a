package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/laws"
	"github.com/qbb-sim/qbb/internal/sim"
)

// outcomeOfPairs is that of a set-up of fourPairs.
type outcomeOfPairs struct {
	slowest float64 // slowdown
	again   int64   // bytes
	paths   int     // that flows take
	slow    float64 // share of the bytes that go by spine 10
}

// ofPairs runs a set-up of fourPairs.
func ofPairs(t *testing.T, s *sim.Setup) (o outcomeOfPairs) {
	t.Helper()
	n, _ := play(t, s)
	for i := range s.Flows {
		r := n.Record(i)
		if !r.Finished || r.Timeouts != 0 {
			t.Errorf("flow %d: %+v", i, r)
		}
		o.slowest, o.again = max(o.slowest, r.Slowdown()), o.again+r.Retx
	}
	sum := int64(0)
	for spine := core.NodeID(10); spine < 14; spine++ {
		bytes := n.Counters(spine, 1).TxBytes
		if sum += bytes; bytes > 0 {
			o.paths++
		}
		if spine == 10 {
			o.slow = float64(bytes)
		}
	}
	o.slow /= float64(sum)
	return o
}

// Senders that share a path by hash, which halves their rate at least, leave it, and hosts that know nothing of it have
// their packets in order: no recovery sends anything again.
func TestConWeaveLeavesSharedPaths(t *testing.T) {
	for _, recovery := range []string{"go-back-n", "go-back-0", "selective"} {
		o := ofPairs(t, fourPairs(t, 20e6, "switch.load_balance", "conweave", "host.recovery", recovery, "cc", "swift"))
		if o.slowest > 1.5 || o.again != 0 || o.paths != 4 {
			t.Errorf("%s: %+v", recovery, o)
		}
	}
	if o := ofPairs(t, fourPairs(t, 20e6, "host.recovery", "go-back-n", "cc", "swift")); o.slowest < 1.95 {
		t.Errorf("by hash: %+v", o)
	}
}

// slowPath is a set-up of fourPairs with one path of a quarter of the rate.
func slowPath(t *testing.T, pairs ...string) *sim.Setup {
	t.Helper()
	s := fourPairs(t, 5e6, append(pairs, "host.recovery", "go-back-n", "cc", "dcqcn")...)
	for i := range s.Topology.Links {
		if l := &s.Topology.Links[i]; l.A == 8 && l.B == 10 || l.A == 10 && l.B == 8 {
			l.Rate = 25 * core.Gbps
		}
	}
	return s
}

// What is held for hosts whose links fail is thrown away, of which the laws know, and flows go on when the links are back.
func TestConWeaveFlushes(t *testing.T) {
	s := slowPath(t, "switch.load_balance", "conweave", "links", "[{at: 30us, down: 4-9}, {at: 31us, down: 5-9}, {at: 32us, down: 6-9}, {at: 33us, down: 7-9}, "+
		"{at: 60us, up: 4-9}, {at: 60us, up: 5-9}, {at: 60us, up: 6-9}, {at: 60us, up: 7-9}]")
	if broken, err := laws.Run(s); err != nil || broken != nil {
		t.Errorf("%v: %s", err, strings.Join(broken, "\n"))
	}
	ofPairs(t, s)
}

// Where classes are lossy, what is held finds room when it comes, not when it joins its queue, whatever that may hold: the laws
// check both.
func TestConWeaveHoldsLossyClasses(t *testing.T) {
	for _, sharing := range []string{"dynamic", "abm"} {
		s := slowPath(t, "switch.load_balance", "conweave", "lossy", "3", "buffer", "2MB", "switch.sharing", sharing, "switch.lossy_shift", "3", "stop", "200us")
		if broken, err := laws.Run(s); err != nil || broken != nil {
			t.Errorf("%s: %v: %s", sharing, err, strings.Join(broken, "\n"))
		}
	}
}

// A path of a quarter of the rate has packets overtaken by those that leave it. None reaches its host before those that it has
// overtaken, unless the destination ToR does not wait for them.
func TestConWeaveKeepsOrder(t *testing.T) {
	ordered := ofPairs(t, slowPath(t, "switch.load_balance", "conweave"))
	hasty := ofPairs(t, slowPath(t, "switch.load_balance", "conweave", "conweave.resume", "0s"))
	spray := ofPairs(t, slowPath(t, "switch.load_balance", "spray"))
	if ordered.again != 0 || ordered.paths != 4 || ordered.slow > 0.1 || ordered.slowest > 2 {
		t.Errorf("in order: %+v", ordered)
	}
	if hasty.again == 0 || spray.again < 20e6 {
		t.Errorf("without patience: %+v; by spraying: %+v", hasty, spray)
	}
}

// In a network of three tiers, too, source ToRs choose among all paths.
func TestConWeaveInThreeTiers(t *testing.T) {
	worst := func(way string) (slowest float64, again int64) {
		var flows []sim.Flow
		for i := range core.NodeID(16) {
			flows = append(flows, sim.Flow{Src: i, Dst: (i + 4) % 16, Bytes: 5e6, Prio: 3, DstPort: 100})
		}
		n, _ := play(t, unsampled(t, flows, "topology", "fat-tree:k=4", "cc", "swift", "switch.load_balance", way))
		for i := range flows {
			r := n.Record(i)
			slowest, again = max(slowest, r.Slowdown()), again+r.Retx
		}
		return slowest, again
	}
	hashed, _ := worst("ecmp")
	woven, again := worst("conweave")
	if woven > 0.7*hashed || again != 0 {
		t.Errorf("the slowest flow takes %.3g times what it takes alone, and %d bytes are sent again; by hash %.3g times", woven, again, hashed)
	}
}

// Nothing can put packets in order that come by two switches.
func TestConWeaveWantsOneLink(t *testing.T) {
	sc := of(t, "topology", "rail-optimized:servers=4,spines=2", "switch.load_balance", "conweave")
	_, err := sc.Setup()
	const want = "switch.load_balance: conweave puts packets in order at the one switch of a host, and host 0 has 2 links: use another way, or a network whose hosts have one link each"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// What hosts do with source ports does not choose the paths of data.
func TestConWeaveIgnoresPorts(t *testing.T) {
	for _, c := range [][2]string{{"host.entropy", "random"}, {"host.entropy", "plb"}} {
		for way, want := range map[string]bool{"conweave": true, "ecmp": false} {
			s, err := of(t, "topology", "fat-tree:k=4", "switch.load_balance", way, c[0], c[1]).Setup()
			if err != nil {
				t.Fatal(err)
			}
			note := "switch.load_balance conweave chooses the paths of data, whatever their source ports: " + c[0] + " changes those of other packets only"
			if slices.Contains(s.Notes, note) != want {
				t.Errorf("%s: notes %q, %q among them is %v", way, s.Notes, note, !want)
			}
		}
	}
}

// The keys of the section are the times of switches; profile ns3 counts whole nanoseconds.
func TestConWeaveKeys(t *testing.T) {
	for profile, resume := range map[string]core.Duration{"native": 3500 * core.Picosecond, "ns3": 3 * core.Nanosecond} {
		s, err := of(t, "profile", profile, "conweave.reply", "1ns", "conweave.path_busy", "2ns", "conweave.resume", "3500ps", "conweave.inactive", "4ns").Setup()
		if err != nil {
			t.Fatal(err)
		}
		want := switching.ConWeaveConfig{Reply: core.Nanosecond, Busy: 2 * core.Nanosecond, Resume: resume, Inactive: 4 * core.Nanosecond}
		if s.ConWeave != want {
			t.Errorf("%s: %+v, want %+v", profile, s.ConWeave, want)
		}
	}
}
