package report

import (
	"slices"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/results"
)

// The table of figures has under every name the summary's count of that name, for every run; a dash stands for what was
// not measured.
func TestFigures(t *testing.T) {
	run := &results.Run{
		Settings: []results.Setting{{Key: "cc.name", Value: "hpcc"}, {Key: "topology", Value: "star:n=4"}},
		Flows:    []results.Flow{{FCT: 2_000}, {FCT: 1_000}, {FCT: 3_000}},
		Summary: driver.Summary{
			Profile: "native", Seed: 7, EndNs: 5e6,
			Network: driver.NetworkSize{Hosts: 4, Switches: 1, Links: 5},
			Flows:   driver.FlowTotals{Total: 10, Started: 9, Finished: 8, Failed: 1, Unfinished: 2, RetransmittedBytes: 11_000, Timeouts: 12},
			Queue:   &driver.QueueSummary{P50: 13, P95: 14, P99: 15, Max: 16},
			PFC:     driver.PFCTotals{PausesSent: 17, ResumesSent: 18, PausedNs: 19_000},
			Packets: driver.PacketTotals{Hops: 20, Events: 21, Dropped: 22, NoBuffer: 23, NoRoute: 24, LinkDown: 25, Lost: 26, Marked: 27, Trimmed: 28},
		},
	}
	want := []row{
		{"Congestion control", []string{"hpcc", ""}},
		{"Topology", []string{"star:n=4", ""}},
		{"Hosts, switches, links", []string{"4, 1, 5", "0, 0, 0"}},
		{"Profile, seed", []string{"native, 7", ", 0"}},
		{"Simulated time", []string{"5.00\u00a0ms", "0\u00a0ns"}},
		{"Flows finished", []string{"8 of 10", "0 of 0"}},
		{"Flows given up", []string{"1", "0"}},
		{"Completion time p50", []string{"2.00\u00a0µs", none}},
		{"Completion time p95", []string{"3.00\u00a0µs", none}},
		{"Completion time p99", []string{"3.00\u00a0µs", none}},
		{"Queue depth p50, below", []string{"13\u00a0B", none}},
		{"Queue depth p95, below", []string{"14\u00a0B", none}},
		{"Queue depth p99, below", []string{"15\u00a0B", none}},
		{"Deepest queue", []string{"16\u00a0B", none}},
		{"PFC pauses sent", []string{"17", "0"}},
		{"Time paused, all ports", []string{"19.0\u00a0µs", "0\u00a0ns"}},
		{"Packet hops", []string{"20", "0"}},
		{"ECN marks", []string{"27", "0"}},
		{"Packets dropped", []string{"22", "0"}},
		{"Packets trimmed", []string{"28", "0"}},
		{"Packets lost on links", []string{"26", "0"}},
		{"Bytes sent again", []string{"11.0\u00a0KB", "0\u00a0B"}},
		{"Time-outs", []string{"12", "0"}},
	}
	got := figures([]*results.Run{run, {}})
	if !slices.EqualFunc(got, want, func(a, b row) bool { return a.Name == b.Name && slices.Equal(a.Values, b.Values) }) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A schedule has a row, in which a dash stands for one that was not done, and for a run without one; where no run has a
// schedule, there is no such row.
func TestFiguresOfSchedules(t *testing.T) {
	of := func(done int) *results.Run {
		return &results.Run{Summary: driver.Summary{Schedule: &driver.ScheduleTotals{Hosts: 4, Done: done, DoneNs: 3e6, ComputingNs: 2e6, ExposedNs: 5e5}}}
	}
	for name, want := range map[string]string{
		"Schedule done after": "3.00\u00a0ms", "Computing, mean of hosts": "2.00\u00a0ms", "Exposed communication, mean of hosts": "500\u00a0µs",
	} {
		rows := figures([]*results.Run{of(4), of(3), {}})
		if at := slices.IndexFunc(rows, func(r row) bool { return r.Name == name }); at < 0 || !slices.Equal(rows[at].Values, []string{want, none, none}) {
			t.Errorf("%s: row %d of %q", name, at, rows)
		}
		if slices.ContainsFunc(figures([]*results.Run{{}}), func(r row) bool { return r.Name == name }) {
			t.Error("a run without a schedule has a row of schedules")
		}
	}
}
