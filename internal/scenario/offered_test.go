package scenario

import (
	"slices"
	"testing"
)

// A note reports a slow host among fast ones that is offered more than it can take; equal hosts at an intended load get
// none.
func TestOverloadedHostIsTold(t *testing.T) {
	file := t.TempDir() + "/topology.txt"
	write(t, file, "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 25Gbps 1us 0\n")
	for _, c := range []struct {
		topology, load string
		want           []string
	}{
		{"star:n=4", "1.2", nil},
		{file, "0.2", nil},
		{file, "0.3", []string{"background flows offer host 2 1.2 times its rate at a load of 0.3: destinations are drawn uniformly, whatever their rates"}},
	} {
		sc := Default()
		for _, k := range [][2]string{{"topology", c.topology}, {"load", c.load}, {"duration", "1ms"}} {
			if err := sc.Set(k[0], k[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := sc.Complete(); err != nil {
			t.Fatal(err)
		}
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Notes, c.want) {
			t.Errorf("%s at %s: notes %q, want %q", c.topology, c.load, s.Notes, c.want)
		}
	}
}

// A run whose background traffic has no flow says how many it would have on average.
func TestNoBackgroundFlowIsTold(t *testing.T) {
	for _, c := range []struct {
		duration string
		want     []string
	}{
		{"1ms", nil},
		{"1us", []string{"no background flow arrives within 1us at a load of 0.5: on average 0.015 would; lengthen duration, or raise load"}},
		{"0s", []string{"no background flow arrives within 0s at a load of 0.5: on average 0 would; lengthen duration, or raise load"}},
	} {
		s, err := of(t, "topology", "star:n=4", "load", "0.5", "duration", c.duration).Setup()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Notes, c.want) {
			t.Errorf("%s: notes %q, want %q", c.duration, s.Notes, c.want)
		}
	}
}

// Where headers are more than half of what background flows send, a note says that load does not count them.
func TestMostlyHeadersAreTold(t *testing.T) {
	cdf := t.TempDir() + "/sizes.cdf"
	for _, c := range []struct {
		sizes, header string
		want          []string
	}{
		{"0 99\n1000 100\n", "62B", []string{"background flows put more headers than message bytes on the wire: sizes average 5.99 B, packets have headers of 62B, and load counts message bytes alone"}},
		{"60 0\n60 100\n", "62B", []string{"background flows put more headers than message bytes on the wire: sizes average 60 B, packets have headers of 62B, and load counts message bytes alone"}},
		{"60 0\n60 100\n", "60B", nil},
		{"0 90\n2000 100\n", "62B", nil},
	} {
		write(t, cdf, c.sizes)
		s, err := of(t, "topology", "star:n=4", "workload", cdf, "load", "0.1", "duration", "1us", "host.header", c.header).Setup()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Notes, c.want) {
			t.Errorf("%q under %s: notes %q, want %q", c.sizes, c.header, s.Notes, c.want)
		}
	}
}
