package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/scenario"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// sweepOut is the usual folder of a sweep.
const sweepOut = "sweep"

func sweepCommand() command {
	return command{
		name: "sweep", args: configArgs, brief: "run all combinations of some options, and compare them", maxArgs: 1,
		about: `Every --vary names an option of qbb run, or a key of a scenario, and its values, with spaces between them: cc='hpcc dcqcn', load='0.3 0.5', switch.reserve='4KB 8KB', seed=1..5. Text in brackets or double quotes is one value, such as the name of a file with spaces. Options that change together have plus signs between them, as their values do: cc+load='hpcc+0.5 dcqcn+0.3'. Each combination is a run, with CONFIG and the other flags as qbb run takes them, in its own folder below --out (by default sweep/), named after the values: hpcc-load0.3-seed1. That folder holds its tables and, if CONFIG asks for it, its fct.txt. All runs are checked before the first one starts.

When all have ended, their slowdowns are printed as by qbb table: runs that differ only in the seed are one row, with confidence intervals. The folders are for qbb report, plot and table. Runs of other sweeps below --out stay there, and a note says so.

Ctrl-C ends the sweep early; --resume continues it.

Examples:

  qbb sweep --vary cc='hpcc dcqcn timely' --vary seed=1..5
  qbb sweep --vary load='0.3 0.5 0.7' --workload fbhadoop --out hadoop
  qbb sweep --vary flow-control+recovery='pfc+go-back-n none+selective'
  qbb sweep --vary cc.params.target='0.9 0.95' --vary incast='8x300KB 15x30KB'
  qbb sweep --cc dcqcn --vary ecn.thresholds='[{rate: 25Gbps, kmin: 25KB,
      kmax: 100KB, pmax: 0.2}] [{rate: 25Gbps, kmin: 100KB, kmax: 400KB,
      pmax: 0.2}]'
  qbb sweep --vary seed=1..100 --print | xargs -d '\n' -n 1 -P 8 sh -c`,
		define: func(fs *pflag.FlagSet) action {
			s := &sweep{options: addChoices(fs, false)}
			fs.StringArrayVar(&s.vary, "vary", nil, "KEY=VALUES\tvalues of an option, such as load='0.3 0.5' or seed=1..5; repeatable: all combinations")
			fs.IntVar(&s.threads, "threads", runtime.GOMAXPROCS(0), "NUMBER\truns at a time, by default one per processor; results do not depend on it")
			fs.BoolVar(&s.resume, "resume", false, "keep the runs in --out that are complete and have the same scenario; changes of the files that it names go unnoticed")
			fs.BoolVar(&s.print, "print", false, "print the runs' command lines, and do not run them")
			fs.BoolVar(&s.quiet, "quiet", false, "print neither progress nor table")
			group(fs, "Sweep")
			return s.run
		},
	}
}

// sweep is one use of qbb sweep.
type sweep struct {
	options              *choices
	vary                 []string
	threads              int
	resume, print, quiet bool
	config               []string // the argument, if any
}

func (s *sweep) run(c *call) error {
	s.config = c.args
	if slices.Contains(s.config, "-") {
		return mistakef("CONFIG: %s", readAgain)
	}
	var err error
	if s.threads, err = driver.Threads(s.threads); err != nil {
		return mistakef("--threads: %w", err)
	}
	root, err := s.root()
	if err != nil {
		return mistake(err)
	}
	members, err := s.members(root)
	if err != nil {
		return mistakef("--vary: %w", err)
	}
	if err := s.check(members); err != nil {
		return mistake(err)
	}
	if s.print {
		return s.commands(c.stdout, members)
	}
	if err := s.runAll(c, members); err != nil || s.quiet {
		return err
	}
	return s.report(c, members)
}

// root returns the folder of the runs' folders.
func (s *sweep) root() (string, error) {
	given := *s.options.values["out"]
	switch {
	case len(given) == 0:
		return sweepOut, nil
	case len(given) > 1:
		return "", fmt.Errorf("--out is given %d times", len(given))
	case given[0] == "":
		return "", errors.New(noFolder)
	}
	if err := scenario.CheckFolder(given[0]); err != nil {
		return "", fmt.Errorf("--out: %w", err)
	}
	return given[0], nil
}

