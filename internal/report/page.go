package report

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
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

// page is the input of the template.
type page struct {
	Title           string
	Version, Maker  string // of the runs, and of the program that makes the page
	Total           int    // runs, counting seeds separately
	Style           template.CSS
	Script          template.JS
	Data            data
	Runs            []*results.Run
	Options, Params table // in which the scenarios differ
	Figures         table
	Buckets, Tags   []bucket
	MoreTags        int // tags left out
	Remarks         []results.Remark
	Charts          []figure.Figure
	Blank           []blank
	Forests         []forest
	Bottlenecks     []bottlenecks
}

// data is the input of the page's script.
type data struct {
	Runs    []string         `json:"runs"`
	Charts  []figure.Figure  `json:"charts"`
	Picture *results.Picture `json:"picture,omitempty"`
}

// blank says why figures are not drawn.
type blank struct{ Why, Titles string }

// mostTags is the largest number of tags whose slowdowns the page shows.
const mostTags = 50

// Write writes the page of at least one run. The error is the writer's.
func Write(w io.Writer, runs []*results.Run) error {
	names := results.Names(runs)
	options, params := differences(runs)
	p := page{
		Title: strings.Join(names, ", "),
		Style: template.CSS(asset("style.css")), Script: template.JS(asset("charts.js") + asset("picture.js")),
		Version: versionOf(runs), Maker: "qbb " + scenario.Version(), Runs: runs,
		Options: table{names, options}, Params: table{names, params},
		Figures: table{names, figures(runs)}, Buckets: buckets(results.BySize(runs)), Remarks: remarks(runs),
		Charts: []figure.Figure{}, Forests: forests(runs), Bottlenecks: bottlenecksOf(runs),
	}
	tags := results.ByTag(runs)
	p.Tags, p.MoreTags = buckets(tags[:min(len(tags), mostTags)]), max(0, len(tags)-mostTags)
	for _, r := range runs {
		p.Total += len(r.Seeds())
	}
	for _, k := range results.Kinds() {
		if k.Concerns(runs) {
			p.add(k.Figure(runs))
		}
	}
	picture, why := results.NewPicture(runs)
	if picture == nil {
		p.leaveOut("Network", why)
	}
	p.Data = data{names, p.Charts, picture}
	return p.write(w)
}

// write writes the page. The error is the writer's.
func (p *page) write(w io.Writer) error {
	t := template.Must(template.New("page").Parse(asset("page.html")))
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		panic(err) // the template is ours, and memory accepts everything
	}
	_, err := b.WriteTo(w)
	return err
}

// add adds a figure, or the reason why there is nothing to draw.
func (p *page) add(f figure.Figure) {
	if f.Empty == "" {
		f.About = strings.TrimSpace(f.About + " " + f.Note)
		p.Charts = append(p.Charts, f)
		return
	}
	p.leaveOut(f.Title, f.Empty)
}

// leaveOut says why a figure is not drawn.
func (p *page) leaveOut(title, why string) {
	i := slices.IndexFunc(p.Blank, func(b blank) bool { return b.Why == why })
	if i < 0 {
		p.Blank = append(p.Blank, blank{why, title})
		return
	}
	p.Blank[i].Titles += ", " + title
}
