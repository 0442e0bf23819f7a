package traces

import (
	"io"
	"math"
	"strconv"

	"github.com/qbb-sim/qbb/core"
)

// AppendFCT appends the line of fct.txt for a finished flow. Times are cut to nanoseconds.
func AppendFCT(dst []byte, r *FCTRow) []byte {
	dst = appendHex32(dst, core.Address(r.Src))
	dst = append(dst, ' ')
	dst = appendHex32(dst, core.Address(r.Dst))
	for _, v := range [...]int64{
		int64(r.SrcPort), int64(r.DstPort), r.SizeBytes,
		int64(r.StartNs), int64(r.FCTNs), int64(r.IdealFCTNs),
	} {
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, v, 10)
	}
	return append(dst, '\n')
}

// appendHex32 appends v as eight lower-case hexadecimal digits.
func appendHex32(dst []byte, v uint32) []byte {
	const digits = "0123456789abcdef"
	for shift := 28; shift >= 0; shift -= 4 {
		dst = append(dst, digits[v>>shift&15])
	}
	return dst
}

// NodeAt returns the node of an address: the inverse of core.Address.
func NodeAt(ip uint32) (core.NodeID, bool) {
	u := ip - core.Address(0)
	id := core.NodeID(u>>16<<8 | u>>8&0xff)
	return id, core.Address(id) == ip
}

// ReadFCT reads fct.txt from r. Rows are numbered in the file's order; what the file does
// not say stays zero. Errors call it name.
func ReadFCT(name string, r io.Reader) ([]FCTRow, error) {
	s := newScanner(name, r)
	defer s.close()
	var rows []FCTRow
	for {
		if _, more := s.peek(); !more {
			break
		}
		row := FCTRow{
			FlowID:     int64(len(rows)),
			Src:        s.address("source address"),
			Dst:        s.address("destination address"),
			SrcPort:    int32(s.integer("source port", 0, math.MaxUint16)),
			DstPort:    int32(s.integer("destination port", 0, math.MaxUint16)),
			SizeBytes:  s.integer("size", 0, maxFlowBytes),
			StartNs:    float64(s.integer("start", 0, maxSeconds*1e9)),
			FCTNs:      float64(s.integer("completion time", 1, maxSeconds*1e9)),
			IdealFCTNs: float64(s.integer("standalone completion time", 1, maxSeconds*1e9)),
			Finished:   true,
		}
		row.Slowdown = Slowdown(row.FCTNs, row.IdealFCTNs)
		rows = append(rows, row)
	}
	if s.err != nil {
		return nil, s.err
	}
	return rows, nil
}

// address reads a node's address in hexadecimal.
func (s *scanner) address(what string) core.NodeID {
	w := s.want(what)
	v, err := strconv.ParseUint(w, 16, 32)
	id, ok := NodeAt(uint32(v))
	if s.err == nil && (err != nil || !ok) {
		s.fail(what+" is no node's", w, "addresses are 0b000001 and up, eight hexadecimal digits")
	}
	return id
}
