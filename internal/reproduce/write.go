package reproduce

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/qbb-sim/qbb/internal/figure"
	"github.com/qbb-sim/qbb/internal/figure/render"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/traces/tables"
)

// SeriesRow is a point of a curve of a figure.
type SeriesRow struct {
	Figure string  `parquet:"figure"`
	Curve  string  `parquet:"curve"`
	XUnit  string  `parquet:"x_unit"`
	YUnit  string  `parquet:"y_unit"`
	X      float64 `parquet:"x"`
	Y      float64 `parquet:"y"`
}

// resultsText is the table of an experiment, as text.
const resultsText = "results.txt"

// CheckFolder reports what would prevent [Result.Write] from writing into a folder, before a run rather than after it. It
// leaves nothing behind.
func CheckFolder(dir string) error {
	out, err := traces.NewOutput(dir)
	if err != nil {
		return err
	}
	defer out.Abort()
	_, err = out.Create(resultsText)
	return err
}

// Write puts the results into a folder: results.parquet, series.parquet with the curves of the
// figures, results.txt, each figure as PNG and SVG, and the scenarios with their flows.
func (r *Result) Write(dir string) error {
	out, err := traces.NewOutput(dir)
	if err != nil {
		return err
	}
	defer out.Abort()
	for _, part := range []func(*traces.Output) error{r.writeTables, r.writeText, r.writeFigures, r.writeCases} {
		if err := part(out); err != nil {
			return err
		}
	}
	return out.Commit()
}

func (r *Result) writeTables(out *traces.Output) error {
	meta := []tables.Meta{{Key: "experiment", Value: r.Experiment.Name}, {Key: "source", Value: r.Experiment.Source}}
	rows, err := tables.Create[Row](out, "results.parquet", meta)
	if err != nil {
		return err
	}
	if err := rows.Write(r.Rows); err != nil {
		return err
	}
	series, err := tables.Create[SeriesRow](out, "series.parquet", meta)
	if err != nil {
		return err
	}
	for i := range r.Figures {
		if err := series.Write(points(&r.Figures[i])); err != nil {
			return err
		}
	}
	return nil
}

// points lists the points of a figure.
func points(f *figure.Figure) (rows []SeriesRow) {
	for _, s := range f.Series {
		name := f.Names[s.Name]
		if s.Variant < len(f.Variants) && f.Variants[s.Variant] != "" {
			name += ", " + f.Variants[s.Variant]
		}
		for i := range s.X {
			rows = append(rows, SeriesRow{
				Figure: f.ID, Curve: name, XUnit: string(f.X.Unit), YUnit: string(f.Y.Unit),
				X: float64(s.X[i]), Y: float64(s.Y[i]),
			})
		}
	}
	return rows
}

func (r *Result) writeText(out *traces.Output) error {
	f, err := out.Create(resultsText)
	if err != nil {
		return err
	}
	return r.Table(f)
}

func (r *Result) writeFigures(out *traces.Output) error {
	for i := range r.Figures {
		for _, format := range []render.Format{render.PNG, render.SVG} {
			f, err := out.Create(r.Figures[i].ID + "." + string(format))
			if err != nil {
				return err
			}
			if err := render.Write(f, &r.Figures[i], format, render.Page()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Result) writeCases(out *traces.Output) error { return writeCases(out, r.cases) }

// WriteCases puts scenarios and their flows into a folder.
func WriteCases(dir string, cases []Case) error {
	out, err := traces.NewOutput(dir)
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := writeCases(out, cases); err != nil {
		return err
	}
	return out.Commit()
}

func writeCases(out *traces.Output, cases []Case) error {
	for i := range cases {
		if err := cases[i].write(out); err != nil {
			return err
		}
	}
	return nil
}

// write adds the scenario of a case, and its flows, to the files of an output.
func (c *Case) write(out *traces.Output) error {
	sc, err := c.scenario()
	if err != nil {
		return err
	}
	f, err := out.Create(c.Name + ".yaml")
	if err != nil {
		return err
	}
	if err := sc.Print(f); err != nil || len(c.Flows) == 0 {
		return err
	}
	if f, err = out.Create(c.flowsFile()); err != nil {
		return err
	}
	_, err = f.Write(traces.AppendFlowTable(nil, c.Flows))
	return err
}

// Table writes the rows for people: published | ours | deviation | verdict.
func (r *Result) Table(w io.Writer) error {
	cells := [][]string{{"", "published", "ours", "deviation", "verdict"}}
	for i := range r.Rows {
		cells = append(cells, r.Rows[i].cells())
	}
	width := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, cell := range line {
			width[i] = max(width[i], len(cell))
		}
	}
	var b strings.Builder
	for _, line := range cells {
		text := fmt.Sprintf("%-*s  %*s  %*s  %*s  %s", width[0], line[0], width[1], line[1], width[2], line[2], width[3], line[3], line[4])
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// bound reports whether the published value is a bound; a result within the bound does not deviate
// from it.
func (row *Row) bound() bool { return row.Is != string(about) }

func (row *Row) cells() []string {
	what, published, deviation := row.What, "", ""
	if row.Unit != "" {
		what += ", " + row.Unit
	}
	if row.Verdict != NoClaim {
		published = strings.TrimPrefix(row.Is+" "+number(row.Published), "about ")
		deviation = "-"
	}
	if !math.IsNaN(row.Deviation) && !math.IsInf(row.Deviation, 0) && !(row.bound() && row.Verdict == Agrees) {
		deviation = fmt.Sprintf("%+.1f %%", 100*row.Deviation)
	}
	if row.Eye {
		published += " (by eye)"
	}
	return []string{what, published, number(row.Ours), deviation, string(row.Verdict)}
}
