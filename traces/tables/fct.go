package tables

import (
	"os"

	"github.com/qbb-sim/qbb/traces"
)

// LoadFCT reads the flows of an earlier run, fct.txt or fct.parquet.
func LoadFCT(path string) ([]traces.FCTRow, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size, ok := parquetSize(f); ok {
		return readRows[traces.FCTRow](path, f, size)
	}
	return traces.ReadFCT(path, f)
}
