package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/figure/render"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/spelling"
)

func plotCommand() command {
	return command{
		name: "plot", args: "KIND DIR...", brief: "draw a figure of runs for a paper: PNG, SVG or PDF", maxArgs: -1,
		about: `KIND is one of the figures of the report:

` + kindList() + `
or trend, with --over KEY: the slowdown of all flows against a numeric key of the scenario, such as load in a qbb sweep; runs that differ in anything else are separate curves. Text that differs in one number also works, such as the patterns ring-all-reduce:1MB and ring-all-reduce:4MB, or topologies of several sizes, or in several numbers that are the same, such as a Kmin and Kmax of 20KB and then of 80KB in ecn.thresholds; texts of several kinds, such as rings and all-to-all of some sizes each, are separate curves. With --of time it shows the time from the first start to the last end, which is how long a collective takes, with --of schedule when the last host had done its part of a schedule, computing included, with --of exposed for how long communication kept hosts from computing.

Each DIR is the folder of a finished run, which names the run in the legend. Runs that differ only in the seed share a name: slowdown shows the mean of their percentiles with its 95 % confidence interval, the distributions include all of them, figures of flows over time show the first, and the others show means with 95 % confidence intervals: a seed whose flows have ended counts as idle, and a curve ends where a seed was stopped earlier. The figure is as wide as a column of a paper, with --wide as wide as the page. The file name chooses the format: .png (300 dots per inch), .svg or .pdf. Equal runs give equal bytes.

Figures over time need time series, those of flows also --series-flows (qbb help run); schedule needs a run with --schedule, and shows which share of its hosts computed, and which had a message under way. Of several ports, flows or schedules, figures of several runs show the first; --all shows those that the report can show. Only trend and qbb table take more than 8 runs that differ in more than the seed.

Examples:

  qbb plot slowdown hpcc dcqcn dctcp -o slowdown.pdf
  qbb plot slowdown hpcc-* dcqcn-* --tag background -o slowdown.svg
  qbb plot schedule out --wide
  qbb plot trend --over load sweep/* -o load.pdf
  qbb plot trend --over patterns --of time sweep/* -o all-reduce.pdf`,
		define: func(fs *pflag.FlagSet) action {
			p := &plotter{}
			fs.StringVarP(&p.out, "out", "o", "", usage("FILE", "the picture; by default KIND.png"))
			fs.BoolVar(&p.wide, "wide", false, "as wide as a page, not a column")
			fs.StringVar(&p.tag, "tag", "", usage("TAG", "only the flows with this tag, such as background or incast; for slowdown, fct-cdf and trend"))
			fs.StringVar(&p.over, "over", "", usage("KEY", "key of the scenario along the horizontal axis of trend; see qbb help scenario"))
			fs.StringVar(&p.of, "of", "", usage("WHAT", "what trend shows: slowdown, time from the first start to the last end, schedule for when it was done, exposed for its communication that no computing hides; by default slowdown"))
			fs.BoolVar(&p.all, "all", false, "all ports, flows, schedules or percentiles that the figure has")
			return p.run
		},
	}
}

// kindList lists the kinds of figure for the help text.
func kindList() string {
	var b strings.Builder
	for _, k := range results.Kinds() {
		fmt.Fprintf(&b, "  %-12s  %s\n", k.Name, k.Doc)
	}
	return b.String()
}

// plotter is one use of qbb plot.
type plotter struct {
	out, tag, over, of string
	wide, all          bool
}

// trend is the kind of figure that is not in the report; trends are what it can show.
const (
	trend      = "trend"
	ofSchedule = "schedule"
	ofExposed  = "exposed"
)

var trends = map[string]func(runs []*results.Run, key string) (figure.Figure, error){
	"slowdown": results.Trend, "time": results.TimeTrend, ofSchedule: results.ScheduleTrend, ofExposed: results.ExposedTrend,
}

// plotKinds lists the figures that there are: those of the report, then trend.
func plotKinds() (names []string) {
	for _, k := range results.Kinds() {
		names = append(names, k.Name)
	}
	return append(names, trend)
}

