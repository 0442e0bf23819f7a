package tables

import (
	"io"
	"reflect"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// rowReader reads the next rows of a table, and says why there are no more.
type rowReader[T any] interface {
	Read(rows []T) (n int, err error)
	Close() error
}

// isOurs reports whether the columns of T are what a Table writes, and every group has rows: the library reads
// such files fast, but changes numbers of other types silently, and fails at groups without rows.
func isOurs[T any](file *parquet.File) bool {
	for _, ours := range parquet.SchemaOf(*new(T)).Fields() {
		if !parquet.EqualNodes(ours, file.Root().Column(ours.Name())) {
			return false
		}
	}
	return !slices.ContainsFunc(file.RowGroups(), func(g parquet.RowGroup) bool { return g.NumRows() == 0 })
}

// foreign reads rows of T as other programs write them: from columns of other types, whose values are read as text.
// Null is no text, and no number.
type foreign[T any] struct {
	groups []parquet.RowGroup // still to be read
	rows   parquet.Rows       // of the first of them; nil: not open
	cells  map[int]cell       // by column of the file; others are left out
	buffer []parquet.Row
}

// cell is where the values of a column go.
type cell struct {
	name  string
	field int // of T
	text  cellText
}

func newForeign[T any](name string, file *parquet.File) (*foreign[T], error) {
	units, err := durations(file)
	if err != nil {
		return nil, damagedArrow(name, err)
	}
	f := &foreign[T]{groups: file.RowGroups(), cells: make(map[int]cell), buffer: make([]parquet.Row, rowsAtOnce)}
	for i, column := range traces.ColumnsOf[T]() {
		c := file.Root().Column(column.Name)
		text, err := columnText(name, c, units)
		if err != nil {
			return nil, err
		}
		f.cells[c.Index()] = cell{column.Name, i, text}
	}
	return f, nil
}

// Read implements rowReader.
func (f *foreign[T]) Read(rows []T) (n int, err error) {
	for ; len(f.groups) > 0; f.groups = f.groups[1:] {
		if f.groups[0].NumRows() == 0 { // which may have no pages to be read
			continue
		}
		if f.rows == nil {
			f.rows = f.groups[0].Rows()
		}
		n, err = f.rows.ReadRows(f.buffer[:min(len(rows), len(f.buffer))])
		for i, row := range f.buffer[:n] {
			if err := f.set(reflect.ValueOf(&rows[i]).Elem(), row); err != nil {
				return i, err
			}
		}
		switch {
		case err != io.EOF:
			return n, err
		case n > 0: // and perhaps rows of other groups
			return n, nil
		}
		f.Close()
	}
	return 0, io.EOF
}

// Close implements rowReader.
func (f *foreign[T]) Close() (err error) {
	if f.rows != nil {
		err, f.rows = f.rows.Close(), nil
	}
	return err
}

// set fills a row of T, which is zero.
func (f *foreign[T]) set(to reflect.Value, row parquet.Row) error {
	for _, v := range row {
		c, wanted := f.cells[v.Column()]
		if !wanted {
			continue
		}
		if v.IsNull() {
			if to.Field(c.field).Kind() != reflect.String {
				return &traces.SyntaxError{What: c.name + " is missing", Fix: "write a value, or leave the row out"}
			}
			continue
		}
		text := c.text(v)
		if problem := setField(to.Field(c.field), text); problem != "" {
			return &traces.SyntaxError{What: c.name + " " + problem, Text: text}
		}
	}
	return nil
}

// setField sets a field of a row to what a text says, or says what is wrong with that.
func setField(field reflect.Value, text string) (problem string) {
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
	case reflect.Bool:
		yes, err := strconv.ParseBool(text)
		if err != nil {
			return "is neither true nor false"
		}
		field.SetBool(yes)
	case reflect.Float64:
		x, err := core.ParseFloat(text)
		if err != nil {
			return "is not a number"
		}
		field.SetFloat(x)
	default:
		n, err := strconv.ParseInt(text, 10, field.Type().Bits())
		switch {
		case err != nil && err.(*strconv.NumError).Err == strconv.ErrRange:
			return "is out of range"
		case err != nil:
			return "is not a whole number"
		}
		field.SetInt(n)
	}
	return ""
}
