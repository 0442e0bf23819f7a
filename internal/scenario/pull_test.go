package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// The scenario for NDP that README.md names has queues of eight packets, which are full. Links are used for 85 % of the time
// or more: 8 MB take 650 us.
func TestScenarioOfNDP(t *testing.T) {
	const file = "../../testdata/ndp.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Read(file, text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sc.Setup()
	if err != nil {
		t.Fatal(err)
	}
	n, q := play(t, s)
	deepest := core.Bytes(0)
	for node, ports := range n.Ports() {
		for port := range ports {
			c := n.Counters(core.NodeID(node), port)
			deepest = max(deepest, c.MaxQueue)
			if c.DroppedPackets != 0 {
				t.Errorf("node %d drops %d packets", node, c.DroppedPackets)
			}
		}
	}
	for _, r := range q.ends {
		if r.Timeouts != 0 || !r.Finished {
			t.Errorf("flow %d has %d time-outs", r.ID, r.Timeouts)
		}
	}
	if len(q.ends) != 72 || deepest != 8*4062 || n.Now() > core.Time(765*core.Microsecond) {
		t.Errorf("%d flows end at %v, the longest queue is %v; want 72, 765us at most, 32496B", len(q.ends), n.Now(), deepest)
	}
}

// A receiver with two ports, to which packets of a flow come on both, pulls at the rate of both: two senders beyond them
// take no longer than one.
func TestPullsOfTwoPorts(t *testing.T) {
	dir := t.TempDir()
	network := filepath.Join(dir, "net")
	write(t, network, "6 3 6\n3 4 5\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n3 4 100Gbps 1us 0\n3 5 100Gbps 1us 0\n4 0 100Gbps 1us 0\n5 0 100Gbps 1us 0\n")
	for _, senders := range []core.NodeID{1, 2} {
		var flows []sim.Flow
		for i := range senders {
			flows = append(flows, sim.Flow{Src: 1 + i, Bytes: 4_000_000, Prio: 3, DstPort: 100})
		}
		n, q := play(t, unsampled(t, flows, append([]string{"topology", network, "host.entropy", "random"}, trimming...)...))
		for _, r := range q.ends {
			if r.Timeouts != 0 || r.FCT > 370*core.Microsecond {
				t.Errorf("%d senders: flow %d takes %v, with %d time-outs", senders, r.ID, r.FCT, r.Timeouts)
			}
		}
		if a, b := n.Counters(0, 0).RxPackets, n.Counters(0, 1).RxPackets; len(q.ends) != int(senders) || min(a, b) < 400 {
			t.Errorf("%d of %d flows end; %d packets come by one port, %d by the other", len(q.ends), senders, a, b)
		}
	}
}

// Losses of packets, ACKs and pulls cost time-outs, but no flow.
func TestPullsAreLost(t *testing.T) {
	for _, loss := range []string{"0.001", "0.03"} {
		var flows []sim.Flow
		for i := range core.NodeID(8) {
			flows = append(flows, sim.Flow{Src: i, Dst: 8, Bytes: 2_000_000 + int64(i), Prio: 3, DstPort: 100})
		}
		n, q := play(t, unsampled(t, flows, append([]string{"topology", "star:n=9", "loss", loss}, trimming...)...))
		timeouts := int64(0)
		for _, r := range q.ends {
			timeouts += r.Timeouts
			if !r.Finished {
				t.Errorf("loss of %s: flow %d does not finish", loss, r.ID)
			}
		}
		if len(q.ends) != 8 || n.Lost() < 4 || timeouts == 0 {
			t.Errorf("loss of %s: %d flows end after %d losses and %d time-outs", loss, len(q.ends), n.Lost(), timeouts)
		}
	}
}

// One sender shares its line equally among receivers, and each of those that gets less than its own line can take pulls of
// others in.
func TestSenderOfManyPulledFlows(t *testing.T) {
	var flows []sim.Flow
	for i := range core.NodeID(4) {
		flows = append(flows, sim.Flow{Src: 0, Dst: 1 + i, Bytes: 1_000_000, Prio: 3, DstPort: 100})
	}
	flows = append(flows, sim.Flow{Src: 5, Dst: 1, Bytes: 3_000_000, Prio: 3, DstPort: 100})
	_, q := play(t, unsampled(t, flows, append([]string{"topology", "star:n=6,rate=100Gbps"}, trimming...)...))
	for _, r := range q.ends {
		// The four send 1 MB each at a quarter of the line; the other takes three quarters of its receiver's.
		if us := r.FCT.Seconds() * 1e6; us < 318 || us > 345 || r.Timeouts != 0 {
			t.Errorf("flow %d takes %.1f us, with %d time-outs", r.ID, us, r.Timeouts)
		}
	}
	if len(q.ends) != 5 {
		t.Errorf("%d of 5 flows end", len(q.ends))
	}
}

// A run says what a network lacks for a scheme whose receivers go by trimmed packets.
func TestNotesOnTrimming(t *testing.T) {
	const trim = "switches that trim its packets (switch.trim: true, with host.recovery: selective and flow_control: none, or lossy)"
	const window = "hosts without a window, which keeps pulled packets back while one is missing (host.window: off)"
	ready := "cc ndp switch.trim true flow_control none host.recovery selective host.window off"
	for _, c := range []struct{ keys, note string }{
		{"cc none", ""},
		{ready, ""},
		{"cc ndp host.window on", "ndp is for " + trim + " and " + window},
		{"cc ndp host.window off host.recovery selective flow_control none", "ndp is for " + trim},
		{"cc ndp host.window off flow_control credits", "ndp is for " + trim},
		{ready + " host.window on", "ndp is for " + window},
		{ready + " flow_control pfc lossy 3", ""},
		{ready + " flow_control pfc lossy 2,3 class_by_tag {x:2}", ""},
		{ready + " flow_control pfc lossy 3 class_by_tag {x:2}", "ndp is for " + trim},
		{ready + " cc none cc_by_tag {x:ndp} flow_control pfc lossy 3 class_by_tag {x:2}", "ndp is for " + trim},
		{ready + " cc none cc_by_tag {x:ndp} flow_control pfc lossy 2 class_by_tag {x:2}", ""},
	} {
		s, err := of(t, append(strings.Fields(c.keys), "topology", "star:n=3", "workload", "none", "patterns", "['permutation:1KB','permutation:1KB,tag=x']")...).Setup()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Notes, "; "); got != c.note {
			t.Errorf("%s: note %q, want %q", c.keys, got, c.note)
		}
	}
}
