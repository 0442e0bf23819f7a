package main

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/traces"
)

func runCommand() command {
	return command{
		name: "run", args: configArgs, brief: "simulate; without arguments a built-in scenario", maxArgs: 1,
		about: `CONFIG is a config.txt of the reference simulator (profile ns3) or a scenario in YAML (profile native); its content tells which. It may be compressed, and - is standard input. Flags override what it says. Without CONFIG: WebSearch at half load for 10 ms on a 16-host fat-tree, with HPCC, until all flows have ended.

qbb help outputs explains the files of a run. They go to the folder --out, by default ` + scenario.Default().Out + `/ for scenarios, and to the names in a config.txt, which are relative to --out, by default the working folder. Tables are written beside fct.txt, unless that is a device or a pipe; what you do not want may go to /dev/null.

Ctrl-C ends a run early: its files are complete and hold what happened until then, and the exit code is 130. A mistake in the input is reported in one line; nothing is written, and the exit code is 2. A run whose flows do not all finish is a result as well, with exit code 0: summary.json says how many are unfinished and why, and how many of them are stuck for good (flows.stuck), as in a deadlock of pauses or credits.`,
		define: func(fs *pflag.FlagSet) action {
			r := &runner{options: addChoices(fs, false)}
			fs.BoolVar(&r.print, "print-scenario", false, "print the scenario in force, and do not run it")
			fs.BoolVar(&r.json, "json", false, "print the summary as JSON instead of a table, and progress as one line of JSON per second on standard error")
			fs.BoolVar(&r.html, "report", false, "make "+reportFile+" beside the tables: a page with charts; see qbb help report")
			fs.IntVar(&r.threads, "threads", 1, "NUMBER\tthreads, which run parts of the network in parallel; results do not depend on it. A run with captures, traces, dcms, or flows that wait for one between two other hosts is a single part; so is one whose links are so short that parts would have to meet all the time, as those of fat-tree:k=8,delay=50ns, one with options.order: schedule if links fail, there is a schedule, flows wait for others or a link has no delay, and one with profile ns3 also with losses, lossy classes or no PFC, load balancing, host.entropy other than flow, or a scheme that works in switches, such as hpcc-pint, mpcc or qcn, or in receiving hosts, such as dcqcn-plus, dcqcn-paper or rcc")
			fs.BoolVar(&r.quiet, "quiet", false, "print neither progress nor summary")
			group(fs, "Run")
			return r.run
		},
	}
}

// runner is one use of qbb run.
type runner struct {
	options                  *choices
	print, json, html, quiet bool
	threads                  int
}

func (r *runner) run(c *call) error {
	if r.json && r.quiet {
		return mistakef("--json: --quiet prints no summary: give one of them")
	}
	sc, err := r.options.scenario(c.args)
	if err != nil {
		return mistake(r.options.orSweep(err))
	}
	if r.print {
		var p page
		if err := sc.Print(&p); err != nil {
			return mistake(r.options.orSweep(err))
		}
		return p.print(c.stdout)
	}
	if sc.Out == "" {
		return mistakef("%s", noFolder)
	}
	setup, err := driver.Setup(sc)
	if err != nil {
		return mistake(r.options.orSweep(err))
	}
	if r.html {
		if err := driver.CheckOutputs(sc, sc.Out, reportFile); err != nil {
			return mistake(err)
		}
	}
	options := driver.Options{Dir: sc.Out}
	if options.Threads, err = driver.Threads(r.threads); err != nil {
		return mistakef("--threads: %w", err)
	}
	options.Threads = setup.UsefulThreads(options.Threads)
	line := newProgressLine(c.stderr)
	switch {
	case r.quiet:
	case r.json:
		line = nil
		options.Progress, options.Every = progressRecords(c.stderr), jsonEvery
	case line != nil:
		options.Progress = line.show
	}
	ctx, done := c.untilSignal()
	defer done()
	sum, err := driver.Run(ctx, sc, setup, options)
	line.clear()
	if err != nil {
		return startMistake(err)
	}
	finish := dropHTML
	if r.html {
		finish = addHTML
	}
	if err := finish(sum); err != nil {
		return err
	}
	if err := r.printSummary(c, sc, sum); err != nil {
		return err
	}
	if sum.StoppedEarly {
		return r.interrupted()
	}
	return nil
}

// startMistake marks the error of a run as the user's if it has kept the run from starting.
func startMistake(err error) error {
	if _, ok := errors.AsType[*driver.StartError](err); ok {
		return mistake(err)
	}
	return err
}

func (r *runner) printSummary(c *call, sc *scenario.Scenario, sum *driver.Summary) error {
	switch {
	case r.quiet:
		return nil
	case r.json:
		return traces.WriteJSON(c.stdout, sum)
	}
	return writeSummary(c.stdout, sc, sum)
}

// interrupted is the end of a run by Ctrl-C. The table says so itself.
func (r *runner) interrupted() error {
	if r.quiet || r.json {
		return &exit{exitInterrupted, errors.New("interrupted: the files hold what happened until then")}
	}
	return &exit{code: exitInterrupted}
}
