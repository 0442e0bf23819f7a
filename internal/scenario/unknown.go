package scenario

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// unknown collects where a run goes beyond what is known of the reference, whose files may then be others.
type unknown struct {
	c     *traces.Config
	s     *sim.Setup
	notes []string

	before, after *topo.Paths // see paths
}

// noteUnknown makes notes of such cases for a run that a config.txt describes.
func (sc *Scenario) noteUnknown(s *sim.Setup) {
	if sc.ref == nil || s.Profile != sim.NS3() || sc.CC.Name != sc.refCC {
		return
	}
	u := unknown{c: sc.ref, s: s}
	u.crossed()
	u.ofKeys()
	u.note(parallel(s.Topology), "several links join two nodes: here they are paths of equal cost, in the order of ports")
	src, dst, uneven := u.uneven()
	u.note(uneven, "paths of equal cost between two hosts, such as %d and %d, differ in rate or delay: here round trips, windows "+
		"and standalone times are those of the path that is found first", src, dst)
	u.ofScheme()
	u.ofFlows()
	s.Notes = append(s.Notes, u.notes...)
}

func (u *unknown) note(when bool, format string, args ...any) {
	if when {
		u.notes = append(u.notes, "it is not known what the reference does where "+fmt.Sprintf(format, args...))
	}
}

// crossed makes a note of lower thresholds above the upper ones. What the reference does with them is known, but they are
// hardly meant.
func (u *unknown) crossed() {
	if u.s.ECNOff {
		return
	}
	for _, low := range u.c.KMin {
		high := slices.IndexFunc(u.c.KMax, func(m traces.RateSize) bool { return m.Rate == low.Rate })
		used := slices.ContainsFunc(u.s.Topology.Links, func(l topo.Link) bool { return l.Rate == low.Rate })
		if used && high >= 0 && low.Size > u.c.KMax[high].Size {
			u.notes = append(u.notes, fmt.Sprintf("KMIN_MAP exceeds KMAX_MAP at %v: as in the reference, all packets above KMAX_MAP are marked and no others", low.Rate))
		}
	}
}

func (u *unknown) ofKeys() {
	c := u.c
	u.note(u.given("USE_DYNAMIC_PFC_THRESHOLD") && !c.DynamicPFC,
		"USE_DYNAMIC_PFC_THRESHOLD is 0: here PFC thresholds follow the free buffer anyway")
	u.note(c.LinkDown != (traces.LinkDown{}) && c.LinkDown.After == 0, "LINK_DOWN has nodes and the time 0: here the link fails at 2 s")
	u.note(c.BackToZero && u.loses(),
		"L2_BACK_TO_ZERO is 1 and packets are lost: here sender and receiver both go back to the start of the chunk")
	u.note(u.given("L2_ACK_INTERVAL") && c.AckInterval != 1, "L2_ACK_INTERVAL is %d: here that changes nothing; host.ack_every coalesces acknowledgements", c.AckInterval)
	parts := u.parts()
	u.note(len(parts) > 0, "these keys have parts of a microsecond: %s: here the parts count", strings.Join(parts, ", "))
	missing := u.missing()
	u.note(len(missing) > 0, "these keys are missing: %s: here they are 0", strings.Join(missing, ", "))
}

// parts returns the keys in microseconds that matter for the run and are no whole numbers.
func (u *unknown) parts() (keys []string) {
	add := func(key string, d core.Duration) {
		if d%core.Microsecond != 0 {
			keys = append(keys, key)
		}
	}
	add("LINK_DOWN", u.c.LinkDown.After)
	if u.c.CCMode == 1 {
		add("ALPHA_RESUME_INTERVAL", u.c.AlphaResume)
		add("RATE_DECREASE_INTERVAL", u.c.RateDecrease)
		add("RP_TIMER", u.c.RPTimer)
	}
	return keys
}

