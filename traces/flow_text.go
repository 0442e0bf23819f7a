package traces

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// LoadFlows reads a flow file, the reference's flow.txt or CSV, told apart by content and perhaps
// compressed. Parquet is read by package tables, here it is an error.
func LoadFlows(path string) ([]Flow, error) { return load(path, ReadFlows) }

// ParquetMagic begins a Parquet file.
const ParquetMagic = "PAR1"

// ReadFlows reads flow.txt or CSV, perhaps compressed, from r. Errors call it name; with a
// [SurplusError] the flows are returned too.
func ReadFlows(name string, r io.Reader) ([]Flow, error) {
	source, err := expand(r)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer source.Close()
	b := bufio.NewReaderSize(source, 64<<10)
	head, _ := b.Peek(64)
	switch head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n"); {
	case bytes.HasPrefix(head, []byte(ParquetMagic)):
		return nil, &SyntaxError{File: name, Line: 1, What: "Parquet cannot be read here", Fix: "expand the file if it is compressed, else write CSV"}
	case len(head) > 0 && (head[0] < '0' || head[0] > '9') && head[0] != '-' && head[0] != '+':
		return readFlowsCSV(name, b, false)
	}
	return readFlowsText(name, b)
}

// ReadFlowTable reads CSV from r, whose flows may be in any order of start, but follow those that they wait for.
// Errors call it name.
func ReadFlowTable(name string, r io.Reader) ([]Flow, error) { return readFlowsCSV(name, r, true) }

// readFlowsText reads a count and as many lines of
// src dst priority_group dst_port bytes start_seconds.
func readFlowsText(name string, r io.Reader) ([]Flow, error) {
	s := newScanner(name, r)
	defer s.close()
	n := s.integer("number of flows", 0, maxFlows)
	if s.err != nil && bytes.ContainsRune(s.word, ',') {
		s.err = &SyntaxError{File: name, Line: s.line, What: "no line with the names of the columns", Fix: "begin a CSV file with one, such as src,dst,bytes,start_ns"}
	}
	count := s.line
	_, more := s.peek()
	alone := !more || s.line > count
	var flows []Flow
	for i := int64(0); i < n && s.err == nil; i++ {
		f := readFlow(s)
		if what, text, fix := f.checkOrder(flows); what != "" {
			s.fail(what, text, fix)
		}
		flows = append(flows, f)
	}
	surplus := s.end("flows", n)
	if (s.err != nil || surplus != nil) && !alone {
		s.err = &SyntaxError{File: name, Line: count, What: "the number of flows does not stand alone", Fix: "begin the file with a line that holds it and nothing else"}
	}
	if s.err != nil {
		return nil, s.err
	}
	return flows, surplus
}

func readFlow(s *scanner) Flow {
	f := Flow{
		Src:     s.node("source", maxNodes),
		Dst:     s.node("destination", maxNodes),
		Prio:    uint8(s.integer("priority group", 1, 7)),
		DstPort: uint16(s.integer("destination port", 0, math.MaxUint16)),
		Bytes:   core.Bytes(s.integer("size in bytes", 1, maxFlowBytes)),
	}
	var problem string
	text := s.number("start in seconds")
	if f.Start, f.StartNanos, problem = parseSeconds(text); problem != "" {
		s.fail("start "+problem, text, "write seconds such as 2.000001")
	}
	f.Line = int32(s.line)
	return f
}

// parseSeconds reads seconds: to the nearest picosecond, and as the reference does.
func parseSeconds(text string) (at core.Time, nanos int64, problem string) {
	at, problem = parseDecimal(text, 12)
	if problem != "" {
		return 0, 0, problem
	}
	x, err := core.ParseFloat(text)
	if err != nil {
		return 0, 0, "is not a number"
	}
	return at, core.Time(core.NanosFromSeconds(x)).Nanos(), ""
}

// parseDecimal reads a number of units of 10^digits picoseconds, exactly: it is rounded to the nearest picosecond, as
// [core.ParseDuration] does, a half upwards. Numbers that a program has computed may lie a little below what is meant.
func parseDecimal(text string, digits int) (core.Time, string) {
	v, point, any, up := int64(0), -1, false, int64(0)
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '.' && point < 0:
			point = 0
		case c >= '0' && c <= '9' && point < digits:
			if v > (math.MaxInt64-9)/10 {
				if strings.ContainsAny(text[i:], "eE") {
					return parseExponent(text, digits)
				}
				return 0, tooLate
			}
			v, any = v*10+int64(c-'0'), true
			if point >= 0 {
				point++
			}
		case c >= '0' && c <= '9':
			if point == digits && c >= '5' {
				up = 1
			}
			point = digits + 1
		default:
			return parseExponent(text, digits)
		}
	}
	if !any {
		return 0, "is not a number"
	}
	for i := max(point, 0); i < digits; i++ {
		if v > math.MaxInt64/10 {
			return 0, tooLate
		}
		v *= 10
	}
	if v += up; v > maxSeconds*int64(core.Second) {
		return 0, tooLate
	}
	return core.Time(v), ""
}

// parseExponent is parseDecimal of a number with a sign or an exponent.
func parseExponent(text string, digits int) (core.Time, string) {
	x, err := core.ParseFloat(text)
	switch {
	case err != nil && err.(*strconv.NumError).Err == strconv.ErrSyntax || math.IsNaN(x):
		return 0, "is not a number"
	case x < 0:
		return 0, "is negative"
	case math.IsInf(x, 0):
		return 0, tooLate
	}
	mantissa, exponent := strings.TrimLeft(text, "+-"), 0
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		most := len(mantissa) + 400                // a larger one, of a finite number, is that of 0
		exponent, _ = strconv.Atoi(mantissa[i+1:]) // the nearest int, if it is out of range
		mantissa, exponent = mantissa[:i], min(max(exponent, -most), most)
	}
	if digits += exponent; digits < 0 {
		whole, _, _ := strings.Cut(mantissa, ".")
		if point := len(whole) + digits; point >= 0 {
			mantissa = whole[:point] + "." + whole[point:]
		} else {
			mantissa = ""
		}
		digits = 0
	}
	return parseDecimal("0"+mantissa, digits)
}
