package driver

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms/catalog"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/devices/nic"
	"github.com/qbb-sim/qbb/devices/switching"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// The seeds of TestAnyThreads, of TestLaws and of related scenarios: a hundred of which none takes seconds, as 105 does, with
// 24 million events until it is found that its flows are sent in vain.
var (
	firstSeed = flag.Uint64("first", 606, "first seed of the random scenarios")
	seeds     = flag.Uint64("seeds", 100, "number of random scenarios")
)

// drawnKeys are keys that a random scenario sets once in oneIn cases, to one of the values; the word net is a network
// whose links are all different, flows a file of flows that wait for one another, job a schedule, jobs two of them, any a scheme.
// Flows give up, since without options.ack_duplicates one whose last acknowledgement is lost would send for ever.
var drawnKeys = []struct {
	oneIn  int
	key    string
	values []string
}{
	{3, "profile", []string{"ns3"}},
	{1, "topology", []string{"net", "net", "net", "fat-tree:k=4", "fat-tree:k=4,rate=40Gbps,delay=10us", "leaf-spine:leaves=3,spines=2,hosts=3,fabric=100Gbps,delay=77777ps",
		"dumbbell:n=4,bottleneck=40Gbps,delay=100ns", "star:n=7"}},
	{1, "cc", []string{"any"}}, {3, "cc_by_tag.incast", []string{"any"}},
	{1, "workload", []string{"none", "fbhadoop", "websearch", "fbhadoop,hosts=0-2,to=1-3"}}, {1, "load", []string{"0.2", "0.8"}}, {1, "duration", []string{"30us", "80us"}},
	{1, "incast", []string{"3x30KB@20us", "2x5KB@7us", "3x9KB@9us,to=0"}}, {1, "seed", []string{"1", "2", "3"}},
	{2, "patterns", []string{"permutation:9KB", "all-to-all:700B", "one-many:5KB,3", "ring-all-reduce:20KB,2", "one-one:3KB,4", "ring-all-reduce:20KB,2,5us,hosts=3,0-2,stride=2,tag=x{group}.{round}",
		"['one-many:5KB,tag=x', 'permutation:9KB,after=x,start=1us', 'all-to-all:700B,tag=x,start=3us', 'ring-all-reduce:20KB,group=2,after=x,hosts=0-3']"}},
	{5, "flows", []string{"flows"}},
	{2, "stop", []string{"3ms", "60us", "100us"}}, {2, "options.rto", []string{"50us", "300us", "0s"}}, {1, "options.retries", []string{"1", "9"}},
	{6, "loss", []string{"0.01", "0.001"}}, {1, "buffer", []string{"500KB", "1500KB", "8MB"}}, {3, "ecn.mark", []string{"off", "enqueue"}},
	{1, "ecn.scale", []string{"true"}}, {1, "ecn.thresholds", []string{"{rate: 100Gbps, kmin: 4KB, kmax: 40KB, pmax: 0.5}", "{rate: 100Gbps, kmin: 9KB, kmax: 9KB, pmax: 1}"}},
	{5, "mtu", []string{"256B", "9000B"}}, {4, "flow_control", []string{"credits", "none"}}, {9, "lossy", []string{"3", "1,3"}}, {4, "class_by_tag", []string{"{incast: 1}", "{incast: 5}"}},
	{4, "switch.load_balance", []string{"spray", "flowlet", "drill", "adaptive", "conga", "conweave"}}, {4, "host.recovery", []string{"selective", "go-back-0"}}, {3, "options.order", []string{"schedule"}},
	{6, "host.delay", []string{"3300ns"}}, {6, "host.service", []string{"50ns"}}, {12, "options.forget_receiver", []string{"true"}}, {6, "options.keep_order", []string{"true"}},
	{12, "links", []string{"[{at: 5us, down: 0-HOST}, {at: 40us, up: 0-HOST}]"}},
	{2, "queue_sampling.interval", []string{"100ns", "1us", "0s"}}, {1, "queue_sampling.end", []string{"50us", "200us"}}, {8, "queue_sampling.events", []string{"true"}},
	{2, "series.interval", []string{"700ns", "10us"}}, {3, "series.flows", []string{"all", "largest:3"}}, {4, "series.points", []string{"20"}},
	{1, "files.fct", []string{"fct.txt"}}, {1, "files.pfc", []string{"pfc.txt"}}, {5, "host.ack_every", []string{"2", "16", "1000"}},
	{6, "switch.trim", []string{"true"}}, {4, "host.entropy", []string{"random", "reps", "plb"}}, {2, "host.plb_rounds", []string{"1"}}, {5, "host.connections", []string{"1", "2"}},
	{6, "switch.sharing", []string{"complete", "abm"}}, {3, "switch.lossy_shift", []string{"1", "3"}}, {3, "switch.first_alpha", []string{"1", "8"}},
	{2, "conweave.reply", []string{"500ns", "3us"}}, {3, "conweave.path_busy", []string{"5us"}}, {2, "conweave.resume", []string{"0s", "2us", "10s", "10s"}}, {4, "conweave.inactive", []string{"4us"}},
	{5, "schedule", []string{"job", "jobs"}},
	{4, "pfc_watchdog.detection", []string{"300ns", "3us"}}, {2, "pfc_watchdog.restoration", []string{"100ns", "20us"}}, {6, "switch.strict", []string{"1", "3", "1,5"}},
}

