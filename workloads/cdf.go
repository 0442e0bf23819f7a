package workloads

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// Point says that a share of the messages is not larger than Size.
type Point struct {
	Size    core.Bytes
	Percent float64
}

// CDF is a distribution of message sizes: linear between its points, with any weight
// before the first point at that size. Two points of one size make a step.
type CDF struct {
	points []Point
}

// NewCDF checks the points: sizes and percentages must not decrease, and 100 percent must
// be reached.
func NewCDF(points []Point) (*CDF, error) {
	for i, p := range points {
		if err := checkPoint(points[:i], p); err != nil {
			return nil, fmt.Errorf("point %d: %w", i+1, err)
		}
	}
	if err := checkEnd(points); err != nil {
		return nil, err
	}
	return &CDF{points: points}, nil
}

func checkPoint(before []Point, p Point) error {
	switch {
	case p.Size < 0:
		return fmt.Errorf("the size %d is negative", p.Size)
	case !(p.Percent >= 0 && p.Percent <= 100):
		return fmt.Errorf("%v is not a percentage", p.Percent)
	case len(before) == 0:
		return nil
	}
	last := before[len(before)-1]
	switch {
	case p.Size < last.Size:
		return fmt.Errorf("the size %d is below the %d before it; sizes must not decrease", p.Size, last.Size)
	case p.Percent < last.Percent:
		return fmt.Errorf("%v percent is below the %v before it; percentages must not decrease", p.Percent, last.Percent)
	}
	return nil
}

func checkEnd(points []Point) error {
	switch n := len(points); {
	case n == 0:
		return fmt.Errorf("there are no points")
	case points[n-1].Percent == 1:
		return fmt.Errorf("the last point has 1 percent, not 100; are these fractions? Multiply them by 100")
	case points[n-1].Percent != 100:
		return fmt.Errorf("the last point has %v percent, not 100", points[n-1].Percent)
	case points[n-1].Size == 0:
		return fmt.Errorf("all sizes are 0")
	}
	return nil
}

// ReadCDF reads lines of a size and a percentage: "10000 15" or "10KB 15". Blank lines and
// lines that begin with # are skipped. Errors call the file name.
func ReadCDF(name string, r io.Reader) (*CDF, error) {
	var points []Point
	lines, n := bufio.NewScanner(r), 1
	for ; lines.Scan(); n++ {
		text := lines.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // a byte order mark
		}
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		p, err := parsePoint(text)
		if err == nil {
			err = checkPoint(points, p)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		points = append(points, p)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s:%d: the line has more than %d bytes; is this a text file?", name, n, bufio.MaxScanTokenSize)
	case err != nil:
		return nil, fmt.Errorf("%s:%d: %w", name, n, err)
	}
	if err := checkEnd(points); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &CDF{points: points}, nil
}

func parsePoint(text string) (Point, error) {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return Point{}, fmt.Errorf("%q is not a size and a percentage, such as 10000 15", text)
	}
	size, err := core.ParseBytes(fields[0])
	if err != nil {
		return Point{}, err
	}
	percent, err := core.ParseFloat(fields[1])
	if err != nil {
		return Point{}, fmt.Errorf("%q is not a percentage", fields[1])
	}
	return Point{size, percent}, nil
}

// Points returns the points. The caller must not change them.
func (c *CDF) Points() []Point { return c.points }

// Mean returns the mean of what Sample draws, in bytes.
func (c *CDF) Mean() float64 {
	p := c.points
	sum := float64(p[0].Percent * max(1, float64(p[0].Size)))
	for i := 1; i < len(p); i++ {
		sum += float64((p[i].Percent - p[i-1].Percent) * meanBetween(float64(p[i-1].Size), float64(p[i].Size)))
	}
	return sum / 100
}

// meanBetween returns the mean size of a segment of the distribution. As its ends are whole, rounding moves as much up
// as down. What is below half a byte, from 0 a share of 0.5/b, becomes 1 byte.
func meanBetween(a, b float64) float64 {
	middle := float64((b + a) / 2)
	switch {
	case b == 0:
		return 1
	case a == 0:
		return middle + 0.5/b
	}
	return middle
}

// Quantile returns the size, in bytes, that a share u of the messages, from 0 to 1, does not exceed.
func (c *CDF) Quantile(u float64) float64 {
	p := c.points
	percent := float64(100 * u)
	i := sort.Search(len(p), func(i int) bool { return p[i].Percent >= percent })
	if i == 0 {
		return float64(p[0].Size)
	}
	share := (percent - p[i-1].Percent) / (p[i].Percent - p[i-1].Percent)
	return float64(p[i-1].Size) + float64(share*(float64(p[i].Size)-float64(p[i-1].Size)))
}

// Share returns the share of messages that are not larger than size: the inverse of Quantile.
func (c *CDF) Share(size float64) float64 {
	p := c.points
	i := sort.Search(len(p), func(i int) bool { return float64(p[i].Size) > size })
	if i == 0 {
		return 0
	}
	if i == len(p) {
		return 1
	}
	part := (size - float64(p[i-1].Size)) / (float64(p[i].Size) - float64(p[i-1].Size))
	return (p[i-1].Percent + float64(part*(p[i].Percent-p[i-1].Percent))) / 100
}

// Sample draws a size by inverse transform, rounded to whole bytes, at least 1.
func (c *CDF) Sample(s *core.Stream) int64 {
	return max(1, core.Truncate[int64](math.Round(c.Quantile(s.Float64()))))
}
