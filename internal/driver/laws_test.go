package driver

import (
	"os"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/laws"
)

// underLaws runs a random scenario, and reports whether it can be run. If a law is broken, its files stay.
func underLaws(t *testing.T, seed uint64) bool {
	dir, err := os.MkdirTemp("", "laws")
	if err != nil {
		t.Fatal(err)
	}
	broken := []string(nil)
	defer func() {
		if broken == nil {
			_ = os.RemoveAll(dir)
		}
	}()
	sc := draw(t, dir, seed)
	if sc == nil {
		return false
	}
	s, err := Setup(sc)
	if err != nil {
		return false
	}
	if broken, err = laws.Run(s); broken == nil {
		return err == nil
	}
	t.Errorf("seed %d, %s:\n%s", seed, keep(t, sc, dir), strings.Join(broken, "\n"))
	return true
}

// Whatever the scenario, its packets obey the laws of a network.
func TestLaws(t *testing.T) {
	ran := 0
	for seed := *firstSeed; seed < *firstSeed+*seeds; seed++ {
		if underLaws(t, seed) {
			ran++
		}
	}
	t.Logf("%d of %d scenarios ran", ran, *seeds)
	if uint64(ran) < *seeds/2 {
		t.Error("this tests too little")
	}
}
