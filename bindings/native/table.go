package native

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/qbb-sim/qbb/traces"
)

// Table holds rows by column, as NumPy wants them. Texts are numbers into a list of labels.
type Table struct {
	mu      sync.Mutex
	kind    string
	rows    int
	columns []column
}

// column is a column of a Table: the bytes of its values, one after the other.
type column struct {
	traces.Column
	Labels []string // of a column of text

	offset, size uintptr // of the field in a row, and of a value in data
	text         bool
	codes        map[string]int32
	data         []byte
}

// tableOf returns an empty table with the columns of a row type.
func tableOf[T any](kind string) *Table {
	t := &Table{kind: kind}
	fields := reflect.TypeFor[T]()
	for i, c := range traces.ColumnsOf[T]() {
		f := fields.Field(i)
		col := column{Column: c, offset: f.Offset, size: f.Type.Size()}
		if f.Type.Kind() == reflect.String {
			col.text, col.size, col.codes = true, unsafe.Sizeof(int32(0)), make(map[string]int32)
		}
		t.columns = append(t.columns, col)
	}
	return t
}

// add appends rows of the type that the table was made for.
func add[T any](t *Table, rows []T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.columns {
		c := &t.columns[i]
		for j := range rows {
			c.add(unsafe.Pointer(&rows[j]))
		}
	}
	t.rows += len(rows)
}

// add appends the column's field of a row.
func (c *column) add(row unsafe.Pointer) {
	field := unsafe.Add(row, c.offset)
	if c.text {
		code := c.code(*(*string)(field))
		field = unsafe.Pointer(&code)
	}
	c.data = append(c.data, unsafe.Slice((*byte)(field), c.size)...)
}

// code returns the number of a label, which is added if it is new.
func (c *column) code(label string) int32 {
	code, ok := c.codes[label]
	if !ok {
		code = int32(len(c.Labels))
		c.codes[label] = code
		c.Labels = append(c.Labels, label)
	}
	return code
}

// rowsOf returns the rows of a table of a kind, which must have been made from the same row type.
func rowsOf[T any](t *Table, kind string) ([]T, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kind != kind {
		return nil, fmt.Errorf("a table %s is needed, not %s", kind, t.kind)
	}
	rows := make([]T, t.rows)
	for i := range t.columns {
		c := &t.columns[i]
		if len(c.data) != t.rows*int(c.size) {
			return nil, fmt.Errorf("column %s has %d values, the table %d rows", c.Name, len(c.data)/int(c.size), t.rows)
		}
		for j := range rows {
			c.get(j, unsafe.Add(unsafe.Pointer(&rows[j]), c.offset))
		}
	}
	return rows, nil
}

// get copies a value to its field in a row. The codes of a column are in range.
func (c *column) get(i int, field unsafe.Pointer) {
	value := c.data[i*int(c.size):][:c.size]
	if c.text {
		*(*string)(field) = c.Labels[*(*int32)(unsafe.Pointer(&value[0]))]
		return
	}
	copy(unsafe.Slice((*byte)(field), c.size), value)
}

// snapshot returns a table with the same rows, which does not change as this one grows.
func (t *Table) snapshot() *Table {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &Table{kind: t.kind, rows: t.rows, columns: slices.Clone(t.columns)}
	for i := range c.columns {
		col := &c.columns[i]
		col.data, col.Labels = slices.Clip(col.data), slices.Clip(col.Labels)
		col.codes = maps.Clone(col.codes)
	}
	return c
}

// Rows returns the number of rows.
func (t *Table) Rows() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows
}

// Describe returns the columns as JSON: Name, Type, Unit, Doc, and Labels of a column of text,
// whose values are int32 numbers into them.
func (t *Table) Describe() (text string, err error) {
	defer guard(&err)
	t.mu.Lock()
	defer t.mu.Unlock()
	return asJSON(t.columns), nil
}

// Column returns the values of a column, in the machine's byte order.
func (t *Table) Column(name string) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.column(name); c != nil {
		return c.data, nil
	}
	return nil, fmt.Errorf("table %s has no column %q", t.kind, name)
}

func (t *Table) column(name string) *column {
	i := slices.IndexFunc(t.columns, func(c column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &t.columns[i]
}
