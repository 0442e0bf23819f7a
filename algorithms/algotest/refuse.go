package algotest

import (
	"errors"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/algorithms"
)

// Refuses demands that each setting, written name=value, is refused on its own with an
// [algorithms.ParamError] that names the scheme and the parameter.
func Refuses(t *testing.T, factory Factory, settings ...string) {
	t.Helper()
	scheme := factory.Plain(t).Traits().Name
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		_, err := factory(map[string]string{name: value})
		if wrong, ok := errors.AsType[*algorithms.ParamError](err); !ok || wrong.Scheme != scheme || wrong.Param != name {
			t.Errorf("%s: got %v, want an error of %s that names %s", setting, err, scheme, name)
		}
	}
}
