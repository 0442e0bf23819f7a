package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// The time at which a run without progress is ended does not depend on how it is cut.
func TestStallSlices(t *testing.T) {
	a := runInto(t, ring(t, "options.rto", "0s"), Options{})
	b := runInto(t, ring(t, "options.rto", "0s"), Options{Slice: 997})
	if a.EndNs != b.EndNs || strings.Join(a.Notes, "\n") != strings.Join(b.Notes, "\n") {
		t.Errorf("ended at %v and %v ns: %q, %q", a.EndNs, b.EndNs, a.Notes, b.Notes)
	}
}

// A pause between flows is no stall.
func TestLongIdleTime(t *testing.T) {
	dir := t.TempDir()
	flows := filepath.Join(dir, "flows")
	if err := os.WriteFile(flows, []byte("2\n0 1 3 100 1000 0\n1 0 3 100 1000 50\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sum := runInto(t, of(t, "topology", "star:n=2", "flows", flows, "queue_sampling.interval", "0s"), Options{})
	if sum.Flows.Finished != 2 || len(sum.Notes) != 0 {
		t.Errorf("%d of 2 flows finished: %q", sum.Flows.Finished, sum.Notes)
	}
}

// Nor is the time between two packets of a slow flow, of 8.5 s at the lowest rate.
func TestSlowFlow(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	write(t, flows, "1\n0 1 3 100 3000 0\n")
	sum := runInto(t, of(t, "topology", "star:n=2", "flows", flows, "queue_sampling.interval", "0s", "cc", "{name: timely-paper, params: {first_rate: 1Kbps, min_rate: 1Kbps}}"), Options{})
	if sum.Flows.Finished != 1 || sum.EndNs < 16e9 || len(sum.Notes) != 0 {
		t.Errorf("%+v at %v ns: %q", sum.Flows, sum.EndNs, sum.Notes)
	}
}

// Nor is a series of time-outs; those that a scheme chooses may be long: here 640 ms, and up to 16 times that.
func TestLongTimeouts(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	write(t, flows, "1\n0 1 3 100 1000 0\n")
	sum := runInto(t, of(t, "topology", "star:n=2,rate=100Mbps", "flows", flows, "queue_sampling.interval", "0s", "cc", "reno",
		"flow_control", "none", "buffer", "16MB", "loss", "0.5", "options.retries", "0", "seed", "3"), Options{})
	if sum.Flows.Finished != 1 || sum.Flows.Timeouts < 10 || len(sum.Notes) != 0 {
		t.Errorf("%+v at %v ns: %q", sum.Flows, sum.EndNs, sum.Notes)
	}
}

// Nor is the time for which a link is down that will come back.
func TestLongFailure(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	write(t, flows, "1\n0 1 3 100 1000 1\n")
	sum := runInto(t, of(t, "topology", "star:n=2", "flows", flows, "queue_sampling.interval", "0s", "options.rto", "0s",
		"links", "{at: 1us, down: 0-2}", "links", "{at: 50s, up: 0-2}"), Options{})
	if sum.Flows.Finished != 1 || sum.EndNs < 50e9 || len(sum.Notes) != 0 {
		t.Errorf("%+v at %v ns: %q", sum.Flows, sum.EndNs, sum.Notes)
	}
}

// Pauses that expire before they are repeated lose packets, and a note names the least pause time that does not; at that
// time nothing is lost.
func TestShortPauses(t *testing.T) {
	for quanta, want := range map[string]string{
		"10":  "pauses of 10 quanta may expire while their repetition waits for a packet: packets may be lost in spite of PFC (options.pause_quanta: 286, or 0)",
		"285": "(options.pause_quanta: 286, or 0)", "286": "", "0": "",
	} {
		sum := runInto(t, of(t, "topology", "star:n=9,rate=10Gbps,delay=100ns", "cc", "none", "workload", "none", "patterns", "all-to-all:50KB", "stop", "20ms",
			"mtu", "9000B", "buffer", "350KB", "options.pause_quanta", quanta), Options{})
		notes := strings.Join(sum.Notes, "\n")
		if !strings.Contains(notes, want) || want == "" && (strings.Contains(notes, "pauses of") || sum.Packets.Dropped > 0) {
			t.Errorf("%s quanta: %d packets dropped, notes %s", quanta, sum.Packets.Dropped, notes)
		}
		if quanta == "10" && sum.Packets.Dropped == 0 {
			t.Error("10 quanta: no packet was dropped")
		}
	}
}

// Headroom of three link delays is too little for the frames of a short link, and a note says so.
func TestShortHeadroom(t *testing.T) {
	short := of(t, "topology", "star:n=3,delay=10ns", "workload", "none", "patterns", "permutation:10KB", "switch.exact_headroom", "false")
	if notes := strings.Join(runInto(t, short, Options{}).Notes, "\n"); !strings.Contains(notes, "3 links have less PFC headroom than cable and frames need, such as 0-3 with") {
		t.Error(notes)
	}
}

func TestReaction(t *testing.T) {
	for _, test := range []struct {
		r    sim.Reaction
		want string
	}{
		{sim.Reaction{Flows: 10}, "x never reacted: its 10 flows ended with the rate"},
		{sim.Reaction{Flows: 10, Changed: 1}, ""},
		{sim.Reaction{Flows: 10, Moved: 1}, ""},
		{sim.Reaction{Flows: 9}, ""},
		{sim.Reaction{Changed: 1, Looks: 1000, Lowest: 1e8, AtRate: 501, Line: 1e11}, "x: its flows were at the lowest rate, 100Mbps, in 50 % of 1000 samples"},
		{sim.Reaction{Changed: 1, Looks: 1000, Lowest: 1e8, AtRate: 500, Line: 1e11}, ""},
		{sim.Reaction{Looks: 1000, Held: 501}, "x: the hosts' window held back its flows, not its own, in 50 % of 1000 samples (host.window: off)"},
		{sim.Reaction{Looks: 1000, Held: 500}, ""},
		{sim.Reaction{Changed: 1, Looks: 1000, Lowest: 1e11, AtRate: 1000, Line: 1e11, Least: 1000, AtLeast: 900, Window: 64000}, "x: its flows were at the least window, 1KB, in 90 % of 1000 samples"},
	} {
		if got := strings.Join(reaction("x", true, &test.r), "\n"); got != test.want && (test.want == "" || !strings.Contains(got, test.want)) {
			t.Errorf("%+v: %q, want %q", test.r, got, test.want)
		}
	}
}

// Flows that have leave to send at all looks have nothing to react to, where receivers set the pace.
func TestNoReactionOfPulledFlows(t *testing.T) {
	sum := runInto(t, of(t, "topology", "star:n=12", "workload", "none", "patterns", "permutation:300KB", "cc", "ndp"), Options{})
	if notes := strings.Join(sum.Notes, "\n"); sum.Flows.Finished < enoughFlows || strings.Contains(notes, "never reacted") {
		t.Errorf("%d flows: %q", sum.Flows.Finished, notes)
	}
}

// A host whose rate is lower than another's does not count as slowed down by a scheme.
func TestNoReactionToSlowHosts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"topology": "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 400Gbps 1us 0\n2 3 400Gbps 1us 0\n",
		"flows":    "2\n0 1 3 100 5000000 0\n1 2 3 100 1000000 0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sum := runInto(t, of(t, "topology", filepath.Join(dir, "topology"), "flows", filepath.Join(dir, "flows"), "cc", "dcqcn"), Options{})
	if notes := strings.Join(sum.Notes, "\n"); sum.Flows.Finished != 2 || strings.Contains(notes, "lowest rate") {
		t.Errorf("%d flows finished: %s", sum.Flows.Finished, notes)
	}
}

// If no sweep is long enough for a manager's thresholds, a note says so.
func TestManagerThatCannotAct(t *testing.T) {
	for sweep, want := range map[string]bool{"500us": true, "1s": false} {
		sum := runInto(t, of(t, "topology", "star:n=2", "workload", "none", "patterns", "permutation:1KB", "cc", "ib-cc", "flow_control", "credits", "dcms.sweep", sweep), Options{})
		if notes := strings.Join(sum.Notes, "\n"); strings.Contains(notes, "could find no victim: dcms.t_w is 27400000 ticks, and a sweep has 22727") != want {
			t.Errorf("sweep %s: %s", sweep, notes)
		}
	}
}

// A flow that can never go on is distinguished from one that was still sending, even though samples remain to be taken.
func TestHungFlow(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	if err := os.WriteFile(flows, []byte("1\n0 1 3 100 1000000 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"2ms", "8ms"} { // of samples
		sum := runInto(t, of(t, "profile", "ns3", "topology", "star:n=2", "flows", flows, "stop", "4ms", "queue_sampling.events", "true", "queue_sampling.start", "0s", "queue_sampling.interval", "100ns", "queue_sampling.end", end,
			"links", "{at: 84us, down: 1-2}", "links", "{at: 1ms, up: 1-2}"), Options{})
		if sum.Flows.Stuck != 1 || len(sum.Unfinished) != 1 || !strings.HasPrefix(sum.Unfinished[0].Reason, "waits for packets that were lost") {
			t.Errorf("samples up to %s: %+v, %+v", end, sum.Flows, sum.Unfinished)
		}
	}
}

// A flow whose packets were lost is distinguished from one that was still sending, if the run ends before it has timed
// out.
func TestLossAtTheEnd(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	write(t, flows, "1\n0 1 3 100 1000000 0\n")
	for stop, want := range map[string]string{"10us": "was still sending at the end of the run", "1ms": "packets were lost, and the run ended before they were sent again"} {
		sum := runInto(t, of(t, "topology", "star:n=2", "flows", flows, "stop", stop, "links", "{at: 20us, down: 1-2}", "links", "{at: 50us, up: 1-2}"), Options{})
		if len(sum.Unfinished) != 1 || sum.Unfinished[0].Reason != want || sum.Flows.Stuck != 0 {
			t.Errorf("stop: %s: %+v, %+v", stop, sum.Flows, sum.Unfinished)
		}
	}
}

// A message that waits for its turn on its queue pair is stuck if the one before it is. All such messages have one reason,
// whatever their queue pairs: there may be thousands.
func TestBehindAnUnfinishedMessage(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	write(t, flows, "4\n0 1 3 100 1000000 0\n0 1 3 100 1000 0\n0 1 4 100 1000000 0\n0 1 4 100 1000 0\n")
	for _, c := range []struct {
		keys  []string
		stuck int
	}{
		{[]string{"stop", "10us"}, 0},
		{[]string{"links", "{at: 20us, down: 1-2}", "links", "{at: 50us, up: 1-2}", "options.rto", "0s"}, 4},
	} {
		sum := runInto(t, of(t, append(c.keys, "topology", "star:n=2", "flows", flows, "host.connections", "1")...), Options{})
		if len(sum.Unfinished) != 2 || sum.Unfinished[1].Reason != "waits for a flow that comes before it on their queue pair (host.connections)" || sum.Unfinished[1].Flows != 2 || sum.Flows.Stuck != c.stuck {
			t.Errorf("%v: %+v, %+v", c.keys, sum.Flows, sum.Unfinished)
		}
	}
}

// A slow flow whose packets nobody acknowledges yet has lost none, nor does it stall.
func TestSlowFlowOfCoalescedAcks(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	write(t, flows, "1\n0 1 3 100 20000 0\n")
	slow := []string{"topology", "star:n=2", "flows", flows, "queue_sampling.interval", "0s", "host.ack_every", "1000",
		"cc", "{name: timely-paper, params: {first_rate: 1Kbps, min_rate: 1Kbps}}"}
	sum := runInto(t, of(t, append(slow, "stop", "50s")...), Options{})
	if len(sum.Unfinished) != 1 || sum.Unfinished[0].Reason != "was still sending at the end of the run" || sum.Flows.Stuck != 0 {
		t.Errorf("%+v, %+v", sum.Flows, sum.Unfinished)
	}
	if sum = runInto(t, of(t, slow...), Options{}); sum.Flows.Finished != 1 || sum.Flows.Timeouts != 0 || len(sum.Notes) != 0 {
		t.Errorf("%+v at %v ns: %q", sum.Flows, sum.EndNs, sum.Notes)
	}
}

// A run without remarks has an empty list of notes, and nouns agree with their numbers.
func TestNotes(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows")
	write(t, flows, "1\n0 1 3 100 1000 0\n")
	for want, more := range map[string][]string{
		"[]": nil,
		"[1 change of links lies after the end of the run]":                                                         {"links", "{at: 1ms, down: 1-2}"},
		"[2 changes of links lie after the end of the run]":                                                         {"links", "{at: 1ms, down: 1-2}", "links", "{at: 2ms, up: 1-2}"},
		"[2 time-outs, although no packet was lost: acknowledgements take longer than options.rto or host.rto_low]": {"options.rto", "1us"},
		"[1 packet was dropped for lack of a route]":                                                                {"links", "{at: 1us, down: 1-2}", "links", "{at: 1200ns, up: 1-2}"},
	} {
		notes := runInto(t, of(t, append([]string{"topology", "star:n=2", "flows", flows}, more...)...), Options{}).Notes
		if got := fmt.Sprint(notes); got != want || notes == nil { // summary.json would have null for it
			t.Errorf("%v: got %s, want %s", more, got, want)
		}
	}
}

// A chain of flows is stuck with its first one, but not if that would have gone on.
func TestStuckChain(t *testing.T) {
	flows := filepath.Join(t.TempDir(), "flows.csv")
	if err := os.WriteFile(flows, []byte("src,dst,bytes,start_ns,after\n0,1,1000000,0,\n1,0,1000,0,0\n0,1,1000,0,1\n2,0,1000,0,\n0,2,1000000000,0,3\n2,1,1000,0,4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sum := runInto(t, of(t, "topology", "star:n=3", "flows", flows, "stop", "1ms", "options.rto", "0s",
		"links", "{at: 20us, down: 1-3}", "links", "{at: 50us, up: 1-3}"), Options{})
	// 0 has lost packets for good, but the run goes on: nobody knows yet that they will not come.
	if sum.Flows.Finished != 1 || sum.Flows.Unfinished != 5 || sum.Flows.Stuck != 0 {
		t.Errorf("while a flow goes on: %+v, %+v", sum.Flows, sum.Unfinished)
	}
	sum = runInto(t, of(t, "topology", "star:n=3", "flows", flows, "stop", "1s", "options.rto", "0s",
		"links", "{at: 20us, down: 1-3}", "links", "{at: 50us, up: 1-3}"), Options{})
	if sum.Flows.Finished != 3 || sum.Flows.Stuck != 3 {
		t.Errorf("when it has ended: %+v, %+v", sum.Flows, sum.Unfinished)
	}
}

// Drops are counted by cause, and agree with the ports' counters.
func TestDropsByCause(t *testing.T) {
	dir := t.TempDir()
	sum := runInto(t, of(t, "topology", "leaf-spine:leaves=2,spines=2,hosts=8", "workload", "none", "incast", "12x1MB@200us", "duration", "1ms",
		"flow_control", "none", "buffer", "1MB", "cc", "dcqcn", "links", "{at: 100us, down: 16-18}", "links", "{at: 300us, down: 16-19}", "stop", "2ms"), Options{Dir: dir})
	var buffer, route, link int64
	for _, p := range loadPorts(t, dir) {
		buffer, route, link = buffer+p.DroppedPackets-p.NoRoutePackets, route+p.NoRoutePackets, link+p.FlushedPackets
	}
	if p := sum.Packets; buffer == 0 || route == 0 || link == 0 || p.NoBuffer != buffer || p.NoRoute != route || p.LinkDown != link || p.Dropped != buffer+route+link {
		t.Errorf("%+v; the ports have %d, %d and %d", p, buffer, route, link)
	}
	notes := strings.Join(sum.Notes, "\n")
	for _, cause := range []string{"dropped for lack of buffer", "dropped for lack of a route", "waited to be sent when their link failed"} {
		if !strings.Contains(notes, cause) {
			t.Errorf("%q is not said:\n%s", cause, notes)
		}
	}
}

// Trimmed packets are counted, as the ports count them, among none that are dropped; they explain time-outs.
func TestTrimsAreCounted(t *testing.T) {
	dir := t.TempDir()
	sum := runInto(t, of(t, "topology", "star:n=9", "workload", "none", "patterns", "one-many:100KB", "cc", "none", "flow_control", "none",
		"host.recovery", "selective", "switch.trim", "true", "buffer", "200KB", "options.rto", "4us", "host.rto_low", "4us"), Options{Dir: dir})
	var trimmed int64
	for _, p := range loadPorts(t, dir) {
		trimmed += p.TrimmedPackets
	}
	if p := sum.Packets; trimmed == 0 || p.Trimmed != trimmed || p.Dropped != 0 || sum.Flows.Timeouts == 0 {
		t.Errorf("%+v; the ports have trimmed %d; %d time-outs", p, trimmed, sum.Flows.Timeouts)
	}
	if notes := strings.Join(sum.Notes, "\n"); strings.Contains(notes, "no packet was lost") {
		t.Error(notes)
	}
}

// Ports that wait for credits are not paused.
func TestCreditStorm(t *testing.T) {
	sum := runInto(t, of(t, "flow_control", "credits", "cc", "dcqcn", "workload", "none", "patterns", "one-many:1MB"), Options{})
	if notes := strings.Join(sum.Notes, "\n"); strings.Contains(notes, "pause") || strings.Contains(notes, "PFC") || !strings.Contains(notes, " ports had something to send but no credits for more than half of the time of traffic") {
		t.Error(notes)
	}
}

// InfiniBand's control reacts only by the gaps between packets.
func TestGapsAreReactions(t *testing.T) {
	sc := of(t, "topology", "star:n=12", "workload", "none", "incast", "10x300KB@100us", "duration", "200us", "flow_control", "credits", "cc", "ib-cc")
	sum := runInto(t, sc, Options{})
	if sum.Packets.Marked == 0 || sum.Flows.Finished < enoughFlows {
		t.Errorf("%d marks, %d flows", sum.Packets.Marked, sum.Flows.Finished)
	}
	for _, note := range sum.Notes {
		if strings.Contains(note, "never reacted") {
			t.Error(note)
		}
	}
}

// A run that would outlast the clock ends before that, with a note.
func TestLongestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flows.csv")
	if err := os.WriteFile(file, []byte("src,dst,bytes,start_ns\n0,1,1400000000,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sum := runInto(t, of(t, "topology", "star:n=2,rate=1Kbps", "flows", file, "cc", "none", "mtu", "64KiB", "buffer", "1MB"), Options{})
	if notes := strings.Join(sum.Notes, "\n"); sum.EndNs != traces.Nanos(sim.MostTime) || sum.Flows.Unfinished != 1 || !strings.Contains(notes, "stopped at 4.61169e+06 s: no run is longer") {
		t.Errorf("ended at %v ns, %d flows unfinished: %q", sum.EndNs, sum.Flows.Unfinished, notes)
	}
}

// A scheme that takes a long path for a queue says which of its parameters is to be above the base round trip, here that of
// 1.8 us and four times the links' delay.
func TestPathsBeyondReach(t *testing.T) {
	for _, c := range []struct{ cc, delay, want string }{
		{"timely-patched", "12us", ""},
		{"timely-patched", "15us", "timely-patched: where the base round trip is above t_low, 50us, rates fall although nothing waits; here it is up to 61.8 us"},
		{"{name: timely-patched, params: {t_low: 70us}}", "15us", ""},
		{"timely", "120us", ""},
		{"timely", "130us", "timely: where the base round trip is above t_high, 500us, "},
		{"timely-paper", "240us", ""},
		{"timely-paper", "260us", "timely-paper: where the base round trip is above t_high, 1ms, "},
		{"swift", "260us", ""},
	} {
		sum := runInto(t, of(t, "topology", "star:n=2,rate=10Gbps,delay="+c.delay, "workload", "none", "patterns", "permutation:1KB", "cc", c.cc), Options{})
		if notes := strings.Join(sum.Notes, "\n"); !strings.Contains(notes, c.want) || c.want == "" && strings.Contains(notes, "rates fall") {
			t.Errorf("%s with links of %s: %q, want %q", c.cc, c.delay, notes, c.want)
		}
	}
}

// Where packets are trimmed, but none is lost, a time-out sends again what is on its way: the run says so.
func TestEarlyTimeoutsBesideTrimming(t *testing.T) {
	spec := []string{"topology", "star:n=201", "workload", "none", "patterns", "one-many:1MB", "stop", "2ms", "mtu", "4KB", "cc", "nscc", "flow_control", "none", "buffer", "4MB",
		"switch.trim", "true", "host.recovery", "selective", "host.reordering", "1000", "host.window", "off"}
	for rto, want := range map[string]bool{"100us": true, "5ms": false} {
		sum := runInto(t, of(t, append(spec, "options.rto", "5ms", "host.rto_low", rto)...), Options{})
		got := strings.Contains(strings.Join(sum.Notes, "\n"), "time-outs, although packets were only trimmed, which hosts are told: acknowledgements, or pulls, take longer than")
		if p := &sum.Packets; got != want || sum.Flows.Timeouts > 0 != want || p.Trimmed == 0 || p.Dropped+p.Lost != 0 {
			t.Errorf("rto_low %s: %d time-outs, %+v: %q", rto, sum.Flows.Timeouts, *p, sum.Notes)
		}
	}
}
