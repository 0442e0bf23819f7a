package twin

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

// kept is where the cases are kept, with the results, to be run by other hosts of the same
// machines: see scripts/test-ns3.sh.
var kept = os.Getenv("QBB_TWIN_CASES")

// folder returns an empty folder for a case.
func folder(t *testing.T, seed uint64) string {
	t.Helper()
	if kept == "" {
		return t.TempDir()
	}
	dir := filepath.Join(kept, t.Name(), fmt.Sprint(seed))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// write makes the files of a random case, which may be an unusual one.
func write(t *testing.T, dir string, seed uint64, rare *rarity) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 23))
	mode := pick(rng, 1, 3, 7, 8, 10)
	s := network(rng, rare, mode)
	payload := rare.payload(pick(rng, 1000, 1000, 1500, 256, 9000, 64))
	second := rare.second()
	for _, file := range []struct{ name, text string }{
		{"topology.txt", s.text(rng.IntN(5) == 0)},
		{"flow.txt", s.traffic(payload, second)},
		{"config.txt", s.config(mode, payload, second)},
		{"trace.txt", s.traced()},
	} {
		if err := os.WriteFile(filepath.Join(dir, file.name), []byte(file.text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// simulate runs a case as qbb run does, and returns in how many parts.
func simulate(t *testing.T, dir string, threads int) (parts int) {
	t.Helper()
	sc, err := scenario.Load(filepath.Join(dir, "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	sc.Out = dir
	setup, err := driver.Setup(sc)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := driver.Run(t.Context(), sc, setup, driver.Options{Dir: dir, Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	return sum.Machine.Parts
}

// repeat runs a case in the twin.
func repeat(t *testing.T, dir string) *world {
	t.Helper()
	c, err := traces.LoadConfig(filepath.Join(dir, "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	network, _, err := traces.LoadTopology(filepath.Join(dir, c.TopologyFile), core.FixedPointNanos)
	if err != nil {
		t.Fatal(err)
	}
	flows, err := traces.LoadFlows(filepath.Join(dir, c.FlowFile))
	if err != nil {
		t.Fatal(err)
	}
	var traced []core.NodeID
	if c.EnableTrace {
		if traced, err = traces.LoadNodes(filepath.Join(dir, c.TraceFile), len(network.Kinds)); err != nil {
			t.Fatal(err)
		}
	}
	w := build(c, network, flows, traced)
	w.run()
	return w
}

// Profile ns3 and the twin write the same files.
func TestTwin(t *testing.T) {
	t.Parallel()
	seen, lines := make(map[string]int), make(map[string]int)
	seeds := []uint64{
		2254,  // a packet that is marked by chance and ends a pause, in this order: DCTCP
		2948,  // and DCQCN
		1017,  // marks by chance where links lose packets, each at a rate of its own
		3295,  // a utilisation that fades to nothing under HPCC-PINT
		57623, // a pause by a port whose transmission ends in that nanosecond, before the packet that causes it arrives
		65254, // ACKs without a hop record under HPCC, then with some
		79251, // ACKs with fewer hop records than the one before, under HPCC, both before anything new is sent
	}
	for seed := range uint64(400) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		try(t, seed, nil, seen, lines)
	}
	for _, what := range []string{"marked", "resumed", "dropped", "NACK", "failure", "in flight on a failed link", "hosts without a way", "in parts", "dropped in parts"} {
		if seen[what] == 0 {
			t.Errorf("%s: in no case", what)
		}
	}
	for _, name := range []string{"fct.txt", "pfc.txt", "qlen.txt", "mix.tr"} {
		if lines[name] < 100 {
			t.Errorf("%s has %d lines in all cases together", name, lines[name])
		}
	}
}

// They agree where files contain what none of the reference's settings contains.
func TestTwinOfRareCases(t *testing.T) {
	t.Parallel()
	seen, lines := make(map[string]int), make(map[string]int)
	seeds := []uint64{416, 1004, 1134} // a MIN_RATE above the line: DCTCP's, and DCQCN's before and after the first cut
	for seed := range uint64(250) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		try(t, seed, newRarity(seed), seen, lines)
	}
	for _, what := range []string{"marked", "dropped", "NACK", "failure", "above the line", "far", "crowd", "spines", "early", "no flows", "no switches", "over 256 nodes"} {
		if seen[what] == 0 {
			t.Errorf("%s: in no case", what)
		}
	}
	if lines["fct.txt"] < 1000 {
		t.Errorf("fct.txt has %d lines in all cases together", lines["fct.txt"])
	}
}

// They agree where an ACK arrives in the nanosecond of the tick to which the timer was set when the ACK was sent.
func TestTwinOfEvenTimes(t *testing.T) {
	t.Parallel()
	seeds := []uint64{934} // a mark that the tick comes too early to see
	for seed := range uint64(60) {
		seeds = append(seeds, seed)
	}
	lines := make(map[string]int)
	for _, seed := range seeds {
		try(t, seed, newEven(seed), make(map[string]int), lines)
	}
	if lines["fct.txt"] < 1000 {
		t.Errorf("fct.txt has %d lines in all cases together", lines["fct.txt"])
	}
}

// They agree in networks of three tiers, with small buffers and timers that tick together.
func TestTwinOfTiers(t *testing.T) {
	t.Parallel()
	seen, lines := make(map[string]int), make(map[string]int)
	for seed := range uint64(100) {
		try(t, seed, newTiered(seed), seen, lines)
	}
	for _, what := range []string{"marked", "resumed", "failure"} {
		if seen[what] == 0 {
			t.Errorf("%s: in no case", what)
		}
	}
	if lines["fct.txt"] < 1000 {
		t.Errorf("fct.txt has %d lines in all cases together", lines["fct.txt"])
	}
}

// They agree where the first packets of flows are lost, and where flows send for longer than a receiver holds back a
// second NACK.
func TestTwinOfLosses(t *testing.T) {
	t.Parallel()
	seen, lines := make(map[string]int), make(map[string]int)
	for _, seed := range []uint64{1, 2, 5, 7, 12, 13, 17, 566, 692} { // all modes, far and near
		try(t, seed, newLossy(seed), seen, lines)
	}
	for _, what := range []string{"second NACK", "NACK before an ACK"} {
		if seen[what] == 0 {
			t.Errorf("%s: in no case", what)
		}
	}
	if lines["fct.txt"] < 1000 {
		t.Errorf("fct.txt has %d lines in all cases together", lines["fct.txt"])
	}
}

// try runs a random case in both and compares. It counts events and the lines of files.
func try(t *testing.T, seed uint64, rare *rarity, seen, lines map[string]int) {
	t.Helper()
	dir := folder(t, seed)
	write(t, dir, seed, rare)
	w := repeat(t, dir)
	which := fmt.Sprintf("seed %d, rare %v, CC_MODE %d", seed, rare != nil, w.c.CCMode)
	simulate(t, dir, 1)
	w.compare(t, dir, which, lines)
	if threads := 2 + int(seed%3); simulate(t, dir, threads) > 1 {
		w.compare(t, dir, fmt.Sprintf("%s, %d threads", which, threads), lines)
		seen["in parts"]++
		seen["dropped in parts"] += w.seen["dropped"]
	}
	for what, n := range w.seen {
		seen[what] += n
	}
	if rare != nil {
		rare.count(w, seen)
	}
}

// compare requires that the files of a run are those of the twin, or, if the twin has stopped where the rules end,
// begin like them, and counts their lines.
func (w *world) compare(t *testing.T, dir, which string, lines map[string]int) {
	t.Helper()
	for _, file := range []struct {
		name string
		want *bytes.Buffer
	}{{"fct.txt", &w.fct}, {"pfc.txt", &w.pfc}, {"qlen.txt", &w.qlen}, {"mix.tr", &w.events}} {
		path, want := filepath.Join(dir, file.name), file.want.Bytes()
		var got []byte
		if file.name != "mix.tr" {
			var err error
			if got, err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		} else if w.traced != nil {
			var window uint32
			if got, window = decode(t, path); uint64(window) != w.maxBDP {
				t.Errorf("%s: window %d in mix.tr, want %d", which, window, w.maxBDP)
			}
		}
		lines[file.name] += bytes.Count(want, []byte("\n"))
		if w.unknown && bytes.HasPrefix(got, want) {
			continue
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %s differs, first in line %s", which, file.name, difference(got, want))
		}
	}
}

func difference(got, want []byte) string {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	i := 0
	for i < min(len(a), len(b))-1 && bytes.Equal(a[i], b[i]) {
		i++
	}
	return fmt.Sprintf("%d:\n got %s\nwant %s", i+1, a[i], b[i])
}
