package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/slowdown"
)

// table has a column for every run.
type table struct {
	Runs []string
	Rows []row
}

// row is a row of a table: a name and a value for every run.
type row struct {
	Name   string
	Values []string
}

// figures lists what the summaries count. Nothing of it depends on the computer.
func figures(runs []*results.Run) []row {
	var rows []row
	add := func(name string, value func(r *results.Run, s *driver.Summary) string) {
		f := row{Name: name}
		for _, r := range runs {
			f.Values = append(f.Values, value(r, &r.Summary))
		}
		rows = append(rows, f)
	}
	add("Congestion control", func(r *results.Run, _ *driver.Summary) string { return r.Setting("cc.name") })
	add("Topology", func(r *results.Run, _ *driver.Summary) string { return r.Setting("topology") })
	add("Hosts, switches, links", func(_ *results.Run, s *driver.Summary) string {
		return fmt.Sprintf("%d, %d, %d", s.Network.Hosts, s.Network.Switches, s.Network.Links)
	})
	add("Profile, seed", func(_ *results.Run, s *driver.Summary) string { return fmt.Sprintf("%s, %d", s.Profile, s.Seed) })
	add("Simulated time", func(_ *results.Run, s *driver.Summary) string { return timeText(s.EndNs) })
	add("Flows finished", func(_ *results.Run, s *driver.Summary) string {
		return fmt.Sprintf("%d of %d", s.Flows.Finished, s.Flows.Total)
	})
	add("Flows given up", func(_ *results.Run, s *driver.Summary) string { return fmt.Sprint(s.Flows.Failed) })
	for _, p := range slowdown.Percentiles {
		add(fmt.Sprintf("Completion time p%g", p), func(r *results.Run, _ *driver.Summary) string { return completion(r, p) })
	}
	queue := func(name string, value func(*driver.QueueSummary) int64) {
		add(name, func(_ *results.Run, s *driver.Summary) string {
			if s.Queue == nil {
				return "–"
			}
			return bytesText(value(s.Queue))
		})
	}
	queue("Queue depth p50, below", func(q *driver.QueueSummary) int64 { return q.P50 })
	queue("Queue depth p95, below", func(q *driver.QueueSummary) int64 { return q.P95 })
	queue("Queue depth p99, below", func(q *driver.QueueSummary) int64 { return q.P99 })
	queue("Deepest queue", func(q *driver.QueueSummary) int64 { return q.Max })
	add("PFC pauses sent", func(_ *results.Run, s *driver.Summary) string { return countText(s.PFC.PausesSent) })
	add("Time paused, all ports", func(_ *results.Run, s *driver.Summary) string { return timeText(s.PFC.PausedNs) })
	add("Packet hops", func(_ *results.Run, s *driver.Summary) string { return countText(s.Packets.Hops) })
	add("ECN marks", func(_ *results.Run, s *driver.Summary) string { return countText(s.Packets.Marked) })
	add("Packets dropped", func(_ *results.Run, s *driver.Summary) string { return countText(s.Packets.Dropped) })
	add("Packets lost on links", func(_ *results.Run, s *driver.Summary) string { return countText(s.Packets.Lost) })
	add("Bytes sent again", func(_ *results.Run, s *driver.Summary) string { return bytesText(s.Flows.RetransmittedBytes) })
	add("Time-outs", func(_ *results.Run, s *driver.Summary) string { return countText(s.Flows.Timeouts) })
	return rows
}

// completion returns a percentile of the completion times as text.
func completion(r *results.Run, p float64) string {
	if len(r.Flows) == 0 {
		return "–"
	}
	times := make([]float64, 0, len(r.Flows))
	for _, f := range r.Flows {
		times = append(times, f.FCT)
	}
	slices.Sort(times)
	return timeText(slowdown.Percentile(times, p))
}

// bucket is a part of a table of slowdowns: a kind of flow, and a row for every run.
type bucket struct {
	Label string
	Rows  []bucketRow
}

type bucketRow struct {
	Run, Flows    string
	P50, P95, P99 string
}

// buckets lists the ranges of sizes in which a flow of any run finished, as the first run has
// them.
func buckets(runs []*results.Run) []bucket {
	var labels []string
	for _, r := range runs {
		for _, s := range r.Summary.Slowdown {
			if !slices.Contains(labels, s.Label) {
				labels = append(labels, s.Label)
			}
		}
	}
	var table []bucket
	for _, label := range labels {
		b := bucket{Label: label}
		flows := 0
		for _, r := range runs {
			var s driver.SlowdownRow
			if i := slices.IndexFunc(r.Summary.Slowdown, func(s driver.SlowdownRow) bool { return s.Label == label }); i >= 0 {
				s = r.Summary.Slowdown[i]
			}
			flows += s.Flows
			b.Rows = append(b.Rows, bucketRow{r.Name, fmt.Sprint(s.Flows), ratioText(s.P50), ratioText(s.P95), ratioText(s.P99)})
		}
		if flows > 0 {
			table = append(table, b)
		}
	}
	return table
}

// tagged lists the tags of flows, in order of the alphabet; none if all flows have the same.
func tagged(runs []*results.Run) []bucket {
	var tags []string
	slowdowns := make([]map[string][]float64, len(runs))
	for i, r := range runs {
		slowdowns[i] = make(map[string][]float64)
		for _, f := range r.Flows {
			if slowdowns[i][f.Tag] == nil && !slices.Contains(tags, f.Tag) {
				tags = append(tags, f.Tag)
			}
			slowdowns[i][f.Tag] = append(slowdowns[i][f.Tag], f.Slowdown)
		}
	}
	if len(tags) < 2 {
		return nil
	}
	slices.Sort(tags)
	var table []bucket
	for _, tag := range tags {
		b := bucket{Label: cmp.Or(tag, "no tag")}
		for i, r := range runs {
			values := slowdowns[i][tag]
			slices.Sort(values)
			at := func(p float64) string { return ratioText(slowdown.Percentile(values, p)) }
			b.Rows = append(b.Rows, bucketRow{r.Name, fmt.Sprint(len(values)), at(50), at(95), at(99)})
		}
		table = append(table, b)
	}
	return table
}

// remark is what must not be overlooked of a run.
type remark struct{ Run, Text string }

// remarks lists flows that did not finish, notes of the runs, and what makes them incomparable.
func remarks(runs []*results.Run) []remark {
	var all []remark
	for _, r := range runs {
		for _, u := range r.Summary.Unfinished {
			all = append(all, remark{r.Name, fmt.Sprintf("%d flows not finished: %s (%s)", u.Flows, u.Reason, u.First)})
		}
		for _, note := range r.Summary.Notes {
			all = append(all, remark{r.Name, note})
		}
	}
	for _, r := range runs[1:] {
		if r.Setting("topology") != runs[0].Setting("topology") {
			all = append(all, remark{r.Name, "another topology than " + runs[0].Name + ": ports of the same number are not the same"})
		}
	}
	return all
}
