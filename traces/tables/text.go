package tables

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/qbb-sim/qbb/traces"
)

// Text reads a Parquet file with any plain columns: visit gets their names and then, row by row, what CSV would hold,
// nothing for null. The slice is reused after visit has returned.
func Text(path string, visit func(cells []string)) (err error) {
	in, err := open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	defer recoverParquet(path, &err)
	file, err := openParquet(path, in, in.size)
	if err != nil {
		return err
	}
	header, texts, err := textColumns(path, file)
	if err != nil {
		return err
	}
	visit(header)
	return eachRow(path, file, texts, func(_ int, cells []string) error {
		visit(cells)
		return nil
	})
}

// textColumns returns the names of the columns of a file, and what writes their values.
func textColumns(name string, file *parquet.File) (header []string, texts []cellText, err error) {
	units, err := durations(file)
	if err != nil {
		return nil, nil, damagedArrow(name, err)
	}
	for _, c := range file.Root().Columns() {
		text, err := columnText(name, c, units)
		if err != nil {
			return nil, nil, err
		}
		header, texts = append(header, c.Name()), append(texts, text)
	}
	return header, texts, nil
}

// eachRow visits the rows of a file, which are numbered from 1, as text, until visit returns an error.
func eachRow(name string, file *parquet.File, texts []cellText, visit func(row int, cells []string) error) error {
	row := 0
	for _, group := range file.RowGroups() {
		if group.NumRows() == 0 { // which may have no pages to be read
			continue
		}
		if err := eachOfGroup(name, group, texts, &row, visit); err != nil {
			return err
		}
	}
	return checkRows(name, row, file.NumRows())
}

// eachOfGroup is eachRow for a group, whose rows follow those of the groups before it.
func eachOfGroup(name string, group parquet.RowGroup, texts []cellText, row *int, visit func(row int, cells []string) error) error {
	rows := group.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, rowsAtOnce)
	cells := make([]string, len(texts))
	for {
		n, err := rows.ReadRows(buffer)
		for _, values := range buffer[:n] {
			clear(cells)
			for _, v := range values {
				if !v.IsNull() {
					cells[v.Column()] = texts[v.Column()](v)
				}
			}
			*row++
			if err := visit(*row, cells); err != nil {
				return err
			}
		}
		if err == nil && n == 0 {
			err = io.ErrNoProgress
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("%s: row %d: cannot read: %w", name, *row+1, err)
		}
	}
}

// cellText writes a value that is not null as CSV would hold it.
type cellText func(v parquet.Value) string

// columnText returns what writes the values of a column, which may be durations of Arrow.
func columnText(name string, c *parquet.Column, units map[string]int) (cellText, error) {
	text, problem, fix := textOf(c)
	if unit, ok := units[c.Name()]; ok && problem == "" {
		text, problem, fix = durationTextOf(c.Name(), unit)
	}
	if problem != "" {
		return nil, &traces.SyntaxError{File: name, What: "column " + problem, Text: c.Name(), Fix: fix}
	}
	return text, nil
}

// textOf returns what writes the values of a column, or says what is wrong with it.
func textOf(c *parquet.Column) (text cellText, problem, fix string) {
	if !c.Leaf() || c.Repeated() {
		return nil, "is not a plain one:", "write numbers and strings only"
	}
	logical := c.Type().LogicalType()
	if logical == nil {
		if kind := c.Type().Kind(); kind == parquet.FixedLenByteArray || kind == parquet.Int96 { // as float16, and times of Spark
			return nil, "has values of bytes:", "write numbers and strings only"
		}
		return plainText, "", ""
	}
	switch kind := logical.Value.(type) {
	case *format.DecimalType:
		if kind.Scale < 0 || kind.Scale > mostDecimals {
			return nil, fmt.Sprintf("has %d decimals:", kind.Scale), fmt.Sprintf("write %d at most", mostDecimals)
		}
		return func(v parquet.Value) string { return decimalText(v, int(kind.Scale)) }, "", ""
	case *format.TimestampType, *format.TimeType, *format.DateType:
		return nil, "has times of a calendar:", "write numbers"
	case *format.IntType:
		if !kind.IsSigned {
			return unsignedText, "", ""
		}
	}
	return plainText, "", ""
}

// durationTextOf is textOf for a column of whole numbers that are durations, in decimals of a second.
func durationTextOf(column string, decimals int) (text cellText, problem, fix string) {
	scale := decimals
	switch column {
	case "start_s":
	case "start_ns":
		scale -= 9
	default:
		return nil, "has durations:", "write numbers"
	}
	return func(v parquet.Value) string {
		return decimalText(v, max(scale, 0)) + strings.Repeat("0", max(-scale, 0))
	}, "", ""
}

func plainText(v parquet.Value) string {
	switch v.Kind() {
	case parquet.Double:
		return strconv.FormatFloat(v.Double(), 'f', -1, 64)
	case parquet.Float:
		return strconv.FormatFloat(float64(v.Float()), 'f', -1, 32)
	}
	return v.String()
}

// unsignedText writes a whole number whose highest bit is no sign.
func unsignedText(v parquet.Value) string {
	if v.Kind() == parquet.Int32 {
		return strconv.FormatUint(uint64(uint32(v.Int32())), 10)
	}
	return strconv.FormatUint(uint64(v.Int64()), 10)
}

// mostDecimals is the largest scale of a decimal of 128 bits.
const mostDecimals = 38

// decimalText writes a decimal, which is a whole number, perhaps as big-endian two's complement, times
// 10^-scale. Zeros at its end are left out.
func decimalText(v parquet.Value, scale int) string {
	unscaled := new(big.Int)
	switch v.Kind() {
	case parquet.Int32:
		unscaled.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		unscaled.SetInt64(v.Int64())
	default:
		b := v.ByteArray()
		unscaled.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			unscaled.Sub(unscaled, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	text := new(big.Rat).SetFrac(unscaled, power).FloatString(scale)
	if scale > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
