package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/internal/driver"
	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/results"
	"github.com/qbb-sim/qbb/internal/results/sample"
	"github.com/qbb-sim/qbb/traces"
)

var allCharts = []string{
	"slowdown", "fct-cdf", "queue-cdf", "queue", "throughput", "fairness", "flows", "rate", "goodput", "window", "in-flight", "rtt",
	"pauses", "paused", "utilisation",
}

// mostPoints bounds the points of a curve.
const mostPoints = 500

// A page of two runs has all charts, with sound data; and it has the same bytes whenever it is
// made.
func TestPage(t *testing.T) {
	dirs := sample.Two(t)
	runs := loadAll(t, dirs...)
	html := write(t, runs)
	if again := write(t, loadAll(t, dirs...)); again != html {
		t.Error("the same runs give another page")
	}
	wellFormed(t, html)
	d := dataOf(t, html)
	if !slices.Equal(d.Runs, []string{"hpcc", "dcqcn"}) {
		t.Errorf("runs %q", d.Runs)
	}
	var ids []string
	for _, c := range d.Charts {
		ids = append(ids, c.ID)
		sound(t, &c)
		if !strings.Contains(html, `<figure id="`+c.ID+`">`) {
			t.Errorf("%s: nowhere to draw it", c.ID)
		}
	}
	if !slices.Equal(ids, allCharts) || strings.Contains(html, `<ul class="empty">`) {
		t.Errorf("charts %q, of which some are said to be empty: %v", ids, strings.Contains(html, `<ul class="empty">`))
	}
	for _, part := range []string{"<h1>hpcc, dcqcn</h1>", "cc.name", "Parameters of congestion control", "<td>dcqcn</td>", "PFC pauses sent", "100KB-1MB", "Slowdown by tag", "Pause trees", "paused others", "<h2>Bottlenecks</h2>", "Waiting for a pause to end", ">incast</th>", "profile: native"} {
		if !strings.Contains(html, part) {
			t.Errorf("no %q in the page", part)
		}
	}
}

// sound checks everything in a chart on which its script relies.
func sound(t *testing.T, c *figure.Figure) {
	t.Helper()
	seen := make(map[int]bool)
	for _, s := range c.Series {
		seen[s.Name] = true
		if s.Name >= len(c.Names) || s.Variant > 0 && s.Variant >= len(c.Variants) {
			t.Errorf("%s: run %d, variant %d", c.ID, s.Name, s.Variant)
		}
		if c.Kind == figure.Bars && len(s.Y) != len(c.Labels) || c.Kind == figure.Lines && len(s.X) != len(s.Y) {
			t.Errorf("%s: %d values, %d places, %d labels", c.ID, len(s.Y), len(s.X), len(c.Labels))
		}
		if len(s.Y) == 0 || len(s.Y) > mostPoints {
			t.Errorf("%s: %d points", c.ID, len(s.Y))
		}
		if !slices.IsSorted(s.X) {
			t.Errorf("%s: x does not ascend", c.ID)
		}
		for i, y := range s.Y {
			if math.IsNaN(float64(y)) || math.IsInf(float64(y), 0) || y < 0 || c.X.Scale == figure.Log && s.X[i] <= 0 {
				t.Errorf("%s: point %d of run %d cannot be drawn", c.ID, i, s.Name)
			}
		}
	}
	if len(seen) != len(c.Names) && c.ID != "window" { // dcqcn has none
		t.Errorf("%s shows %d of %q", c.ID, len(seen), c.Names)
	}
}

// wellFormed requires that a page is XHTML except for its scripts, and loads nothing.
func wellFormed(t *testing.T, html string) {
	t.Helper()
	outside := regexp.MustCompile(`(?i)\b[a-z]+://|\bsrc\s*=|\bhref\s*=|@import|url\((?:[^#]|$)|\bfetch\b|XMLHttp|\bimport\b`)
	if at := outside.FindStringIndex(html); at != nil {
		t.Errorf("the page may load something: %q", html[at[0]:min(at[0]+60, len(html))])
	}
	scripts := regexp.MustCompile(`(?s)(<script[^>]*>).*?(</script>)|(<style>).*?(</style>)`)
	in := xml.NewDecoder(strings.NewReader(scripts.ReplaceAllString(html, "$1$2$3$4")))
	in.Entity = xml.HTMLEntity
	ids := make(map[string]bool)
	for {
		token, err := in.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		e, ok := token.(xml.StartElement)
		for _, a := range e.Attr {
			if ok && a.Name.Local == "id" {
				if ids[a.Value] {
					t.Errorf("two elements have the id %s", a.Value)
				}
				ids[a.Value] = true
			}
		}
	}
}

