package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// Credits lose nothing, with buffers of hardly more than two packets or of the largest size: hosts
// that send at line rate, without congestion control, to one of them. Where the buffers cover the
// round trip of a link and the room not yet reported, the receiver's link is never idle.
func TestCreditsLossless(t *testing.T) {
	specs := append([]string{"star:n=61", "star:n=9,rate=1.6Tbps,delay=10us", "dumbbell:n=8,bottleneck=25Gbps"}, builtIn...)
	for _, buffer := range []string{"3500B", "128KiB"} {
		for _, spec := range specs {
			t.Run(spec+" "+buffer, func(t *testing.T) {
				s := withFlows(t, nil, "topology", spec, "cc", "none", "flow_control", "credits", "credits.buffer", buffer,
					"mtu", "1500B", "options.rto", "0s")
				last := core.NodeID(len(s.Topology.Hosts()) - 1)
				for i := range last {
					s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: last, Bytes: 400_000, Prio: 1 + uint8(i%3), DstPort: 100})
				}
				n, q := play(t, s)
				if len(q.ends) != len(s.Flows) || n.Dropped() != 0 {
					t.Errorf("%d of %d flows ended, %d packets dropped", len(q.ends), len(s.Flows), n.Dropped())
				}
				var waited core.Duration
				for id, ports := range n.Ports() {
					for i := range ports {
						waited += n.Counters(core.NodeID(id), i).Waited
					}
				}
				if waited == 0 && last > 1 {
					t.Error("no port ever waited for credits")
				}
			})
		}
	}
}

// A port under credits gets the whole of its link if the buffer covers round trip and updates.
func TestCreditsFillTheLink(t *testing.T) {
	s := withFlows(t, nil, "topology", "star:n=3", "cc", "none", "flow_control", "credits", "mtu", "4096B")
	s.Flows = []sim.Flow{{Src: 0, Dst: 2, Bytes: 10_000_000, Prio: 3, DstPort: 100}}
	n, q := play(t, s)
	if len(q.ends) != 1 || q.ends[0].Slowdown() > 1.001 {
		t.Errorf("ended %d, slowdown %v", len(q.ends), q.ends[0].Slowdown())
	}
	if w := n.Counters(0, 0).Waited; w != 0 {
		t.Errorf("the sender waited %v", w)
	}
}

// Losses cost credits only until the next flow-control packet: every flow ends, through failures
// of links and losses of data and flow-control packets, and no buffer overflows.
func TestCreditsSurviveLoss(t *testing.T) {
	for _, loss := range []string{"0.001", "0.02"} {
		s := withFlows(t, nil, "topology", "leaf-spine:leaves=2,spines=2,hosts=4", "cc", "none", "flow_control", "credits",
			"loss", loss, "options.rto", "100us", "options.retries", "0", "links", "{at: 50us, down: 8-10}", "links", "{at: 150us, up: 8-10}")
		for i := range core.NodeID(7) {
			s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: 7, Bytes: 1_000_000, Prio: 3, DstPort: 100})
		}
		n, q := play(t, s)
		var overflows int64
		for id, ports := range n.Ports() {
			for i := range ports {
				overflows += n.Counters(core.NodeID(id), i).DroppedPackets
			}
		}
		if len(q.ends) != 7 || overflows != 0 || n.Lost() == 0 {
			t.Errorf("loss %s: %d of 7 flows ended, %d packets found no room, %d lost", loss, len(q.ends), overflows, n.Lost())
		}
	}
}

// The shared memory, which credits do not use, may be arbitrarily small.
func TestCreditsNeedNoSharedMemory(t *testing.T) {
	if _, err := of(t, "topology", "star:n=8", "flow_control", "credits", "buffer", "1KB").Setup(); err != nil {
		t.Error(err)
	}
}

