package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/report"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// reportFile is the usual name of a report.
const reportFile = "report.html"

func reportCommand() command {
	return command{
		name: "report", args: "DIR...", brief: "make a page with charts that compares runs", maxArgs: -1,
		about: `Each DIR is the folder of a finished run (qbb run --out DIR), which names the run in the report. The report is one HTML file that needs no network: what differs between the scenarios and versions; charts of slowdown by flow size, completion times, queue depths, queues, throughput and fairness over time, pauses, the busiest links, and which hosts compute and send for a schedule; a picture of the network over time; which port paused which; the figures in tables; flows that did not finish, and why.

Runs that are compared should have the same topology and flows: the same --seed, and other choices. Runs that differ only in the seed share one name, with means and their 95 % confidence intervals; there are at most 8 names. Equal runs give equal bytes.

Examples:

  qbb run --cc hpcc --out hpcc
  qbb run --cc dcqcn --out dcqcn
  qbb report hpcc dcqcn

Six schemes, five seeds, two runs at a time:

  for cc in hpcc dcqcn timely swift powertcp bolt; do
    for s in 1 2 3 4 5; do echo --cc $cc --seed $s --out r/$cc-$s; done
  done | xargs -P 2 -L 1 qbb run --quiet --duration 5ms
  qbb report r/*
  qbb table r/* -o table.tex`,
		define: func(fs *pflag.FlagSet) action {
			out := fs.StringP("out", "o", reportFile, usage("FILE", "the report, .html; by default "+reportFile))
			return func(c *call) error { return makeReport(c, *out) }
		},
	}
}

func makeReport(c *call, out string) error {
	if len(c.args) == 0 {
		return mistakef("which runs? give their folders: qbb report DIR...")
	}
	if isFolder(out) {
		return mistakef("%s: a folder: name a file, such as %s", out, filepath.Join(out, reportFile))
	}
	if extension := filepath.Ext(reportFile); !strings.EqualFold(filepath.Ext(out), extension) {
		return mistakef("%s: the name must end with %s", out, extension)
	}
	if err := spares(out, c.args); err != nil {
		return err
	}
	size, err := writeHTML(out, c.args)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s: %s, %s\n", out, spelling.Count(len(c.args), "run", "runs"), kilobytes(size))
	return err
}

// writeHTML writes the report of some folders and returns its size.
func writeHTML(path string, dirs []string) (int64, error) {
	runs, err := results.Load(dirs)
	if err != nil {
		return 0, mistake(err)
	}
	var page bytes.Buffer
	if err := report.Write(&page, runs); err != nil {
		return 0, err
	}
	return int64(page.Len()), writeFile(path, page.Bytes())
}

// reportPath returns the place of a run's report, beside its tables, and their folder.
func reportPath(sum *driver.Summary) (path, dir string) {
	dir = filepath.Dir(sum.Files[len(sum.Files)-1]) // summary.json is the last of all
	return filepath.Join(dir, reportFile), dir
}

// dropHTML removes the report of an earlier run in the folder of one that has just ended, and lists it among what was
// removed. A page of other runs stays.
func dropHTML(sum *driver.Summary) error {
	path, dir := reportPath(sum)
	told, ok := report.Subject(path)
	if !ok {
		return nil
	}
	runs, err := results.LoadFlows([]string{dir})
	if err != nil || told != runs[0].Name { // without fct.parquet there is no report either
		return nil
	}
	sum.Removed = append(sum.Removed, path)
	return os.Remove(path)
}

// addHTML writes the report of a run that has just ended beside its tables, and lists it among
// the run's files.
func addHTML(sum *driver.Summary) error {
	path, dir := reportPath(sum)
	if _, err := writeHTML(path, []string{dir}); err != nil {
		return err
	}
	sum.Files = append(sum.Files, path)
	return nil
}