// Ten thousand flows, and names with special characters, make a small, well-formed page.
func TestLargeRun(t *testing.T) {
	dir := sample.Run(t, filepath.Join(t.TempDir(), `<b>"x" & y`), "hpcc")
	random := rand.New(rand.NewPCG(1, 1))
	rows := make([]traces.FCTRow, 10_000)
	for i := range rows {
		fct := 1000 * math.Exp(10*random.Float64())
		rows[i] = traces.FCTRow{SizeBytes: int64(fct), StartNs: float64(i), FCTNs: fct, Slowdown: 1 + random.ExpFloat64(), Finished: true}
	}
	replaceFlows(t, dir, rows)
	runs := loadAll(t, dir)
	html := write(t, runs)
	wellFormed(t, html)
	d := dataOf(t, html)
	if d.Runs[0] != filepath.Base(dir) {
		t.Errorf("the run is called %q", d.Runs[0])
	}
	for _, c := range d.Charts {
		sound(t, &c)
	}
	if c := chartOf(t, d, "fct-cdf"); len(c.Series[0].X) != mostPoints {
		t.Errorf("%d points for %d flows", len(c.Series[0].X), len(rows))
	}
	if len(html) > 1e6 {
		t.Errorf("the page has %d bytes", len(html))
	}
}

// If every flow has a different tag, such as the number of a job, the page stays short.
func TestManyTags(t *testing.T) {
	run := results.Run{Name: "run"}
	for i := range 20_000 {
		run.Flows = append(run.Flows, results.Flow{Bytes: int64(i), FCT: 1000, Slowdown: 1, Tag: fmt.Sprintf("job-%05d", i)})
	}
	html := write(t, []*results.Run{&run})
	wellFormed(t, html)
	if !strings.Contains(html, "job-00049") || strings.Contains(html, "job-00050") || !strings.Contains(html, "And 19950 more tags, which qbb table lists.") {
		t.Error("the page does not have the first 50 of 20000 tags, and how many more there are")
	}
	if err := results.Only([]*results.Run{&run}, "job"); err == nil || !strings.HasSuffix(err.Error(), "job-00019 and 19980 more") {
		t.Error(err)
	}
}

// A run in which nothing happened has no charts, and says why.
func TestEmptyRun(t *testing.T) {
	html := write(t, []*results.Run{{Name: "run"}})
	wellFormed(t, html)
	if n := len(dataOf(t, html).Charts); n != 0 {
		t.Errorf("%d charts", n)
	}
	for _, why := range []string{
		"No flow finished.", "No port was paused.", "Queues were not sampled.", "Nothing was sent.", "No time series were recorded", "qbb run --series 10us --series-flows largest:8",
	} {
		if !strings.Contains(html, ": "+why) {
			t.Errorf("the page does not say %q", why)
		}
	}
	_, list, _ := strings.Cut(html, `<ul class="empty">`)
	list, _, _ = strings.Cut(list, "</ul>")
	for _, k := range results.Kinds() {
		runs := []*results.Run{{Name: "run"}}
		if title := k.Figure(runs).Title; strings.Contains(list, title) != k.Concerns(runs) {
			t.Errorf("the page says why there is no figure %q: %v", title, !k.Concerns(runs))
		}
	}
	scheduled := write(t, []*results.Run{{Name: "run", Summary: driver.Summary{Schedule: &driver.ScheduleTotals{Hosts: 1}}}})
	if title := "Hosts of the schedule over time"; strings.Contains(html, title) || !strings.Contains(scheduled, title) {
		t.Error("exactly a run with a schedule is to say why its hosts are not shown")
	}
	if strings.Contains(html, "What differs") {
		t.Error("a single run differs from something")
	}
}

// The runs' colours stand out from the background in both schemes (WCAG 2.2, 1.4.11: 3 to 1).
func TestColours(t *testing.T) {
	style := asset("style.css")
	light, dark, ok := strings.Cut(style, "prefers-color-scheme: dark")
	if !ok {
		t.Fatal("no dark scheme")
	}
	for name, part := range map[string]string{"light": light, "dark": dark} {
		back := luminance(t, part, "back")
		for i := range figure.MaxNames {
			run := luminance(t, part, fmt.Sprintf("run%d", i))
			if contrast := (max(run, back) + 0.05) / (min(run, back) + 0.05); contrast < 3 {
				t.Errorf("%s: run %d has a contrast of %.2f", name, i, contrast)
			}
		}
	}
}

// luminance returns the relative luminance of a colour of the style (WCAG 2.2).
func luminance(t *testing.T, style, name string) float64 {
	t.Helper()
	found := regexp.MustCompile(`--` + name + `: #([0-9a-f]{6});`).FindStringSubmatch(style)
	if found == nil {
		t.Fatalf("no colour %s", name)
	}
	var rgb [3]uint8
	if _, err := fmt.Sscanf(found[1], "%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, weight := range [...]float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgb[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += float64(weight * c)
	}
	return sum
}
