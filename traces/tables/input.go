package tables

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/qbb-sim/qbb/traces"
)

// input is an open file: Parquet, which is read at any place, or something else, which is read from its beginning.
type input struct {
	io.ReaderAt // nil: not Parquet
	io.Reader
	io.Closer
	size int64 // of Parquet
}

// openAny opens a file, of which content tells the form. Parquet from a pipe is kept in memory, since its end is read
// first.
func openAny(path string) (*input, error) {
	f, err := traces.OpenFile(path)
	if err != nil {
		return nil, err
	}
	in := &input{Reader: f, Closer: f}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = in.keep()
	case isParquet(f):
		in.ReaderAt, in.size = f, info.Size()
	case strings.HasSuffix(path, ".parquet"): // an empty text is a whole fct.txt
		err = notParquet(path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return in, nil
}

// keep takes Parquet that cannot be read at any place into memory.
func (in *input) keep() error {
	text := bufio.NewReader(in.Reader)
	in.Reader = text
	if head, _ := text.Peek(len(traces.ParquetMagic)); string(head) != traces.ParquetMagic {
		return nil // what reads it meets the error, if there was one
	}
	all, err := io.ReadAll(text)
	in.ReaderAt, in.size = bytes.NewReader(all), int64(len(all))
	return err
}

func isParquet(f *os.File) bool {
	var magic [len(traces.ParquetMagic)]byte
	_, err := f.ReadAt(magic[:], 0)
	return err == nil && string(magic[:]) == traces.ParquetMagic
}

// open opens a Parquet file.
func open(path string) (*input, error) {
	in, err := openAny(path)
	if err == nil && in.ReaderAt == nil {
		in.Close()
		return nil, notParquet(path)
	}
	return in, err
}

func notParquet(path string) error {
	return &traces.SyntaxError{File: path, What: "not a Parquet file"}
}
