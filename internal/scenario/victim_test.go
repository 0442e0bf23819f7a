package scenario

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/dcms"
	"github.com/qbb-sim/qbb/internal/sim"
)

// The testbed of Mizero et al., figure 2: hosts A, B, C, D, X, Y on switches S1 and S2.
const (
	hostA = iota
	hostB
	hostC
	hostD
	hostX
	hostY
	switch1
	switch2
)

const testbed = `8 2 7
6 7
0 6 8Gbps 100ns 0
4 6 8Gbps 100ns 0
1 7 8Gbps 100ns 0
2 7 8Gbps 100ns 0
3 7 8Gbps 100ns 0
5 7 8Gbps 100ns 0
6 7 32Gbps 100ns 0
`

// Ports of the testbed: (S1, 15) and (S2, 23) of the paper.
var (
	victimPort = sim.PortRef{Node: switch1, Port: 2}
	rootPort   = sim.PortRef{Node: switch2, Port: 2}
)

// managed also keeps what the manager does.
type managed struct {
	quiet
	at      []core.Time
	actions []sim.ManagerAction
	sweeps  int
}

func (m *managed) Swept(at core.Time, ports []sim.SweptPort, actions []sim.ManagerAction) {
	m.sweeps++
	for _, a := range actions {
		m.at, m.actions = append(m.at, at), append(m.actions, a)
	}
}

// runTestbed runs the testbed's four flows, with 2 ms for each of the paper's seconds: X to Y from
// the start, B to D, C to D, and at 10 ms A to D, which congests the port of D and, for lack of
// credits, that of S1.
func runTestbed(t *testing.T, pairs ...string) (*sim.Network, *managed) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "topology.txt")
	write(t, file, testbed)
	return runVictim(t, file, [6]core.NodeID{hostA, hostB, hostC, hostD, hostX, hostY}, pairs...)
}

// runVictim runs the four flows of the testbed between the hosts A, B, C, D, X and Y of a network.
func runVictim(t *testing.T, topology string, h [6]core.NodeID, pairs ...string) (*sim.Network, *managed) {
	t.Helper()
	s := withFlows(t, nil, append([]string{
		"topology", topology, "mtu", "2048B", "flow_control", "credits", "queue_sampling.interval", "0s", "series.interval", "0s",
		"cc", "{name: ib-cc, params: {preset: dcms, max_delay: 32us}}",
	}, pairs...)...)
	flow := func(src, dst core.NodeID, at core.Duration) sim.Flow {
		return sim.Flow{Src: src, Dst: dst, Bytes: 40_000_000, Start: core.Time(at), Prio: 3, DstPort: 100}
	}
	s.Flows = []sim.Flow{flow(h[4], h[5], 0), flow(h[1], h[3], 2*ms), flow(h[2], h[3], 5*ms), flow(h[0], h[3], 10*ms)}
	m := &managed{}
	n, err := sim.Build(s, m)
	if err != nil {
		t.Fatal(err)
	}
	for n.Step(core.Never, 1<<20) {
	}
	if len(m.ends) != 4 || n.Dropped() != 0 {
		t.Fatalf("%d of 4 flows ended, %d packets dropped", len(m.ends), n.Dropped())
	}
	return n, m
}

func slowdowns(m *managed) (list [4]float64) {
	for _, r := range m.ends {
		list[r.ID] = r.Slowdown()
	}
	return list
}

// X to Y shares only the port between the switches with the others, which has room for all. Under
// credits without marks, or with few, the port of D holds it down to a third of its rate from 10 ms
// on, after a quarter of its time alone: 1/4 + 3/4*3 = 2.5. With every packet marked it is hardly
// affected; then the port of S1 has waited for credits no more than at the beginning.
func TestVictimUnderCredits(t *testing.T) {
	for _, c := range []struct {
		name, params string
		least, most  float64
	}{
		{"no marks", "threshold: 0", 2.3, 2.6},
		{"one in 2049", "marking_rate: 2048", 2.3, 2.6},
		{"every packet", "marking_rate: 0", 1, 1.1},
	} {
		n, m := runTestbed(t, "cc", "{name: ib-cc, params: {preset: dcms, max_delay: 32us, "+c.params+"}}")
		if got := slowdowns(m)[0]; got < c.least || got > c.most {
			t.Errorf("%s: X to Y has a slowdown of %.2f, want %v to %v", c.name, got, c.least, c.most)
		}
		root, victim := n.Counters(rootPort.Node, rootPort.Port), n.Counters(victimPort.Node, victimPort.Port)
		if marks := c.name != "no marks"; (root.Congested > 0) != marks || (root.Marked > 0) != marks {
			t.Errorf("%s: the port of D was congested for %v and marked %d", c.name, root.Congested, root.Marked)
		}
		if victim.Marked > 0 || victim.Congested > 10*core.Microsecond {
			t.Errorf("%s: the victim port was congested for %v and marked %d packets", c.name, victim.Congested, victim.Marked)
		}
		if suffers := c.least > 2; suffers != (victim.Waited > 20*core.Millisecond) {
			t.Errorf("%s: the victim port waited %v", c.name, victim.Waited)
		}
	}
}

// managerKeys are the thresholds of the paper for a sweep of 2 ms, where a second is 2 ms.
var managerKeys = []string{"dcms.sweep", "2ms", "dcms.t_c", "16000", "dcms.t_w", "40000", "dcms.t_d", "100000", "dcms.t_i", "30"}