func (p *plotter) run(c *call) error {
	kind, err := p.choose(c.args)
	if err != nil {
		return err
	}
	name, dirs := c.args[0], c.args[1:]
	p.out = cmp.Or(p.out, name+".png")
	format, err := render.FormatOf(p.out)
	if err != nil {
		return mistake(err)
	}
	if err := spares(p.out, dirs); err != nil {
		return err
	}
	runs, err := p.load(kind, dirs)
	if err != nil {
		return mistake(err)
	}
	if kind == nil || kind.Tags() {
		tell(c, "plot", results.Remarks(runs))
	}
	f, err := p.figure(kind, runs)
	if err != nil {
		return mistakef("--over: %w", err)
	}
	if f.Note != "" {
		fmt.Fprintf(c.stderr, "qbb plot: %s: %s\n", name, f.Note)
	}
	if err := p.write(&f, format); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.stdout, p.out)
	return err
}

// choose returns the kind of figure that the first argument names, nil for trend, if the flags go with it. An error is the user's mistake.
func (p *plotter) choose(args []string) (*results.Kind, error) {
	kinds, names := results.Kinds(), plotKinds()
	if len(args) == 0 {
		return nil, mistakef("which figure? give one of %s, then the folders of runs", strings.Join(names, ", "))
	}
	name := args[0]
	at := slices.Index(names, name)
	switch {
	case at < 0 && isFolder(name):
		return nil, mistakef("%s is a folder: the figure comes first, such as qbb plot slowdown %[1]s", name)
	case at < 0:
		return nil, mistakef("no figure %q: did you mean %s? known: %s", name, spelling.Nearest(name, names), strings.Join(names, ", "))
	case len(args) == 1:
		return nil, mistakef("which runs? give their folders: qbb plot %s DIR...", name)
	case (name == trend) != (p.over != ""):
		return nil, mistakef("--over KEY belongs to qbb plot trend, and qbb plot trend needs it: --over load")
	case p.of != "" && name != trend:
		return nil, mistakef("--of belongs to qbb plot trend")
	case p.of != "" && trends[p.of] == nil:
		return nil, mistakef("--of %s: trend shows slowdown, time, schedule or exposed", p.of)
	case p.tag != "" && p.ofHosts():
		return nil, mistakef("--of %s is of hosts, not of flows: leave out --tag", p.of)
	case name == trend:
		return nil, nil
	case p.tag != "" && !kinds[at].Tags():
		return nil, mistakef("--tag: the figure %s is not of flows' completion", name)
	}
	return &kinds[at], nil
}

// ofHosts reports whether a trend is of what hosts do for a schedule.
func (p *plotter) ofHosts() bool { return p.of == ofSchedule || p.of == ofExposed }

// load reads what a figure shows of the runs in some folders, and leaves the flows with the tag that is asked for.
func (p *plotter) load(kind *results.Kind, dirs []string) (runs []*results.Run, err error) {
	if kind == nil {
		runs, err = results.LoadFlows(dirs)
	} else {
		runs, err = kind.Load(dirs)
	}
	switch {
	case err != nil:
		return nil, err
	case p.ofHosts() && !results.HaveSchedule(runs):
		return nil, fmt.Errorf("--of %s: no run has a schedule", p.of)
	case p.tag != "":
		if err := results.Only(runs, p.tag); err != nil {
			return nil, fmt.Errorf("--tag: %w", err)
		}
	}
	return runs, nil
}

// figure makes the figure of some runs. An error is one of what a trend is over.
func (p *plotter) figure(kind *results.Kind, runs []*results.Run) (f figure.Figure, err error) {
	if kind != nil {
		f = kind.Figure(runs)
	} else if f, err = trends[cmp.Or(p.of, "slowdown")](runs, p.over); err != nil {
		return f, err
	}
	if p.all {
		f.Hidden = nil
	}
	return f, nil
}

// write draws the figure into the file, which appears when it is complete.
func (p *plotter) write(f *figure.Figure, format render.Format) error {
	size := render.Column()
	if p.wide {
		size = render.Page()
	}
	var picture bytes.Buffer
	if err := render.Write(&picture, f, format, size); err != nil { // there is nothing to draw: memory takes all
		return mistake(err)
	}
	return writeFile(p.out, picture.Bytes())
}
