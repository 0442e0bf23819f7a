package main

import "testing"

// A profile sets many keys, wherever it stands; what other flags say of them holds.
func TestProfileComesFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	others := []string{"--recovery", "selective", "--set", "switch.reserve=8KB", "--set", "options.rto=3ms"}
	want := mustQBB(t, with([]string{"run", "--print-scenario", "--profile", "ns3"}, others...)...)
	for _, flags := range [][]string{
		with(others, "--profile", "ns3"), with(others, "--set", "profile=ns3"), with(others, "--set", " profile = ns3"),
		with(others, "--set", "profile=native", "--set", "profile=ns3"), with([]string{"--set", "profile=ns3"}, others...),
	} {
		if got := mustQBB(t, with([]string{"run", "--print-scenario"}, flags...)...); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", flags, got, want)
		}
	}
}
