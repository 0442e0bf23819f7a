package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
)

// The limits that a range's error names are valid; values beyond them are not.
func TestEndsOfRanges(t *testing.T) {
	for _, c := range []struct{ key, good, bad string }{
		{"load", "0.001", "0"}, {"load", "2", "2.001"}, {"loss", "1", "1.001"},
		{"mtu", "1B", "0B"}, {"mtu", "64KiB", "65537B"},
		{"credits.tick", "1ps", "0s"}, {"queue_sampling.bin", "1B", "0B"},
		{"series.points", "2", "1"}, {"series.points", "65536", "65537"},
		{"host.header", "0B", ""}, {"host.header", "64KiB", "65537B"}, {"host.ack_header", "64KiB", "65537B"},
		{"host.min_packet", "1B", "0B"}, {"host.min_packet", "64KiB", "65537B"},
		{"host.delay", "1h", "3601s"}, {"host.service", "1h", "3601s"}, {"host.chunk", "1", "0"},
		{"switch.reserve", "4294967295B", "4294967296B"}, {"switch.lossy_shift", "62", "63"}, {"switch.alpha_shift", "62", "63"},
		{"switch.first_alpha", "1", "0"}, {"switch.first_alpha", "65535", "65536"},
		{"switch.int_multi", "1", "0"}, {"switch.int_multi", "1048576", "1048577"},
		{"options.rto", "1h", "3601s"}, {"options.ack_class", "7", "8"},
		{"options.pause_size", "1", "0"}, {"options.pause_size", "65536", "65537"},
	} {
		if err := of(t, c.key, c.good).Complete(); err != nil {
			t.Errorf("%s: %s: %v", c.key, c.good, err)
		}
		if c.bad == "" {
			continue
		}
		sc := Default()
		err := sc.Set(c.key, c.bad)
		if err == nil {
			err = sc.Complete()
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.key+": ") {
			t.Errorf("%s: %s: got %v", c.key, c.bad, err)
		}
	}
}

// Nodes to trace and a file for their packets imply each other: the defaults are all nodes and
// mix.tr.
func TestTracedNodes(t *testing.T) {
	for _, c := range []struct {
		trace, events, text string
		want                string // file
		nodes               []core.NodeID
	}{
		{"", "", "", "", nil},
		{"1, 2", "", "", "mix.tr", []core.NodeID{1, 2}},
		{"all", "", "", "mix.tr", []core.NodeID{0, 1, 2}},
		{"", "x.tr", "", "x.tr", []core.NodeID{0, 1, 2}},
		{"", "", "x.txt", "", []core.NodeID{0, 1, 2}},
		{"0", "", "x.txt", "", []core.NodeID{0}},
		{"0", "x.tr", "x.txt", "x.tr", []core.NodeID{0}},
	} {
		sc := of(t, "topology", "star:n=2", "workload", "none")
		sc.Trace, sc.Files.Events, sc.Files.EventsText = c.trace, c.events, c.text
		s, err := sc.Setup()
		if err != nil {
			t.Fatal(err)
		}
		if sc.Files.Events != c.want || !slices.Equal(s.Trace, c.nodes) {
			t.Errorf("%+v: file %q, nodes %v", c, sc.Files.Events, s.Trace)
		}
	}
	for _, bad := range []string{"3", "-1", "0,,1"} {
		if _, err := of(t, "topology", "star:n=2", "workload", "none", "trace", bad).Setup(); err == nil || !strings.Contains(err.Error(), "is neither a node (0 to 2) nor a file") {
			t.Errorf("trace %q: got %v", bad, err)
		}
	}
}
