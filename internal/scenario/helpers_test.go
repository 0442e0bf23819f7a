package scenario

import (
	"os"
	"testing"
)

// of returns the default scenario with some keys set: key, value, key, value.
func of(t testing.TB, pairs ...string) *Scenario {
	t.Helper()
	sc := Default()
	for i := 0; i < len(pairs); i += 2 {
		if err := sc.Set(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return sc
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