// missing returns the keys that matter for the run, have no known default, and are not given.
func (u *unknown) missing() []string {
	keys := []string{"ENABLE_QCN", "HAS_WIN", "GLOBAL_T", "VAR_WIN", "ACK_HIGH_PRIO", "L2_ACK_INTERVAL"}
	if u.given("QLEN_MON_FILE") {
		keys = append(keys, "QLEN_MON_START", "QLEN_MON_END")
	}
	switch u.c.CCMode {
	case 1:
		keys = append(keys, "CLAMP_TARGET_RATE")
	case 3:
		keys = append(keys, "MULTI_RATE", "SAMPLE_FEEDBACK")
	}
	if u.loses() {
		keys = append(keys, "L2_BACK_TO_ZERO")
	}
	return slices.DeleteFunc(keys, u.given)
}

func (u *unknown) given(key string) bool {
	_, ok := u.c.Given(key)
	return ok
}

func (u *unknown) ofScheme() {
	switch u.c.CCMode {
	case 3:
		rate, found := beyondRecord(u.s.Topology)
		u.note(found, "HPCC's record is to hold a link rate other than 25, 50, 100, 200 and 400 Gb/s: here it holds %v", rate)
		u.note(u.coarse(), "HPCC's record counts bytes in units of more than a packet, with INT_MULTI %d: here an ACK by which no hop "+
			"has sent anything leaves the estimate as it is", u.c.INTMulti)
		u.note(u.c.FastReact && u.lossy(), "HPCC with FAST_REACT hears of the loss of a flow's first packet before it has any "+
			"record: here it stores the one that has come, and keeps its rate")
		least, most := u.switches()
		records := core.QuantisedINT(1).MaxHops
		u.note(least == 0, "HPCC's flows pass no switch: here they keep their rate")
		u.note(most > records, "HPCC's flows pass more switches than the %d of its record: here the next ones take the place of the first", records)
		u.note(u.s.Windows.Classes == 0, "HPCC divides by a window and HAS_WIN is 0: here a hop without a queue is left out and one with a queue is "+
			"infinitely full")
	case 8:
		const known = 1000
		u.note(u.c.Payload != known, "DCTCP counts packets of a PACKET_PAYLOAD_SIZE other than %d: here of that size", known)
	}
}

func (u *unknown) ofFlows() {
	has := func(is func(sim.Flow) bool) bool { return slices.ContainsFunc(u.s.Flows, is) }
	several := has(func(f sim.Flow) bool { return f.Prio != u.s.Flows[0].Prio })
	u.note(several && !u.s.ECNOff, "flows of several priority groups are marked: here by the queue of each")
	late := has(func(f sim.Flow) bool { return f.Start.Nanos() > math.MaxUint32 })
	u.note(late || u.c.QueueMonEnd.Nanos() > math.MaxUint32, "times do not fit 32 bits, those after 4.294967295 s: here they are written in full")
	large := has(func(f sim.Flow) bool { return f.Bytes > math.MaxUint32 })
	u.note(large, "positions in a flow do not fit 32 bits, those of more than 4294967295 B: here nothing wraps")
	u.note(u.cutOff(), "LINK_DOWN cuts off hosts that have flows: here packets are dropped where they have no route left")
	u.note(u.otherRates(), "windows are those of pairs (GLOBAL_T 0) and LINK_DOWN changes the slowest link of some: here a flow that starts later has the window from before the failure")
	u.note(u.outOfPorts(), "source ports do not fit 16 bits, those of more than %d flows from one host to another: here 0 follows 65535", sourcePorts)
}

// uneven returns two hosts between which the way that a packet takes makes a difference, before or after a failure.
func (u *unknown) uneven() (src, dst core.NodeID, found bool) {
	before, after := u.paths()
	for _, paths := range slices.Compact([]*topo.Paths{before, after}) {
		if src, dst, found = paths.Uneven(); found {
			break
		}
	}
	return src, dst, found
}

// cutOff reports whether flows have no path once a link has failed.
func (u *unknown) cutOff() bool {
	if len(u.s.Links) == 0 {
		return false
	}
	_, after := u.paths()
	return slices.ContainsFunc(u.s.Flows, func(f sim.Flow) bool { return after.Pair(f.Src, f.Dst).Hops == 0 })
}

