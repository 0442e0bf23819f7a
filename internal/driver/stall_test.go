package driver

import (
	"strings"
	"testing"
)

// vainRuns are runs in which packets would move for ever.
var vainRuns = map[string][]string{
	"the last acknowledgement was lost": {"profile", "ns3", "loss", "0.2", "options.rto", "1ms", "options.retries", "0", "options.ack_duplicates", "false"},
	"the path is cut":                   {"links", "{at: 2us, down: 0-4}", "options.retries", "0"},
	"no chunk gets through":             {"topology", "star:n=4,rate=100Mbps", "loss", "0.2", "host.recovery", "go-back-0", "host.chunk", "100000", "options.retries", "0", "options.rto", "1ms"},
}

func vainRun(t *testing.T, o Options, more ...string) *Summary {
	t.Helper()
	return runInto(t, of(t, append([]string{"topology", "star:n=4", "workload", "none", "patterns", "permutation:100KB", "cc", "none", "stop", "never"}, more...)...), o)
}

// A run without an end of its own ends although packets still move, if they bring no flow any further, and says so; at
// the same time whatever the slices and threads.
func TestPacketsInVain(t *testing.T) {
	for name, more := range vainRuns {
		one, two := vainRun(t, Options{}, more...), vainRun(t, Options{Threads: 2, Slice: 997}, more...)
		if notes := strings.Join(one.Notes, "\n"); one.Flows.Unfinished == 0 || one.Packets.Hops == 0 || one.StoppedEarly || !strings.Contains(notes, "packets move, but for") {
			t.Errorf("%s: %+v, %q", name, one.Flows, notes)
		}
		if one.Flows.Stuck != one.Flows.Unfinished {
			t.Errorf("%s: %+v: the flows that have not ended are stuck", name, one.Flows)
		}
		// Time-outs of 1 ms are waited for 16,000 times, and a second, and looks are an eighth of that apart.
		if name == "the last acknowledgement was lost" && (one.EndNs < 17e9 || one.EndNs > 17e9*9/8+1e9) {
			t.Errorf("%s: ended at %v ns", name, one.EndNs)
		}
		if one.EndNs != two.EndNs || strings.Join(one.Notes, "\n") != strings.Join(two.Notes, "\n") {
			t.Errorf("%s: ended at %v and %v ns, %q and %q", name, one.EndNs, two.EndNs, one.Notes, two.Notes)
		}
	}
}

// Packets may move in vain for as long as something may still change: a link that comes back, or one success in hundreds.
func TestNotInVain(t *testing.T) {
	for name, more := range map[string][]string{
		"the path comes back": {"links", "{at: 2us, down: 0-4}", "links", "{at: 500s, up: 0-4}", "options.retries", "0"},
		"one in 625 succeeds": {"loss", "0.8", "patterns", "permutation:1KB", "options.retries", "0"},
	} {
		if sum := vainRun(t, Options{}, more...); sum.Flows.Unfinished != 0 || sum.EndNs < 1e9 || strings.Contains(strings.Join(sum.Notes, "\n"), "stopped at") {
			t.Errorf("%s: %+v at %v ns, %q", name, sum.Flows, sum.EndNs, sum.Notes)
		}
	}
}

// A run goes on while packets are under way, however long that takes: over a cable, through a slow port after a long gap,
// in a host, and in a switch behind packets that came too early.
func TestSlowIsNotInVain(t *testing.T) {
	const narrow = "dumbbell:n=1,rate=100Mbps,bottleneck=10Mbps"
	for name, settings := range map[string][]string{
		"cables of 3 s":        {"topology", "star:n=4,delay=3s", "patterns", "permutation:1MB", "profile", "ns3"},
		"cables of 0.3 s":      {"topology", "star:n=4,delay=300ms", "patterns", "permutation:1MB", "profile", "ns3"},
		"a kilobit per second": {"topology", "star:n=4,rate=1Kbps", "patterns", "permutation:20KB", "profile", "ns3", "cc", "hpcc"},
		"long headers":         {"topology", "star:n=4,rate=1Kbps", "patterns", "permutation:2KB", "profile", "ns3", "host.header", "64KiB", "host.ack_header", "64KiB"},
		"hosts of 3 s":         {"topology", "star:n=4", "patterns", "permutation:1MB", "host.delay", "3s", "options.rto", "0s"},
		"a long queue":         {"topology", narrow, "patterns", "one-one:4MB", "cc", "none", "loss", "0.002", "options.rto", "0s"},
		"and the reference":    {"topology", narrow, "patterns", "one-one:4MB", "cc", "none", "loss", "0.002", "profile", "ns3"},
	} {
		sum := runInto(t, of(t, append(settings, "workload", "none", "stop", "never")...), Options{})
		if sum.Flows.Unfinished != 0 || strings.Contains(strings.Join(sum.Notes, "\n"), "stopped at") {
			t.Errorf("%s: %+v at %v ns, %q", name, sum.Flows, sum.EndNs, sum.Notes)
		}
	}
}

// A flow all of whose packets are lost is given up after its last time-out, which may come long after the last packet has
// crossed a link.
func TestLossesAreNoStandstill(t *testing.T) {
	for _, rto := range []string{"1ms", "100ms", "1h"} {
		sum := vainRun(t, Options{}, "loss", "1", "options.rto", rto)
		if notes := strings.Join(sum.Notes, "\n"); sum.Flows.Failed != 4 || strings.Contains(notes, "stopped at") {
			t.Errorf("time-outs of %s: %+v at %v ns, %q", rto, sum.Flows, sum.EndNs, notes)
		}
	}
}
