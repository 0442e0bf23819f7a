package chakra

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// messages reads the messages of a file, each behind its length.
type messages struct {
	r   *bufio.Reader
	buf bytes.Buffer
}

func newMessages() *messages { return &messages{r: bufio.NewReaderSize(nil, 64<<10)} }

// next returns the next message, until it is called again; io.EOF: there is none.
func (m *messages) next() ([]byte, error) {
	size, err := binary.ReadUvarint(m.r)
	switch {
	case err == io.EOF:
		return nil, err
	case err == nil && size > math.MaxInt32:
		return nil, fmt.Errorf("a length of %d bytes, and the most is %d", size, math.MaxInt32)
	case err == nil:
		m.buf.Reset()
		_, err = io.CopyN(&m.buf, m.r, int64(size)) // the memory grows with what is there, whatever the length says
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("the file ends in it")
	}
	return m.buf.Bytes(), err
}

// field is a field of a message.
type field struct {
	number protowire.Number
	kind   protowire.Type
	bits   uint64 // of a varint and of fixed numbers
	bytes  []byte // of what has a length
}

// eachField visits the fields of a message.
func eachField(b []byte, visit func(f *field) error) error {
	for len(b) > 0 {
		var f field
		var n int
		f.number, f.kind, n = protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		switch f.kind {
		case protowire.VarintType:
			f.bits, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(b)
			f.bits = uint64(v)
		case protowire.Fixed64Type:
			f.bits, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(f.number, f.kind, b)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		if err := visit(&f); err != nil {
			return err
		}
	}
	return nil
}

// is demands the type that a field has in the schema.
func (f *field) is(kind protowire.Type) error {
	if f.kind != kind {
		return fmt.Errorf("field %d has the wire type %d, and %d in the schema", f.number, f.kind, kind)
	}
	return nil
}

// appendNumbers appends the numbers of a repeated field, which are packed or stand alone.
func (f *field) appendNumbers(list []uint64) ([]uint64, error) {
	if f.kind == protowire.VarintType {
		return append(list, f.bits), nil
	}
	if err := f.is(protowire.BytesType); err != nil {
		return nil, err
	}
	for b := f.bytes; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		list, b = append(list, v), b[n:]
	}
	return list, nil
}
