package render

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/qbb-sim/qbb/internal/figure"
)

// curves is a figure with two names, two variants and bands.
func curves() *figure.Figure {
	f := &figure.Figure{
		ID: "curves", Kind: figure.Lines,
		X:     figure.Axis{Label: "Flow size", Unit: figure.Bytes, Scale: figure.Log},
		Y:     figure.Axis{Label: "Slowdown", Unit: figure.Ratio},
		Marks: true,
	}
	for i, name := range []string{"hpcc", "dcqcn"} {
		for _, variant := range []string{"p50", "p99"} {
			var x, y []float64
			for k := range 20 {
				x = append(x, 300*math.Pow(10, float64(k)/4))
				y = append(y, 1+float64(1+i)*float64(len(f.Series)%2+1)*float64(k)/8)
			}
			f.LineOf(name, variant, x, y)
		}
	}
	s := &f.Series[0]
	for _, y := range s.Y {
		s.Low, s.High = append(s.Low, y*0.8), append(s.High, y*1.3)
	}
	return f
}

// bars is a figure of bars.
func bars() *figure.Figure {
	f := &figure.Figure{ID: "bars", Kind: figure.Bars, X: figure.Axis{Label: "Utilisation", Unit: figure.Share, To: figure.At(1)}}
	for i := range 5 {
		f.Labels = append(f.Labels, fmt.Sprintf("%d → 16 (port 0)", i))
	}
	f.Line("hpcc", nil, nil)
	f.Line("dcqcn", nil, nil)
	for i := range f.Labels {
		f.Series[0].Y = append(f.Series[0].Y, figure.Num(1-float64(i)*0.17))
		f.Series[1].Y = append(f.Series[1].Y, figure.Num(0.9-float64(i)*0.2))
	}
	return f
}

