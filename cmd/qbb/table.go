package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/slowdown"
)

func tableCommand() command {
	return command{
		name: "table", args: "DIR...", brief: "slowdowns of runs as a table: text, CSV, LaTeX", maxArgs: -1,
		about: `Each DIR is the folder of a finished run, which names the run. For every range of flow sizes, every tag and all flows the table has percentiles of slowdown; where patterns, recorded flows or a schedule are in it also the time, except in LaTeX, from the first start of these flows to the last end, which is how long a collective takes, of several groups of hosts until the last one ends; a dash stands where some of them did not finish. The last row of a run with a schedule has its number of hosts, and the time when the last of them had done its part, computing included. Runs that differ only in the seed are one row: the means over the seeds, ± half the width of their 95 % confidence intervals (Student's t). The percentiles are by nearest rank: p99 of fewer than 100 flows of a seed is the largest, and p95 of fewer than 20. The table says which runs have so few altogether, where flows did not finish, which are in no percentile, and where seeds change nothing, as with recorded flows.

Columns of the CSV file: flows (which), run, seeds (in which such flows finished), number (of these flows, all seeds together); for p50, p95 and p99 the mean and, as in p50_ci95, half the width of its interval, which is empty for one seed; and in the same way time_ns.

Examples:

  qbb table hpcc-* dcqcn-*
  qbb table grid/* --tag background -o grid.csv`,
		define: func(fs *pflag.FlagSet) action {
			out := fs.StringP("out", "o", "", usage("FILE", "the table, .csv, .tex (LaTeX) or .txt; by default text on standard output"))
			tag := fs.String("tag", "", usage("TAG", "only the flows with this tag, such as background"))
			return func(c *call) error { return makeTable(c, *out, *tag) }
		},
	}
}

// tableFormats write a table, by the end of the file's name.
var tableFormats = map[string]func([]results.Class) []byte{".csv": tableCSV, ".tex": tableTeX, ".txt": tableText}

func makeTable(c *call, out, tag string) error {
	if len(c.args) == 0 {
		return mistakef("which runs? give their folders: qbb table DIR...")
	}
	format := tableText
	if out != "" {
		if format = tableFormats[strings.ToLower(filepath.Ext(out))]; format == nil {
			return mistakef("%s: the name must end with .csv, .tex or .txt", out)
		}
	}
	if err := spares(out, c.args); err != nil {
		return err
	}
	runs, err := results.LoadFlows(c.args)
	if err != nil {
		return mistake(err)
	}
	if tag != "" {
		if err := results.Only(runs, tag); err != nil {
			return mistakef("--tag: %w", err)
		}
	}
	classes := classesOf(runs)
	if len(classes) == 0 {
		return mistakef("no flow of the runs finished")
	}
	text := format(classes)
	if out == "" {
		_, err = c.stdout.Write(text)
	} else if err = writeFile(out, text); err == nil {
		_, err = fmt.Fprintln(c.stdout, out)
	}
	if err == nil {
		tellTable(c, "table", runs)
	}
	return err
}

// classesOf lists the rows of a table.
func classesOf(runs []*results.Run) []results.Class {
	return slices.Concat(results.BySize(runs), results.ByTag(runs), results.BySchedule(runs))
}

// tell prints what must not be overlooked about runs.
func tell(c *call, name string, remarks []results.Remark) {
	for _, r := range remarks {
		fmt.Fprintf(c.stderr, "qbb %s: %s: %s\n", name, r.Run, r.Text)
	}
}

// tellTable prints what must not be overlooked about a table of runs.
func tellTable(c *call, name string, runs []*results.Run) {
	tell(c, name, results.Remarks(runs))
	if note := results.FewFlows(runs); note != "" {
		fmt.Fprintf(c.stderr, "qbb %s: all: %s\n", name, note)
	}
}

