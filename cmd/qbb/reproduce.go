package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/reproduce"
	"github.com/qbb-sim/qbb/internal/scenario"
)

// reproduceOut is the usual folder of experiments' results.
const reproduceOut = "reproduce"

func reproduceCommand() command {
	return command{
		name: "reproduce", args: "[NAME...]", brief: "run the papers' experiments against published values", maxArgs: -1,
		about: `Without arguments it lists the experiments: what they are, where they were published, and how long a run takes. With names, or --all, it runs them and prints for every published value our own, the deviation, and whether it is within the tolerance that was fixed beforehand. docs/reproduce.md explains the values that differ.

Every experiment gets its own folder in --out: results.parquet and results.txt (the table), series.parquet (the curves), the figures as PNG and SVG, and the scenarios, which qbb run takes. With --quick a scaled version runs in seconds; claims that it does not measure are not judged.

Examples:

  qbb reproduce
  qbb reproduce mpcc-verification dcqcn-incast
  qbb reproduce --all --quick
  qbb reproduce mpcc-delay --print-scenario --out scenarios
  qbb run scenarios/mpcc-delay/delay.yaml --cc hpcc`,
		define: func(fs *pflag.FlagSet) action {
			r := &reproducer{given: fs.NFlag, outGiven: func() bool { return fs.Changed("out") }}
			fs.BoolVar(&r.all, "all", false, "all experiments")
			fs.BoolVar(&r.quick, "quick", false, "a scaled version of each, in seconds")
			fs.StringVar(&r.out, "out", reproduceOut, usage("DIR", "folder of the results; by default "+reproduceOut+"/"))
			fs.IntVar(&r.threads, "threads", runtime.GOMAXPROCS(0), "NUMBER\tcases at a time, by default one per processor; results do not depend on it")
			fs.BoolVar(&r.print, "print-scenario", false, "print the scenarios and their flows, or with --out write them as files, and do not run them")
			return r.run
		},
	}
}

// reproducer is one use of qbb reproduce.
type reproducer struct {
	all, quick, print bool
	out               string
	threads           int
	given             func() int // flags
	outGiven          func() bool
}

func (r *reproducer) run(c *call) error {
	switch {
	case len(c.args) == 0 && r.given() == 0:
		return r.list(c.stdout)
	case len(c.args) == 0 && !r.all:
		return mistakef("which experiments? give their names, or --all; without flags, qbb reproduce lists them")
	case len(c.args) > 0 && r.all:
		return mistakef("--all runs every experiment: give it or names, not both")
	}
	err := scenario.CheckFolder(r.out)
	if err != nil {
		return mistakef("--out: %w", err)
	}
	if r.threads, err = driver.Threads(r.threads); err != nil {
		return mistakef("--threads: %w", err)
	}
	list := reproduce.Experiments()
	if !r.all {
		list = nil
		for _, name := range c.args {
			e, err := reproduce.Find(name)
			if err != nil {
				return mistake(err)
			}
			list = append(list, *e)
		}
	}
	switch {
	case r.print && r.outGiven():
		return r.writeCases(list)
	case r.print:
		return r.printCases(c.stdout, list)
	}
	agrees, judged := 0, 0
	for i := range list {
		rows, err := r.one(c, &list[i])
		if err != nil {
			return err
		}
		for _, row := range rows {
			switch row.Verdict {
			case reproduce.Agrees:
				agrees, judged = agrees+1, judged+1
			case reproduce.Differs:
				judged++
			}
		}
	}
	_, err = fmt.Fprintf(c.stdout, "%d of %d judged values agree with what was published; files in %s\n", agrees, judged, r.out)
	return err
}

func (r *reproducer) list(w io.Writer) error {
	var p page
	const column = 22
	for _, e := range reproduce.Experiments() {
		p.item(e.Name, column, fmt.Sprintf("%s [%s; %s, quick %s]", e.Brief, e.Source, e.Takes, e.Quick))
	}
	p.WriteString("\nqbb reproduce NAME... runs some, qbb reproduce --all all of them.\n")
	return p.print(w)
}

// printCases prints the scenarios of some experiments, with a line between two.
func (r *reproducer) printCases(w io.Writer, list []reproduce.Experiment) error {
	var cases []reproduce.Case
	for i := range list {
		cases = append(cases, list[i].Cases(r.quick)...)
	}
	for i, c := range cases {
		if i > 0 {
			if _, err := io.WriteString(w, "---\n"); err != nil {
				return err
			}
		}
		if err := c.Print(w); err != nil {
			return err
		}
	}
	return nil
}

// writeCases writes the scenarios of experiments, and their flows, into the folders of their results.
func (r *reproducer) writeCases(list []reproduce.Experiment) error {
	for i := range list {
		if err := reproduce.WriteCases(filepath.Join(r.out, list[i].Name), list[i].Cases(r.quick)); err != nil {
			return mistake(err)
		}
	}
	return nil
}

// one runs an experiment, prints its table and writes its files.
func (r *reproducer) one(c *call, e *reproduce.Experiment) ([]reproduce.Row, error) {
	dir := filepath.Join(r.out, e.Name)
	if err := reproduce.CheckFolder(dir); err != nil {
		return nil, mistake(err)
	}
	mode := ""
	if r.quick {
		mode = ", quick"
	}
	if _, err := fmt.Fprintf(c.stdout, "%s: %s [%s%s]\n\n", e.Name, e.Brief, e.Source, mode); err != nil {
		return nil, err
	}
	line := newProgressLine(c.stderr)
	ctx, done := c.untilSignal()
	defer done()
	result, err := e.Run(ctx, r.quick, r.threads, func(name string, begun, of int) {
		line.text(fmt.Sprintf("%s: %d of %d, %s", e.Name, begun, of, name))
	})
	line.clear()
	if errors.Is(err, context.Canceled) {
		return nil, &exit{exitInterrupted, errors.New("interrupted: " + e.Name + " has no results")}
	}
	if err != nil {
		return nil, err
	}
	var table strings.Builder
	if err := result.Table(&table); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(c.stdout, table.String()); err != nil {
		return nil, err
	}
	return result.Rows, result.Write(dir)
}
