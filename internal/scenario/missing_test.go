package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/sim"
	"github.com/qbb-sim/qbb/traces"
)

// A missing key that the chosen scheme needs is named; RATE_BOUND may be left out, and then pacing
// obeys the rate.
func TestMissingKeys(t *testing.T) {
	for mode, keys := range schemeKeys {
		text := fullConfig(t, mode)
		for _, key := range keys {
			c := readConfig(t, without(text, key))
			if _, err := ofConfig(c); err == nil || !strings.Contains(err.Error(), key) {
				t.Errorf("CC_MODE %d without %s: %v", mode, key, err)
			}
		}
		sc, err := ofConfig(readConfig(t, without(text, "RATE_BOUND")))
		if err != nil || !sc.Host.Paced {
			t.Errorf("CC_MODE %d without RATE_BOUND: %v", mode, err)
		}
	}
}

// Keys that only other schemes need may be left out.
func TestKeysOfOtherSchemes(t *testing.T) {
	for mode, keys := range schemeKeys {
		text := fullConfig(t, mode)
		for _, others := range schemeKeys {
			for _, key := range others {
				if !slices.Contains(keys, key) {
					text = without(text, key)
				}
			}
		}
		sc, err := ofConfig(readConfig(t, text))
		if err == nil {
			err = sc.Complete()
		}
		if err != nil {
			t.Errorf("CC_MODE %d: %v", mode, err)
		}
	}
}

// Without MI_THRESH and FAST_REACT the reference makes 5 additive steps and reacts to every ACK.
func TestMissingReaction(t *testing.T) {
	for _, mode := range []int64{3, 10} {
		text := strings.Replace(fullConfig(t, mode), "FAST_REACT 1", "FAST_REACT 0", 1)
		for _, c := range []struct{ text, thresh, fast string }{
			{text, "0", "false"},
			{without(text, "MI_THRESH"), "5", "false"},
			{without(text, "FAST_REACT"), "0", "true"},
		} {
			sc, err := ofConfig(readConfig(t, c.text))
			if err != nil {
				t.Fatal(err)
			}
			if p := sc.CC.Params; p["mi_thresh"] != c.thresh || p["fast_react"] != c.fast {
				t.Errorf("CC_MODE %d: mi_thresh %s, fast_react %s, want %s and %s", mode, p["mi_thresh"], p["fast_react"], c.thresh, c.fast)
			}
		}
	}
}

// Switches that do not mark need no thresholds.
func TestNoMarksNoThresholds(t *testing.T) {
	text := without(without(without(fullConfig(t, 8), "KMIN_MAP"), "KMAX_MAP"), "PMAX_MAP")
	for marks, fails := range map[string]bool{"ENABLE_QCN 0": false, "ENABLE_QCN 1": true} {
		c := readConfig(t, strings.Replace(text, "ENABLE_QCN 1", marks, 1))
		c.TopologyFile = filepath.Join(baselines, "dumbbell4-hpcc", "topology.txt")
		c.FlowFile = filepath.Join(baselines, "dumbbell4-hpcc", "flow.txt")
		c.EnableTrace = false
		s, err := fromConfig(c)
		if err == nil {
			_, err = sim.Build(s, &TextWriter{})
		}
		if (err != nil) != fails {
			t.Errorf("%s: %v", marks, err)
		}
	}
}

// A map of thresholds may have rates that no link has, and the other maps may lack them; every map needs the rates of
// all links.
func TestRatesOfMaps(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"KMIN_MAP", "3 25000000000 100 400000000000 1600 100000000000 400", ""},
		{"KMAX_MAP", "1 100000000000 1600", ""},
		{"KMIN_MAP", "1 400000000000 1600", "KMIN_MAP lacks 100000000000, the rate of the link in "},
		{"KMAX_MAP", "1 400000000000 6400", "KMAX_MAP lacks 100000000000, the rate of the link in "},
		{"PMAX_MAP", "1 400000000000 0.2", "PMAX_MAP lacks 100000000000, the rate of the link in "},
	} {
		folder := filepath.Join(baselines, "dumbbell4-hpcc")
		read := readConfig(t, without(fullConfig(t, 8), c.key)+"\n"+c.key+" "+c.value)
		read.TopologyFile, read.FlowFile = filepath.Join(folder, "topology.txt"), filepath.Join(folder, "flow.txt")
		read.EnableTrace = false
		_, err := fromConfig(read)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v", c.key, c.value, err)
		}
	}
}

// The error for a parameter that a scheme does not take names the line that sets it.
func TestLineOfParameter(t *testing.T) {
	for _, c := range []struct {
		mode      int64
		key, text string
		want      string
	}{
		{1, "RP_TIMER 300", "RP_TIMER 0", "cc.params.increase_timer: dcqcn: increase_timer is 0s; it must be at least 1ns"},
		{1, "RATE_DECREASE_INTERVAL 4", "RATE_DECREASE_INTERVAL 0", "cc.params.decrease_timer: dcqcn: decrease_timer is 0s; it must be at least 1ns"},
		{10, "PINT_LOG_BASE 1.05", "PINT_LOG_BASE 1.0001", "cc.params.log_base: hpcc-pint: log_base is 1.0001; it must be from 1.0002, so that a digest fits 2 bytes, to 2"},
	} {
		text := fullConfig(t, c.mode)
		at := strings.Index(text, c.key)
		if at < 0 {
			t.Fatalf("the case has no %s", c.key)
		}
		sc, err := ofConfig(readConfig(t, strings.Replace(text, c.key, c.text, 1)))
		if err == nil {
			err = sc.Complete()
		}
		if want := fmt.Sprintf(":%d: %s", 1+strings.Count(text[:at], "\n"), c.want); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("CC_MODE %d, %s: %v, want ...%s", c.mode, c.text, err, want)
		}
	}
}

func fullConfig(t *testing.T, mode int64) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(baselines, "dumbbell4-hpcc", "config.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(b), "CC_MODE 3", fmt.Sprintf("CC_MODE %d", mode), 1)
}

func without(text, key string) string {
	var kept []string
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, key+" ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func readConfig(t *testing.T, text string) *traces.Config {
	t.Helper()
	c, err := traces.ReadConfig("config.txt", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// In a config.txt an additive increase of 0 means none; in a scenario's parameters, too, 0 means 0.
func TestNoIncrease(t *testing.T) {
	for mode, keys := range map[int64]map[string]string{
		1: {"ai": "RATE_AI", "hai": "RATE_HAI"}, 3: {"ai": "RATE_AI"}, 7: {"ai": "RATE_AI", "hai": "RATE_HAI"},
		8: {"ai": "DCTCP_RATE_AI"}, 10: {"ai": "RATE_AI"},
	} {
		text := fullConfig(t, mode)
		for param, key := range keys {
			at := strings.Index(text, "\n"+key+" ") + 1
			end := at + strings.IndexByte(text[at:], '\n')
			sc, err := ofConfig(readConfig(t, text[:at]+key+" 0Mb/s"+text[end:]))
			if err == nil {
				err = sc.Complete()
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := sc.CC.Params[param]; got != "0bps" {
				t.Errorf("CC_MODE %d with %s 0: %s is %s", mode, key, param, got)
			}
		}
	}
}
