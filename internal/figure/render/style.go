package render

import (
	"image/color"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Colours of names, as in the light form of the report: a contrast of at least 3 to white, and
// distinguishable without seeing red or green.
var colours = [...]color.NRGBA{
	rgb(0x0067a8), rgb(0xc84e00), rgb(0x00795a), rgb(0xb13d86),
	rgb(0x3d3d3d), rgb(0x8a6a00), rgb(0x6a4fc8), rgb(0x2b8fb3),
}

var (
	ink   = rgb(0x1b1f24)
	paper = rgb(0xe6eaee) // of the grid
)

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// dashes of variants, or of names where there are no variants.
var dashes = [...][]vg.Length{nil, {6, 3}, {1.5, 2}, {7, 2, 1.5, 2}, {4, 1.5}, {10, 3}, {1, 2.5}, {9, 2, 1.5, 2, 1.5, 2}}

// glyphs mark the points of names.
var glyphs = [...]draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
	draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.SquareGlyph{},
}

func colour(name int) color.NRGBA { return colours[name%len(colours)] }

// letters is the text of a figure: eight points, as captions of papers have.
var letters = sync.OnceValue(func() text.Style {
	face, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		panic(err)
	}
	name := font.Font{Typeface: "Liberation", Variant: "Sans"}
	cache := font.NewCache(font.Collection{{Font: name, Face: face}})
	name.Size = 8
	return text.Style{Color: ink, Font: name, Handler: text.Plain{Fonts: cache}}
})

// lift moves text that is centred by its font's height to the middle of its digits.
const lift = 0.8

// small is the text of ticks.
func small() text.Style {
	s := letters()
	s.Font.Size = 7
	return s
}
