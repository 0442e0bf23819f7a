package tables

import (
	"math"
	"slices"
	"strconv"

	"github.com/qbb-sim/qbb/traces"
)

// LoadFCT reads the flows of an earlier run, fct.txt or fct.parquet.
func LoadFCT(path string) ([]traces.FCTRow, error) {
	in, err := openAny(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if in.ReaderAt == nil {
		return traces.ReadFCT(path, in)
	}
	rows, err := readRows[traces.FCTRow](path, in, in.size)
	if i := slices.IndexFunc(rows, func(r traces.FCTRow) bool { return r.SizeBytes < 0 || r.SizeBytes == math.MaxInt64 }); i >= 0 {
		return nil, rowError(path, i+1, &traces.SyntaxError{What: "size_bytes is out of range", Text: strconv.FormatInt(rows[i].SizeBytes, 10)})
	}
	return rows, err
}
