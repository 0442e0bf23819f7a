package driver

import (
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/qbb-sim/qbb/traces/tables"
)

// Flows of a Parquet file run; without the driver such a file is a one-line error.
func TestParquetFlows(t *testing.T) {
	type row struct {
		Src   int32 `parquet:"src"`
		Dst   int32 `parquet:"dst"`
		Bytes int64 `parquet:"bytes"`
		Start int64 `parquet:"start_ns"`
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "flows")
	if err := parquet.WriteFile(file, []row{{0, 1, 1000, 5}, {2, 1, 70_000, 10}}); err != nil {
		t.Fatal(err)
	}
	sc := of(t, "topology", "star:n=4", "flows", file)
	const want = ": Parquet cannot be read here: expand the file if it is compressed, else write CSV"
	if _, err := sc.Setup(); err == nil || err.Error() != file+":1"+want {
		t.Errorf("without tables: %v", err)
	}
	sum := runInto(t, sc, Options{Dir: dir})
	rows, err := tables.LoadFCT(filepath.Join(dir, "fct.parquet"))
	if err != nil || sum.Flows.Finished != 2 || len(rows) != 2 || rows[1].SizeBytes != 70_000 {
		t.Errorf("%+v, %+v, %v", sum.Flows, rows, err)
	}
}
