package traces

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

const parquetMagic = "PAR1"

// parquetSize reports whether a file is a Parquet file, by content, and its size.
func parquetSize(f *os.File) (size int64, ok bool) {
	var magic [len(parquetMagic)]byte
	if _, err := f.ReadAt(magic[:], 0); err != nil || string(magic[:]) != parquetMagic {
		return 0, false
	}
	info, err := f.Stat()
	if err != nil {
		return 0, false
	}
	return info.Size(), true
}

// openParquet opens a Parquet file whose footer is sound.
func openParquet(name string, r io.ReaderAt, size int64) (*parquet.File, error) {
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("%s: not a complete Parquet file: %w", name, err)
	}
	return file, nil
}

// recoverParquet turns a panic of the Parquet library, which trusts what a damaged file
// says of itself, into an error.
func recoverParquet(name string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: damaged Parquet file: %v", name, r)
	}
}

// readRows reads all rows of a Parquet file that has the columns of T.
func readRows[T any](name string, r io.ReaderAt, size int64) (rows []T, err error) {
	defer recoverParquet(name, &err)
	file, err := openParquet(name, r, size)
	if err != nil {
		return nil, err
	}
	for _, c := range columnsOf[T]() {
		if file.Root().Column(c.Name) == nil {
			return nil, &SyntaxError{File: name, What: "no column", Text: c.Name, Fix: "is this the right table?"}
		}
	}
	in := parquet.NewGenericReader[T](file)
	defer in.Close()
	buffer := make([]T, 1024)
	for {
		clear(buffer)
		n, err := in.Read(buffer)
		rows = append(rows, buffer[:n]...)
		if err == io.EOF || err == nil && n == 0 {
			return rows, nil
		}
		if err != nil {
			return nil, &SyntaxError{File: name, What: "row " + strconv.Itoa(len(rows)+1) + ": " + err.Error()}
		}
	}
}
