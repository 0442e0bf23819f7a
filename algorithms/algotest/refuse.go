package algotest

import (
	"strings"
	"testing"
)

// Refuses demands that each setting, written name=value, is refused on its own with an error
// that names the scheme and the parameter.
func Refuses(t *testing.T, factory Factory, settings ...string) {
	t.Helper()
	scheme := factory.plain(t).Traits().Name
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		_, err := factory(map[string]string{name: value})
		if err == nil || !strings.HasPrefix(err.Error(), scheme+": ") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want an error of %s that names %s", setting, err, scheme, name)
		}
	}
}