// tableText aligns the columns.
func tableText(classes []results.Class) []byte {
	times := slices.ContainsFunc(classes, timed)
	head := slices.Concat([]string{"Flows", "Run", "Seeds", "Number"}, percentileNames())
	if times {
		head = append(head, "Time")
	}
	lines := [][]string{head}
	for _, class := range classes {
		label := class.Label
		for i := range class.Rows {
			row := &class.Rows[i]
			line := append(rowStart(label, row), estimates(row, " ± ")...)
			if times {
				line = append(line, timeText(row.Time))
			}
			lines = append(lines, line)
			label = ""
		}
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for k, cell := range line {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	var b bytes.Buffer
	for _, line := range lines {
		text := ""
		for k, cell := range line {
			blank := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
			if k < 2 {
				text += cell + blank + "  "
			} else {
				text += blank + cell + "  "
			}
		}
		fmt.Fprintln(&b, strings.TrimRight(text, " "))
	}
	return b.Bytes()
}

// tableCSV has all digits.
func tableCSV(classes []results.Class) []byte {
	head := []string{"flows", "run", "seeds", "number"}
	for _, name := range percentileNames() {
		head = append(head, name, name+"_ci95")
	}
	head = append(head, "time_ns", "time_ns_ci95")
	lines := [][]string{head}
	for _, class := range classes {
		for i := range class.Rows {
			line := rowStart(class.Label, &class.Rows[i])
			for _, e := range append(class.Rows[i].Values[:], class.Rows[i].Time) {
				mean, half := "", ""
				if e.N > 0 {
					mean = exact(e.Mean)
				}
				if e.N > 1 {
					half = exact(e.Half)
				}
				line = append(line, mean, half)
			}
			lines = append(lines, line)
		}
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		panic(err) // memory takes all
	}
	return b.Bytes()
}

// tableTeX needs no package.
func tableTeX(classes []results.Class) []byte {
	names := percentileNames()
	var b bytes.Buffer
	fmt.Fprintf(&b, "\\begin{tabular}{llrr%s}\n\\hline\nFlows & Run & Seeds & Number & %s \\\\\n", strings.Repeat("r", len(names)), strings.Join(names, " & "))
	escape := strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", "$<$", ">=", `$\geq$`, ">", "$>$", "|", "$|$")
	for _, class := range classes {
		if !slices.ContainsFunc(class.Rows, func(r results.Row) bool { return r.Values[0].N > 0 }) { // a schedule, which only has a time
			continue
		}
		b.WriteString("\\hline\n")
		label := class.Label
		for i := range class.Rows {
			start := rowStart(label, &class.Rows[i])
			for k := range start {
				start[k] = escape.Replace(start[k])
			}
			fmt.Fprintf(&b, "%s \\\\\n", strings.Join(append(start, estimates(&class.Rows[i], ` $\pm$ `)...), " & "))
			label = ""
		}
	}
	b.WriteString("\\hline\n\\end{tabular}\n")
	return b.Bytes()
}

// timed reports whether the time that all flows take together is a result in some run, which of random traffic it is not.
func timed(class results.Class) bool {
	return slices.ContainsFunc(class.Rows, func(r results.Row) bool {
		return r.Run.Setting("patterns") != "" || r.Run.Setting("flows") != "" || r.Run.Setting("schedule") != ""
	})
}

// timeText writes how long flows took, with half the width of its interval.
func timeText(e results.Estimate) string {
	if e.N == 0 {
		return "-"
	}
	text := simulated(e.Mean)
	if e.N > 1 {
		text += " ± " + simulated(e.Half)
	}
	return text
}

func percentileNames() []string {
	var names []string
	for _, p := range slowdown.Percentiles {
		names = append(names, "p"+exact(p))
	}
	return names
}

// rowStart has what a row is of. The seeds are those that have such flows.
func rowStart(label string, r *results.Row) []string {
	return []string{label, r.Run.Name, strconv.Itoa(max(r.Values[0].N, r.Time.N)), strconv.Itoa(r.Flows)}
}

// estimates writes the percentiles of a row, with the sign between mean and half interval.
func estimates(r *results.Row, sign string) []string {
	var cells []string
	for _, e := range r.Values {
		text := ratio(e.Mean)
		if e.N > 1 {
			text += sign + figure.ThreeDigits(e.Half)
		}
		cells = append(cells, text)
	}
	return cells
}
