package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/internal/spelling"
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

// figures lists the summaries' counts. None of them depends on the computer.
func figures(runs []*results.Run) []row {
	var rows []row
	add := func(name string, value func(r *results.Run) string) {
		f := row{Name: name}
		for _, r := range runs {
			f.Values = append(f.Values, value(r))
		}
		rows = append(rows, f)
	}
	number := func(name string, text func(float64) string, value func(r *results.Run) (v float64, ok bool)) {
		add(name, func(r *results.Run) string { return estimate(r, text, value) })
	}
	count := func(name string, text func(float64) string, value func(s *driver.Summary) int64) {
		number(name, text, func(r *results.Run) (float64, bool) { return float64(value(&r.Summary)), true })
	}
	add("Congestion control", func(r *results.Run) string { return r.Setting("cc.name") })
	add("Topology", func(r *results.Run) string { return r.Setting("topology") })
	add("Hosts, switches, links", func(r *results.Run) string {
		n := &r.Summary.Network
		return fmt.Sprintf("%d, %d, %d", n.Hosts, n.Switches, n.Links)
	})
	add("Profile, seed", func(r *results.Run) string { return r.Summary.Profile + ", " + seedsText(r.Seeds()) })
	number("Simulated time", timeText, func(r *results.Run) (float64, bool) { return r.Summary.EndNs, true })
	if results.HaveSchedule(runs) {
		number("Schedule done after", timeText, (*results.Run).ScheduleDone)
		number("Computing, mean of hosts", timeText, (*results.Run).Computing)
		number("Exposed communication, mean of hosts", timeText, (*results.Run).Exposed)
	}
	add("Flows finished", finished)
	count("Flows given up", countText, func(s *driver.Summary) int64 { return int64(s.Flows.Failed) })
	for _, p := range slowdown.Percentiles {
		number(fmt.Sprintf("Completion time p%g", p), timeText, func(r *results.Run) (float64, bool) { return completion(r, p) })
	}
	queue := func(name string, value func(*driver.QueueSummary) int64) {
		number(name, bytesText, func(r *results.Run) (float64, bool) {
			if r.Summary.Queue == nil {
				return 0, false
			}
			return float64(value(r.Summary.Queue)), true
		})
	}
	queue("Queue depth p50, below", func(q *driver.QueueSummary) int64 { return q.P50 })
	queue("Queue depth p95, below", func(q *driver.QueueSummary) int64 { return q.P95 })
	queue("Queue depth p99, below", func(q *driver.QueueSummary) int64 { return q.P99 })
	queue("Deepest queue", func(q *driver.QueueSummary) int64 { return q.Max })
	count("PFC pauses sent", countText, func(s *driver.Summary) int64 { return s.PFC.PausesSent })
	number("Time paused, all ports", timeText, func(r *results.Run) (float64, bool) { return r.Summary.PFC.PausedNs, true })
	count("Packet hops", countText, func(s *driver.Summary) int64 { return int64(s.Packets.Hops) })
	count("ECN marks", countText, func(s *driver.Summary) int64 { return s.Packets.Marked })
	count("Packets dropped", countText, func(s *driver.Summary) int64 { return s.Packets.Dropped })
	count("Packets trimmed", countText, func(s *driver.Summary) int64 { return s.Packets.Trimmed })
	count("Packets lost on links", countText, func(s *driver.Summary) int64 { return s.Packets.Lost })
	count("Bytes sent again", bytesText, func(s *driver.Summary) int64 { return s.Flows.RetransmittedBytes })
	count("Time-outs", countText, func(s *driver.Summary) int64 { return s.Flows.Timeouts })
	return rows
}

func flowsText(n int) string {
	return spelling.Count(n, "flow", "flows")
}

// finished counts the flows of all seeds.
func finished(r *results.Run) string {
	done, total := 0, 0
	for _, s := range r.Seeds() {
		done, total = done+s.Summary.Flows.Finished, total+s.Summary.Flows.Total
	}
	return fmt.Sprintf("%d of %d", done, total)
}

// seedsText lists the seeds of runs, which are sorted by them; three in a row or more as qbb sweep writes them: 1..3.
func seedsText(runs []*results.Run) string {
	var list []string
	for len(runs) > 0 {
		first, n := runs[0].Summary.Seed, 1
		for n < len(runs) && runs[n].Summary.Seed == first+uint64(n) {
			n++
		}
		if n > 2 {
			list = append(list, fmt.Sprintf("%d..%d", first, first+uint64(n-1)))
		} else {
			n = 1
			list = append(list, fmt.Sprint(first))
		}
		runs = runs[n:]
	}
	return strings.Join(list, ", ")
}

