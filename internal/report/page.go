package report

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"strings"

	"github.com/qbb-sim/qbb/internal/scenario"
)

//go:embed assets
var assets embed.FS

// asset returns an embedded file.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// page is what the template shows.
type page struct {
	Title, Version  string
	Style           template.CSS
	Script          template.JS
	Data            data
	Runs            []*Run
	Options, Params table // in which the scenarios differ
	Figures         table
	Buckets, Tags   []bucket
	Remarks         []remark
	Charts          []chart
}

// Write writes the page of at least one run. The error is the writer's.
func Write(w io.Writer, runs []*Run) error {
	var names []string
	for _, r := range runs {
		names = append(names, r.Name)
	}
	options, params := differences(runs)
	p := page{
		Title: strings.Join(names, ", "),
		Style: template.CSS(asset("style.css")), Script: template.JS(asset("charts.js")),
		Version: scenario.Version(), Runs: runs,
		Options: table{names, options}, Params: table{names, params},
		Figures: table{names, figures(runs)}, Buckets: buckets(runs), Tags: tagged(runs), Remarks: remarks(runs),
		Charts: []chart{
			slowdownChart(runs), fctChart(runs), queueChart(runs), pauseChart(runs),
			utilisationChart(runs), pausedChart(runs),
		},
	}
	p.Data = data{Runs: names, Charts: []chart{}}
	for _, c := range p.Charts {
		if c.Empty == "" {
			p.Data.Charts = append(p.Data.Charts, c)
		}
	}
	t := template.Must(template.New("page").Parse(asset("page.html")))
	var b bytes.Buffer
	if err := t.Execute(&b, &p); err != nil {
		panic(err) // the template is ours, and memory takes all
	}
	_, err := b.WriteTo(w)
	return err
}
