package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/workloads"
)

// summaryColumn is where the right side of the summary begins.
const summaryColumn = 14

// writeSummary writes the outcome of a run for people.
func writeSummary(w io.Writer, sc *scenario.Scenario, sum *driver.Summary) error {
	var p page
	p.paragraph(0, fmt.Sprintf("%s on %s: %s; profile %s, seed %d",
		schemesText(sc), sc.Topology, networkText(sum.Network.Hosts, sum.Network.Switches, sum.Network.Links), sum.Profile, sum.Seed))
	p.WriteByte('\n')
	summarizeSlowdown(&p, sum)
	p.fact("Flows", flowsText(sum))
	for _, u := range sum.Unfinished {
		p.fact("", fmt.Sprintf("%d not finished: %s (%s)", u.Flows, u.Reason, u.First))
	}
	switch {
	case len(sum.Schedules) > 0:
		name := "Schedules"
		for _, t := range sum.Schedules {
			p.fact(name, t.Tag+" "+scheduleText(&t))
			name = ""
		}
	case sum.Schedule != nil:
		p.fact("Schedule", scheduleText(sum.Schedule))
	}
	if took := tookText(sc, sum); took != "" {
		p.fact("Took", took)
	}
	if q := sum.Queue; q != nil && q.Samples > 0 {
		p.fact("Queues", queueText(sc, q))
	}
	if c := sum.Credits; c != nil {
		p.fact("Credits", creditText(sc, c))
	} else {
		p.fact("PFC", pfcText(sc, sum))
	}
	if c := sum.ConWeave; c != nil {
		p.fact("ConWeave", fmt.Sprintf("%s to another path, order given up for %d", spelling.Count(c.Moves, "move", "moves"), c.GivenUp))
	}
	p.fact("Busiest", busiestText(sum))
	p.fact("Packets", fmt.Sprintf("%s hops; %d dropped, %s%d lost on links, %s",
		count(float64(sum.Packets.Hops)), sum.Packets.Dropped, trimmedText(sum.Packets.Trimmed), sum.Packets.Lost, spelling.Count(sum.Packets.Marked, "ECN mark", "ECN marks")))
	p.fact("Time", fmt.Sprintf("%s simulated in %s: %s packet-hops/s", simulated(sum.EndNs), seconds(sum.Machine.WallSeconds), count(sum.Machine.HopsPerSecond)))
	name := "Files"
	for _, line := range fileLines(sum.Files) {
		p.fact(name, line)
		name = ""
	}
	if len(sum.Removed) > 0 {
		p.fact("Removed", removedText(sum))
	}
	for _, note := range sum.Notes {
		p.fact("Note", note)
	}
	return p.print(w)
}

// trimmedText counts trimmed packets, if there are any.
func trimmedText(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d trimmed, ", n)
}

func networkText(hosts, switches, links int) string {
	return fmt.Sprintf("%s, %s, %s", spelling.Count(hosts, "host", "hosts"), spelling.Count(switches, "switch", "switches"), spelling.Count(links, "link", "links"))
}

// queueText writes the depths of queues, and when they were sampled if that was not to the end.
func queueText(sc *scenario.Scenario, q *driver.QueueSummary) string {
	text := fmt.Sprintf("p50 below %v, p95 below %v, p99 below %v", core.Bytes(q.P50), core.Bytes(q.P95), core.Bytes(q.P99))
	if w := &sc.Sampling; w.End != core.Never {
		return fmt.Sprintf("%s from %v to %v; deepest of the run %s", text, w.Start, w.End, kilobytes(q.Max))
	}
	return text + "; deepest " + kilobytes(q.Max)
}

// fact adds a line of the summary, or several.
func (p *page) fact(name, text string) {
	for _, line := range wrap(text, width-summaryColumn) {
		fmt.Fprintf(p, "%-*s%s\n", summaryColumn, name, line)
		name = ""
	}
}

func summarizeSlowdown(p *page, sum *driver.Summary) {
	if sum.Flows.Finished == 0 {
		return
	}
	const row = "%-*s%8s%8s%8s%8s\n"
	fmt.Fprintf(p, row, summaryColumn, "Slowdown", "flows", "p50", "p95", "p99")
	for _, s := range sum.Slowdown {
		if s.Flows > 0 {
			fmt.Fprintf(p, row, summaryColumn, s.Label, fmt.Sprint(s.Flows), ratio(s.P50), ratio(s.P95), ratio(s.P99))
		}
	}
	p.WriteByte('\n')
}

// schemesText names the scheme, and those of tags: hpcc (incast: dcqcn).
func schemesText(sc *scenario.Scenario) string {
	var others []string
	for _, tag := range slices.Sorted(maps.Keys(sc.CCByTag)) {
		others = append(others, tag+": "+sc.CCByTag[tag].Name)
	}
	if len(others) == 0 {
		return sc.CC.Name
	}
	return sc.CC.Name + " (" + strings.Join(others, ", ") + ")"
}

func flowsText(sum *driver.Summary) string {
	f := &sum.Flows
	text := fmt.Sprintf("%d of %d finished", f.Finished, f.Total)
	if f.RetransmittedBytes > 0 || f.Timeouts > 0 {
		text += fmt.Sprintf("; %s sent again, %s", kilobytes(f.RetransmittedBytes), spelling.Count(f.Timeouts, "time-out", "time-outs"))
	}
	return text
}

