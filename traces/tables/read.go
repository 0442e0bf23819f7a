package tables

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/qbb-sim/qbb/traces"
)

// openParquet opens a Parquet file whose footer is sound, and whose values the library reads as they are.
func openParquet(name string, r io.ReaderAt, size int64) (*parquet.File, error) {
	footer, err := findFooter(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: not a complete Parquet file: %w", name, err)
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("%s: not a complete Parquet file: %w", name, err)
	}
	if err := checkNumbers(file, footer); err != nil {
		return nil, fmt.Errorf("%s: damaged Parquet file: %w", name, err)
	}
	if err := checkReadable(name, file); err != nil {
		return nil, err
	}
	return file, nil
}

// findFooter returns where the footer begins. Its length, which the last eight bytes hold before a mark, is compared
// with that of the file: the Parquet library makes room for a footer of any length.
func findFooter(r io.ReaderAt, size int64) (begin int64, err error) {
	const around = int64(len(traces.ParquetMagic)) + 8
	var end [8]byte
	if size < around {
		return 0, fmt.Errorf("it has %d bytes only", size)
	}
	if _, err := r.ReadAt(end[:], size-int64(len(end))); err != nil && err != io.EOF {
		return 0, err
	}
	footer := int64(binary.LittleEndian.Uint32(end[:]))
	if footer > size-around {
		return 0, fmt.Errorf("its footer is to have %d bytes, the file has %d", footer, size)
	}
	return size - int64(len(end)) - footer, nil
}

// recoverParquet turns a panic of the Parquet library, which trusts what a damaged file
// says of itself, into an error.
func recoverParquet(name string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: damaged Parquet file: %v", name, r)
	}
}

// Scan reads a Parquet file that has the columns of T, such as ports.parquet of [traces.PortRow],
// some rows at a time, in order. The slice is reused after visit has returned.
func Scan[T any](path string, visit func(rows []T)) error {
	in, err := open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	return scanRows(path, in, in.size, visit)
}

// Value returns the value of a key in the metadata of a Parquet file, such as scenario; empty if it has no
// such key.
func Value(path, key string) (value string, err error) {
	in, err := open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	defer recoverParquet(path, &err)
	file, err := openParquet(path, in, in.size)
	if err != nil {
		return "", err
	}
	value, _ = file.Lookup(key)
	return value, nil
}

// OfRun reports whether a file is a table that a run of qbb has written: its metadata name the program and the
// scenario. A link to such a file does not count.
func OfRun(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	in, err := open(path)
	if err != nil {
		return false
	}
	defer in.Close()
	return ofRun(path, in, in.size)
}

func ofRun(name string, r io.ReaderAt, size int64) (ours bool) {
	var damaged error // is not ours either
	defer recoverParquet(name, &damaged)
	file, err := openParquet(name, r, size)
	if err != nil {
		return false
	}
	_, ok := file.Lookup("scenario")
	return ok && strings.HasPrefix(file.Metadata().CreatedBy, application+" ")
}

// readRows reads all rows of a Parquet file that has the columns of T.
func readRows[T any](name string, r io.ReaderAt, size int64) ([]T, error) {
	var all []T
	if err := scanRows(name, r, size, func(rows []T) { all = append(all, rows...) }); err != nil {
		return nil, err
	}
	return all, nil
}

// rowsAtOnce is the number of rows that are read at a time.
const rowsAtOnce = 1024

// scanRows is Scan for an open file.
func scanRows[T any](name string, r io.ReaderAt, size int64, visit func(rows []T)) error {
	in, rows, err := openRows[T](name, r, size)
	if err != nil {
		return err
	}
	defer in.Close()
	buffer := make([]T, rowsAtOnce)
	for seen := 0; ; {
		n, end, err := readSome(name, in, buffer)
		if err != nil {
			return err
		}
		some, problem := checkFinite(buffer[:n])
		if problem != nil {
			end = problem
		}
		visit(some)
		seen += len(some)
		switch {
		case end == io.EOF:
			return checkRows(name, seen, rows)
		case end != nil:
			return rowError(name, seen+1, end)
		case n == 0:
			return rowError(name, seen+1, io.ErrNoProgress)
		}
	}
}

// checkRows compares the number of rows that were read with that of the footer.
func checkRows(name string, seen int, rows int64) error {
	if int64(seen) != rows {
		return fmt.Errorf("%s: damaged Parquet file: it has %d rows, not %d", name, seen, rows)
	}
	return nil
}

// rowError says what is wrong with a row of a file.
func rowError(name string, row int, err error) error {
	wrong := traces.SyntaxError{What: err.Error()}
	if of, ok := errors.AsType[*traces.SyntaxError](err); ok {
		wrong = *of
	}
	wrong.File, wrong.What = name, "row "+strconv.Itoa(row)+": "+wrong.What
	return &wrong
}

// checkFinite reports the first row with a number that no run has, NaN or infinite, and returns the rows
// before it.
func checkFinite[T any](rows []T) ([]T, error) {
	var problem error
	for k, c := range traces.ColumnsOf[T]() {
		if reflect.TypeFor[T]().Field(k).Type.Kind() != reflect.Float64 {
			continue
		}
		for i := range rows {
			if x := reflect.ValueOf(&rows[i]).Elem().Field(k).Float(); math.IsNaN(x) || math.IsInf(x, 0) {
				rows, problem = rows[:i], &traces.SyntaxError{What: c.Name + " is not a finite number", Text: strconv.FormatFloat(x, 'g', -1, 64)}
				break
			}
		}
	}
	return rows, problem
}

// openRows opens a Parquet file that has the columns of T, and tells how many rows it is to have.
func openRows[T any](name string, r io.ReaderAt, size int64) (in rowReader[T], rows int64, err error) {
	defer recoverParquet(name, &err)
	file, err := openParquet(name, r, size)
	if err != nil {
		return nil, 0, err
	}
	for _, c := range traces.ColumnsOf[T]() {
		if file.Root().Column(c.Name) == nil {
			return nil, 0, &traces.SyntaxError{File: name, What: "no column", Text: c.Name, Fix: "is this the right table?"}
		}
	}
	if isOurs[T](file) {
		return parquet.NewGenericReader[T](file), file.NumRows(), nil
	}
	in, err = newForeign[T](name, file)
	return in, file.NumRows(), err
}

// readSome reads the next rows, and says why there are no more.
func readSome[T any](name string, in rowReader[T], buffer []T) (n int, end, err error) {
	defer recoverParquet(name, &err)
	clear(buffer)
	n, end = in.Read(buffer)
	return n, end, nil
}
