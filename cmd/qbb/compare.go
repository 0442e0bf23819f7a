package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/compare"
	"github.com/qbb-sim/qbb/internal/slowdown"
	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

func compareCommand() command {
	return command{
		name: "compare", args: "A B", brief: "compare the flow completion times of two runs", maxArgs: 2,
		trouble: exitTrouble,
		about: `A and B are fct.txt or fct.parquet, with lines in any order, or folders of runs, whose fct.parquet is read; one of them may be -, standard input. Flows are the same if source, destination, ports, size and start are. If one file has only whole nanoseconds, the times of the other are truncated to them. Flows that did not finish count as absent. Flows that start when others end, as in collectives and schedules, start at other times once anything before them differs, and are then not the same: what such runs take is in qbb table.

Exit codes: 0 identical; 1 different, but the same flows finished and no completion time differs by more than --tolerance; 2 different; 3 a file cannot be read, or the command is wrong.`,
		define: func(fs *pflag.FlagSet) action {
			tolerance := fs.String("tolerance", "0", usage("SHARE", "largest relative difference of a completion time that is accepted, such as 0.01 or 1%"))
			quiet := fs.Bool("quiet", false, "print nothing; the exit code tells")
			return func(c *call) error {
				code, err := compareFiles(c, *tolerance, *quiet)
				return &exit{code, err}
			}
		},
	}
}

// compareFiles compares the two files and returns the exit code.
func compareFiles(c *call, tolerance string, quiet bool) (code int, err error) {
	limit, err := parseShare(tolerance)
	if err != nil {
		return exitTrouble, fmt.Errorf("--tolerance %w", err)
	}
	if len(c.args) != 2 {
		return exitTrouble, fmt.Errorf("give two files: qbb compare A B")
	}
	if c.args[0] == "-" && c.args[1] == "-" {
		return exitTrouble, errors.New("both files are -, standard input: write one of them to a file")
	}
	for i, path := range c.args {
		if c.args[i], err = tableOf(path); err != nil {
			return exitTrouble, err
		}
	}
	a, err := tables.LoadFCT(c.args[0])
	if err != nil {
		return exitTrouble, err
	}
	b, err := tables.LoadFCT(c.args[1])
	if err != nil {
		return exitTrouble, err
	}
	r := compare.Flows(a, b)
	if !quiet {
		if err := writeComparison(c, r, limit); err != nil {
			return exitTrouble, err
		}
	}
	switch {
	case r.Identical():
		return exitOK, nil
	case r.Within(limit):
		return exitWithin, nil
	}
	return exitDifferent, nil
}

// parseShare reads a share that is not negative: 0.01 or 1%.
func parseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	v, err := core.ParseFloat(number)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q: write a share such as 0.01 or 1%%", s)
	}
	if percent {
		v /= 100
	}
	return v, nil
}

func writeComparison(c *call, r *compare.Report, limit float64) error {
	var p page
	fmt.Fprintf(&p, "A  %s: %s\nB  %s: %s\n", c.args[0], flowCount(r.FlowsA, r.UnfinishedA), c.args[1], flowCount(r.FlowsB, r.UnfinishedB))
	if r.Cut {
		p.WriteString("Only one of them has fractions of nanoseconds; they are cut off.\n")
	}
	p.WriteByte('\n')
	switch {
	case r.Identical():
		p.WriteString("Identical.\n")
		return p.print(c.stdout)
	case r.Within(limit):
		fmt.Fprintf(&p, "Different, within the tolerance of %s.\n", share(limit))
	default:
		p.WriteString("Different.\n")
	}
	writeDifferences(&p, r)
	writeOnly(&p, "A", r.OnlyA)
	writeOnly(&p, "B", r.OnlyB)
	p.WriteByte('\n')
	writeSlowdowns(&p, r)
	return p.print(c.stdout)
}

func flowCount(finished, unfinished int) string {
	text := spelling.Count(finished, "finished flow", "finished flows")
	if unfinished > 0 {
		text += fmt.Sprintf(", %d unfinished", unfinished)
	}
	return text
}

// writeDifferences writes how many flows differ, by how much, and which is the first.
func writeDifferences(p *page, r *compare.Report) {
	const column = 20
	p.item("flows that differ", column+2, fmt.Sprintf("%d of %d in both", len(r.Different), r.Paired))
	if len(r.Different) == 0 {
		return
	}
	largest, mean := r.Sizes()
	p.item("mean difference", column+2, share(mean)+" of the completion time, over all flows in both")
	p.item("largest difference", column+2, fmt.Sprintf("%s (%s): %s", signedShare(largest.Relative()), signedNanos(largest.Delta()), flowName(&largest.A)))
	first := &r.Different[0]
	p.item("first in time", column+2, flowName(&first.A))
	p.item("", column+2, fmt.Sprintf("completion time A %s ns, B %s ns (%s)", exact(first.A.FCTNs), exact(first.B.FCTNs), signedShare(first.Relative())))
	if first.A.IdealFCTNs != first.B.IdealFCTNs {
		p.item("", column+2, fmt.Sprintf("ideal A %s ns, B %s ns", exact(first.A.IdealFCTNs), exact(first.B.IdealFCTNs)))
	}
}

func writeOnly(p *page, name string, rows []traces.FCTRow) {
	if len(rows) > 0 {
		p.item("only in "+name, 22, fmt.Sprintf("%d; the first to start: %s", len(rows), flowName(&rows[0])))
	}
}

// flowName identifies a flow for people.
func flowName(r *traces.FCTRow) string {
	return fmt.Sprintf("%d:%d to %d:%d, %s, start %s ns", r.Src, r.SrcPort, r.Dst, r.DstPort, spelling.Count(r.SizeBytes, "byte", "bytes"), exact(r.StartNs))
}

// writeSlowdowns writes the percentiles of both runs by size, side by side.
func writeSlowdowns(p *page, r *compare.Report) {
	fmt.Fprintf(p, "%-10s%7s", "Slowdown", "flows")
	for _, q := range slowdown.Percentiles {
		fmt.Fprintf(p, "%14s%7s", fmt.Sprintf("p%g", q), "")
	}
	p.endLine()
	fmt.Fprintf(p, "%-10s%7s", "by size", "in A")
	for range slowdown.Percentiles {
		fmt.Fprintf(p, "%7s%7s%7s", "A", "B", "diff")
	}
	p.WriteByte('\n')
	for i := range r.SlowdownA {
		a, b := &r.SlowdownA[i], &r.SlowdownB[i]
		if a.Flows+b.Flows == 0 {
			continue
		}
		fmt.Fprintf(p, "%-10s%7d", a.Label(), a.Flows)
		for j := range slowdown.Percentiles {
			fmt.Fprintf(p, "%7s%7s%7s", ratio(a.Values[j]), ratio(b.Values[j]), change(a.Values[j], b.Values[j]))
		}
		p.WriteByte('\n')
	}
}
