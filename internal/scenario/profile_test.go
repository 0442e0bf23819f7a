package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// The profile that a scenario has changes nothing if it is named again, in a file of the reference, whose keys are beside it, too.
func TestSameProfile(t *testing.T) {
	sc, err := Load(filepath.Join(baselines, "dumbbell4-hpcc", "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	before := sc.Record()
	if err := sc.Set("profile", "ns3"); err != nil || sc.Record() != before {
		t.Errorf("%v, got\n%s\nwant\n%s", err, sc.Record(), before)
	}
	sc = of(t, "host.delay", "5us", "profile", "native")
	if sc.Host.Delay != 5*core.Microsecond {
		t.Errorf("host.delay %v", sc.Host.Delay)
	}
	if err := sc.Set("profile", "ns3"); err != nil || sc.Host != refHost() {
		t.Errorf("%v, %+v", err, sc.Host)
	}
}

// A run says which keys of its file another profile has reset.
func TestNotesOnResetKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.yaml")
	write(t, file, "topology: star:n=3\nworkload: none\npatterns: ['permutation:1KB', 'permutation:1KB,tag=x']\nclass_by_tag: {x: 1}\ncc: none\nbuffer: 9MB\nhost: {delay: 5us}\nseries: {points: 20}\nswitch:\n  resume: 4KB\n  reserve: 4096B\n  weights: {3: 1}\n")
	for _, c := range []struct{ keys, want string }{
		{"", ""},
		{"profile native", ""},
		{"profile ns3", "host.delay, series.points, switch.resume, switch.weights"},
		{"profile ns3 profile native", "host.delay, series.points, switch.resume, switch.weights"},
		{"profile ns3 host.delay 1us", "series.points, switch.resume, switch.weights"},
		{"profile ns3 host.delay 1us series.interval 1us series.points 9 switch.resume 1KB switch.weights {3:2}", ""},
	} {
		sc, err := Load(file)
		for pair := range slices.Chunk(strings.Fields(c.keys), 2) {
			if err == nil {
				err = sc.Set(pair[0], pair[1])
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := sc.Clone().Setup()
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		if c.want != "" {
			want = []string{"profile " + sc.Profile + " resets keys of " + file + ": " + c.want + ": set them beside it if they are meant"}
		}
		if !slices.Equal(s.Notes, want) {
			t.Errorf("%s: %q, want %q", c.keys, s.Notes, want)
		}
	}
}
