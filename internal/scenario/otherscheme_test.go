package scenario

import (
	"path/filepath"
	"testing"

	"github.com/qbb-sim/qbb/traces"
)

// A config.txt that is run with another scheme than its own leaves the windows to that scheme, as the HPCC authors'
// settings do: with those of a config.txt for DCQCN, HAS_WIN 0, HPCC would divide by zero.
func TestWindowOfAnotherScheme(t *testing.T) {
	for _, c := range []struct {
		config      string
		keys        [][2]string
		window      string
		scaleWindow bool
	}{
		{"dcqcn", nil, "off", false},
		{"dcqcn", [][2]string{{"cc.name", "dcqcn"}}, "off", false},
		{"dcqcn", [][2]string{{"cc.name", "hpcc"}}, "on", true},
		{"dcqcn", [][2]string{{"cc", "{name: hpcc}"}}, "on", true},
		{"dcqcn", [][2]string{{"cc.name", "dctcp"}}, "on", true},
		{"dcqcn", [][2]string{{"cc.name", "timely"}}, "off", false},
		{"dcqcn", [][2]string{{"cc.name", "hpcc"}, {"host.window", "off"}}, "off", true},
		{"dcqcn", [][2]string{{"host.window", "off"}, {"cc.name", "hpcc"}}, "off", true},
		{"dcqcn", [][2]string{{"cc.name", "hpcc"}, {"host.scale_window", "false"}}, "on", false},
		{"dcqcn", [][2]string{{"profile", "native"}, {"cc.name", "hpcc"}}, "off", true},
		{"hpcc", nil, "on", true},
		{"hpcc", [][2]string{{"cc.name", "dcqcn"}}, "off", false},
		{"hpcc", [][2]string{{"cc.params.target", "0.9"}}, "on", true},
	} {
		config, err := traces.LoadConfig(filepath.Join(baselines, "fat16-ws60-incast-"+c.config, "config.txt"))
		if err != nil {
			t.Fatal(err)
		}
		sc, err := ofConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range c.keys {
			if err := sc.Set(k[0], k[1]); err != nil {
				t.Fatal(err)
			}
		}
		sc = sc.Clone()
		for range 2 { // when it is completed, and again
			if err := sc.Complete(); err != nil {
				t.Fatal(err)
			}
			if sc.Host.Window != c.window || sc.Host.ScaleWindow != c.scaleWindow {
				t.Errorf("%s %v: window %s, scale_window %v, want %s, %v", c.config, c.keys, sc.Host.Window, sc.Host.ScaleWindow, c.window, c.scaleWindow)
			}
		}
	}
}
