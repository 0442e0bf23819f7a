package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// ring returns the topology of five switches in a ring, each with two hosts, as 0 and 1 at switch 10, and one more host
// there, 15. If flows of all pairs go two switches clockwise, every link between switches waits for the next one.
func ring(t *testing.T) string {
	t.Helper()
	const switches, hosts = 5, 10
	var net strings.Builder
	fmt.Fprintf(&net, "%d %d %d\n10 11 12 13 14\n15 10 40Gbps 1us 0\n", hosts+switches+1, switches, hosts+switches+1)
	for h := range hosts {
		fmt.Fprintf(&net, "%d %d 100Gbps 1us 0\n", h, hosts+h/2)
	}
	for s := range switches {
		fmt.Fprintf(&net, "%d %d 100Gbps 1us 0\n", hosts+s, hosts+(s+1)%switches)
	}
	return fileOf(t, "net", net.String())
}

// neck returns the topology of two switches, between which packets are lost, with hosts 0 and 1, and with 2, whose link is
// slow, and 3.
func neck(t *testing.T) string {
	t.Helper()
	return fileOf(t, "net", "6 2 5\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 10Gbps 1us 0\n3 5 100Gbps 1us 0\n4 5 100Gbps 1us 0.0002\n")
}

// clockwise returns the flows that lock the ring.
func clockwise() string {
	var flows strings.Builder
	for h := range 10 {
		fmt.Fprintf(&flows, "%d,%d,2000000,0,\n", h, (h+4)%10)
	}
	return flows.String()
}

// ending is a run and why its flows do not finish.
type ending struct {
	flows string
	set   []string
	want  []string // of the flows; stuck ones have a !
}

const (
	after   = "a flow that it waits for (after) did not finish in time"
	late    = "starts after the end of the run"
	sending = "was still sending at the end of the run"
	gaveUp  = "given up after too many time-outs"
)

// For every unfinished flow the reason is given, and whether a longer run would not have helped either.
func TestUnfinished(t *testing.T) {
	const (
		cut  = "failed links have cut its path"
		hung = "waits for packets that were lost, without a retransmission timer (options.rto)"
	)
	blink := []string{"links", "{at: 20us, down: 1-3}", "links", "{at: 50us, up: 1-3}", "options.rto", "0s"}
	unfinished(t, map[string]ending{
		"too late":       {"0,1,1000,2000000,\n1,0,1000,0,0\n", []string{"stop", "1ms"}, []string{late, after}},
		"too late after": {"0,1,1000,0,\n1,0,1000,2000000,0\n0,1,1000,0,1\n", []string{"stop", "1ms"}, []string{"", late, after}},
		"too long":       {"0,1,1000,0,\n1,0,1000000000,0,0\n0,1,1000,0,1\n0,1,1000,0,2\n", []string{"stop", "1ms"}, []string{"", sending, after, after}},
		"hung":           {"0,1,1000000,0,\n1,0,1000,0,0\n0,1,1000,0,1\n0,1,1000,0,2\n", slices.Concat(blink, []string{"stop", "1ms"}), []string{"!" + hung, "!" + after, "!" + after, "!" + after}},
		"hung second":    {"0,1,1000,0,\n0,1,1000000,0,0\n1,0,1000,0,1\n", slices.Concat(blink, []string{"stop", "1ms"}), []string{"", "!" + hung, "!" + after}},
		"slow":           {"0,1,3000,0,\n", []string{"stop", "1s", "cc", "{name: timely-paper, params: {first_rate: 1Kbps, min_rate: 1Kbps}}"}, []string{sending}},
		"cut":            {"0,1,1000000,0,\n", []string{"stop", "1ms", "links", "{at: 20us, down: 1-3}", "options.rto", "0s"}, []string{"!" + cut}},
		"cut, early":     {"0,1,1000000,0,\n2,0,1000000000,0,\n", []string{"stop", "1ms", "links", "{at: 20us, down: 1-3}", "options.rto", "0s"}, []string{cut, sending}},
		"cut, given up":  {"0,1,1000000,0,\n1,2,1000,0,0\n", []string{"links", "{at: 20us, down: 1-3}", "options.retries", "2"}, []string{"!" + gaveUp + ": failed links have cut its path", "!a flow that it waits for (after) failed"}},
		"trimmed": {"0,1,100000,0,\n", []string{"topology", "star:n=5", "flow_control", "none", "host.recovery", "selective", "switch.trim", "true", "mtu", "9000B", "buffer", "41KB",
			"options.retries", "2"}, []string{"!given up: its packets were trimmed for as long as its time-outs would have lasted"}},
		"in vain":        {"0,1,100000,0,\n", []string{"loss", "0.05", "options.retries", "1", "options.rto", "10us", "host.recovery", "go-back-0", "host.chunk", "100000"}, []string{"!given up: go-back-0 got no farther for as long as its time-outs would have lasted"}},
		"lost, given up": {"0,1,1000000,0,\n", []string{"loss", "0.999", "options.retries", "2"}, []string{"!" + gaveUp}},
	})
}

