package tables

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// durations returns the columns of a file that are Arrow durations, and the decimals of a second in which each one
// counts: 9 for nanoseconds. Parquet has no such type: PyArrow and pandas write whole numbers, and their unit only
// into Arrow's schema, which is in the footer: in base64, a message with a FlatBuffer (Arrow's Columnar.rst,
// "Encapsulated message format", and its Message.fbs and Schema.fbs).
func durations(file *parquet.File) (map[string]int, error) {
	text, ok := file.Lookup("ARROW:schema")
	if !ok {
		return nil, nil
	}
	message, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(message) == 0xffffffff { // stands before the length since Arrow 0.15
		message = message[4:]
	}
	schema := flat{message, 4}.follow().child(2)
	found := make(map[string]int)
	fields := schema.child(1)
	for i := range fields.uint32() {
		column := flat{message, fields.at + 4 + 4*int(i)}.follow()
		if kind := column.field(2); kind.at == 0 || message[kind.at] != 18 { // Type.Duration
			continue
		}
		found[column.child(0).text()] = column.child(3).timeUnit()
	}
	return found, nil
}

// damagedArrow is the error of a file whose durations cannot be read.
func damagedArrow(name string, err error) error {
	return fmt.Errorf("%s: damaged Parquet file: ARROW:schema: %w", name, err)
}

// flat is a place in a FlatBuffer; that of a field left out, which has its default, is 0.
type flat struct {
	buffer []byte
	at     int
}

func (f flat) uint32() uint32 { return binary.LittleEndian.Uint32(f.buffer[f.at:]) }
func (f flat) uint16() uint16 { return binary.LittleEndian.Uint16(f.buffer[f.at:]) }

// follow returns where the offset at f leads.
func (f flat) follow() flat { return flat{f.buffer, f.at + int(f.uint32())} }

// field returns field n of the table at f.
func (f flat) field(n int) flat {
	offsets := flat{f.buffer, f.at - int(int32(f.uint32()))}
	entry := flat{f.buffer, offsets.at + 4 + 2*n}
	if entry.at >= offsets.at+int(offsets.uint16()) || entry.uint16() == 0 {
		return flat{f.buffer, 0}
	}
	return flat{f.buffer, f.at + int(entry.uint16())}
}

// child returns the table, vector or text that field n of the table at f refers to.
func (f flat) child(n int) flat { return f.field(n).follow() }

func (f flat) text() string { return string(f.buffer[f.at+4:][:f.uint32()]) }

// timeUnit returns the decimals of the unit, the first field of the table at f, by default milliseconds.
func (f flat) timeUnit() int {
	if unit := f.field(0); unit.at != 0 {
		return 3 * int(unit.uint16())
	}
	return 3
}
