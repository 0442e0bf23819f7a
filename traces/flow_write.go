package traces

import (
	"strconv"

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
