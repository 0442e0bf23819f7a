package tables

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/qbb-sim/qbb/traces"
)

// LoadFlows reads a flow file in any of its formats, told apart by content: Parquet, and those of
// [traces.LoadFlows].
func LoadFlows(path string) ([]traces.Flow, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size, ok := parquetSize(f); ok {
		return ReadFlows(path, f, size)
	}
	return traces.ReadFlows(path, f)
}

// ReadFlows reads a flow table from a Parquet file of size bytes. Errors call it
// name and count rows from 1.
func ReadFlows(name string, r io.ReaderAt, size int64) (flows []traces.Flow, err error) {
	defer recoverParquet(name, &err)
	file, err := openParquet(name, r, size)
	if err != nil {
		return nil, err
	}
	var header []string
	for _, c := range file.Root().Columns() {
		if !c.Leaf() || c.Repeated() {
			return nil, &traces.SyntaxError{File: name, What: "column is not a plain one:", Text: c.Name(), Fix: "write numbers and strings only"}
		}
		header = append(header, c.Name())
	}
	table, err := traces.NewFlowTable(name, 0, header)
	if err != nil {
		return nil, err
	}
	for _, group := range file.RowGroups() {
		if err := addGroup(table, name, group); err != nil {
			return nil, err
		}
	}
	return table.Flows(), nil
}

func addGroup(t *traces.FlowTable, name string, group parquet.RowGroup) error {
	rows := group.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, 1024)
	cells := make([]string, t.Width())
	for {
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			clear(cells)
			for _, v := range row {
				cells[v.Column()] = cellText(v)
			}
			if err := t.Add(len(t.Flows())+1, cells); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: row %d: cannot read: %w", name, len(t.Flows())+1, err)
		case n == 0:
			return fmt.Errorf("%s: row %d: cannot read: no progress", name, len(t.Flows())+1)
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
