package reproduce

import (
	"cmp"
	"slices"

	"github.com/qbb-sim/qbb/internal/figure"
)

// queueFigure has time and queue as axes.
func queueFigure(id, title string) figure.Figure {
	return figure.Figure{
		ID: id, Kind: figure.Lines, Title: title,
		X: figure.Axis{Label: "Time", Unit: figure.Time}, Y: figure.Axis{Label: "Queue", Unit: figure.Bytes, From: figure.At(0)},
	}
}

// thin keeps about a thousand points of every curve, the largest of each stretch.
func thin(f figure.Figure) figure.Figure {
	const points = 1000
	for i := range f.Series {
		s := &f.Series[i]
		step := (len(s.X) + points - 1) / points
		if step < 2 {
			continue
		}
		kept := figure.Series{Name: s.Name, Variant: s.Variant}
		for k := 0; k < len(s.X); k += step {
			end := min(len(s.X), k+step)
			kept.X = append(kept.X, s.X[k])
			kept.Y = append(kept.Y, slices.MaxFunc(s.Y[k:end], cmp.Compare[figure.Num]))
		}
		*s = kept
	}
	return f
}
