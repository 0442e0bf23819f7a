package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/qbb-sim/qbb/traces"
)

// checkNumbers reports numbers of the footer, which have no checksum, that contradict one another or the place
// of the footer: the Parquet library takes whatever lies where they point to for pages, and makes room for
// what these say of themselves.
func checkNumbers(file *parquet.File, footer int64) error {
	var flat []bool
	for _, path := range file.Schema().Columns() {
		leaf, _ := file.Schema().Lookup(path...)
		flat = append(flat, leaf.MaxRepetitionLevel == 0)
	}
	rows := int64(0)
	for _, group := range file.Metadata().RowGroups {
		rows += group.NumRows
		if len(group.Columns) != len(flat) {
			return fmt.Errorf("a group has %d columns, the file %d", len(group.Columns), len(flat))
		}
		for i := range group.Columns {
			if c := &group.Columns[i].MetaData; flat[i] && c.NumValues != group.NumRows {
				return fmt.Errorf("column %s has %d values in %d rows", strings.Join(c.PathInSchema, "."), c.NumValues, group.NumRows)
			}
		}
	}
	if rows != file.NumRows() {
		return fmt.Errorf("its groups have %d rows, the file %d", rows, file.NumRows())
	}
	return checkExtents(extents(file.Metadata().RowGroups), footer)
}

// extent is where a file has something of a column: its pages or an index of them.
type extent struct {
	column     string
	begin, end int64
}

// extents returns those of all groups that have rows; others may have no pages.
func extents(groups []format.RowGroup) (all []extent) {
	for _, group := range groups {
		if group.NumRows == 0 {
			continue
		}
		for i := range group.Columns {
			c := &group.Columns[i]
			name, begin := strings.Join(c.MetaData.PathInSchema, "."), c.MetaData.DataPageOffset
			if c.MetaData.DictionaryPageOffset > 0 {
				begin = min(begin, c.MetaData.DictionaryPageOffset)
			}
			all = append(all, extent{name, begin, begin + c.MetaData.TotalCompressedSize})
			if at := c.OffsetIndexOffset; at > 0 {
				all = append(all, extent{name, at, at + int64(c.OffsetIndexLength)})
			}
			if at := c.ColumnIndexOffset; at > 0 {
				all = append(all, extent{name, at, at + int64(c.ColumnIndexLength)})
			}
		}
	}
	return all
}

// checkExtents reports extents that overlap one another or the footer.
func checkExtents(all []extent, footer int64) error {
	slices.SortFunc(all, func(a, b extent) int { return cmp.Compare(a.begin, b.begin) })
	last := int64(len(traces.ParquetMagic))
	for _, x := range all {
		if x.begin < last || x.end < x.begin || x.end > footer {
			return fmt.Errorf("column %s is to be at bytes %d to %d, of %d to %d", x.column, x.begin, x.end, last, footer)
		}
		last = x.end
	}
	return nil
}
