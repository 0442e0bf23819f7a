package traces

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	byteOrderMark = "\ufeff"
	maxLine       = 1 << 20
)

// readFlowsCSV reads a header line and one flow per line, RFC 4180 without line breaks in
// quotes. Empty lines are skipped. Starts ascend unless they may be in any order.
func readFlowsCSV(name string, r io.Reader, anyOrder bool) ([]Flow, error) {
	in := bufio.NewReaderSize(r, maxLine)
	var table *FlowTable
	for line := 1; ; line++ {
		text, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, &SyntaxError{name, line, "line of more than 1 MiB", string(text[:64]), "is this a CSV file?"}
		case err != nil && err != io.EOF:
			return nil, fmt.Errorf("%s:%d: cannot read: %w", name, line, err)
		case !utf8.Valid(text):
			return nil, &SyntaxError{name, line, "not UTF-8 text", string(text), "save the file as UTF-8"}
		}
		atEnd := err == io.EOF
		row := strings.TrimSpace(string(text))
		if line == 1 {
			row = strings.TrimPrefix(row, byteOrderMark)
		}
		if row != "" {
			cells, ok := splitCSV(row)
			switch {
			case !ok:
				err = &SyntaxError{name, line, "unbalanced quotes", row, "close every quote on its line"}
			case table == nil:
				if table, err = NewFlowTable(name, line, cells); err == nil {
					table.anyOrder = anyOrder
				}
			default:
				err = table.Add(line, cells)
			}
			if err != nil && err != io.EOF {
				return nil, err
			}
		}
		if !atEnd {
			continue
		}
		if table == nil {
			return nil, &SyntaxError{File: name, Line: line, What: "empty flow file", Fix: "write a header such as src,dst,bytes,start_ns"}
		}
		return table.flows, nil
	}
}

// splitCSV cuts a line into cells, without the blanks around them.
func splitCSV(line string) (cells []string, ok bool) {
	for {
		line = strings.TrimLeft(line, " \t")
		if !strings.HasPrefix(line, `"`) {
			cell, rest, more := strings.Cut(line, ",")
			cells = append(cells, strings.TrimRight(cell, " \t"))
			if !more {
				return cells, true
			}
			line = rest
			continue
		}
		cell, rest, closed := unquote(line[1:])
		rest = strings.TrimLeft(rest, " \t")
		if !closed || rest != "" && rest[0] != ',' {
			return nil, false
		}
		cells = append(cells, cell)
		if rest == "" {
			return cells, true
		}
		line = rest[1:]
	}
}

// unquote reads up to the closing quote; a doubled quote stands for one.
func unquote(s string) (cell, rest string, closed bool) {
	var b strings.Builder
	for {
		part, after, found := strings.Cut(s, `"`)
		b.WriteString(part)
		if !found {
			return "", "", false
		}
		if !strings.HasPrefix(after, `"`) {
			return b.String(), after, true
		}
		b.WriteByte('"')
		s = after[1:]
	}
}
