package traces

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/qbb-sim/qbb/core"
)

// AppendFlows appends a flow.txt: the number of flows and a line for each. The format holds
// source, destination, class, destination port, size, and start to the picosecond; ReadFlows
// gives these back.
func AppendFlows(dst []byte, flows []Flow) []byte {
	dst = strconv.AppendInt(dst, int64(len(flows)), 10)
	dst = append(dst, '\n')
	for i := range flows {
		f := &flows[i]
		for _, v := range [...]int64{int64(f.Src), int64(f.Dst), int64(f.Prio), int64(f.DstPort), int64(f.Bytes)} {
			dst = strconv.AppendInt(dst, v, 10)
			dst = append(dst, ' ')
		}
		dst = appendSeconds(dst, f.Start)
		dst = append(dst, '\n')
	}
	return dst
}

// AppendFlowTable appends the flows as CSV, which [ReadFlows] gives back: source, destination, size and
// start to the picosecond, and those of the other columns that some flow uses.
func AppendFlowTable(dst []byte, flows []Flow) []byte {
	var columns []*flowColumn
	for i := range flowColumns {
		c := &flowColumns[i]
		given := func(f Flow) bool { return c.get(&f) != "" }
		if c.required || c.Name == "start_ns" || c.get != nil && slices.ContainsFunc(flows, given) {
			columns = append(columns, c)
		}
	}
	row := func(cell func(c *flowColumn) string) {
		for i, c := range columns {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, quoteCSV(cell(c))...)
		}
		dst = append(dst, '\n')
	}
	row(func(c *flowColumn) string { return c.Name })
	for i := range flows {
		row(func(c *flowColumn) string { return c.get(&flows[i]) })
	}
	return dst
}

// quoteCSV puts quotes around a cell that needs them.
func quoteCSV(cell string) string {
	if !strings.ContainsAny(cell, `",`) && strings.TrimSpace(cell) == cell {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// appendNanos writes nanoseconds, with three decimals where picoseconds count.
func appendNanos(dst []byte, t core.Time) []byte {
	dst = strconv.AppendInt(dst, t.Nanos(), 10)
	if rest := t % core.Time(core.Nanosecond); rest > 0 {
		dst = fmt.Appendf(dst, ".%03d", rest)
	}
	return dst
}

// appendSeconds writes seconds with nine decimals, or twelve where picoseconds count.
func appendSeconds(dst []byte, t core.Time) []byte {
	dst = strconv.AppendInt(dst, int64(t)/int64(core.Second), 10)
	dst = append(dst, '.')
	rest, digit := int64(t)%int64(core.Second), int64(core.Second)/10
	for i := 0; i < 12 && (i < 9 || rest > 0); i++ {
		dst = append(dst, byte('0'+rest/digit))
		rest, digit = rest%digit, max(1, digit/10)
	}
	return dst
}
