package main

import (
	"strings"
	"testing"
)

// A run that is given several values of an option is told how to get a run with each; one with a value that is wrong in
// another way is not.
func TestSeveralValues(t *testing.T) {
	const hint = "; for a run with each value: qbb sweep --vary "
	for _, c := range []struct {
		args []string
		want string // end of the message; empty: no hint
	}{
		{[]string{"--seed", "1..5"}, "seed=1..5"},
		{[]string{"--seed", "1,2,3"}, "seed='1 2 3'"},
		{[]string{"--seed", "1..2 7"}, "seed='1..2 7'"},
		{[]string{"--cc", "hpcc dcqcn"}, "cc='hpcc dcqcn'"},
		{[]string{"--cc", "hpcc", "--cc", "dcqcn"}, "cc='hpcc dcqcn'"},
		{[]string{"--load", "0.3 0.5"}, "load='0.3 0.5'"},
		{[]string{"--load", "0.3 0.5", "--seed", "1..2", "--lossy", "1,2"}, "load='0.3 0.5' --vary seed=1..2"},
		{[]string{"--cc", "hpcc dcqcn", "--print-scenario"}, "cc='hpcc dcqcn'"},
		{[]string{"--seed", "1..99999"}, ""},
		{[]string{"--seed", "1 x"}, ""},
		{[]string{"--load", "x", "--lossy", "1,2"}, ""},
		{[]string{"--cc", "hpcc:target=0.9,bi=50Mbps"}, ""},
		{[]string{"--flows", "a b"}, ""},
	} {
		o := qbb(t, append([]string{"run"}, c.args...)...)
		_, got, _ := strings.Cut(strings.TrimSuffix(o.stderr, "\n"), hint)
		if got != c.want || o.code != exitMistake || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("run %q: exit code %d, %q, want %q at its end", c.args, o.code, o.stderr, c.want)
		}
	}
}
