package native

import (
	"errors"
	"strings"
	"testing"
)

// A panic becomes an error with its text and a trace; other errors stay as they are.
func TestGuard(t *testing.T) {
	call := func(do func() error) (err error) {
		defer guard(&err)
		return do()
	}
	plain := errors.New("plain")
	if err := call(func() error { return plain }); err != plain {
		t.Errorf("got %v", err)
	}
	for name, do := range map[string]func() error{
		"boom":                   func() error { panic("boom") },
		"invalid memory address": func() error { return errors.New(new(Simulation).run.Network.Setup.Profile.Name) },
	} {
		err := call(do)
		if err == nil || !strings.HasPrefix(err.Error(), failed) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "guard_test.go") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