// A size of buffers that the run does not have is noted, and the defaults are not.
func TestNotesOnOtherMemory(t *testing.T) {
	const both = "credits.buffer changes nothing without flow_control: credits; credits.update changes nothing without flow_control: credits"
	for _, c := range []struct{ control, key, value, want string }{
		{"pfc", "credits", `{"buffer": "32KB", "update": "2KB"}`, both},
		{"credits", "buffer", "1MB", "buffer changes nothing: under credits each port has its own, credits.buffer"},
		{"credits", "buffer", "0B", ""},
		{"credits", "credits.buffer", "32KB", ""},
		{"pfc", "buffer", "16MB", ""},
		{"pfc", "credits.buffer", "32KB", "credits.buffer changes nothing without flow_control: credits"},
		{"none", "credits.update", "2KB", "credits.update changes nothing without flow_control: credits"},
		{"pfc", "credits.tick", "4ns", ""},
	} {
		s, err := of(t, "topology", "star:n=3", "patterns", "permutation:1KB", "flow_control", c.control, c.key, c.value).Setup()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Notes, "; "); got != c.want {
			t.Errorf("%s, %s=%s: notes %q, want %q", c.control, c.key, c.value, got, c.want)
		}
	}
}

// Buffers that are too small for what they must hold are refused by name, and packets that no buffer can hold.
func TestCreditsRefused(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"credits.buffer", "2KB", "credits.buffer: 2KB must be"},
		{"credits.buffer", "1MB", "credits.buffer: 1MB must be"},
		{"credits.update", "64KiB", "credits.update: 65536B must be at most"},
		{"mtu", "64KiB", "mtu: a packet of "}, // no buffer is large enough
	} {
		s := withFlows(t, nil, "flow_control", "credits", c.key, c.value)
		if _, err := sim.Build(s, &quiet{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s=%s: %v; want %s ...", c.key, c.value, err, c.want)
		}
	}
}

// All of InfiniBand, twice: credits, FECN, BECN by acknowledgement or packet, an index per queue
// pair or service level. The two runs are the same to the byte, lose nothing and mark something.
func TestInfiniBandRuns(t *testing.T) {
	for _, params := range []string{"becn: ack, scope: qp", "becn: cn, scope: sl, marking: counter"} {
		var first []string
		for range 2 {
			s := withFlows(t, nil, "topology", "fat-tree:k=4", "flow_control", "credits",
				"cc", "{name: ib-cc, params: {preset: gran, "+params+"}}")
			for i := range core.NodeID(12) {
				s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: 15 - i/10, Bytes: 300_000, Prio: 3, DstPort: 100})
			}
			n, q := play(t, s)
			var ends []string
			for _, r := range q.ends {
				ends = append(ends, fmt.Sprint(r.ID, r.FCT, r.Marked))
			}
			var marked int64
			var congested core.Duration
			for id, ports := range n.Ports() {
				for i := range ports {
					c := n.Counters(core.NodeID(id), i)
					marked += c.Marked
					congested += c.Congested
				}
			}
			if len(ends) != 12 || n.Dropped() != 0 || marked == 0 || congested == 0 {
				t.Fatalf("%s: %d flows ended, %d dropped, %d marked, congested for %v", params, len(ends), n.Dropped(), marked, congested)
			}
			if first == nil {
				first = ends
			} else if !slices.Equal(first, ends) {
				t.Errorf("%s: two runs differ", params)
			}
		}
	}
}

// A run under credits and ib-cc allocates nothing once it has warmed up.
func TestInfiniBandAllocatesNothing(t *testing.T) {
	s := withFlows(t, nil, "topology", "dumbbell:n=4", "flow_control", "credits", "cc", "{name: ib-cc, params: {scope: sl}}",
		"queue_sampling.interval", "0s", "dcms.sweep", "100us")
	for i := range core.NodeID(4) {
		s.Flows = append(s.Flows, sim.Flow{Src: i, Dst: 4 + i/2, Bytes: 1 << 40, Prio: 3, DstPort: 100})
	}
	n, _ := begin(t, s)
	n.Step(core.Never, 600_000)
	if a := testing.AllocsPerRun(20, func() { n.Step(core.Never, 10_000) }); a != 0 {
		t.Errorf("%v allocations in 10,000 events", a)
	}
}
