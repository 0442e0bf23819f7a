package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// idleCases are keys, each with values that differ from its default, KEY VALUE ..., and other keys with which they change nothing,
// or something. What the reason says is tested where keys of the kind are.
var idleCases = []struct{ keys, with, without string }{
	{"load 0.9 duration 1ms", "workload none", "workload fbhadoop"},
	{"queue_sampling.start 1us queue_sampling.end 1ms queue_sampling.bin 2KB queue_sampling.events true queue_sampling.dump 1us", "queue_sampling.interval 0s", "queue_sampling.interval 1us"},
	{"series.points 9 series.ports none series.flows all series.fairness 1ms", "series.interval 0s", "series.interval 1us"},
	{"pcap.filter kind==ack pcap.ring 2MB pcap.snap 96B pcap.nanoseconds true pcap.write true", "workload none", "pcap.file p.pcap"},
	{"switch.resume 2KB switch.alpha_shift 2 switch.exact_headroom false options.pause_quanta 9999 options.pause_size 65", "flow_control none", "flow_control pfc"},
	{"switch.resume 2KB switch.alpha_shift 2 switch.exact_headroom false options.pause_quanta 9999 options.pause_size 65", "flow_control credits", "flow_control pfc"},
	{"pfc_watchdog.detection 1us", "flow_control none", "flow_control pfc"},
	{"pfc_watchdog.detection 1us", "flow_control credits", "flow_control pfc"},
	{"pfc_watchdog.restoration 1us", "flow_control pfc", "pfc_watchdog.detection 2us"},
	{"pfc_watchdog.restoration 1us", "flow_control none", "pfc_watchdog.detection 2us"},
	{"host.ack_prio0 true options.ack_class 2", "flow_control none", "flow_control pfc"},
	{"credits.buffer 32KB credits.update 2KB", "flow_control none", "flow_control credits"},
	{"dcms.t_c 1 dcms.t_w 1 dcms.t_d 1 dcms.t_i 1 dcms.default 1 dcms.low 1", "flow_control credits cc ib-cc", "flow_control credits cc ib-cc dcms.sweep 10us"},
	{"switch.lossy_shift 1", "flow_control pfc", "lossy 3"},
	{"switch.lossy_shift 1", "lossy 3 switch.sharing complete", "lossy 3 switch.sharing abm"},
	{"switch.first_alpha 1", "lossy 3 switch.sharing dynamic", "lossy 3 switch.sharing abm"},
	{"switch.flowlet_gap 1us", "switch.load_balance drill", "switch.load_balance flowlet"},
	{"switch.flowlet_gap 1us", "switch.load_balance ecmp", "switch.load_balance conga"},
	{"conweave.reply 1us conweave.path_busy 1us conweave.resume 1us conweave.inactive 1us", "switch.load_balance ecmp", "switch.load_balance conweave"},
	{"switch.int_multi 2", "options.short_int false", "options.short_int true"},
	{"ecn.scale false", "ecn.mark off cc dcqcn", "ecn.mark dequeue cc dcqcn ecn.thresholds [{rate:100Gbps,kmin:1KB,kmax:2KB,pmax:1}]"},
	{"ecn.thresholds [{rate:100Gbps,kmin:1KB,kmax:2KB,pmax:1}]", "ecn.mark off cc dcqcn", "ecn.mark enqueue cc dcqcn"},
	{"host.plb_threshold 0.1 host.plb_rounds 2", "host.entropy flow cc dctcp", "host.entropy plb cc dctcp"},
	{"host.entropy random", "switch.load_balance spray cc dctcp", "switch.load_balance flowlet cc dctcp"},
	{"host.entropy reps", "switch.load_balance drill cc dctcp", "switch.load_balance ecmp cc dctcp"},
	{"host.entropy plb", "switch.load_balance adaptive cc dctcp", "switch.load_balance conga cc dctcp"},
	{"host.reordering 4 host.rto_low 1ms", "host.recovery go-back-n", "host.recovery selective"},
	{"host.chunk 8000", "host.recovery selective", "host.recovery go-back-0"},
	{"switch.strict 3", "workload none", "class_by_tag {one-many:5} patterns ['one-many:200KB,tag=one-many','permutation:200KB']"},
	{"switch.weights {3:9}", "workload none", "class_by_tag {one-many:5} patterns ['one-many:200KB,tag=one-many','permutation:200KB']"},
	{"host.scale_window true", "host.window off", "host.window on"},
}