// draw makes a random scenario whose files are in a folder; nil if its keys exclude one another.
func draw(t *testing.T, dir string, seed uint64) *scenario.Scenario {
	rng := rand.New(rand.NewPCG(seed, 41))
	hosts := drawNetwork(t, filepath.Join(dir, "net"), rng)
	drawFlows(t, filepath.Join(dir, "flows.csv"), rng, min(hosts, 7))
	drawSchedule(t, filepath.Join(dir, "job.goal"), rand.New(rand.NewPCG(seed, 43)), min(hosts, 7))
	first, second := filepath.Join(dir, "first.goal"), filepath.Join(dir, "second.goal")
	drawSchedule(t, first, rand.New(rand.NewPCG(seed, 44)), 4)
	drawSchedule(t, second, rand.New(rand.NewPCG(seed, 45)), 3)
	schemes, sc := catalog.All(), scenario.Default()
	for _, k := range drawnKeys {
		value := k.values[rng.IntN(len(k.values))]
		if rng.IntN(k.oneIn) > 0 {
			continue
		}
		switch value {
		case "net":
			value = filepath.Join(dir, "net")
		case "flows":
			value = filepath.Join(dir, "flows.csv")
		case "job":
			value = filepath.Join(dir, "job.goal")
		case "jobs":
			value = fmt.Sprintf("['%s,hosts=3,0-2', '%s,hosts=4-6,start=11us,tag=x']", first, second)
		case "any":
			value = schemes[rng.IntN(len(schemes))].Name
		}
		if sc.Set(k.key, strings.ReplaceAll(value, "HOST", fmt.Sprint(hosts))) != nil {
			return nil
		}
	}
	if sc.Switch.Trim && sc.Set("host.recovery", "selective") != nil {
		return nil
	}
	if sc.Host.Recovery == nic.GoBack0 && sc.Stop == core.Never && sc.Set("stop", "3ms") != nil { // reordered, a long flow hardly ever ends
		return nil
	}
	lossy := sc.Switch.Trim || sc.Switch.Sharing != switching.Dynamic
	if lossy && (sc.Set("buffer", "300KB") != nil || sc.Lossy == "" && sc.Set("flow_control", "none") != nil) {
		return nil
	}
	return sc
}

// drawNetwork writes a network of switches in a tree with some more links, all of them with rates and delays of their
// own, and returns the number of hosts, whose numbers come first.
func drawNetwork(t *testing.T, file string, rng *rand.Rand) (hosts int) {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	hosts, switches := 7+rng.IntN(8), 2+rng.IntN(5)
	var ids, links strings.Builder
	count, losses := 0, pick("0", "0", "0", "0.003")
	join := func(a, b int) {
		count++
		fmt.Fprintf(&links, "%d %d %s %s %s\n", a, b, pick("100Gbps", "25Gbps", "40Gbps", "10Gbps"),
			pick("1us", "1us", "300ns", "33333ps", "12us", "1001ps"), pick("0", losses))
	}
	for s := range switches {
		fmt.Fprintln(&ids, hosts+s)
		if s > 0 {
			join(hosts+rng.IntN(s), hosts+s)
		}
		if s > 1 && rng.IntN(2) == 0 {
			join(hosts+rng.IntN(s), hosts+s)
		}
	}
	for h := range hosts {
		join(h, hosts+h*switches/hosts)
	}
	write(t, file, fmt.Sprintf("%d %d %d\n%s%s", hosts+switches, switches, count, ids.String(), links.String()))
	return hosts
}

