package tables

import (
	"io"

	"github.com/qbb-sim/qbb/traces"
)

// LoadFlows reads a flow file in any of its formats, told apart by content: Parquet, and those of
// [traces.LoadFlows].
func LoadFlows(path string) ([]traces.Flow, error) {
	in, err := openAny(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if in.ReaderAt != nil {
		return ReadFlows(path, in, in.size)
	}
	return traces.ReadFlows(path, in)
}

// ReadFlows reads a flow table from a Parquet file of size bytes. Errors call it
// name and count rows from 1.
func ReadFlows(name string, r io.ReaderAt, size int64) (flows []traces.Flow, err error) {
	defer recoverParquet(name, &err)
	file, err := openParquet(name, r, size)
	if err != nil {
		return nil, err
	}
	header, texts, err := textColumns(name, file)
	if err != nil {
		return nil, err
	}
	table, err := traces.NewFlowTable(name, 0, header)
	if err != nil {
		return nil, err
	}
	if err := eachRow(name, file, texts, table.Add); err != nil {
		return nil, err
	}
	return table.Flows(), nil
}