// So it is with flows that a deadlock or a pause stops, also those of which only the acknowledgements are stopped.
func TestUnfinishedForEver(t *testing.T) {
	const (
		caught          = "its packets are caught in a PFC deadlock"
		caughtByCredits = "its packets are caught in a credit deadlock"
		heldAcks        = "its acknowledgements are held back at its destination by a PFC deadlock"
		forEver         = "was paused, and nothing is left that would end the pause"
		paused          = "!its source " + forEver
	)
	unfinished(t, map[string]ending{
		"resume lost": {"0,2,50000000,0,\n1,2,50000000,0,\n", []string{"cc", "none", "buffer", "220KB", "loss", "0.001", "stop", "5ms", "options.rto", "0s", "options.pause_quanta", "0"},
			[]string{"", paused}},
		"resume lost, ACK": {"0,2,50000000,0,\n1,2,50000000,0,\n2,1,1000,4900000,\n", []string{"cc", "none", "buffer", "220KB", "loss", "0.001", "stop", "5ms", "options.rto", "0s", "options.pause_quanta", "0"},
			[]string{"", paused, "!its acknowledgements wait at its destination, which " + forEver}},
		"resume lost between switches": {"0,2,5000000,0,\n3,1,1000,7000000,\n",
			[]string{"topology", neck(t), "cc", "none", "buffer", "220KB", "seed", "13", "stop", "10ms", "options.rto", "0s", "options.pause_quanta", "0"},
			slices.Repeat([]string{"!its packets wait at a port that " + forEver}, 2)}, // of the second one the ACK
		"paused": {"0,8,9000000,0,\n1,8,9000000,0,\n2,8,9000000,0,\n3,8,9000000,0,\n4,8,9000000,0,\n5,8,9000000,0,\n", []string{"topology", "star:n=9", "cc", "none", "buffer", "900KB", "stop", "1ms"}, slices.Repeat([]string{sending}, 6)},
		"deadlock": {clockwise() + "0,1,1000,1000000,\n", []string{"topology", ring(t), "cc", "none", "buffer", "1300KB", "stop", "5ms"},
			append(slices.Repeat([]string{"!" + caught}, 10), "!its source is held back by a PFC deadlock")},
		"deadlock of credits": {clockwise() + "0,1,1000,1000000,\n", []string{"topology", ring(t), "cc", "none", "flow_control", "credits", "stop", "5ms"},
			append(slices.Repeat([]string{"!" + caughtByCredits}, 10), "!its source is held back by a credit deadlock")},
		"deadlock, one of several": {clockwise() + "15,0,1000,9000000,\n0,15,1000,0,10\n0,15,1000,0,10 0\n0,15,1000,0,11 12\n0,15,1000,0,10 11\n",
			[]string{"topology", ring(t), "cc", "none", "buffer", "1300KB", "stop", "5ms"},
			append(slices.Repeat([]string{"!" + caught}, 10), late, after, "!"+after, "!"+after, after)},
		"deadlock, given up": {clockwise() + "15,4,1000,50000,\n", []string{"topology", ring(t), "cc", "none", "buffer", "1300KB", "options.rto", "300us", "options.retries", "2", "stop", "5ms"},
			append(slices.Repeat([]string{"!" + caught}, 10), "!"+gaveUp+": "+caught)},
		"deadlock, ACKs": {clockwise() + "15,0,1000,1000000,\n15,1,10000000,1000000,\n0,15,1000,0,10\n", []string{"topology", ring(t), "cc", "none", "buffer", "1300KB", "stop", "5ms"},
			slices.Concat(slices.Repeat([]string{"!" + caught}, 10), []string{"!" + heldAcks, "!" + heldAcks, "!its source is held back by a PFC deadlock"})},
		"deadlock, ACKs, given up": {clockwise() + "15,0,1000,1000000,\n", []string{"topology", ring(t), "cc", "none", "buffer", "1300KB", "options.rto", "300us", "options.retries", "2", "stop", "5ms"},
			append(slices.Repeat([]string{"!" + caught}, 10), "!"+gaveUp+": "+heldAcks)},
		"deadlock of credits, ACKs": {clockwise() + "15,0,10000000,1000000,\n", []string{"topology", ring(t), "cc", "none", "flow_control", "credits", "stop", "5ms"},
			append(slices.Repeat([]string{"!" + caughtByCredits}, 10), "!its acknowledgements are held back at its destination by a credit deadlock")},
	})
}

