package scenario

import (
	"strings"
	"testing"
)

// What would shape flows that arrive over time is noted where there are none; defaults are not.
func TestNotesWithoutArrivals(t *testing.T) {
	const (
		load     = "load changes nothing: there is no background traffic: name its sizes with workload"
		duration = "duration changes nothing: no flows arrive over time, by workload or incast; stop ends the run"
	)
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"load", "0.9"}, load},
		{[]string{"duration", "1ms"}, duration},
		{[]string{"load", "0.9", "duration", "1ms"}, load + "; " + duration},
		{[]string{"load", "0.9", "duration", "1ms", "incast", "2x1KB"}, load},
		{[]string{"load", "0.9", "duration", "1ms", "workload", "websearch"}, ""},
		{nil, ""},
	} {
		s, err := of(t, append([]string{"topology", "star:n=3", "patterns", "permutation:1KB"}, c.keys...)...).Setup()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Notes, "; "); got != c.want {
			t.Errorf("%q: notes %q, want %q", c.keys, got, c.want)
		}
	}
}