// commands prints the command lines of the runs.
func (s *sweep) commands(w io.Writer, members []member) error {
	for _, m := range members {
		words := slices.Concat([]string{"qbb", "run"}, s.config, m.options.args())
		for i := range words {
			words[i] = quoted(words[i])
		}
		if _, err := fmt.Fprintln(w, strings.Join(words, " ")); err != nil {
			return err
		}
	}
	return nil
}

// report prints the table of all runs.
func (s *sweep) report(c *call, members []member) error {
	var dirs []string
	for _, m := range members {
		dirs = append(dirs, m.dir)
	}
	runs, err := results.LoadFlows(dirs)
	if err != nil {
		return err
	}
	table := tableText(classesOf(runs))
	tellTable(c, "sweep", runs)
	out := filepath.Dir(dirs[0])
	if others := otherRuns(out, members); len(others) > 0 {
		fmt.Fprintf(c.stderr, "qbb sweep: %s also holds %s of other sweeps, such as %s: %s includes them\n",
			out, spelling.Count(len(others), "run", "runs"), others[0], filepath.Join(out, "*"))
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n%s in %s, for qbb report, plot and table\n", table, spelling.Count(len(members), "run", "runs"), out)
	return err
}

// otherRuns returns the folders of finished runs beside those of a sweep.
func otherRuns(out string, members []member) (others []string) {
	entries, _ := os.ReadDir(out) // a folder that cannot be read holds none that qbb report could
	for _, e := range entries {
		if slices.ContainsFunc(members, func(m member) bool { return filepath.Base(m.dir) == e.Name() }) {
			continue
		}
		dir := filepath.Join(out, e.Name())
		if _, err := os.Stat(filepath.Join(dir, "summary.json")); err == nil {
			others = append(others, dir)
		}
	}
	return others
}

// runAll runs the members in parallel. The first error ends it.
func (s *sweep) runAll(c *call, members []member) error {
	var mu sync.Mutex // of done and what is printed
	done := 0
	ended := func(m member, what string) {
		mu.Lock()
		defer mu.Unlock()
		done++
		if !s.quiet {
			fmt.Fprintf(c.stderr, "%d of %d: %s, %s\n", done, len(members), m.name, what)
		}
	}
	ctx, stop := c.untilSignal()
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.threads)
	for _, m := range members {
		group.Go(func() error {
			what, err := s.runOne(ctx, m)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			ended(m, what)
			return nil
		})
	}
	err := group.Wait()
	if errors.Is(err, context.Canceled) {
		return &exit{exitInterrupted, fmt.Errorf("interrupted: %d of %d runs are complete; --resume continues", done, len(members))}
	}
	return err
}

// runOne runs a member and returns a line on its result.
func (s *sweep) runOne(ctx context.Context, m member) (what string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	sc, err := s.scenario(m)
	if err != nil {
		return "", mistake(err)
	}
	setup, err := driver.Setup(sc)
	if err != nil {
		return "", mistake(err)
	}
	if s.resume && driver.Complete(sc, m.dir) {
		return "kept", nil
	}
	sum, err := driver.Run(ctx, sc, setup, driver.Options{Dir: sc.Out})
	if err != nil {
		return "", startMistake(err)
	}
	if sum.StoppedEarly {
		return "", ctx.Err()
	}
	if err := dropHTML(sum); err != nil {
		return "", err
	}
	parts := append([]string{fmt.Sprintf("%d of %d flows, %s", sum.Flows.Finished, sum.Flows.Total, seconds(sum.Machine.WallSeconds))}, sum.Notes...)
	if len(sum.Removed) > 0 {
		parts = append(parts, "removed "+removedText(sum))
	}
	return strings.Join(parts, "; "), nil
}

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./=,+@%:", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
