package inspect

import (
	"fmt"
	"strings"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/traces"
)

// Packet follows the packet of a flow that holds the byte at an offset, from port to port, and the
// acknowledgements that it caused. Each line ends with the time since the line before.
func Packet(path string, flow, offset int64) (string, error) {
	var b strings.Builder
	var last core.Time
	seen, step := 0, int64(0)
	err := Each(path, func(v *traces.Sighting) bool {
		p := &v.Packet
		if v.Flow != flow {
			return true
		}
		var ours bool
		switch p.Kind {
		case core.Data:
			step = max(step, int64(p.Payload))
			ours = p.Seq <= offset && offset < p.Seq+int64(p.Payload)
		case core.Ack:
			ours = offset < p.Seq && p.Seq <= offset+step
		case core.Nack:
			ours = p.Seq <= offset && offset < p.Seq+step
		}
		if !ours {
			return true
		}
		if seen == 0 {
			last = v.At
		}
		fmt.Fprintf(&b, "%-100s +%s us\n", Line(v), micros(v.At-last))
		last = v.At
		seen++
		return true
	})
	if err != nil {
		return "", err
	}
	if seen == 0 {
		return "", fmt.Errorf("%s: no packet of flow %d holds byte %d", path, flow, offset)
	}
	return fmt.Sprintf("%-100s  since the line before\n", Head) + b.String(), nil
}
