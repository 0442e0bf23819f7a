// Package render draws a [figure.Figure] for papers: PNG, SVG and PDF, in the width of a column.
// Equal figures give equal bytes.
//
// The legend is above the axes, never over a curve, in as many rows as it needs. The font is
// Liberation Sans, which has the widths of Arial; an SVG names both, and embeds neither.
package render
