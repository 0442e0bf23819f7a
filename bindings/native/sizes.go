package native

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
	"github.com/qbb-sim/qbb/workloads"
)

// Sizes is a distribution of message sizes.
type Sizes struct{ c *workloads.CDF }

// SizeNames lists the published distributions as JSON.
func SizeNames() string { return asJSON(workloads.Sizes()) }

// NamedSizes returns a published distribution.
func NamedSizes(name string) (s *Sizes, err error) {
	defer guard(&err)
	c, err := workloads.NamedSizes(name)
	return sizes(c, err)
}

// LoadSizes reads a distribution from a file: lines of a size and a percentage.
func LoadSizes(path string) (s *Sizes, err error) {
	defer guard(&err)
	f, err := traces.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := workloads.ReadCDF(path, f)
	return sizes(c, err)
}

// ReadSizes reads a distribution from such lines.
func ReadSizes(text string) (s *Sizes, err error) {
	defer guard(&err)
	c, err := workloads.ReadCDF("sizes", strings.NewReader(text))
	return sizes(c, err)
}

func sizes(c *workloads.CDF, err error) (*Sizes, error) {
	if err != nil {
		return nil, err
	}
	return &Sizes{c}, nil
}

type pointRow struct {
	SizeBytes int64   `parquet:"size_bytes" unit:"B" doc:"size of a message"`
	Percent   float64 `parquet:"percent" unit:"%" doc:"share of the messages that are not larger"`
}

// Points returns the points between which the distribution is linear.
func (s *Sizes) Points() (t *Table, err error) {
	defer guard(&err)
	t = tableOf[pointRow]("points")
	for _, p := range s.c.Points() {
		add(t, []pointRow{{int64(p.Size), p.Percent}})
	}
	return t, nil
}

// Mean returns the mean size in bytes.
func (s *Sizes) Mean() (mean float64, err error) {
	defer guard(&err)
	return s.c.Mean(), nil
}

// Quantile returns the size in bytes that a share of the messages does not exceed.
func (s *Sizes) Quantile(share float64) (size float64, err error) {
	defer guard(&err)
	if !(share >= 0 && share <= 1) {
		return 0, fmt.Errorf("the share %v must be 0 to 1", share)
	}
	return s.c.Quantile(share), nil
}

// Share returns the share of messages that are not larger than a size in bytes.
func (s *Sizes) Share(size float64) (share float64, err error) {
	defer guard(&err)
	return s.c.Share(size), nil
}

// maxSample limits a sample, so that a slip of the pen is reported before the memory is full.
const maxSample = 1 << 28

// Sample draws n sizes, int64 each, in the machine's byte order.
func (s *Sizes) Sample(n int, seed int64) (data []byte, err error) {
	defer guard(&err)
	if n < 0 || n > maxSample {
		return nil, fmt.Errorf("%d sizes; ask for 0 to %d", n, maxSample)
	}
	stream := core.NewStream(uint64(seed), core.StreamSizes, 0)
	data = make([]byte, 0, 8*n)
	for range n {
		data = binary.NativeEndian.AppendUint64(data, uint64(s.c.Sample(stream)))
	}
	return data, nil
}
