package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/figure/render"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/spelling"
	"github.com/qbb-sim/qbb/traces"
)

func plotCommand() command {
	return command{
		name: "plot", args: "KIND DIR...", brief: "draw a figure of runs for a paper: PNG, SVG or PDF", maxArgs: -1,
		about: `KIND is one of the figures of the report:

` + kindList() + `
Each DIR is the folder of a finished run, which names the run in the legend. Runs that differ in the seed alone share a name: slowdown shows the mean of their percentiles with its 95 % confidence interval, the distributions hold all of them, the others show the first. The figure has the width of a paper's column; --wide gives it that of the page. The format is that of the file's name: .png (300 dots an inch), .svg or .pdf. Equal runs give equal bytes.

Figures over time need time series, those of flows also --series-flows (qbb help run). Of several ports or flows, figures of several runs show the first; --all shows those that the report can show.

Examples:

  qbb plot slowdown hpcc dcqcn dctcp -o slowdown.pdf
  qbb plot slowdown hpcc-* dcqcn-* --tag background -o slowdown.svg`,
		define: func(fs *pflag.FlagSet) action {
			p := &plotter{}
			fs.StringVarP(&p.out, "out", "o", "", usage("FILE", "the picture; by default KIND.png"))
			fs.BoolVar(&p.wide, "wide", false, "as wide as a page, not a column")
			fs.StringVar(&p.tag, "tag", "", usage("TAG", "only the flows with this tag, such as background or incast: of slowdown and fct-cdf"))
			fs.BoolVar(&p.all, "all", false, "all ports, flows or percentiles that the figure has")
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
	out, tag  string
	wide, all bool
}

func (p *plotter) run(c *call) error {
	kinds := results.Kinds()
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	if len(c.args) == 0 {
		return mistakef("which figure? give one of %s, then the folders of runs", strings.Join(names, ", "))
	}
	at := slices.Index(names, c.args[0])
	if at < 0 {
		return mistakef("no figure %q: did you mean %s? known: %s", c.args[0], spelling.Nearest(c.args[0], names), strings.Join(names, ", "))
	}
	if len(c.args) == 1 {
		return mistakef("which runs? give their folders: qbb plot %s DIR...", c.args[0])
	}
	if p.out == "" {
		p.out = names[at] + ".png"
	}
	format, err := render.FormatOf(p.out)
	if err != nil {
		return mistake(err)
	}
	runs, err := results.Load(c.args[1:])
	if err != nil {
		return mistake(err)
	}
	if p.tag != "" {
		if !kinds[at].Tags() {
			return mistakef("--tag: the figure %s is not of flows' completion", names[at])
		}
		if err := results.Only(runs, p.tag); err != nil {
			return mistakef("--tag: %w", err)
		}
	}
	f := kinds[at].Figure(runs)
	if f.Note != "" {
		fmt.Fprintf(c.stderr, "qbb plot: %s: %s\n", names[at], f.Note)
	}
	if p.all {
		f.Hidden = nil
	}
	if err := p.write(&f, format); err != nil {
		return mistake(err)
	}
	_, err = fmt.Fprintln(c.stdout, p.out)
	return err
}

// write draws the figure into the file, which appears when it is complete.
func (p *plotter) write(f *figure.Figure, format render.Format) error {
	size := render.Column()
	if p.wide {
		size = render.Page()
	}
	var picture bytes.Buffer
	if err := render.Write(&picture, f, format, size); err != nil {
		return err
	}
	return writeFile(p.out, picture.Bytes())
}

// writeFile writes a file, which appears when it is complete.
func writeFile(path string, content []byte) error {
	out, err := traces.NewOutput(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer out.Abort()
	file, err := out.Create(filepath.Base(path))
	if err != nil {
		return err
	}
	if _, err := file.Write(content); err != nil {
		return err
	}
	return out.Commit()
}
