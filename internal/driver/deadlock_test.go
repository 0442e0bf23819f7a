package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/laws"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// ring is a scenario that deadlocks: five switches in a ring, whose flows all go two switches
// clockwise, so that every link between switches waits for the next one.
func ring(t *testing.T, more ...string) *scenario.Scenario {
	t.Helper()
	const switches, hosts = 5, 10
	var net, flows strings.Builder
	fmt.Fprintf(&net, "%d %d %d\n10 11 12 13 14\n", hosts+switches, switches, hosts+switches)
	fmt.Fprintf(&flows, "%d\n", hosts)
	for h := range hosts {
		fmt.Fprintf(&net, "%d %d 100Gbps 1us 0\n", h, hosts+h/2)
		fmt.Fprintf(&flows, "%d %d 3 100 2000000 0\n", h, (h+4)%hosts)
	}
	for s := range switches {
		fmt.Fprintf(&net, "%d %d 100Gbps 1us 0\n", hosts+s, hosts+(s+1)%switches)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"net": net.String(), "flows": flows.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return of(t, append([]string{"topology", filepath.Join(dir, "net"), "flows", filepath.Join(dir, "flows"), "cc", "none", "buffer", "1300KB"}, more...)...)
}

// A deadlock is found as the cycle of its ports, whether the run ends at a given time or when
// nothing more can happen, with and without retransmission timers; and every run ends.
func TestDeadlock(t *testing.T) {
	for name, more := range map[string][]string{
		"stop":      {"stop", "5ms"},
		"late stop": {"stop", "3s", "options.rto", "0s"},
		"no timer":  {"options.rto", "0s"},
		"timer":     {},
		"ns3":       {"profile", "ns3", "stop", "5ms", "queue_sampling.end", "5ms"},
		"ns3, idle": {"profile", "ns3", "queue_sampling.end", "5ms"},
	} {
		t.Run(name, func(t *testing.T) {
			sum := runInto(t, ring(t, more...), Options{})
			notes := strings.Join(sum.Notes, "\n")
			for _, want := range []string{
				"PFC deadlock since ", " us: 5 queues wait for one another",
				"switch 10 port 2 (paused by node 11 port 2, class 3,", "switch 11 port 3 (paused by node 12 port 2, class 3,",
				"switch 14 port 3 (paused by node 10 port 3, class 3,",
			} {
				if !strings.Contains(notes, want) {
					t.Errorf("notes lack %q:\n%s", want, notes)
				}
			}
			if remedy := strings.Contains(notes, "; watchdogs of switches (pfc_watchdog.detection) would end it by losses"); remedy == strings.HasPrefix(name, "ns3") {
				t.Errorf("a remedy: %v:\n%s", remedy, notes)
			}
			if storm := strings.Contains(notes, "PFC storm: 15 ports"); storm != (name != "ns3, idle") { // its run ends at once
				t.Errorf("a storm: %v:\n%s", storm, notes)
			}
			if len(sum.Unfinished) != 1 || sum.Unfinished[0].Flows != 10 || !strings.Contains(sum.Unfinished[0].Reason, "its packets are caught in a PFC deadlock") {
				t.Errorf("unfinished: %+v", sum.Unfinished)
			}
			if sum.Flows.Stuck != 10 {
				t.Errorf("stuck: %+v", sum.Flows)
			}
			if stopped := strings.Contains(notes, "no packet has moved for 1"); stopped != (name == "timer" || name == "no timer") {
				t.Errorf("stopped for want of progress: %v:\n%s", stopped, notes)
			}
		})
	}
}

// So is one of credits, of which no time is known, with and without repeated flow-control packets.
func TestCreditDeadlock(t *testing.T) {
	for name, more := range map[string][]string{
		"stop":          {"stop", "5ms"},
		"no timer":      {"options.rto", "0s"},
		"timer":         {},
		"refresh":       {"loss", "1e-12"},
		"refresh, stop": {"loss", "1e-12", "stop", "5ms"},
	} {
		sum := runInto(t, ring(t, append(more, "flow_control", "credits")...), Options{})
		notes := strings.Join(sum.Notes, "\n")
		if !strings.Contains(notes, "credit deadlock: 5 queues wait for one another") || !strings.Contains(notes, "switch 10 port 2 (without credits of node 11 port 2, class 3, ") ||
			strings.Contains(notes, "PFC") || strings.Contains(notes, "although no packet was lost") {
			t.Errorf("%s: notes %s", name, notes)
		}
		if len(sum.Unfinished) != 1 || sum.Unfinished[0].Reason != "its packets are caught in a credit deadlock" || sum.Flows.Stuck != 10 {
			t.Errorf("%s: %+v, %+v", name, sum.Flows, sum.Unfinished)
		}
	}
}

// With memory for everything that may wait there is no deadlock, and all flows finish.
func TestNoDeadlock(t *testing.T) {
	sum := runInto(t, ring(t, "buffer", "32MB"), Options{})
	if notes := strings.Join(sum.Notes, "\n"); sum.Flows.Finished != 10 || strings.Contains(notes, "deadlock") || strings.Contains(notes, "stopped") {
		t.Errorf("%d of 10 flows finished: %s", sum.Flows.Finished, notes)
	}
}

// PFC watchdogs end a deadlock by losses, of which the hosts recover: all flows finish.
func TestWatchdogsEndDeadlock(t *testing.T) {
	for name, more := range map[string][]string{
		"":                   {},
		"restored at once":   {"pfc_watchdog.restoration", "1ns"},
		"of NS-3's clock":    {"options.timing", "ns3", "options.order", "schedule"},
		"of short pauses":    {"options.pause_quanta", "40"},
		"selective recovery": {"host.recovery", "selective"},
	} {
		t.Run(name, func(t *testing.T) {
			sum := runInto(t, ring(t, append([]string{"pfc_watchdog.detection", "200us"}, more...)...), Options{})
			p := &sum.Packets
			if sum.Flows.Finished != 10 || sum.PFC.Storms < 1 || p.Watchdog < 10 || p.Dropped != p.Watchdog {
				t.Errorf("%d flows finished, %d storms, %d packets of %d dropped: %s", sum.Flows.Finished, sum.PFC.Storms, p.Watchdog, p.Dropped, strings.Join(sum.Notes, "\n"))
			}
		})
	}
}

// What watchdogs do is lawful, and the same with any number of threads.
func TestWatchdogsOnAnyThreads(t *testing.T) {
	sc := ring(t, "pfc_watchdog.detection", "5us", "pfc_watchdog.restoration", "20us", "stop", "2ms")
	s, err := Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	if broken, err := laws.Run(s); err != nil || broken != nil {
		t.Errorf("%v: %s", err, strings.Join(broken, "\n"))
	}
	var want map[string]string
	for threads := range 4 {
		out := t.TempDir()
		sum := runInto(t, sc, Options{Dir: out, Threads: threads})
		if sum.PFC.Storms < 10 || sum.Packets.NoBuffer+sum.Packets.LinkDown != 0 || (sum.Machine.Parts > 1) != (threads > 1) {
			t.Errorf("%d threads, %d parts: %+v, %+v", threads, sum.Machine.Parts, sum.PFC, sum.Packets)
		}
		if got := contents(t, out); want == nil {
			want = got
		} else {
			sameFiles(t, got, want)
		}
	}
}

// A run in which nothing moves goes on until the watchdogs look. Without timers, what they drop is lost for good.
func TestWatchdogsAreAwaited(t *testing.T) {
	sum := runInto(t, ring(t, "pfc_watchdog.detection", "5s", "pfc_watchdog.restoration", "1ms", "options.rto", "0s"), Options{})
	if notes := strings.Join(sum.Notes, "\n"); sum.PFC.Storms < 1 || sum.EndNs < 5e9 || strings.Contains(notes, "deadlock") {
		t.Errorf("%d storms, end after %v ns: %s", sum.PFC.Storms, sum.EndNs, notes)
	}
}