// otherRates reports whether flows that start after a failure have windows of their own and another slowest link than
// before.
func (u *unknown) otherRates() bool {
	if len(u.s.Links) == 0 || u.c.GlobalT || u.s.Windows.Classes == 0 {
		return false
	}
	before, after := u.paths()
	return slices.ContainsFunc(u.s.Flows, func(f sim.Flow) bool {
		now := after.Pair(f.Src, f.Dst)
		return f.Start >= u.s.Links[0].At && now.Hops > 0 && now.Bottleneck != before.Pair(f.Src, f.Dst).Bottleneck
	})
}

// paths are those of the beginning and of the end, which are the same if no link fails. Finding them takes a while in a
// large network.
func (u *unknown) paths() (before, after *topo.Paths) {
	if u.before == nil {
		u.before = u.over(nil)
		u.after = u.before
		if len(u.s.Links) > 0 {
			u.after = u.over(u.up())
		}
	}
	return u.before, u.after
}

// over returns the paths over the links that are up; nil: all.
func (u *unknown) over(up []bool) *topo.Paths {
	return topo.NewPaths(topo.NewRoutes(u.s.Topology, up, u.s.Profile.ECMP), u.s.Profile.Timing, topo.Sizes{Payload: u.c.Payload})
}

// up says which links are up in the end.
func (u *unknown) up() []bool {
	up := slices.Repeat([]bool{true}, len(u.s.Topology.Links))
	for _, ev := range u.s.Links {
		up[ev.Link] = ev.Up
	}
	return up
}

// sourcePorts is the number of source ports that flows from a host to another have.
const sourcePorts = 1<<16 - sim.FirstSourcePort

// outOfPorts reports whether two hosts have more flows than source ports.
func (u *unknown) outOfPorts() bool {
	if len(u.s.Flows) <= sourcePorts {
		return false
	}
	flows := make(map[[2]core.NodeID]int)
	for i := range u.s.Flows {
		pair := [2]core.NodeID{u.s.Flows[i].Src, u.s.Flows[i].Dst}
		if flows[pair]++; flows[pair] > sourcePorts {
			return true
		}
	}
	return false
}

// loses reports whether packets are lost, on links or with one that fails.
func (u *unknown) loses() bool { return u.lossy() || len(u.s.Links) > 0 }

// lossy reports whether links lose packets.
func (u *unknown) lossy() bool {
	return u.s.LossPerLink > 0 || slices.ContainsFunc(u.s.Topology.Links, func(l topo.Link) bool { return l.Loss > 0 })
}

// coarse reports whether a port may send a full packet and HPCC's count of its bytes stay the same.
func (u *unknown) coarse() bool {
	format, hpcc := core.QuantisedINT(int(u.c.INTMulti)), u.s.Schemes[0].Traits()
	return format.TxUnit > u.c.Payload+refHeader+hpcc.Bytes(&format, format.MaxHops)
}

// switches returns the least and the most switches that flows pass, before and after a failure.
func (u *unknown) switches() (least, most int) {
	before, after := u.paths()
	least = math.MaxInt
	for _, paths := range slices.Compact([]*topo.Paths{before, after}) {
		for i := range u.s.Flows {
			if links := paths.Pair(u.s.Flows[i].Src, u.s.Flows[i].Dst).Hops; links > 0 {
				least, most = min(least, links-1), max(most, links-1)
			}
		}
	}
	return least, most
}

// parallel reports whether several links join the same two nodes.
func parallel(t *topo.Topology) bool {
	joined := make(map[[2]core.NodeID]bool)
	return slices.ContainsFunc(t.Links, func(l topo.Link) bool {
		ends := [2]core.NodeID{min(l.A, l.B), max(l.A, l.B)}
		again := joined[ends]
		joined[ends] = true
		return again
	})
}

// beyondRecord returns the rate of a link at a switch for which HPCC's record has no code in the reference.
func beyondRecord(t *topo.Topology) (core.Rate, bool) {
	codes := []core.Rate{25 * core.Gbps, 50 * core.Gbps, 100 * core.Gbps, 200 * core.Gbps, 400 * core.Gbps}
	for i := range t.Links {
		l := &t.Links[i]
		if (t.Kinds[l.A] == topo.Switch || t.Kinds[l.B] == topo.Switch) && !slices.Contains(codes, l.Rate) {
			return l.Rate, true
		}
	}
	return 0, false
}
