package traces

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// ReadFlowsParquet reads a flow table from a Parquet file of size bytes. Errors call it
// name and count rows from 1.
func ReadFlowsParquet(name string, r io.ReaderAt, size int64) (flows []Flow, err error) {
	defer recoverParquet(name, &err)
	file, err := openParquet(name, r, size)
	if err != nil {
		return nil, err
	}
	var header []string
	for _, c := range file.Root().Columns() {
		if !c.Leaf() || c.Repeated() {
			return nil, &SyntaxError{name, 0, "column is not a plain one:", c.Name(), "write numbers and strings only"}
		}
		header = append(header, c.Name())
	}
	table, err := newFlowTable(name, 0, header)
	if err != nil {
		return nil, err
	}
	for _, group := range file.RowGroups() {
		if err := table.addGroup(group); err != nil {
			return nil, err
		}
	}
	return table.flows, nil
}

func (t *flowTable) addGroup(group parquet.RowGroup) error {
	rows := group.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, 1024)
	cells := make([]string, len(t.columns))
	for {
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			clear(cells)
			for _, v := range row {
				cells[v.Column()] = cellText(v)
			}
			if err := t.add(len(t.flows)+1, cells); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: row %d: cannot read: %w", t.name, len(t.flows)+1, err)
		case n == 0:
			return fmt.Errorf("%s: row %d: cannot read: no progress", t.name, len(t.flows)+1)
		}
	}
}

// cellText writes a value as CSV would hold it; null is empty.
func cellText(v parquet.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.Kind() == parquet.Double:
		return strconv.FormatFloat(v.Double(), 'f', -1, 64)
	case v.Kind() == parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'f', -1, 32)
	}
	return v.String()
}
