package tables

import (
	"math"
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
	for i := range rows {
		switch r := &rows[i]; {
		case r.SizeBytes < 0 || r.SizeBytes == math.MaxInt64:
			return nil, rowError(path, i+1, &traces.SyntaxError{What: "size_bytes is out of range", Text: strconv.FormatInt(r.SizeBytes, 10)})
		case r.Finished && r.FCTNs <= 0:
			return nil, rowError(path, i+1, &traces.SyntaxError{What: "fct_ns of a finished flow is not above 0", Text: strconv.FormatFloat(r.FCTNs, 'g', -1, 64)})
		}
	}
	return rows, err
}
