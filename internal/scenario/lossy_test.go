package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// shared is an incast of eight RDMA flows and eight TCP flows to one host.
func shared(size int64) (flows []sim.Flow) {
	for i := range core.NodeID(8) {
		flows = append(flows,
			sim.Flow{Src: i, Dst: 16, Bytes: size, Prio: 3, DstPort: 100, Tag: "rdma"},
			sim.Flow{Src: i + 8, Dst: 16, Bytes: size, Prio: 3, DstPort: 100, Tag: "tcp", Scheme: 1})
	}
	return flows
}

// Classes may be lossy before any flow exists: a host of the run may add some.
func TestLossyWithoutFlows(t *testing.T) {
	s, err := of(t, "topology", "star:n=2", "workload", "none", "lossy", "1").Setup()
	if err != nil || s.Lossy != 2 {
		t.Errorf("got %v, %v", s, err)
	}
}

// A switch without PFC is one whose classes are all lossy, with no headroom in its memory: with PFC, and headroom
// beside the same memory, a lossy class behaves the same.
func TestNoFlowControlIsLossy(t *testing.T) {
	for _, cc := range []string{"none", "dcqcn", "reno"} {
		set := func(more ...string) (*sim.Setup, []sim.FlowRecord, int64) {
			s, err := of(t, append([]string{"topology", "star:n=9", "workload", "none", "incast", "8x500KB@200us", "duration", "1ms", "cc", cc, "options.rto", "1ms"}, more...)...).Setup()
			if err != nil {
				t.Fatal(err)
			}
			n, q := play(t, s)
			return s, q.ends, n.Dropped()
		}
		with, _, _ := set("lossy", "3", "stop", "1ps")
		headroom := core.Bytes(0)
		for i := range with.Topology.Links {
			headroom += with.Headroom(&with.Topology.Links[i])
		}
		_, want, lost := set("lossy", "3", "buffer", (300_000 + headroom).String())
		s, got, dropped := set("flow_control", "none", "buffer", "300KB")
		for i := range s.Topology.Links {
			if s.Headroom(&s.Topology.Links[i]) != 0 {
				t.Fatal("headroom without PFC")
			}
		}
		for i := range want {
			if got[i].ID != want[i].ID || got[i].FCT != want[i].FCT || got[i].Retx != want[i].Retx {
				t.Errorf("%s: got %+v, want %+v", cc, got[i], want[i])
			}
		}
		if len(got) != len(want) || len(got) == 0 || dropped != lost || dropped == 0 {
			t.Errorf("%s: %d flows ended, %d packets dropped; with lossy classes %d and %d", cc, len(got), dropped, len(want), lost)
		}
	}
}

// RDMA in a lossless class and TCP in a lossy one share a run: TCP loses packets and recovers, with
// either way of recovery; RDMA loses none, and only its class is ever paused.
func TestLossyBesideLossless(t *testing.T) {
	for _, tcp := range []string{"reno", "cubic", "vegas", "dctcp-window"} {
		for _, rdma := range []string{"dcqcn", "none"} {
			for _, way := range []string{"go-back-n", "selective"} {
				t.Run(fmt.Sprint(tcp, " beside ", rdma, " ", way), func(t *testing.T) {
					lossyRun(t, tcp, rdma, way)
				})
			}
		}
	}
}

func lossyRun(t *testing.T, tcp, rdma, way string) {
	s, err := of(t, "topology", "star:n=17", "cc", rdma, "buffer", "3500KB", "lossy", "1", "class_by_tag.tcp", "1",
		"host.recovery", way, "host.window", "off", "cc_by_tag.tcp", "{name: "+tcp+", params: {first_window: 500}}",
		"flows", tagged(t), "ecn.mark", map[bool]string{true: "off", false: "dequeue"}[tcp == "dctcp-window"]).Setup()
	if err != nil {
		t.Fatal(err)
	}
	flows := shared(2_000_000)
	for i := range flows {
		flows[i].Prio = s.Flows[flows[i].Scheme].Prio
	}
	s.Flows = flows
	n, q := play(t, s)
	var lost, classes int
	for i := range q.ends {
		r := &q.ends[i]
		switch {
		case !r.Finished || r.Acked != r.Flow.Bytes:
			t.Errorf("flow %d: %+v", r.ID, *r)
		case r.Flow.Tag == "rdma" && (r.Retx != 0 || r.Timeouts != 0):
			t.Errorf("an RDMA flow has lost: %+v", *r)
		case r.Retx > 0:
			lost++
		}
	}
	for _, p := range q.paused {
		classes |= int(p)
	}
	if len(q.ends) != 16 || lost == 0 || n.Dropped() == 0 || classes != 1<<3 {
		t.Errorf("%d flows ended, %d TCP flows lost, %d packets dropped, classes %b paused", len(q.ends), lost, n.Dropped(), classes)
	}
}

// tagged is a file of a flow of each kind, by which the scenario's schemes and classes are checked.
func tagged(t *testing.T) string {
	file := t.TempDir() + "/flows.csv"
	write(t, file, "src,dst,bytes,start_ns,tag\n0,1,1,0,rdma\n0,1,1,0,tcp\n")
	return file
}

