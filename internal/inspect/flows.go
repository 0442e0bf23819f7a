package inspect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// flowRow is a line of Flows.
type flowRow struct {
	src, dst       core.NodeID
	first, last    core.Time
	packets, again int64
	end            int64 // highest byte
	marked         int64
}

// Flows lists the flows with data packets in a file.
func Flows(path string) (string, error) {
	table := make(map[int64]*flowRow)
	err := Each(path, func(v *traces.Sighting) bool {
		p := &v.Packet
		if p.Kind != core.Data {
			return true
		}
		f := table[v.Flow]
		if f == nil {
			f = &flowRow{src: p.Src, dst: p.Dst, first: v.At}
			table[v.Flow] = f
		}
		f.last, f.end = v.At, max(f.end, p.Seq+int64(p.Payload))
		switch {
		case v.Node == p.Src && v.Event == core.EventDequeue:
			f.packets++
			if p.Flags&core.Rtx != 0 {
				f.again++
			}
		case v.Node == p.Dst && v.Event == core.EventRecv && p.Flags&core.CE != 0:
			f.marked++
		}
		return true
	})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%8s%8s%8s%18s%18s%12s%9s%9s%9s\n", "flow", "from", "to", "first seen (us)", "last seen (us)", "bytes", "packets", "again", "marked")
	for _, id := range slices.Sorted(maps.Keys(table)) {
		f := table[id]
		fmt.Fprintf(&b, "%8d%8d%8d%18s%18s%12d%9d%9d%9d\n", id, f.src, f.dst, micros(f.first), micros(f.last), f.end, f.packets, f.again, f.marked)
	}
	return b.String(), nil
}