// idleSetup is a small network with a busy link.
func idleSetup(t *testing.T, pairs string, more ...string) (*Scenario, []string) {
	t.Helper()
	sc := of(t, append(append(strings.Fields("topology leaf-spine:leaves=2,spines=2,hosts=2 patterns one-many:200KB stop 1ms buffer 1MB"), strings.Fields(pairs)...), more...)...)
	if sc.Workload == "" {
		sc.Workload = "none"
	}
	s, err := sc.Clone().Setup()
	if err != nil {
		t.Fatalf("%s %v: %v", pairs, more, err)
	}
	return sc, s.Notes
}

// A key that changes nothing as others are is noted, by the same name, and no other one.
func TestNotesOnIdleKeys(t *testing.T) {
	for _, c := range idleCases {
		for pair := range slices.Chunk(strings.Fields(c.keys), 2) {
			more := pair
			if pair[0] == "queue_sampling.dump" {
				more = append(more, "queue_sampling.events", "true")
			}
			if strings.HasPrefix(pair[0], "queue_sampling.") && !strings.HasSuffix(pair[0], "end") {
				more = append(more, "queue_sampling.end", "2ms")
			}
			noted := func(others string) (times int) {
				_, usual := idleSetup(t, others)
				_, notes := idleSetup(t, others, more...)
				for _, n := range notes {
					if key, _, idle := strings.Cut(n, " changes nothing"); key == pair[0] {
						times++
					} else if idle && !slices.Contains(usual, n) && !slices.Contains(more, key) {
						t.Errorf("%s with %s: %s", pair, others, n)
					}
				}
				return times
			}
			if noted(c.with) != 1 || noted(c.without) != 0 {
				t.Errorf("%s: noted with %s: %d; with %s: %d", pair, c.with, noted(c.with), c.without, noted(c.without))
			}
		}
	}
}

// What is said to change nothing does so.
func TestIdleKeysChangeNothing(t *testing.T) {
	for _, c := range idleCases {
		results := func(more ...string) (list []string) {
			sc, _ := idleSetup(t, c.with, more...)
			s, err := sc.Setup()
			if err != nil {
				t.Fatal(err)
			}
			n, _ := play(t, s)
			for i := range s.Flows {
				r := n.Record(i)
				r.Flow = nil
				list = append(list, fmt.Sprintf("%+v", r))
			}
			for id, ports := range n.Ports() {
				for i := range ports {
					list = append(list, fmt.Sprintf("%+v", n.Counters(core.NodeID(id), i)))
				}
			}
			return list
		}
		if !slices.Equal(results(), results(strings.Fields(c.keys)...)) {
			t.Errorf("with %s, %s change something", c.with, c.keys)
		}
	}
}

// A config.txt has keys that its scheme or mode does not use.
func TestNoNotesOnIdleKeysOfConfig(t *testing.T) {
	sc, err := Load("../../testdata/baselines/dumbbell4-dctcp/config.txt")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]bool{"": false, "host.chunk": true} {
		c := sc.Clone()
		c.Host.Chunk = 12
		if key == "host.chunk" {
			if err := c.Set(key, "16"); err != nil {
				t.Fatal(err)
			}
		}
		s, err := c.Setup()
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(s.Notes, "host.chunk changes nothing without host.recovery: go-back-0"); got != want {
			t.Errorf("%s: %q", key, s.Notes)
		}
	}
}
