// Package figure describes diagrams: curves over numeric axes, or bars by label. A [Figure] is
// plain data; package render draws it as PNG, SVG or PDF, and the HTML report draws the same one
// in the browser, with the same units, colours and dashes.
//
// A curve belongs to a name, such as a run or a scheme, which has a colour, and perhaps to a
// variant, such as p99, which has a dash:
//
//	f := figure.Figure{
//		ID: "queue", Title: "Queue of the bottleneck",
//		X: figure.Axis{Label: "Time", Unit: figure.Time},
//		Y: figure.Axis{Label: "Queue", Unit: figure.Bytes, From: figure.At(0)},
//	}
//	f.Line("HPCC", times, depths)
//	f.Line("DCQCN", times, others)
//	err := render.Write(w, &f, render.PDF, render.Column())
package figure
