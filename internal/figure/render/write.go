package render

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/qbb-sim/qbb/internal/figure"
)

// Format is a format of picture files: the extension of their names.
type Format string

// Formats.
const (
	PNG Format = "png" // 300 dots an inch
	SVG Format = "svg"
	PDF Format = "pdf"
)

// formats lists the formats.
func formats() []Format { return []Format{PNG, SVG, PDF} }

// FormatOf returns the format for a file's name.
func FormatOf(path string) (Format, error) {
	f := Format(strings.ToLower(strings.TrimPrefix(filepath.Ext(path), ".")))
	if !slices.Contains(formats(), f) {
		return "", fmt.Errorf("%s: the name must end with .png, .svg or .pdf", path)
	}
	return f, nil
}

// Size is the size of a picture in inches.
type Size struct{ Width, Height float64 }

// Sizes of a picture in a paper of two columns.
var (
	column = Size{3.4, 2.3}
	page   = Size{7, 2.8}
)

// Column is the size for one column of a paper.
func Column() Size { return column }

// Page is the size for both columns of a paper.
func Page() Size { return page }

// dotsPerInch of PNG files: what printers of papers require.
const dotsPerInch = 300

// Write draws a figure. The error is the writer's, or says that the figure has nothing to draw.
func Write(w io.Writer, f *figure.Figure, format Format, size Size) error {
	if !slices.ContainsFunc(f.Series, func(s figure.Series) bool { return len(s.Y) > 0 }) {
		return fmt.Errorf("%s: nothing to draw: %s", f.ID, f.Empty)
	}
	f = shown(f)
	wide, high := vg.Length(size.Width)*vg.Inch, vg.Length(size.Height)*vg.Inch
	var b bytes.Buffer
	switch format {
	case PNG:
		c := vgimg.NewWith(vgimg.UseWH(wide, high), vgimg.UseDPI(dotsPerInch))
		paint(draw.New(c), f)
		return writeTo(w, vgimg.PngCanvas{Canvas: c})
	case SVG:
		c := vgsvg.New(wide, high)
		paint(draw.New(c), f)
		if err := writeTo(&b, c); err != nil {
			return err
		}
		_, err := w.Write(families.ReplaceAll(b.Bytes(), []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif")))
		return err
	}
	c := vgpdf.New(wide, high)
	paint(draw.New(c), f)
	if err := writeTo(&b, c); err != nil {
		return err
	}
	_, err := w.Write(dates.ReplaceAllFunc(b.Bytes(), undated))
	return err
}

// shown returns the figure without its hidden variants.
func shown(f *figure.Figure) *figure.Figure {
	s := *f
	s.Series = slices.DeleteFunc(slices.Clone(f.Series), func(l figure.Series) bool { return slices.Contains(f.Hidden, l.Variant) })
	return &s
}

func writeTo(w io.Writer, c io.WriterTo) error {
	_, err := c.WriteTo(w)
	return err
}

// families are the names of fonts in an SVG file, dates the creation times in a PDF file.
var (
	families = regexp.MustCompile(`font-family:[^;]*`)
	dates    = regexp.MustCompile(`\(D:\d{14}`)
)

// undated returns a date of the same length, so that the offsets in the file stay right.
func undated([]byte) []byte { return []byte("(D:20000101000000") }
