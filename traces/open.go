package traces

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory that a zstd stream may ask for: the window of level 19.
const maxWindow = 8 << 20

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// OpenFile opens a file without expanding it. Standard input need not be a file that can be opened: it may be a socket, and
// Windows has no name for it.
func OpenFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil && path == os.Stdin.Name() {
		return os.Stdin, nil
	}
	return f, err
}

// Open opens a file. Gzip and zstd are recognised by content, whatever the name.
func Open(path string) (io.ReadCloser, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	r, err := expand(f)
	if err != nil {
		f.Close()
		return nil, unreadable(path, err)
	}
	return &opened{ReadCloser: r, file: f}, nil
}

// unreadable is the error of a file whose first bytes cannot be read: it is a folder, or compressed
// and damaged.
func unreadable(name string, err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return &SyntaxError{File: name, What: "cannot be read: " + path.Err.Error()}
	}
	return &SyntaxError{File: name, What: "cannot expand: " + err.Error()}
}

type opened struct {
	io.ReadCloser
	file *os.File
}

func (o *opened) Close() error {
	o.ReadCloser.Close()
	return o.file.Close()
}

// expand returns the content of r, expanded if it is compressed.
func expand(r io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return gzip.NewReader(b)
	case bytes.HasPrefix(head, zstdMagic):
		d, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return io.NopCloser(b), nil
}

// load applies a reader to a file.
func load[T any](path string, read func(name string, r io.Reader) (T, error)) (T, error) {
	f, err := OpenFile(path)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return read(path, f)
}
