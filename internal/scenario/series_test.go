package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core/topo"
	"github.com/qbb-sim/qbb/internal/sim"
)

// The words for series.ports and series.flows in the documentation have these meanings; a list selects what it names,
// in whatever order and however often.
func TestSeriesWords(t *testing.T) {
	network, err := topo.Parse("dumbbell:n=2") // hosts 0 to 3, switches 4 and 5
	if err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string][]sim.PortRef{
		"none":          nil,
		"all":           {{Node: 0}, {Node: 1}, {Node: 2}, {Node: 3}, {Node: 4}, {Node: 4, Port: 1}, {Node: 4, Port: 2}, {Node: 5}, {Node: 5, Port: 1}, {Node: 5, Port: 2}},
		"auto":          {{Node: 0}, {Node: 1}, {Node: 2}, {Node: 3}, {Node: 4}, {Node: 4, Port: 1}, {Node: 4, Port: 2}, {Node: 5}, {Node: 5, Port: 1}, {Node: 5, Port: 2}},
		"switches":      {{Node: 4}, {Node: 4, Port: 1}, {Node: 4, Port: 2}, {Node: 5}, {Node: 5, Port: 1}, {Node: 5, Port: 2}},
		"5:1, 0:0, 5:1": {{Node: 5, Port: 1}, {Node: 0}},
	} {
		if got, err := seriesPorts(spec, network); err != nil || !slices.Equal(got, want) {
			t.Errorf("ports %q: got %v, %v, want %v", spec, got, err, want)
		}
	}
	flows := []sim.Flow{{Bytes: 5, Tag: "x"}, {Bytes: 9}, {Bytes: 9, Tag: "x"}, {Bytes: 7}}
	for spec, want := range map[string][]int{
		"none": nil, "all": {0, 1, 2, 3}, "tag:x": {0, 2}, "first:2": {0, 1}, "first:9": {0, 1, 2, 3},
		"largest:1": {1}, "largest:3": {1, 2, 3}, "largest:9": {0, 1, 2, 3}, "3, 0,3": {0, 3},
	} {
		if got, err := seriesFlows(spec, flows); err != nil || !slices.Equal(got, want) {
			t.Errorf("flows %q: got %v, %v, want %v", spec, got, err, want)
		}
	}
}

// Flows of series that are not recorded are noted, since a file may choose them.
func TestNoteOnFlowsWithoutSeries(t *testing.T) {
	for _, c := range []struct {
		series string
		noted  bool
	}{
		{"{interval: 0s, flows: largest:2}", true}, {"{interval: 0s, flows: all}", true}, {"{interval: 0s}", false},
		{"{interval: 0s, flows: none}", false}, {"{interval: 1us, flows: all}", false},
	} {
		s, err := of(t, "topology", "star:n=3", "patterns", "permutation:1KB", "series", c.series).Setup()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Notes, "; "); strings.HasPrefix(got, "series.flows changes nothing: no time series are recorded: give") != c.noted || !c.noted && got != "" {
			t.Errorf("series: %s: notes %q", c.series, got)
		}
	}
}

// Samples of a config.txt may end before they start, as those of the reference do, but not because of a key that is set.
func TestSamplingOfConfig(t *testing.T) {
	for key, want := range map[string]string{
		"queue_sampling.bin=2KB":  "",
		"queue_sampling.start=9s": "queue_sampling.end: 2s is before queue_sampling.start, which is 9s: no queue would be sampled",
		"queue_sampling.end=1s":   "queue_sampling.end: 1s is before queue_sampling.start, which is 2s: no queue would be sampled",
	} {
		sc, err := Load(filepath.Join(baselines, "dumbbell4-hpcc", "config.txt"))
		if err != nil {
			t.Fatal(err)
		}
		name, value, _ := strings.Cut(key, "=")
		if err = sc.Set(name, value); err == nil {
			_, err = sc.Setup()
		}
		if err == nil && want != "" || err != nil && (want == "" || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", key, err, want)
		}
	}
}
