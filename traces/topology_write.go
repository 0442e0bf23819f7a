package traces

import (
	"strconv"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/core/topo"
)

// AppendTopology appends a topology.txt. ReadTopology gives the same nodes and links back.
func AppendTopology(dst []byte, t *topo.Topology) []byte {
	hosts := len(t.Hosts())
	dst = appendInts(dst, int64(len(t.Kinds)), int64(len(t.Kinds)-hosts), int64(len(t.Links)))
	first := true
	for id, k := range t.Kinds {
		if k != topo.Switch {
			continue
		}
		if !first {
			dst = append(dst, ' ')
		}
		dst, first = strconv.AppendInt(dst, int64(id), 10), false
	}
	dst = append(dst, '\n')
	for i := range t.Links {
		l := &t.Links[i]
		dst = strconv.AppendInt(dst, int64(l.A), 10)
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(l.B), 10)
		dst = append(dst, ' ')
		dst = appendRate(dst, l.Rate)
		dst = append(dst, ' ')
		dst = appendDelay(dst, l.Delay)
		dst = append(dst, ' ')
		dst = strconv.AppendFloat(dst, l.Loss, 'g', -1, 64)
		dst = append(dst, '\n')
	}
	return dst
}

// appendRate writes a rate in the units that the reference knows, of which Gbps is the largest.
func appendRate(dst []byte, r core.Rate) []byte {
	switch {
	case r%core.Gbps == 0:
		return append(strconv.AppendInt(dst, int64(r/core.Gbps), 10), "Gbps"...)
	case r%core.Mbps == 0:
		return append(strconv.AppendInt(dst, int64(r/core.Mbps), 10), "Mbps"...)
	}
	return append(strconv.AppendInt(dst, int64(r), 10), "bps"...)
}

func appendDelay(dst []byte, d core.Duration) []byte {
	if d%core.Nanosecond == 0 {
		return append(strconv.AppendInt(dst, int64(d/core.Nanosecond), 10), "ns"...)
	}
	return append(strconv.AppendInt(dst, int64(d), 10), "ps"...)
}

// appendInts appends numbers and the end of the line.
func appendInts(dst []byte, values ...int64) []byte {
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(dst, v, 10)
	}
	return append(dst, '\n')
}
