package traces

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/spelling"
)

// flowColumn is a column of a flow table, CSV or Parquet.
type flowColumn struct {
	Column
	required bool
	set      func(f *Flow, text string) (problem, fix string)
	get      func(f *Flow) string // empty for the default; nil: the column is not written
}

// flowColumns are the columns that a flow table may have, in any order.
var flowColumns = []flowColumn{
	{Column{"src", "int", "node id", "source host"}, true, func(f *Flow, text string) (string, string) {
		return setInteger(text, 0, maxNodes-1, func(v int64) { f.Src = core.NodeID(v) })
	}, func(f *Flow) string { return strconv.Itoa(int(f.Src)) }},
	{Column{"dst", "int", "node id", "destination host"}, true, func(f *Flow, text string) (string, string) {
		return setInteger(text, 0, maxNodes-1, func(v int64) { f.Dst = core.NodeID(v) })
	}, func(f *Flow) string { return strconv.Itoa(int(f.Dst)) }},
	{Column{"bytes", "int", "B", "size of the message, at least 1"}, true, func(f *Flow, text string) (string, string) {
		return setInteger(text, 1, maxFlowBytes, func(v int64) { f.Bytes = core.Bytes(v) })
	}, func(f *Flow) string { return strconv.FormatInt(int64(f.Bytes), 10) }},
	{Column{"start_ns", "decimal", "ns", "start, rounded to the picosecond; or start_s"}, false, func(f *Flow, text string) (problem, fix string) {
		f.Start, problem = parseDecimal(text, 3)
		f.StartNanos = f.Start.Nanos()
		return problem, "write nanoseconds such as 1500 or 0.5"
	}, func(f *Flow) string { return string(appendNanos(nil, f.Start)) }},
	{Column{"start_s", "decimal", "s", "start, rounded to the picosecond; or start_ns"}, false, func(f *Flow, text string) (problem, fix string) {
		f.Start, f.StartNanos, problem = parseSeconds(text)
		return problem, "write seconds such as 2.000001"
	}, nil},
	{Column{"prio", "int", "1 to 7", "traffic class; default 3"}, false, func(f *Flow, text string) (string, string) {
		return setInteger(text, 1, 7, func(v int64) { f.Prio = uint8(v) })
	}, func(f *Flow) string { return unless(DefaultPrio, int(f.Prio)) }},
	{Column{"src_port", "int", "port", "source port; default: the host chooses"}, false, func(f *Flow, text string) (string, string) {
		return setInteger(text, 0, math.MaxUint16, func(v int64) { f.SrcPort = uint16(v) })
	}, func(f *Flow) string { return unless(0, int(f.SrcPort)) }},
	{Column{"dst_port", "int", "port", "destination port; default 100"}, false, func(f *Flow, text string) (string, string) {
		return setInteger(text, 0, math.MaxUint16, func(v int64) { f.DstPort = uint16(v) })
	}, func(f *Flow) string { return unless(DefaultDstPort, int(f.DstPort)) }},
	{Column{"tag", "text", "", "free text; groups flows in results"}, false, func(f *Flow, text string) (string, string) {
		f.Tag = strings.Clone(text)
		return checkText(text)
	}, func(f *Flow) string { return f.Tag }},
	{Column{"scheme", "text", "", "congestion control of the flow; default: the run's"}, false, func(f *Flow, text string) (string, string) {
		f.Scheme = strings.Clone(text)
		return checkText(text)
	}, func(f *Flow) string { return f.Scheme }},
	{Column{"after", "ints", "flow", "numbers, from 0, of the earlier flows that must finish first, with blanks between them, such as 3 or 3 5 7; the start counts from the end of the last of them: the last byte if the source receives that flow, otherwise the last acknowledgement"}, false, setAfter, getAfter},
}

func setAfter(f *Flow, text string) (problem, fix string) {
	for number := range strings.FieldsSeq(text) {
		v, problem := parseWhole(number, 0, maxFlows)
		if problem != "" {
			return problem, "write numbers of flows, with blanks between them"
		}
		f.After = append(f.After, int32(v))
	}
	return checkAfter(f.After)
}

func checkAfter(after []int32) (problem, fix string) {
	if len(after) > 1 { // there may be thousands
		if different := slices.Compact(slices.Sorted(slices.Values(after))); len(different) < len(after) {
			return "names a flow twice", "write each number once"
		}
	}
	return "", ""
}

func getAfter(f *Flow) string {
	var numbers []string
	for _, v := range f.After {
		numbers = append(numbers, strconv.Itoa(int(v)))
	}
	return strings.Join(numbers, " ")
}

// unless writes a number that is not the default.
func unless(usual, v int) string {
	if v == usual {
		return ""
	}
	return strconv.Itoa(v)
}

func setInteger(text string, lo, hi int64, set func(int64)) (problem, fix string) {
	v, problem := parseWhole(text, lo, hi)
	if problem != "" {
		return problem, integerFix(lo, hi)
	}
	set(v)
	return "", ""
}