func drawn(t *testing.T, f *figure.Figure, format Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, f, format, Column()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every format is complete, of the size asked for, and the same when written twice.
func TestWrite(t *testing.T) {
	for _, f := range []*figure.Figure{curves(), bars()} {
		for _, format := range formats() {
			file := drawn(t, f, format)
			if !bytes.Equal(file, drawn(t, f, format)) {
				t.Errorf("%s.%s: two drawings differ", f.ID, format)
			}
			switch format {
			case PNG:
				picture, err := png.Decode(bytes.NewReader(file))
				if err != nil {
					t.Fatal(err)
				}
				if size := picture.Bounds().Size(); size.X != 1020 || size.Y != 690 {
					t.Errorf("%s.png: %v dots", f.ID, size)
				}
				if n := coloursOf(picture); n < 10 {
					t.Errorf("%s.png: %d colours; it is as good as empty", f.ID, n)
				}
			case SVG:
				for _, text := range append([]string{f.X.Label, "hpcc", "dcqcn", "Liberation Sans',Arial"}, f.Labels...) {
					if !strings.Contains(string(file), text) {
						t.Errorf("%s.svg: no %q", f.ID, text)
					}
				}
			case PDF:
				if !bytes.HasPrefix(file, []byte("%PDF-")) || !bytes.Contains(file, []byte("(D:20000101000000")) || !bytes.Contains(file, []byte("%%EOF")) {
					t.Errorf("%s.pdf: not a whole PDF file without a date", f.ID)
				}
				if !bytes.Contains(file, []byte("/FontFile2")) {
					t.Errorf("%s.pdf: fonts are not embedded, which publishers require", f.ID)
				}
			}
		}
	}
}

func coloursOf(p image.Image) int {
	seen := make(map[color.Color]bool)
	for y := range p.Bounds().Max.Y {
		for x := range p.Bounds().Max.X {
			seen[p.At(x, y)] = true
		}
	}
	return len(seen)
}

// A hidden variant is not drawn.
func TestHidden(t *testing.T) {
	f := curves()
	f.Hidden = []int{1}
	without := *f
	without.Series = slices.DeleteFunc(slices.Clone(f.Series), func(s figure.Series) bool { return s.Variant == 1 })
	if !bytes.Equal(drawn(t, f, SVG), drawn(t, &without, SVG)) {
		t.Error("a figure with a hidden variant is not that without it")
	}
}

// The legend has its own room above the axes, so that no curve lies under it.
func TestLegendAbove(t *testing.T) {
	tall := &figure.Figure{ID: "tall", Y: figure.Axis{Label: "y"}}
	for i := range figure.MaxNames {
		tall.Line(fmt.Sprintf("a scheme with a long name %d", i), []float64{0, 1}, []float64{0, 1})
	}
	picture, err := png.Decode(bytes.NewReader(drawn(t, tall, PNG)))
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, _ := picture.At(1000, 690/2).RGBA() // right of the curves' ends and below the legend
	if r>>8 != 255 || g>>8 != 255 || b>>8 != 255 {
		t.Errorf("the margin holds %d %d %d", r>>8, g>>8, b>>8)
	}
	if n := len(entries(tall, tall.Names)); n != figure.MaxNames {
		t.Errorf("the legend has %d names", n)
	}
}

// Names of any length leave more than half of the picture to the curves, stay within it, and remain different.
func TestLongNames(t *testing.T) {
	for _, name := range []string{"x", "a scheme", strings.Repeat("a very long name ", 3), strings.Repeat("→", 300)} {
		f := &figure.Figure{ID: "f", Marks: true, Variants: []string{"p50", "p99"}}
		for i := range figure.MaxNames {
			f.LineOf(fmt.Sprint(name, " ", i), f.Variants[i%2], []float64{0, 1}, []float64{0, 1})
		}
		all, style := entries(f, f.Names), letters()
		c := draw.New(vgsvg.New(100, 100))
		c.Rectangle = vg.Rectangle{Max: vg.Point{X: 240, Y: 160}}
		if in := legend(c, f); in.Size().Y < 80 || in.Size().X != 240 {
			t.Errorf("%.20s: of 160 points of height %v are left", name, in.Size().Y)
		}
		arrange(all, style, 240, 240/3)
		seen := make(map[string]bool)
		for _, e := range all {
			if seen[e.text] || e.x+e.left()+style.Width(e.text) > 240 {
				t.Errorf("%.20s: %q twice, or at %v beyond the edge", name, e.text, e.x)
			}
			seen[e.text] = true
		}
	}
}

// Names that agree at both ends remain different in the width of a column: those of folders made by qbb sweep, and of
// curves of a trend. What all names share is cut first, then the keys of what differs.
func TestNamesOfSweeps(t *testing.T) {
	folder := func(kmin string, timer int) string {
		return fmt.Sprintf("thresholds_rate25Gbps,kmin%s,kmax400KB,pmax0.2-ai40Mbps-alpha_timer1us-increase_timer%dus", kmin, timer)
	}
	curve := func(kmin, kmax, timer string) string {
		return fmt.Sprintf("cc.params.increase_timer %sus, ecn.thresholds rate 25Gbps, kmin %sKB, kmax %sKB, pmax 0.2", timer, kmin, kmax)
	}
	long := strings.Repeat("a", 99)
	for _, c := range []struct{ names, want []string }{
		{
			[]string{folder("5KB", 55), folder("5KB", 300), folder("25KB", 55), folder("25KB", 300)},
			[]string{"kmin5KB-increase_timer55us", "kmin5KB-increase_timer300us", "kmin25KB-increase_timer55us", "kmin25KB-increase_timer300us"},
		},
		{
			[]string{curve("5", "100", "55"), curve("25", "100", "55"), curve("25", "400", "300"), curve("100", "200", "300"), curve("100", "400", "55"), curve("100", "400", "300")},
			[]string{"55us 5KB 100KB", "55us 25KB 100KB", "300us 25KB 400KB", "300us 100KB 200KB", "55us 100KB 400KB", "300us 100KB 400KB"},
		},
		{[]string{"dcqcn", "dcqcn-plus"}, []string{"dcqcn", "dcqcn-plus"}},
		{[]string{"hpcc", long, long + "-b"}, []string{"hpcc", "aaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-b"}},
	} {
		f := &figure.Figure{ID: "f", Variants: []string{"p50", "p99"}}
		for i, name := range c.names {
			f.LineOf(name, f.Variants[i%2], []float64{0, 1}, []float64{0, 1})
		}
		all, _ := layOut(f, letters(), vg.Point{X: 240, Y: 160})
		for i, want := range append(c.want, f.Variants...) {
			if all[i].text != want {
				t.Errorf("%s is %q, not %q", all[i].name, all[i].text, want)
			}
		}
	}
}

// Ranges of marks are bars, and marks of two names at the same place are drawn apart.
func TestWhiskers(t *testing.T) {
	f := &figure.Figure{ID: "f", Marks: true, Names: []string{"a", "b"}, X: figure.Axis{Label: "x"}, Y: figure.Axis{Label: "y", From: figure.At(0), To: figure.At(9)}}
	for name := range f.Names {
		s := figure.Series{Name: name}
		for x := range 3 {
			s.AddBand(float64(x), 5, 3, 8)
		}
		f.Series = append(f.Series, s)
	}
	with := drawn(t, f, SVG)
	p := plot{Canvas: draw.NewCanvas(vgsvg.New(100, 100), 100, 100), x: figure.NewSpan(&f.X, []float64{0, 2}, 3), y: figure.NewSpan(&f.Y, []float64{0, 9}, 3)}
	a, b := p.place(f, &f.Series[0], 1, 5), p.place(f, &f.Series[1], 1, 5)
	if a.X >= b.X || a.Y != b.Y {
		t.Errorf("marks at %v and %v", a, b)
	}
	for i := range f.Series {
		f.Series[i].Low, f.Series[i].High = nil, nil
	}
	const caps = 3 * 3 * 2 // for each mark a bar and two caps, for both names
	if more := bytes.Count(with, []byte("<path")) - bytes.Count(drawn(t, f, SVG), []byte("<path")); more != caps {
		t.Errorf("the ranges are %d lines, not %d", more, caps)
	}
}

// A mark without a range has no bar, and leaves the axes as they are.
func TestWhiskersOfSomeMarks(t *testing.T) {
	f := &figure.Figure{ID: "f", Marks: true, Names: []string{"a"}, X: figure.Axis{Label: "x"}, Y: figure.Axis{Label: "y"}}
	s := &figure.Series{}
	for x := range 3 {
		s.AddBand(float64(x), 5, 3, 8)
	}
	f.Series = []figure.Series{*s}
	all := drawn(t, f, SVG)
	s.Low[1], s.High[1] = figure.Num(math.NaN()), figure.Num(math.NaN())
	some := drawn(t, f, SVG)
	lines := func(text []byte) int { return bytes.Count(text, []byte("<path")) }
	labels := func(text []byte) [][]byte { return regexp.MustCompile("<text[^>]*>[^<]*<").FindAll(text, -1) }
	if lines(all)-lines(some) != 3 || !reflect.DeepEqual(labels(all), labels(some)) {
		t.Errorf("%d and %d lines, want 3 less; labels %s and %s", lines(all), lines(some), labels(all), labels(some))
	}
}

// The band of steps has steps, too.
func TestBandOfSteps(t *testing.T) {
	f := &figure.Figure{X: figure.Axis{Label: "x"}, Y: figure.Axis{Label: "y"}}
	p := plot{Canvas: draw.NewCanvas(vgsvg.New(100, 100), 100, 100), x: figure.NewSpan(&f.X, []float64{0, 2}, 3), y: figure.NewSpan(&f.Y, []float64{0, 4}, 3)}
	s := &figure.Series{X: []figure.Num{0, 1, 2}}
	y := []figure.Num{4, 2, 3}
	at := p.edge(f, s, y)
	if len(at) != 3 {
		t.Errorf("a line through three points has %d", len(at))
	}
	f.Steps = true
	if steps, want := p.edge(f, s, y), []vg.Point{at[0], {X: at[1].X, Y: at[0].Y}, at[1], {X: at[2].X, Y: at[1].Y}, at[2]}; !slices.Equal(steps, want) {
		t.Errorf("steps at %v, want %v", steps, want)
	}
}

// Ranges of bars are lines with caps, which the axis has room for and the values stand behind.
func TestRangesOfBars(t *testing.T) {
	f := bars()
	f.X.To = nil
	without := drawn(t, f, SVG)
	s := &f.Series[1]
	for _, y := range s.Y {
		s.Low, s.High = append(s.Low, y/2), append(s.High, y*3)
	}
	with := drawn(t, f, SVG)
	lines := func(text []byte) int { return bytes.Count(text, []byte("<path")) }
	shown := len(regexp.MustCompile("port 0").FindAll(with, -1))
	if more := lines(with) - lines(without); more < 3*shown || more > 3*shown+4 { // the axis may have other ticks
		t.Errorf("%d more lines for %d ranges", more, shown)
	}
	if longest := regexp.MustCompile(`>300 %<|>250 %<|>200 %<`); !longest.Match(with) || longest.Match(without) {
		t.Errorf("the axis does not reach the end of the longest range")
	}
}

// Names remain distinguishable without colours where only one variant is shown; the legend has its
// name.
func TestOneVariant(t *testing.T) {
	f := &figure.Figure{ID: "f", Variants: []string{"port 1", "port 2"}, Hidden: []int{1}}
	for name := range 3 {
		f.Names = append(f.Names, fmt.Sprint(name))
		f.Series = append(f.Series, figure.Series{Name: name, X: []figure.Num{0, 1}, Y: []figure.Num{0, 1}})
	}
	for i := range f.Series {
		if got := dash(f, &f.Series[i]); got != i {
			t.Errorf("name %d has dash %d", i, got)
		}
	}
	if all := entries(f, f.Names); len(all) != 4 || !all[3].bare || all[3].name != "port 1" {
		t.Errorf("the legend has %+v", all)
	}
	f.Hidden = nil
	if all := entries(f, f.Names); len(all) != 5 || all[3].bare || dash(f, &f.Series[2]) != 0 {
		t.Errorf("two variants: the legend has %+v", all)
	}
}

// Few, equal, huge and negative values, and zeros on logarithmic axes, stay on the canvas.
func TestOddValues(t *testing.T) {
	for name, points := range map[string][][2]float64{
		"one": {{500, 1}}, "zero": {{0, 0}}, "equal": {{5, 1e11}, {5, 1e11}}, "huge": {{0, 0}, {4e18, 1e300}},
		"negative": {{-3e9, -7}, {-1, 2}}, "a zero": {{0, 0}, {1, 0}, {2, 50}}, "close": {{4106, 0.1}, {4106.8, 0.9}}, "many": {{1, 1}, {1e15, 1e12}},
	} {
		for _, scale := range []figure.Scale{figure.Linear, figure.Log} {
			f := &figure.Figure{ID: name, Marks: true, X: figure.Axis{Label: "x", Unit: figure.Time, Scale: scale}, Y: figure.Axis{Label: "y", Unit: figure.Rate, Scale: scale}}
			for i := range 2 {
				f.Names = append(f.Names, fmt.Sprint(i))
				s := figure.Series{Name: i}
				for _, p := range points {
					s.AddBand(p[0], p[1], p[1]/2, p[1]*2)
				}
				f.Series = append(f.Series, s)
			}
			file := string(drawn(t, f, SVG))
			if strings.Contains(file, "NaN") || strings.Contains(file, "Inf") || strings.Count(file, "<text") < 4 {
				t.Errorf("%s, %s: not a drawing of numbers:\n%s", name, scale, file)
			}
		}
	}
}

// A curve of one point, which has no line, is drawn as a mark.
func TestLonePoint(t *testing.T) {
	f := &figure.Figure{ID: "f", X: figure.Axis{Label: "x"}, Y: figure.Axis{Label: "y"}}
	f.Line("a", []float64{0, 2}, []float64{0, 2})
	f.Line("b", []float64{1}, []float64{1})
	with := drawn(t, f, SVG)
	f.Series[1].X, f.Series[1].Y = nil, nil
	if more := bytes.Count(with, []byte("<path")) - bytes.Count(drawn(t, f, SVG), []byte("<path")); more != 1 {
		t.Errorf("the point is %d paths", more)
	}
}

func TestNothingToDraw(t *testing.T) {
	for _, series := range [][]figure.Series{nil, {{}, {}}} {
		err := Write(&bytes.Buffer{}, &figure.Figure{ID: "pauses", Steps: true, Series: series, Empty: "No port was paused."}, PNG, Column())
		if err == nil || err.Error() != "pauses: nothing to draw: No port was paused." {
			t.Error(err)
		}
	}
	steps := &figure.Figure{ID: "steps", Names: []string{"a", "b"}, Steps: true, Series: []figure.Series{{}, {Name: 1, X: []figure.Num{1}, Y: []figure.Num{1}}}}
	if len(drawn(t, steps, SVG)) == 0 {
		t.Error("beside a curve without points the other is not drawn")
	}
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]Format{"a.png": PNG, "b/c.SVG": SVG, "d.pdf": PDF} {
		if got, err := FormatOf(name); err != nil || got != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if _, err := FormatOf("a.jpg"); err == nil {
		t.Error("a.jpg is taken")
	}
}
