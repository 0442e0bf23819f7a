package tables

import (
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/qbb-sim/qbb/traces"
)

// checkReadable reports what the Parquet library (0.32) would silently read as other values: pages that LZ4 has made
// less than three times as small, which become zeros, and Booleans in runs, of which every eighth is right.
func checkReadable(name string, file *parquet.File) error {
	for _, group := range file.Metadata().RowGroups {
		for i := range group.Columns {
			c := &group.Columns[i].MetaData
			column := strings.Join(c.PathInSchema, ".")
			switch {
			case c.Codec == format.Lz4 || c.Codec == format.Lz4Raw:
				return &traces.SyntaxError{File: name, What: "column is compressed with LZ4, which cannot be read:", Text: column, Fix: "compress it otherwise, such as with snappy or zstd"}
			case c.Type == format.Boolean && inRuns(c):
				return &traces.SyntaxError{File: name, What: "column has Booleans in runs (RLE), which cannot be read:", Text: column, Fix: `write them plain, as PyArrow does with data_page_version="1.0"`}
			}
		}
	}
	return nil
}

// inRuns reports whether pages of a column chunk hold their values, and not only what is null, in runs.
func inRuns(c *format.ColumnMetaData) bool {
	if len(c.EncodingStats) == 0 {
		return slices.Contains(c.Encoding, format.RLE) && !slices.Contains(c.Encoding, format.Plain)
	}
	return slices.ContainsFunc(c.EncodingStats, func(s format.PageEncodingStats) bool { return s.Encoding == format.RLE })
}