// unfinished checks what is said, whatever the order of the questions.
func unfinished(t *testing.T, cases map[string]ending) {
	t.Helper()
	for name, c := range cases {
		n, err := sim.Build(setup(t, c.flows, append([]string{"topology", "star:n=3"}, c.set...)...), nobody{})
		if err != nil {
			t.Fatal(err)
		}
		for n.Step(core.Never, 1<<20) {
		}
		for _, backward := range []bool{false, true} {
			got, why := make([]string, len(c.want)), n.Why(false)
			for k := range got {
				i := k
				if backward {
					i = len(got) - 1 - k
				}
				r := n.Record(i)
				if r.Finished {
					continue
				}
				reason, stuck := why.Unfinished(&r)
				if got[i] = reason; stuck {
					got[i] = "!" + reason
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, backward %v: got\n%q, want\n%q", name, backward, got, c.want)
			}
		}
	}
}

// A run that was interrupted had no end that a flow could have been too late for.
func TestUnfinishedInterrupted(t *testing.T) {
	flows := "0,1,1000,0,\n1,0,1000000000,0,\n0,1,1000,1000000,\n0,2,1000,0,1\n"
	n, err := sim.Build(setup(t, flows, "topology", "star:n=3"), nobody{})
	if err != nil {
		t.Fatal(err)
	}
	n.Step(core.Time(100*core.Microsecond), 1<<20)
	why := n.Why(true)
	for i, want := range []string{
		"", "was still sending when the run was interrupted", "had not started when the run was interrupted",
		"a flow that it waits for (after) had not finished when the run was interrupted",
	} {
		if r := n.Record(i); want == "" {
			if !r.Finished {
				t.Errorf("flow %d has not finished", i)
			}
		} else if got, stuck := why.Unfinished(&r); got != want || stuck {
			t.Errorf("flow %d: %q, stuck %v, want %q", i, got, stuck, want)
		}
	}
}

// Flows in layers, each waiting for the whole layer before, are examined once each, though 2^40 ways lead back to the
// first.
func TestUnfinishedLayers(t *testing.T) {
	flows := "0,1,1000000000,0,\n1,0,1000000000,0,\n"
	for i := 2; i < 80; i += 2 {
		flows += strings.Repeat(fmt.Sprintf("0,1,1000,0,%d %d\n", i-2, i-1), 2)
	}
	n, err := sim.Build(setup(t, flows, "topology", "star:n=2", "stop", "100us"), nobody{})
	if err != nil {
		t.Fatal(err)
	}
	for n.Step(core.Never, 1<<20) {
	}
	last := n.Record(79)
	if reason, stuck := n.Why(false).Unfinished(&last); stuck || reason != "a flow that it waits for (after) did not finish in time" {
		t.Errorf("%s, stuck %v", reason, stuck)
	}
}
