package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/traces"
)

// A key that the chosen scheme needs and the file does not give is named; RATE_BOUND may be left
// out, and then pacing obeys the rate.
func TestMissingKeys(t *testing.T) {
	for mode, keys := range schemeKeys {
		text := fullConfig(t, mode)
		for _, key := range keys {
			c := readConfig(t, without(text, key))
			if _, err := OfConfig(c); err == nil || !strings.Contains(err.Error(), key) {
				t.Errorf("CC_MODE %d without %s: %v", mode, key, err)
			}
		}
		sc, err := OfConfig(readConfig(t, without(text, "RATE_BOUND")))
		if err != nil || !sc.Host.Paced {
			t.Errorf("CC_MODE %d without RATE_BOUND: %v", mode, err)
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