// Flows take the class of their scheme; the class of their tag overrides it, and both override the
// flow file's.
func TestClasses(t *testing.T) {
	file := t.TempDir() + "/flows.csv"
	write(t, file, "src,dst,bytes,start_ns,tag,prio,scheme\n0,1,1,0,a,5,\n0,1,1,0,b,5,\n0,1,1,0,b,5,cubic\n0,1,1,0,,5,cubic\n")
	s, err := of(t, "topology", "star:n=2", "flows", file, "lossy", "1, 2", "class_by_cc", "{cubic: 1}", "class_by_tag", "{b: 2}").Setup()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint8{5, 2, 2, 1} {
		if got := s.Flows[i].Prio; got != want {
			t.Errorf("flow %d has class %d, want %d", i, got, want)
		}
	}
	if s.Lossy != 1<<1|1<<2 {
		t.Errorf("lossy classes %b", s.Lossy)
	}
}

// Hosts must be able to send again the very packets that switches have trimmed.
func TestTrimNeedsSelectiveRecovery(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"", "no class is lossy: set lossy, or flow_control: none"},
		{"flow_control none", "class 3 has recovery go-back-n: set host.recovery or recovery_by_class.3 to selective"},
		{"lossy 1,3 class_by_tag.background 1 recovery_by_class.3 selective", "class 1 has recovery go-back-n: set host.recovery or recovery_by_class.1 to selective"},
		{"flow_control credits host.recovery selective", "no class is lossy: set lossy, or flow_control: none"},
		{"lossy 3 recovery_by_class.3 selective", ""},
		{"flow_control none host.recovery selective", ""},
	} {
		s, err := of(t, append([]string{"switch.trim", "true"}, strings.Fields(c.keys)...)...).Setup()
		switch {
		case c.want == "" && (err != nil || !s.Trim):
			t.Errorf("%s: %v", c.keys, err)
		case c.want != "" && (err == nil || err.Error() != "switch.trim: "+c.want):
			t.Errorf("%s: got %v, want %s", c.keys, err, c.want)
		}
	}
}

// With trimming an incast that overflows a buffer waits for no time-out, and every payload that was cut is sent again, once.
func TestTrimmedIncast(t *testing.T) {
	for _, cc := range []string{"none", "dcqcn", "swift", "cubic", "hpcc", "dctcp-window"} {
		took := map[string]core.Duration{}
		for _, trim := range []string{"false", "true"} {
			s, err := of(t, "topology", "star:n=17", "patterns", "one-many:300KB", "mtu", "4KB", "cc", cc, "flow_control", "none",
				"host.recovery", "selective", "buffer", "500KB", "switch.trim", trim).Setup()
			if err != nil {
				t.Fatal(err)
			}
			n, q := play(t, s)
			trimmed, sent, timeouts := int64(0), int64(0), int64(0)
			for port := range 17 {
				trimmed += n.Counters(17, port).Trimmed
			}
			for i := range q.ends {
				took[trim] = max(took[trim], q.ends[i].FCT)
				sent, timeouts = sent+q.ends[i].Retx, timeouts+q.ends[i].Timeouts
			}
			if trim == "true" && (n.Dropped() != 0 || timeouts != 0 || trimmed == 0 || sent > trimmed*4000 || sent <= (trimmed-16)*4000) {
				t.Errorf("%s: %d dropped, %d time-outs, %d trimmed, %d bytes sent again", cc, n.Dropped(), timeouts, trimmed, sent)
			}
			if trim == "false" && (n.Dropped() == 0 || trimmed != 0 || len(q.ends) != 16) {
				t.Errorf("%s: %d dropped, %d trimmed without trimming; %d flows ended", cc, n.Dropped(), trimmed, len(q.ends))
			}
		}
		t.Logf("%s: %v, trimming %v", cc, took["false"], took["true"])
	}
}

// Acknowledgements of classes that are trimmed find room where data to their senders fills the buffer.
func TestAcksBesideTrimmedPackets(t *testing.T) {
	var flows []sim.Flow
	for src := range core.NodeID(8) {
		for _, dst := range []core.NodeID{0, 1} {
			if src != dst {
				flows = append(flows, sim.Flow{Src: src, Dst: dst, Bytes: 300_000, Prio: 3})
			}
		}
	}
	n, q := play(t, withFlows(t, flows, "topology", "star:n=8", "cc", "none", "flow_control", "none", "host.window", "off",
		"host.recovery", "selective", "buffer", "100KB", "switch.trim", "true"))
	trimmed := int64(0)
	for port := range 8 {
		trimmed += n.Counters(8, port).Trimmed
	}
	if n.Dropped() != 0 || trimmed == 0 || len(q.ends) != len(flows) {
		t.Errorf("%d dropped, %d trimmed, %d of %d flows ended", n.Dropped(), trimmed, len(q.ends), len(flows))
	}
}