// parseWhole is parseInteger that also takes 3.0, as pandas writes the whole numbers of a column with empty cells.
func parseWhole(text string, lo, hi int64) (v int64, problem string) {
	return parseInteger(strings.TrimSuffix(text, ".0"), lo, hi)
}

func checkText(text string) (problem, fix string) {
	switch {
	case !utf8.ValidString(text):
		return "is not UTF-8 text", "write it as UTF-8"
	case utf8.RuneCountInString(text) > 256 || strings.ContainsFunc(text, unicode.IsControl):
		return "is too long or has control characters", "write at most 256 printable characters"
	}
	return "", ""
}

// FlowTable reads rows of a flow table, CSV or Parquet, one by one.
type FlowTable struct {
	name     string
	columns  []*flowColumn // in the file's order
	flows    []Flow
	tags     map[string]string // one copy of every tag and scheme
	anyOrder bool              // of starts
}

// NewFlowTable returns a table with the columns of a header. Errors call the file name.
func NewFlowTable(name string, line int, header []string) (*FlowTable, error) {
	t := &FlowTable{name: name, tags: make(map[string]string)}
	has := make(map[string]bool)
	for _, h := range header {
		i := slices.IndexFunc(flowColumns, func(c flowColumn) bool { return c.Name == h })
		if i < 0 && len(header) == 1 && strings.HasPrefix(h, "#") {
			return nil, &SyntaxError{name, line, "a comment", h, "files of flows have none: remove it"}
		}
		if i < 0 && len(header) == 1 && strings.ContainsAny(h, ";|\t ") {
			return nil, &SyntaxError{name, line, "a single column", h, "separate columns by commas"}
		}
		if h == "" || strings.HasPrefix(h, "__index_level_") {
			return nil, &SyntaxError{name, line, "a column without a name", h, "leave it out, as pandas does with index=False"}
		}
		if h == "flow_id" { // of fct.parquet
			return nil, &SyntaxError{name, line, "a table of results", h, "write flows, as qbb gen traffic does with the flags of that run"}
		}
		if i < 0 {
			return nil, &SyntaxError{name, line, "unknown column", h, unknownColumnFix(h)}
		}
		if has[h] {
			return nil, &SyntaxError{name, line, "column given twice", h, "remove one"}
		}
		has[h] = true
		t.columns = append(t.columns, &flowColumns[i])
	}
	for _, c := range flowColumns {
		if c.required && !has[c.Name] {
			return nil, &SyntaxError{name, line, "no column", c.Name, "a flow table has src,dst,bytes and start_ns or start_s"}
		}
	}
	if has["start_ns"] == has["start_s"] {
		return nil, &SyntaxError{name, line, "need one of the columns start_ns and start_s", strings.Join(header, ","), "give the start once"}
	}
	return t, nil
}

func unknownColumnFix(given string) string {
	var names []string
	for _, c := range flowColumns {
		names = append(names, c.Name)
	}
	nearest := spelling.Nearest(given, names)
	if 2*spelling.Distance(given, nearest) >= len(given) {
		return "known are " + strings.Join(names, ", ")
	}
	return "did you mean " + nearest + "?"
}

// Flows returns the flows of the rows so far.
func (t *FlowTable) Flows() []Flow { return t.flows }

// Add digests one row, a cell for each column; an empty cell of an optional column keeps the default.
func (t *FlowTable) Add(line int, cells []string) error {
	if len(cells) != len(t.columns) {
		return &SyntaxError{t.name, line, fmt.Sprintf("%d cells under %d columns", len(cells), len(t.columns)), strings.Join(cells, ","), "give every row a cell for each column"}
	}
	if len(t.flows) == maxFlows {
		return &SyntaxError{File: t.name, Line: line, What: "too many flows", Fix: fmt.Sprintf("at most %d", maxFlows)}
	}
	f := Flow{Prio: DefaultPrio, DstPort: DefaultDstPort, Line: int32(line)}
	for i, c := range t.columns {
		if cells[i] == "" && !c.required && !strings.HasPrefix(c.Name, "start") {
			continue
		}
		if problem, fix := c.set(&f, cells[i]); problem != "" {
			return &SyntaxError{t.name, line, c.Name + " " + problem, cells[i], fix}
		}
	}
	f.Tag, f.Scheme = t.intern(f.Tag), t.intern(f.Scheme)
	what, text, fix := f.checkOrder(t.flows)
	if t.anyOrder {
		what, text, fix = f.check(len(t.flows))
	}
	if what != "" {
		return &SyntaxError{t.name, line, what, text, fix}
	}
	t.flows = append(t.flows, f)
	return nil
}

func (t *FlowTable) intern(s string) string {
	if one, ok := t.tags[s]; ok {
		return one
	}
	t.tags[s] = s
	return s
}
