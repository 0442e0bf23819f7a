package topo

import (
	"strings"
	"testing"
)

func TestParseLinkName(t *testing.T) {
	for text, want := range map[string]LinkName{"16-20": {16, 20, 0}, " 20 - 16 ": {20, 16, 0}, "1-0/2": {1, 0, 2}, "1-0/1": {1, 0, 1}} {
		if got, err := ParseLinkName(text); got != want || err != nil {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	const large = "99999999999999999999" // fits no integer
	for _, text := range []string{
		"", "x", "1", "1-", "-1", "1-x", "x-2", "1-2/", "1-2/x", "x-2/3", "1-2/0", "1-2/-1", "1-2-3", "1-2/3/4",
		large + "-1", "1-" + large, "1-2/" + large,
	} {
		if got, err := ParseLinkName(text); err == nil || !strings.Contains(err.Error(), " does not name a link: ") || got != (LinkName{}) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}