// estimate returns a run's value as text, estimated from its seeds; a dash if it has none.
func estimate(r *results.Run, text func(float64) string, value func(r *results.Run) (v float64, ok bool)) string {
	var values []float64
	for _, s := range r.Seeds() {
		if v, ok := value(s); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return none
	}
	return estimateText(results.NewEstimate(values), text)
}

// completion returns a percentile of the completion times, if flows finished.
func completion(r *results.Run, p float64) (ns float64, ok bool) {
	times := make([]float64, 0, len(r.Flows))
	for _, f := range r.Flows {
		times = append(times, f.FCT)
	}
	slices.Sort(times)
	return slowdown.Percentile(times, p), len(times) > 0
}

// bucket is a part of a table of slowdowns: a kind of flow, and a row for every run.
type bucket struct {
	Label string
	Rows  []bucketRow
}

type bucketRow struct {
	Run, Flows    string
	P50, P95, P99 string
	Time          string
}

// buckets writes classes of flows as text.
func buckets(classes []results.Class) []bucket {
	var table []bucket
	for _, c := range classes {
		b := bucket{Label: c.Label}
		for i := range c.Rows {
			r := &c.Rows[i]
			at := func(p int) string { return estimateText(r.Values[p], ratioText) }
			time := none
			if r.Time.N > 0 {
				time = estimateText(r.Time, timeText)
			}
			b.Rows = append(b.Rows, bucketRow{r.Run.Name, fmt.Sprint(r.Flows), at(0), at(1), at(2), time})
		}
		table = append(table, b)
	}
	return table
}

// remarks lists flows that did not finish, notes of the runs, and what makes them incomparable.
func remarks(runs []*results.Run) []results.Remark {
	var all []results.Remark
	for _, r := range runs {
		all = append(all, notes(r)...)
	}
	all = append(all, results.EqualSeeds(runs)...)
	for _, r := range runs[1:] {
		if r.Setting("topology") != runs[0].Setting("topology") {
			all = append(all, results.Remark{Run: r.Name, Text: "another topology than " + runs[0].Name + ": ports of the same number are not the same"})
		}
		if seedsText(r.Seeds()) != seedsText(runs[0].Seeds()) {
			all = append(all, results.Remark{Run: r.Name, Text: "other seeds than " + runs[0].Name + ": its flows are others"})
		}
	}
	return all
}

// saying is a note that several seeds of a run share.
type saying struct {
	words, text string // without the numbers, and in the words of the first seed
	seeds       []*results.Run
	numbers     bool // some seeds have other numbers
}

// notes lists the notes of a run's seeds; notes that differ only in numbers appear once.
func notes(r *results.Run) []results.Remark {
	var list []*saying
	for _, seed := range r.Seeds() {
		for _, text := range notesOf(&seed.Summary) {
			words := numbers.ReplaceAllString(text, "0")
			i := slices.IndexFunc(list, func(s *saying) bool { return s.words == words && s.seeds[len(s.seeds)-1] != seed })
			if i < 0 {
				i, list = len(list), append(list, &saying{words: words, text: text})
			}
			s := list[i]
			s.seeds, s.numbers = append(s.seeds, seed), s.numbers || s.text != text
		}
	}
	var all []results.Remark
	for _, s := range list {
		name, text := r.Name, s.text
		switch {
		case len(r.Seeds()) == 1:
		case len(s.seeds) == 1:
			name += ", seed " + seedsText(s.seeds)
		default:
			name += ", seeds " + seedsText(s.seeds)
		}
		if s.numbers {
			text += fmt.Sprintf(" (seed %d; the numbers of the others differ)", s.seeds[0].Summary.Seed)
		}
		all = append(all, results.Remark{Run: name, Text: text})
	}
	return all
}

// numbers matches the numbers in a note.
var numbers = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

func notesOf(s *driver.Summary) []string {
	var list []string
	for _, u := range s.Unfinished {
		list = append(list, fmt.Sprintf("%s not finished: %s (%s)", flowsText(u.Flows), u.Reason, u.First))
	}
	return append(list, s.Notes...)
}
