package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/qbb-sim/qbb/internal/figure"
)

// Verdict is the judgement on a claim.
type Verdict string

// Verdicts.
const (
	Agrees    Verdict = "agrees"
	Differs   Verdict = "differs"
	NotJudged Verdict = "not judged" // a quick run does not measure it
	NoClaim   Verdict = ""           // nothing was published to compare with
)

// Row is a line of the table: a measure beside the published value.
type Row struct {
	Experiment string  `parquet:"experiment" json:"experiment"`
	Measure    string  `parquet:"measure" json:"measure"`
	What       string  `parquet:"what" json:"what"`
	Where      string  `parquet:"source" json:"source"`
	Unit       string  `parquet:"unit" json:"unit"`
	Is         string  `parquet:"is" json:"is"`
	Published  float64 `parquet:"published" json:"published"` // NaN without a claim
	Ours       float64 `parquet:"ours" json:"ours"`
	Deviation  float64 `parquet:"deviation" json:"deviation"` // share of the published value; NaN if that is 0
	Within     string  `parquet:"tolerance" json:"tolerance"`
	Verdict    Verdict `parquet:"verdict" json:"verdict"`
	Eye        bool    `parquet:"read_by_eye" json:"read_by_eye"`
	Quick      bool    `parquet:"quick" json:"quick"`
}

// Result is the result of an experiment.
type Result struct {
	Experiment *Experiment
	Quick      bool
	Rows       []Row
	Figures    []figure.Figure

	cases  []Case
	tracks map[string]*track
	ours   map[string]float64
	extra  []Row
}

// track returns the observations of a case.
func (r *Result) track(name string) *track {
	t, ok := r.tracks[name]
	if !ok {
		panic(fmt.Sprintf("reproduce: %s has no case %q", r.Experiment.Name, name))
	}
	return t
}

// seeded returns the observations of the runs of a case, by seed.
func (r *Result) seeded(name string) (runs []*track) {
	for seed := 1; ; seed++ {
		t, ok := r.tracks[seedName(name, seed)]
		if !ok {
			break
		}
		runs = append(runs, t)
	}
	if len(runs) == 0 {
		panic(fmt.Sprintf("reproduce: %s has no case %q with seeds", r.Experiment.Name, name))
	}
	return runs
}

// published returns the published value of a measure.
func (r *Result) published(measure string) float64 {
	all, err := published()
	if err != nil {
		panic(err)
	}
	claims := all[r.Experiment.Name]
	i := slices.IndexFunc(claims, func(c claim) bool { return c.Measure == measure })
	if i < 0 {
		panic(fmt.Sprintf("reproduce: published.yaml has no claim %s: %q", r.Experiment.Name, measure))
	}
	return claims[i].Published
}

// measure sets the value for a claim. Infinite: it never happened.
func (r *Result) measure(name string, value float64) {
	if r.ours == nil {
		r.ours = make(map[string]float64)
	}
	if math.IsNaN(value) {
		value = math.NaN() // processors differ in the NaN of Inf/Inf
	}
	r.ours[name] = value
}

// also adds a measure without a published value.
func (r *Result) also(name, what, unit string, value float64) {
	r.extra = append(r.extra, Row{
		Experiment: r.Experiment.Name, Measure: name, What: what, Unit: unit,
		Published: math.NaN(), Ours: value, Deviation: math.NaN(), Quick: r.Quick,
	})
}

// draw adds a figure, without curves that have no points.
func (r *Result) draw(f figure.Figure) {
	f.Series = slices.DeleteFunc(f.Series, func(s figure.Series) bool { return len(s.X) == 0 })
	if len(f.Series) > 0 {
		r.Figures = append(r.Figures, f)
	}
}

// complete makes the rows: every claim has a measure, and every measure a claim.
func (r *Result) complete() error {
	all, err := published()
	if err != nil {
		return err
	}
	claims := all[r.Experiment.Name]
	for i := range claims {
		c := &claims[i]
		ours, ok := r.ours[c.Measure]
		if !ok {
			panic(fmt.Sprintf("reproduce: %s does not measure %q", r.Experiment.Name, c.Measure))
		}
		delete(r.ours, c.Measure)
		r.Rows = append(r.Rows, r.judge(c, ours))
	}
	for name := range r.ours {
		panic(fmt.Sprintf("reproduce: published.yaml has no claim %s: %q", r.Experiment.Name, name))
	}
	r.Rows = append(r.Rows, r.extra...)
	return nil
}

func (r *Result) judge(c *claim, ours float64) Row {
	row := Row{
		Experiment: r.Experiment.Name, Measure: c.Measure, What: c.What, Where: c.Where, Unit: c.Unit,
		Is: string(c.Is), Published: c.Published, Ours: ours, Deviation: math.NaN(),
		Within: string(c.Within), Verdict: Differs, Eye: c.Eye, Quick: r.Quick,
	}
	if c.Published != 0 {
		row.Deviation = (ours - c.Published) / math.Abs(c.Published)
	}
	switch {
	case r.Quick && c.Quick != nil && !*c.Quick:
		row.Verdict = NotJudged
	case c.agrees(ours):
		row.Verdict = Agrees
	}
	return row
}

// number writes a value with four digits, or as a whole number of up to seven.
func number(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 0):
		return "never"
	case a >= 9999.5 && a < 1e7:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
