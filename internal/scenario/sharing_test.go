package scenario

import (
	"strings"
	"testing"

	"github.com/qbb-sim/qbb/core"
	"github.com/qbb-sim/qbb/internal/sim"
)

// beside returns how many packets of a burst are sent again, which 8 hosts send to one, 20 packets each, while
// pairs of hosts overload each of so many ports with class 1.
func beside(t *testing.T, ports int, burst uint8, keys ...string) (again int64) {
	var flows []sim.Flow
	for i := range core.NodeID(2 * ports) {
		flows = append(flows, sim.Flow{Src: core.NodeID(ports) + i, Dst: i / 2, Bytes: endless, Prio: 1, DstPort: 100})
	}
	first := core.NodeID(3 * ports)
	for i := range core.NodeID(8) {
		flows = append(flows, sim.Flow{Src: first + 1 + i, Dst: first, Bytes: 20_000, Start: core.Time(2 * ms), Prio: burst, DstPort: 100})
	}
	s := unsampled(t, flows, append(keys, "topology", "star:n=33", "cc", "none", "flow_control", "none", "buffer", "500KB",
		"switch.reserve", "0B", "host.window", "off", "host.recovery", "selective", "options.rto", "1ms", "stop", "1s")...)
	s.Lossy = 1<<1 | 1<<3
	n, _ := begin(t, s)
	upTo(n, core.Time(6*ms))
	for i := 2 * ports; i < len(flows); i++ {
		again += n.Record(i).Retx / 1000
	}
	return again
}

// A burst finds room with active buffer management however many ports another class overloads, which leave it less and less
// with dynamic thresholds, and nothing with complete sharing (Addanki et al., SIGCOMM 2022: isolation, burst tolerance).
func TestBurstBesideFullBuffer(t *testing.T) {
	for _, c := range []struct {
		class uint8
		keys  string
		// Least and most of 160 packets that are sent again, beside 1 and 8 overloaded ports.
		least, most [2]int64
	}{
		{3, "switch.sharing dynamic switch.lossy_shift 1", [2]int64{1, 120}, [2]int64{40, 159}},
		{3, "switch.sharing complete", [2]int64{160, 160}, [2]int64{1000, 1000}},
		{3, "switch.sharing abm switch.lossy_shift 1 switch.first_alpha 1", [2]int64{}, [2]int64{}},
		{1, "switch.sharing abm switch.lossy_shift 1 switch.first_alpha 1", [2]int64{1, 120}, [2]int64{40, 159}},
		{1, "switch.sharing abm switch.lossy_shift 1", [2]int64{}, [2]int64{}}, // what flows send first has room in their own class
	} {
		for i, ports := range []int{1, 8} {
			if got := beside(t, ports, c.class, strings.Fields(c.keys)...); got < c.least[i] || got > c.most[i] {
				t.Errorf("class %d, %s: beside %d ports %d packets are sent again, want %d to %d", c.class, c.keys, ports, got, c.least[i], c.most[i])
			}
		}
	}
}