// drawFlows writes flows of which most wait for others that begin or end at their source.
func drawFlows(t *testing.T, file string, rng *rand.Rand, hosts int) {
	text, ends := "src,dst,bytes,start_ns,after\n", [][2]int(nil)
	for i := range 60 {
		src := rng.IntN(hosts)
		dst := (src + 1 + rng.IntN(hosts-1)) % hosts
		var after []string
		for k, e := range ends {
			if (e[0] == src || e[1] == src) && rng.IntN(4) == 0 && k >= i-20 {
				after = append(after, fmt.Sprint(k))
			}
		}
		ends = append(ends, [2]int{src, dst})
		text += fmt.Sprintf("%d,%d,%d,%d,%s\n", src, dst, 1+rng.IntN(20_000), 100*i, strings.Join(after, " "))
	}
	write(t, file, text)
}

// drawSchedule writes a schedule whose ranks send, receive and compute. An operation requires earlier ones of its rank, so that
// none waits for ever: a message is received where it is sent or later.
func drawSchedule(t *testing.T, file string, rng *rand.Rand, ranks int) {
	text, count := make([]strings.Builder, ranks), make([]int, ranks)
	add := func(rank int, format string, args ...any) {
		label := count[rank]
		count[rank]++
		fmt.Fprintf(&text[rank], "l%d: %s\n", label, fmt.Sprintf(format, args...))
		for before := max(0, label-4); before < label; before++ {
			if rng.IntN(3) == 0 {
				fmt.Fprintf(&text[rank], "l%d %s l%d\n", label, []string{"requires", "requires", "irequires"}[rng.IntN(3)], before)
			}
		}
	}
	for i := range 100 {
		rank := rng.IntN(ranks)
		if rng.IntN(3) == 0 {
			add(rank, "calc %d cpu %d", rng.IntN(9000), rng.IntN(2))
			continue
		}
		to, size := rng.IntN(ranks), 1+rng.IntN(20_000)
		add(rank, "send %db to %d tag %d", size, to, i)
		add(to, "recv %db from %d tag %d", size, rank, i)
	}
	all := fmt.Sprintf("num_ranks %d\n", ranks)
	for rank := range ranks {
		all += fmt.Sprintf("rank %d {\n%s}\n", rank, text[rank].String())
	}
	write(t, file, all)
}

// keep writes a scenario into a folder, and returns the file.
func keep(t *testing.T, sc *scenario.Scenario, dir string) string {
	var text strings.Builder
	if err := sc.Print(&text); err != nil {
		t.Error(err)
	}
	file := filepath.Join(dir, "scenario.yaml")
	write(t, file, text.String())
	return file
}

// anyThreads runs a random scenario with several numbers of threads, and returns the most parts; 0 if it cannot be run.
// If the files differ, they stay, with the scenario.
func anyThreads(t *testing.T, seed uint64) (parts int) {
	dir, err := os.MkdirTemp("", "threads")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if !t.Failed() {
			_ = os.RemoveAll(dir)
		}
	}()
	var want map[string]string
	for i, threads := range []int{1, 2, 3, 8} {
		sc := draw(t, dir, seed)
		if sc == nil {
			return 0
		}
		s, err := Setup(sc)
		if err != nil {
			return 0
		}
		out := filepath.Join(dir, fmt.Sprint(threads))
		sum, err := Run(context.Background(), sc, s, Options{Dir: out, Threads: threads, Slice: []int{0, 97, 0, 5000}[(uint64(i)+seed)%4]})
		if err != nil {
			t.Fatalf("seed %d, %d threads: %v", seed, threads, err)
		}
		if parts = max(parts, sum.Machine.Parts); threads == 1 {
			want = contents(t, out)
		} else if sameFiles(t, contents(t, out), want); t.Failed() {
			t.Fatalf("seed %d, %d threads: compare with qbb run --threads %[2]d %s", seed, threads, keep(t, sc, dir))
		}
	}
	return parts
}

// Whatever the scenario, its files do not depend on the number of threads.
func TestAnyThreads(t *testing.T) {
	ran, cut := 0, 0
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		parts := anyThreads(t, seed)
		ran, cut = ran+min(parts, 1), cut+min(max(parts-1, 0), 1)
	}
	t.Logf("%d of %d scenarios ran, %d of them in parts", ran, *seeds, cut)
	if uint64(ran) < *seeds/2 || uint64(cut) < *seeds/4 {
		t.Error("this tests too little")
	}
}

func FuzzAnyThreads(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) { anyThreads(t, seed) })
}
