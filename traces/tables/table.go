package tables

import (
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/qbb-sim/qbb/traces"
)

// rowsInGroup bounds the rows that a Table holds back: some ten megabytes.
const rowsInGroup = 1 << 17

// application is what tables call the program that wrote them.
const application = "qbb"

// Meta is a key and value in the footer of a Parquet file, such as scenario, seed, version.
type Meta struct{ Key, Value string }

// Table writes rows of type T to a Parquet file, zstd-compressed. Rows should come some
// thousands at a time.
type Table[T any] struct{ w *parquet.GenericWriter[T] }

// newTable returns a table that is written to w. The file is complete after close.
func newTable[T any](w io.Writer, meta []Meta) *Table[T] {
	options := []parquet.WriterOption{
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.MaxRowsPerRowGroup(rowsInGroup),
		parquet.PageBufferSize(256 << 10),
		parquet.CreatedBy(application, "1", "parquet-go"),
	}
	for _, m := range meta {
		options = append(options, parquet.KeyValueMetadata(m.Key, m.Value))
	}
	return &Table[T]{w: parquet.NewGenericWriter[T](w, options...)}
}

// Create adds a table to the files of an output, which closes it on Commit.
func Create[T any](o *traces.Output, name string, meta []Meta) (*Table[T], error) {
	f, err := o.Create(name)
	if err != nil {
		return nil, err
	}
	t := newTable[T](f, meta)
	f.Finish(t.close)
	return t, nil
}

// Write appends rows. The caller may use the slice again.
func (t *Table[T]) Write(rows []T) error {
	_, err := t.w.Write(rows)
	return err
}

// close writes the footer. It does not close the writer below.
func (t *Table[T]) close() error { return t.w.Close() }