// scheduleText says how far a schedule has come.
func scheduleText(t *driver.ScheduleTotals) string {
	switch hosts := spelling.Count(t.Hosts, "host", "hosts"); {
	case t.Done == 0:
		return "done on none of " + hosts
	case t.Done < t.Hosts:
		return fmt.Sprintf("done on %d of %s, after %s", t.Done, hosts, simulated(t.DoneNs))
	default:
		return fmt.Sprintf("done on %s after %s: %s of computing and %s of exposed communication on average", hosts, simulated(t.DoneNs), simulated(t.ComputingNs), simulated(t.ExposedNs))
	}
}

// tookText says how long patterns and the flows with other tags took, each from the first start to the last end, which of
// random traffic is no result. If there are many, it is empty, or tells of those of chosen groups the extremes.
func tookText(sc *scenario.Scenario, sum *driver.Summary) string {
	const most = 8
	var parts []string
	var grouped []*driver.TagTime
	for i := range sum.Tags {
		t := &sum.Tags[i]
		switch {
		case t.Tag == workloads.TagBackground && sc.Workload != "none", t.Tag == workloads.TagIncast && sc.Incast != "", strings.HasSuffix(t.Tag, workloads.AnswerTag):
			continue
		case t.Finished < t.Flows:
			parts = append(parts, fmt.Sprintf("%s: %d of %d finished", t.Tag, t.Finished, t.Flows))
		case t.Groups > 1:
			parts = append(parts, fmt.Sprintf("%s %s (%d groups, the fastest %s)", t.Tag, simulated(t.ToNs-t.FromNs), t.Groups, simulated(t.FastestNs)))
		default:
			parts = append(parts, t.Tag+" "+simulated(t.ToNs-t.FromNs))
		}
		if t.Groups > 0 {
			grouped = append(grouped, t)
		}
	}
	if len(parts) > most {
		return extremesText(grouped)
	}
	return strings.Join(parts, ", ")
}

// extremesText names the tags whose flows took the shortest and the longest time.
func extremesText(tags []*driver.TagTime) string {
	all := len(tags)
	tags = slices.DeleteFunc(tags, func(t *driver.TagTime) bool { return t.Finished < t.Flows })
	if len(tags) == 0 {
		return ""
	}
	slices.SortStableFunc(tags, func(a, b *driver.TagTime) int { return cmp.Compare(a.ToNs-a.FromNs, b.ToNs-b.FromNs) })
	low, high := tags[0], tags[len(tags)-1]
	text := fmt.Sprintf("%s %s to %s %s", low.Tag, simulated(low.ToNs-low.FromNs), high.Tag, simulated(high.ToNs-high.FromNs))
	if len(tags) < all {
		return fmt.Sprintf("%s; %d of %d tags finished", text, len(tags), all)
	}
	return fmt.Sprintf("%s, of %d tags", text, all)
}

// creditText says how long ports had no credits, and what the congestion manager did, if there is one.
func creditText(sc *scenario.Scenario, c *driver.CreditTotals) string {
	text := fmt.Sprintf("ports waited for them for %s in all", simulated(c.WaitedNs))
	if sc.DCMS.Sweep > 0 {
		text += "; the manager set " + spelling.Count(c.Settings, "marking rate", "marking rates")
	}
	return text
}

// busiestText names the ports that sent, or were kept from sending, for the largest share of the time.
func busiestText(sum *driver.Summary) string {
	const most = 3
	kept := "paused"
	if sum.Credits != nil {
		kept = "no credits"
	}
	var ports []string
	for i, b := range sum.Bottlenecks {
		if i == most {
			break
		}
		text := fmt.Sprintf("%d to %d %s", b.Node, b.Peer, percent(b.Busy))
		if b.Paused >= 0.005 {
			text += fmt.Sprintf(" (%s %s)", kept, percent(b.Paused))
		}
		ports = append(ports, text)
	}
	return strings.Join(ports, ", ")
}

// percent writes a share in two digits: a network that waits for time-outs is hardly busy.
func percent(share float64) string { return strings.ReplaceAll(figure.Share.Text(share, 2), " ", "") }

func pfcText(sc *scenario.Scenario, sum *driver.Summary) string {
	switch {
	case sc.FlowControl != "pfc":
		return "off"
	case sum.PFC.PausesSent == 0:
		return "no pauses"
	}
	text := fmt.Sprintf("%s; ports were paused for %s in all", spelling.Count(sum.PFC.PausesSent, "pause", "pauses"), simulated(sum.PFC.PausedNs))
	if n := sum.PFC.Storms; n > 0 {
		text += fmt.Sprintf("; watchdogs found %s and dropped %s", spelling.Count(n, "storm", "storms"), spelling.Count(sum.Packets.Watchdog, "packet", "packets"))
	}
	return text
}

// removedText names the tables of an earlier run that are gone.
func removedText(sum *driver.Summary) string {
	return strings.Join(fileLines(sum.Removed), ", ") + " of an earlier run"
}

// fileLines lists files by folder, except those that are thrown away: out/: fct.parquet, pfc.parquet.
func fileLines(paths []string) []string {
	var folders []string
	names := make(map[string][]string)
	for _, path := range paths {
		if path == os.DevNull {
			continue
		}
		dir := filepath.Dir(path)
		if !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
		names[dir] = append(names[dir], filepath.Base(path))
	}
	var lines []string
	for _, dir := range folders {
		line := strings.Join(names[dir], ", ")
		if dir != "." {
			line = dir + string(filepath.Separator) + ": " + line
		}
		lines = append(lines, line)
	}
	return lines
}