// The manager sees congestion without a victim from 2 ms on, and does nothing; at the first sweep
// after 10 ms it sees the victim and sets the marking rate of D's port to 0, so that the victim
// recovers; when there is no victim any more, it sets it back to 128.
func TestVictimRecoversUnderManager(t *testing.T) {
	n, m := runTestbed(t, managerKeys...)
	if got := slowdowns(m)[0]; got > 1.25 {
		t.Errorf("X to Y has a slowdown of %.2f", got)
	}
	if len(m.actions) < 2 {
		t.Fatalf("actions %+v", m.actions)
	}
	first := sim.ManagerAction{PortRef: rootPort, MarkingRate: 0, Reason: dcms.VictimFound, Victim: victimPort}
	if m.actions[0] != first || m.at[0] != core.Time(12*core.Millisecond) {
		t.Errorf("first action %+v at %v, want %+v at 12 ms", m.actions[0], m.at[0], first)
	}
	second := sim.ManagerAction{PortRef: rootPort, MarkingRate: 128, Reason: dcms.VictimsGone}
	gone := m.ends[0].Start.Add(m.ends[0].FCT)
	if m.ends[0].ID != 0 || m.actions[1] != second || m.at[1] < gone || m.at[1] > gone.Add(4*core.Millisecond) {
		t.Errorf("second action %+v at %v, want %+v soon after %v", m.actions[1], m.at[1], second, gone)
	}
	if sweeps := int(n.Engine.Now() / core.Time(2*core.Millisecond)); m.sweeps != sweeps {
		t.Errorf("%d sweeps, want %d", m.sweeps, sweeps)
	}
}

// The same in a fat-tree with the testbed's rates, where A and X are at one edge switch of a pod and B, C, D and Y at
// one of the other, and both flows take the same way between the pods. It has more buffers, so that Y's own port is
// congested too once those drain, and the manager slows X to Y a little because of that. The victim port also carries
// A's flow: when that is slowed down, the port sends less, and this must not be taken for the end of the victim. With
// the testbed's t_d it is, and the manager turns the marking rate up and down.
func TestVictimInFatTree(t *testing.T) {
	const tree = "fat-tree:k=4,hosts=4,rate=8Gbps,fabric=32Gbps,delay=100ns,pods=2,edges=2,aggs=2,cores=2,uplinks=2"
	root, victim := sim.PortRef{Node: 19, Port: 3}, sim.PortRef{Node: 23, Port: 1}
	for _, c := range []struct {
		name        string
		keys        []string
		least, most float64
	}{
		{"no marks", []string{"cc", "{name: ib-cc, params: {preset: dcms, max_delay: 32us, threshold: 0}}"}, 2.3, 2.6},
		{"every packet", []string{"cc", "{name: ib-cc, params: {preset: dcms, max_delay: 32us, marking_rate: 0}}"}, 1, 1.1},
		{"manager", append(slices.Clone(managerKeys), "dcms.t_d", "1000000"), 1, 1.3},
		{"manager that turns up and down", managerKeys, 1.5, 3.5},
	} {
		n, m := runVictim(t, tree, [6]core.NodeID{1, 13, 14, 15, 2, 12}, c.keys...)
		if got := slowdowns(m)[0]; got < c.least || got > c.most {
			t.Errorf("%s: X to Y has a slowdown of %.2f, want %v to %v", c.name, got, c.least, c.most)
		}
		if waited := n.Counters(victim.Node, victim.Port).Waited; (waited > 20*ms) != (c.least > 1) {
			t.Errorf("%s: the victim port waited %v", c.name, waited)
		}
		if m.sweeps == 0 {
			continue
		}
		first := sim.ManagerAction{PortRef: root, MarkingRate: 0, Reason: dcms.VictimFound, Victim: victim}
		if len(m.actions) == 0 || m.actions[0] != first || m.at[0] != core.Time(12*ms) {
			t.Errorf("%s: actions %+v, want %+v at first, at 12 ms", c.name, m.actions, first)
		}
	}
}

// With a low marking rate for at most three sweeps, the victim suffers again and is found again
// (the second scenario of the paper). And a run is the same to the picosecond when it is repeated.
func TestManagerRepeats(t *testing.T) {
	keys := append(slices.Clone(managerKeys), "dcms.t_i", "3")
	_, a := runTestbed(t, keys...)
	_, b := runTestbed(t, keys...)
	if !reflect.DeepEqual(a.actions, b.actions) || !slices.Equal(a.at, b.at) || slowdowns(a) != slowdowns(b) {
		t.Error("two runs differ")
	}
	var reasons []dcms.Reason
	for _, x := range a.actions {
		reasons = append(reasons, x.Reason)
	}
	if want := []dcms.Reason{dcms.VictimFound, dcms.TimeIsUp, dcms.VictimFound}; len(reasons) < 3 || !slices.Equal(reasons[:3], want) {
		t.Errorf("reasons %v, want %v at first", reasons, want)
	}
	_, once := runTestbed(t, managerKeys...)
	if slowdowns(a)[0] <= slowdowns(once)[0] {
		t.Errorf("the victim suffers twice and is slowed down by %.2f; once: %.2f", slowdowns(a)[0], slowdowns(once)[0])
	}
}

// A manager without a scheme to manage is refused, and so are thresholds that make no sense.
func TestManagerRefused(t *testing.T) {
	s := withFlows(t, nil, "flow_control", "credits", "cc", "none", "dcms.sweep", "1ms")
	if _, err := sim.Build(s, &quiet{}); err == nil || err.Error() != "dcms: no scheme of the run has a marking rate: use cc ib-cc" {
		t.Errorf("without ib-cc: %v", err)
	}
	if _, err := of(t, "dcms.sweep", "1ms", "dcms.t_i", "0").Setup(); err == nil || err.Error() != "dcms: t_i is 0; it must be at least 1 sweep" {
		t.Errorf("t_i of 0: %v", err)
	}
}
